// What is drawn of a completion: its tiles before and after their layouts (without layouts, the access of the emitted
// kernel that conflicts most), and what the lanes of its first warp do with their registers.
//
//   before, r * 4 + c: load at 9:20      after, L(r, c) = r * 5 + c: load at 9:20         on 4 lanes and 4 banks
//   4 wavefronts, ideal 1                1 wavefront, ideal 1
//   row 0 | 0! 1  2  3                   row 0 | 0* 1  2  3
//   row 1 | 0! 1  2  3                   row 1 | 1* 2  3  0
//   row 2 | 0! 1  2  3                   row 2 | 2* 3  0  1
//   row 3 | 0! 1  2  3                   row 3 | 3* 0  1  2
//
// Error: neither.
#pragma once

#include "codegen/picture/drawing.h"
#include "driver/completion.h"

namespace swizzle {

Result<Drawing> drawing_of(Searched& searched, const RereadKernel& reread);

}  // namespace swizzle
