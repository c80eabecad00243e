// What a layout does to a tile: the access that it improves most, before and after, side by side.
//
//   before, r * 4 + c: load at 9:20      after, L(r, c) = r * 5 + c: load at 9:20
//   4 wavefronts, ideal 1                1 wavefront, ideal 1
//   row 0 | 0! 1  2  3                   row 0 | 0* 1  2  3
//   row 1 | 0! 1  2  3                   row 1 | 1* 2  3  0
//   row 2 | 0! 1  2  3                   row 2 | 2* 3  0  1
//   row 3 | 0! 1  2  3                   row 3 | 3* 0  1  2
//
// Of a large tile, the rows and columns that are accessed.
#pragma once

#include <vector>

#include "codegen/picture/tile_picture.h"
#include "synth/layouts/layout_search.h"
#include "synth/program/program.h"

namespace swizzle {

// Two pictures; none if nothing accesses the tile.
std::vector<TilePicture> before_and_after(const SourceText& source, const TileLayout& named, const TileProblem& tile,
                                          const Layout& layout);

}  // namespace swizzle
