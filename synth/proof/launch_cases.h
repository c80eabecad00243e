// LaunchCases: launches that are written in another way than the proof follows, as ones that it does.
//
//   grid((n - 1) / 64 + 1)             grid((n + 63) / 64)
//   grid(((n + 3) / 4 + 15) / 16)      likewise
//   grid(max(1, (n + 63) / 64))        likewise: without a block nothing is launched
//   grid(min((n + 63) / 64, 128))      grid((n + 63) / 64), and grid(128): each is looked at for all sizes
//   … and assume n <= 1000000          without a bound, and then with it
//   … and assume pitch >= w            likewise without: what needs no assumption is not split by it
#pragma once

#include <vector>

#include "synth/program/program.h"

namespace swizzle {

// What is proved of all of `kernels` is so of the kernel, for sizes of `most` at most.
struct LaunchCases {
  std::vector<Program> kernels;
  Sizes most;
  bool are_wider = false;  // without some assumptions that are no bounds
};

// With the assumptions that there are, or without upper bounds of sizes. Nothing: it is as it should be.
LaunchCases launch_cases(const Program& kernel, bool keeps_bounds);

}  // namespace swizzle
