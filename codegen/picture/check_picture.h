// The access of a checked kernel that conflicts most, and the picture of it.
//
//   __shared__ float tile[4][4];   tile[lane][0] on a machine of 4 lanes and 4 banks:
//
//   tile in transpose, 9:20: lanes of warp 0 of block (0, 0, 0)
//   4 wavefronts, ideal 1
//   row 0 | 0! .  .  .
//   row 1 | 1! .  .  .
//   row 2 | 2! .  .  .
//   row 3 | 3! .  .  .
#pragma once

#include <optional>

#include "codegen/picture/tile_picture.h"
#include "codegen/report/check_report.h"
#include "synth/program/program.h"

namespace swizzle {

// The access furthest from its ideal (else the first) to shared memory, on the array that it goes to: rows and columns
// as declared, or rows of banks for an array of one dimension. Nothing if no access is counted.
struct DrawnAccess {
  const KernelCheck* kernel = nullptr;
  const AccessSite* site = nullptr;
};
std::optional<DrawnAccess> worst_access(const CheckReport& report);
TilePicture picture_of(const DrawnAccess& access, const Program& program, const SharedMemoryModel& memory);

}  // namespace swizzle
