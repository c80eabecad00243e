// Which sizes an integer that grows with them leaves below 2^31: private to this room.
#pragma once

#include <string>
#include <vector>

#include "synth/proof/size_region.h"

namespace swizzle {

// Under which sizes `bound + more` is below 2^31; `bound` is of the whole region.
struct SizeBound {
  std::string size;       // of one size alone
  std::int64_t most = 0;  // of it
  std::string text;       // of several: "h * w + 32 <= 2147483647"
};
SizeBound size_bound(const SizeRegion& whole, const Polynomial& bound, std::int64_t more);

// What a launch must stay below: along y and z a grid has at most 65535 blocks, and integers of host code are ints,
// those of a directive as well.
std::vector<SizeBound> launch_bounds(const Program& kernel);
// Likewise what a difference is taken from: of grid((255 + n - k) / 256) "255 + n <= 2147483647".
std::vector<std::string> bounds_of_minuends(const Program& kernel);

}  // namespace swizzle
