// Sizes that others divide, as multiples of those:
//
//   const int size = channels / heads;        const int size = q;
//   grid(rows * channels)                     grid(rows * (heads * q))
//
// In kernel and spec, whose parameter is the quotient then. What is proved of them is so where channels % heads == 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct MultipleSizes {
  Program kernel, spec;
  std::vector<Sizes> known;
  std::string size, divisor, quotient;

  // Of what is proved of them, in terms of the size: "1 <= q <= 8" is "1 <= channels / heads <= 8".
  std::vector<std::string> conditions(const std::vector<std::string>& of_quotient) const;
};

// `known`: all of them have the size as a multiple. Nothing: no size divides another one.
std::optional<MultipleSizes> with_multiple_sizes(const Program& kernel, const Program& spec,
                                                 const std::vector<Sizes>& known);

}  // namespace swizzle
