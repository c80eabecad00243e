// What --draw draws: tiles in shared memory, then what moves between registers, as one SVG or as text.
#pragma once

#include <optional>
#include <string>

#include "codegen/picture/movement_picture.h"
#include "codegen/picture/tile_picture.h"

namespace swizzle {

struct Drawing {
  PictureRows tiles;
  std::optional<MovementPicture> movement;
};

std::string to_svg(const Drawing& drawing);
std::string to_text(const Drawing& drawing);

}  // namespace swizzle
