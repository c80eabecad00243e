// Buffers at sizes that were not given, where a spec may use less of them than it did.
//
//   y[i] = i + 1 < n ? x[i + 1] - x[i] : 0      of x, n elements at n = 1000; none at n = 1, where a kernel may read
//   x[0]
#pragma once

#include <vector>

#include "synth/problem/pose.h"

namespace swizzle {

// With the length of each buffer that is a product of sizes wherever it is known, and that nobody says; the kernel
// itself, if there is none.
Program with_usual_extents(Program kernel, const std::vector<Posed>& posed);

}  // namespace swizzle
