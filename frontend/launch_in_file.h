// LaunchInFile: what a `<<<…>>>` in the host code of a file says, as far as it is constant.
//
//   dim3 block(32, 4);
//   copy<<<(n + 127) / 128, block>>>(y, 64);        {grid: nothing, block: (32, 4, 1), arguments: {n = 64}}
#pragma once

#include <array>
#include <optional>

#include "synth/program/directives.h"

namespace swizzle {

struct LaunchInFile {
  std::optional<std::array<int, 3>> grid, block;
  Sizes arguments;  // integer parameters
  SourceRange range;
};

}  // namespace swizzle
