// ProductAxes: a grid that is a product of sizes along one axis, as one along several.
//
//   grid(rows * cols) block(64)       grid(cols, rows), where blockIdx.x is blockIdx.y * cols + blockIdx.x
//   grid(n * 4)                       grid(4, n)
//
// Each block has one place in either, so that what is proved of the one is so of the other.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: no axis is a product, or there are not as many axes to spare. Bounds of the launch are those of `kernel`.
std::optional<Program> with_axes_of_products(const Program& kernel);

}  // namespace swizzle
