// Pictures of a tile in shared memory: one cell for each element, coloured by bank, with the lanes of one access.
//
// 4 × 4 floats by rows on 4 banks, lanes 0 to 3 at tile[lane][0], as text:
//
//   4 wavefronts, ideal 1
//   row 0 | 0! .  .  .       each lane waits: bank 0 has another word to give
//   row 1 | 1! .  .  .
//   row 2 | 2! .  .  .
//   row 3 | 3! .  .  .
//
// With a row of 5 floats the lanes stand in banks 0 1 2 3, and no cell has a `!`. An SVG shows the same in colours, and
// needs nothing but itself. As banks, the two side by side (`*`: accessed, and nothing waits):
//
//   4 wavefronts, ideal 1      1 wavefront, ideal 1
//   row 0 | 0! 1  2  3         row 0 | 0* 1  2  3
//   row 1 | 0! 1  2  3         row 1 | 1* 2  3  0
//   row 2 | 0! 1  2  3         row 2 | 2* 3  0  1
//   row 3 | 0! 1  2  3         row 3 | 3* 0  1  2
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codegen/picture/svg.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {

struct TilePicture {
  std::string title;               // one line
  std::vector<int> rows, columns;  // of the tile, that are shown, in order: see shown_part()
  int element_bytes = 4;
  std::function<std::int64_t(int row, int column)> address;  // of the tile's element, in bytes
  SharedMemoryModel memory;
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;            // a lane
  LaneAddresses addresses;  // of the access, in bytes
};

// Of `count` rows or columns, all if they are `most` or fewer; else those that are accessed, `most` of them.
std::vector<int> shown_part(int count, std::vector<int> accessed, int most);
inline constexpr int kMostRows = 32, kMostWords = 36;  // of a row: all banks, and some padding

// One cell: which lanes access it, and whether they wait for another word of its bank.
struct PictureCell {
  int bank = 0;
  std::vector<int> lanes;
  int words = 1;  // that its bank has to give in the phase
  bool waits() const { return words > 1; }
};

std::vector<std::vector<PictureCell>> cells_of(const TilePicture& picture);  // by shown row and column

// "32 wavefronts, ideal 1".
std::string count_text(const TilePicture& picture);

// Pictures of one row stand side by side, rows below one another.
using PictureRows = std::vector<std::vector<TilePicture>>;

SvgPanel tile_panel(const TilePicture& picture);
std::string tile_style(int banks);
inline constexpr const char* kTileLegend =
    "A cell is an element, its colour and the small number its bank, a bold number a lane of the access. Red: lanes "
    "wait, for their bank has other words to give; the more, the darker.";

// Of 120 columns at most; elements of less than a bank are shown bank by bank. Banks: side by side where there is room.
std::string lanes_text(const TilePicture& picture);
std::string banks_text(const PictureRows& rows);

}  // namespace swizzle
