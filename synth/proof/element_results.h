// Elements of a buffer that a body changes and reads again, as variables that are stored when it ends.
//
//   y[i] = 0;                                         float y' = 0;
//   for (int j = 0; j < k; ++j) y[i] += x[i + j];     for (int j = 0; j < k; ++j) y' += x[i + j];
//                                                     y[i] = y';
//
// Where nothing else of the buffer is named in the body. Where it begins without `y[i] = 0`, the first value is y[i].
// Of a kernel, where no thread waits for others meanwhile.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such element.
std::optional<Program> with_element_results(const Program& program);

}  // namespace swizzle
