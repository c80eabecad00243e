// Element ranges: what a sketch says of the elements of its integer buffers.
//
//   #pragma swizzle range idx(0, n)      at n = 64, by parameter: nothing for x, [0, 63] for idx
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "synth/program/program.h"
#include "synth/provenance/value_ranges.h"

namespace swizzle {

// By parameter of the kernel. Errors point into it: no such buffer, or no integer in the range.
Result<std::vector<std::optional<ValueRange>>> element_ranges(const Program& kernel, const Sizes& sizes);

// Whether there are as many distinct elements as buffers have (`extents`, in slots, by parameter), at these sizes.
Result<std::monostate> hold_distinct(const Program& kernel, const Sizes& sizes,
                                     const std::vector<std::int64_t>& extents);

// "every element of idx is in [0, n), and no two are alike"
std::vector<std::string> range_texts(const Program& kernel);

}  // namespace swizzle
