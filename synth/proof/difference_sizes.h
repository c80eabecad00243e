// Sizes of which a launch knows the difference, as what they are more:
//
//   grid((width - k + 1 + 15) / 16)           grid((d + 16) / 16)
//   x[row * width + c]                        x[row * (d + k) + c]
//
// In kernel and spec, whose parameter is the difference then, which is at least 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct DifferenceSizes {
  Program kernel, spec;
  std::vector<Sizes> known;
  std::string size, less, difference;

  // Of what is proved of them, in terms of the sizes: "d + k <= 8" is "width <= 8".
  std::vector<std::string> conditions(const std::vector<std::string>& of_difference) const;
};

// Nothing: the launch divides no difference of two parameters, or one of them is the smaller one at a known size.
std::optional<DifferenceSizes> with_difference_sizes(const Program& kernel, const Program& spec,
                                                     const std::vector<Sizes>& known);

}  // namespace swizzle
