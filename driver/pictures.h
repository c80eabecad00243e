// What is drawn of a completion: its tiles before and after their layouts; without layouts, the access of the emitted
// kernel that conflicts most.
//
//   before, r * 4 + c: load at 9:20      after, L(r, c) = r * 5 + c: load at 9:20         on 4 lanes and 4 banks
//   row 0 |  0!  1   2   3               row 0 |  0*  1   2   3
//   row 1 |  0!  1   2   3               row 1 |  1*  2   3   0
//   row 2 |  0!  1   2   3               row 2 |  2*  3   0   1
//   row 3 |  0!  1   2   3               row 3 |  3*  0   1   2
//
// Error: no access to shared memory.
#pragma once

#include "codegen/picture/tile_picture.h"
#include "driver/completion.h"

namespace swizzle {

// Rows of pictures, one for each layout.
Result<PictureRows> pictures_of(Searched& searched, const RereadKernel& reread);

}  // namespace swizzle
