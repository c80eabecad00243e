// Sums of sizes, which a grid shares out as if they were one: private to this room.
//
//   grid((n + m + 127) / 128)        blocks of "n + m"
//   grid((2 * p + w + 31) / 32)      … of "w + 2 * p"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/program/size_tree.h"

namespace swizzle {

struct SizeSummand {
  std::int64_t times = 1;
  std::string name;
};

// Of different sizes; none: it is no such sum.
std::vector<SizeSummand> summands_of(const SizeTree& tree);

// With one that is not multiplied first; empty: each is, or there is only one.
std::string text_of_sum(std::vector<SizeSummand> all);

// Of such a text, or of one size's name.
std::vector<SizeSummand> summands_in(const std::string& sum);

std::int64_t sum_of(const std::vector<SizeSummand>& all, const Sizes& sizes);

}  // namespace swizzle
