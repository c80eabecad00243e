// What of a count rests on sizes that nothing tells, and that are assumed. The kernel is traced with others in their
// place:
//
//   s[threadIdx.x * (stride / 1024)]     1 wavefront with stride = 1024, 2 with stride = 2048: told, as not counted
//   if (i < n) s[threadIdx.x] = …        1 wavefront with any n
//   if (mode == 2) s[32 * threadIdx.x]   none with mode = 1024, 32 with mode = 2: the numbers that conditions name
//
// Where there are conflicts at the sizes that are assumed, these are told anyway. What breaks a rule at these alone is
// told as such, and fails no gate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codegen/report/check_report.h"

namespace swizzle {

using TraceAtSizes = std::function<AccessTrace(const Sizes&)>;

// Fewer of each, where nothing is accessed at the sizes that are assumed: `if (i < n * c * h * w)` is false where the
// product has wrapped around. The trace and the sizes of `check` are those then.
void assume_fewer(const TraceAtSizes& trace_at, KernelCheck& check);

// An access outside an array, or a misaligned one, that is none with fewer of what is assumed, or with unlike numbers
// of it; and whatever is none in another block, where that is assumed. `in_block` traces those in place of it; empty:
// the block is known.
void doubt_violations(const TraceAtSizes& trace_at,
                      const std::function<AccessTrace(const std::array<int, 3>&)>& in_block, KernelCheck& check);

// What else is tried: each size as each of the numbers with which something is compared, or by which it is divided; and
// each pointer as null.
struct OtherArguments {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> pointers;
};
OtherArguments other_arguments(const Program& program);

// Adds to what `check` did not count; its trace is `trace_at` its sizes.
void doubt_assumed_sizes(const SourceText& source, const TraceAtSizes& trace_at, const OtherArguments& others,
                         KernelCheck& check);

}  // namespace swizzle
