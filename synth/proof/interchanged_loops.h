// Sums of elements by a loop around the one over them, as the loop over them around a sum each:
//
//   for (int k = 0; k < K; ++k) {                        for (int j = 0; j < n; ++j)
//     const float a = x[k];                                for (int k = 0; k < K; ++k) {
//     for (int j = 0; j < n; ++j)                            const float a = x[k];
//       y[j] += a * w[k * n + j];                            y[j] += a * w[k * n + j];
//   }                                                      }
//
// An element is changed in the same order either way. Of loops that hand on nothing else, whose element the index of
// the inner loop alone tells from those of its other iterations.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there are no such loops.
std::optional<Program> with_interchanged_loops(const Program& program);

}  // namespace swizzle
