// Products of sizes, as lengths that a buffer may have where nobody says one.
//
//   nx = 33, ny = 9, 296 elements are used:     nx * ny, which is 297; not nx * nx, which is 1089
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "synth/program/program.h"

namespace swizzle {

struct SizeProduct {
  std::string text;  // "nx * ny"
  std::int64_t value = 1;
};

// The least product of up to three sizes that is so much or more; nothing: none is.
std::optional<SizeProduct> least_product_from(const Sizes& sizes, std::int64_t least);

}  // namespace swizzle
