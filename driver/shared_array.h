// A shared array as its declaration and its uses stand in the file, if nothing but these sees where its elements lie.
//
//   __shared__ float tile[DIM][DIM];        extents {32, 32}, written {"DIM", "DIM"}
//   tile[r][c] = x;                         a use, indices {"r", "c"}
//   *(float4*)&tile[r][4 * k]               another; its address is followed: four are accessed together
//   f(tile), sizeof(tile), &tile[0][0] + i  and it is none: something else sees where elements lie
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct SharedArray {
  std::string name;
  SourceRange declared;               // the name
  std::uint32_t declaration_end = 0;  // behind the semicolon; 0: not known
  int element_bytes = 4;
  std::vector<std::int64_t> extents;
  std::vector<SourceRange> written;  // the extents
  std::int64_t pitch = 0;            // flat: what all uses multiply a row by, r * C + c; else the last extent; 0: none
  std::vector<SourceRange> pitches;  // flat: where the uses say so
  std::vector<std::vector<SourceRange>> uses;  // by use, the indices as they are written
  bool can_repeat = true;                      // the indices, all of which are in `uses`: they do nothing else
  int together = 1;                            // elements that are accessed through the address of the first

  bool is_flat() const { return extents.size() == 1; }
  std::int64_t elements() const;
};

std::optional<SharedArray> shared_array(const Program& program, VariableId variable);

}  // namespace swizzle
