// --draw of a completion: its tiles before and after their layouts; without layouts, the worst access of the emitted
// kernel.
#pragma once

#include <string>

#include "codegen/tile_picture.h"
#include "synth/search/solve.h"

namespace swizzle {

// Rows of pictures, one for each layout. Empty: no access to shared memory.
PictureRows pictures_of(const Program& sketch, Problem& problem, const Completion& completion, const Program& emitted,
                        const Posed& posed);

// An SVG in the file, or text on standard output for "-".
Result<std::monostate> draw(const PictureRows& pictures, const std::string& file);

// Whether there is anything in a kernel that could be drawn.
bool has_shared_memory(const Program& kernel);

}  // namespace swizzle
