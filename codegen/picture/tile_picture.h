// Pictures of a tile in shared memory: one cell for each element, coloured by bank, with the lanes of one access.
//
// 4 × 4 floats by rows on 4 banks, lanes 0 to 3 at tile[lane][0], as text:
//
//   row 0 |  0!  .   .   .       each lane waits: bank 0 has another word to give
//   row 1 |  1!  .   .   .
//   row 2 |  2!  .   .   .
//   row 3 |  3!  .   .   .
//
// With a row of 5 floats the lanes stand in banks 0 1 2 3, and no cell has a `!`. An SVG shows the same in colours, and
// needs nothing but itself. As banks, the two side by side (`*`: accessed, and nothing waits):
//
//   row 0 |  0!  1   2   3       row 0 |  0*  1   2   3
//   row 1 |  0!  1   2   3       row 1 |  1*  2   3   0
//   row 2 |  0!  1   2   3       row 2 |  2*  3   0   1
//   row 3 |  0!  1   2   3       row 3 |  3*  0   1   2
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "synth/machine/wavefronts.h"

namespace swizzle {

struct TilePicture {
  std::string title;  // one line
  int rows = 0, columns = 0;
  int element_bytes = 4;
  std::function<std::int64_t(int row, int column)> address;  // of the element, in bytes
  SharedMemoryModel memory;
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;            // a lane
  LaneAddresses addresses;  // of the access, in bytes
};

// One cell: which lanes access it, and whether they wait for another word of its bank.
struct PictureCell {
  int bank = 0;
  std::vector<int> lanes;
  int words = 1;  // that its bank has to give in the phase
  bool waits() const { return words > 1; }
};

std::vector<std::vector<PictureCell>> cells_of(const TilePicture& picture);  // by row and column

// Pictures of one row stand side by side, rows below one another.
using PictureRows = std::vector<std::vector<TilePicture>>;

std::string to_svg(const PictureRows& rows);

// Elements of less than a bank are shown bank by bank.
std::string lanes_text(const TilePicture& picture);
std::string banks_text(const PictureRows& rows);

}  // namespace swizzle
