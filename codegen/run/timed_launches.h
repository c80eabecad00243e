// How long a launch of an emitted kernel takes on the GPU that is here.
//
//   TimedLaunches{request, {{"n", 1 << 26}}, {{131072, 1, 1}, {128, 1, 1}}, 1 << 29}
//   median_microseconds(…)          129.4: the median of 21 launches between events, after 3 that are not counted
//
// Its arrays are larger than what it needs, so that nobody has to know how much that is, and hold 0.75 in each float
// and 0 in all else; what it computes is not looked at.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/run/run_request.h"

namespace swizzle {

struct TimedLaunches {
  const RunRequest& request;  // kernel, parameters, flags, target
  Sizes sizes;
  LaunchShape shape;
  std::int64_t buffer_bytes = 0;  // of each array
  std::int64_t dynamic_shared_bytes = 0;
};

// `kernel_include` is how the program names the kernel's file.
std::string timing_program_source(const TimedLaunches& launches, const std::string& kernel_include);

// Errors: no nvcc, a kernel that does not compile, a launch that fails.
Result<double> median_microseconds(const TimedLaunches& launches);

}  // namespace swizzle
