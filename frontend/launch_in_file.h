// LaunchInFile: what a `<<<…>>>` in the host code of a file says, as far as that can be evaluated.
//
//   dim3 block(32, 4);
//   copy<<<(n + 127) / 128, block>>>(y, 64);
//       {grid: nothing, block: (32, 4, 1), dynamic_shared_bytes: 0, arguments: {n = 64}}
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/program/directives.h"

namespace swizzle {

struct LaunchInFile {
  std::optional<std::array<int, 3>> grid, block;
  std::optional<std::int64_t> dynamic_shared_bytes;
  Sizes arguments;                    // integer parameters, and 0 for pointers that are null
  SourceRange range;                  // of the kernel's name there
  bool is_reached = true;             // false: conditions that are known keep the program from it
  bool is_without_arguments = false;  // as the program does if its command line is empty
  bool is_of_any_kernel = false;      // this one is handed to someone, and nothing says which one is launched here
  std::size_t path = 0;               // of the calls that lead there: others have others
  std::string assumed_block = {};     // what sizes that are known at run time alone decide: "min(n, 1024)"
  // Of a pattern of a template: the numbers among the arguments that are written there; empty: one that is not known.
  std::vector<std::optional<std::int64_t>> numbers = {};
};

}  // namespace swizzle
