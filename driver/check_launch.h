// How a kernel that is checked is launched: what the command line, the file's directives, its `<<<…>>>` (each of them)
// and its __launch_bounds__ tell, in this order; the rest is assumed, and said to be.
//
//   __global__ void __launch_bounds__(64) k(float* y, int n)      and nothing else
//     shape {grid (4), block (64)}, "from __launch_bounds__ (grid assumed)"; sizes n = 1024, assumed
//
// Not known: nothing tells the block; a block of more than 1024 threads; a directive that cannot be evaluated.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/report/check_report.h"
#include "frontend/parse_check.h"

namespace swizzle {

struct LaunchRequest {
  std::string launch;  // "grid(4, 4) block(32, 8)", "block(256)"; empty: as the file says
  Sizes set;           // over what the file says
  std::map<std::string, std::string> of_kernels = {};  // likewise, for "copy<4>" alone, or all instances of "copy"
  // What stands in a file for many: names that are none here mean nothing, and the above goes before it.
  std::map<std::string, std::string> project_launches = {};
  std::map<std::string, Sizes> project_sizes = {};
};

struct CheckedLaunch {
  std::vector<std::pair<std::string, std::int64_t>>
      integers;                      // of the parameters, in their order: "n", "p.n"; reals, too
  std::vector<std::string> assumed;  // names among them
  LaunchShape shape;
  std::string origin;  // of the shape: "from line 21 (grid assumed)"
  bool assumes_block = false;
  std::optional<std::int64_t> dynamic_shared_bytes = {};  // of a kernel that uses some; nothing: not known
  std::optional<RecordedAs> recorded = {};
  Sizes sizes() const { return {integers.begin(), integers.end()}; }
};

std::vector<std::string> pointers_of(const Program& program);  // names of the entry's parameters

bool is_same(const CheckedLaunch& a, const CheckedLaunch& b);  // in shape and integers

struct KernelLaunches {
  std::vector<CheckedLaunch> known;  // no two of the same shape and sizes
  Diagnostics unknown;               // an error for each other one
};

// An error for the first name in `set` that is no number among the parameters of any kernel, or the first launch that
// is of none.
std::optional<Diagnostic> unknown_name(const std::vector<CheckedKernel>& kernels, const LaunchRequest& request);

KernelLaunches launches_of(const CheckedKernel& kernel, const LaunchRequest& request);

}  // namespace swizzle
