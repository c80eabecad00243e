// Which lane accesses what when wmma loads or stores a fragment.
//
// The language leaves it open, ptxas does not: for sm_80 and later each load or store becomes the same few
// instructions, whatever is around it. A warp is 8 groups g of 4 lanes t, as in mma.m16n8k16:
//
//   half, matrix_a or matrix_b, in shared memory    ldmatrix of 8 x 8 blocks
//   half, otherwise                                 32 bits: line g + 8i, elements 2t + 8j and the next
//   accumulator float or int, n along a line        64 bits: line g + 8i, elements 2t + 8j and the next
//   accumulator float or int, m along a line        32 bits: lines 2t + 8j and the next, element g + 8i
//   int8, k along a line                            ldmatrix, each row 16 of them
//
// A *line* is what lies together in memory: a row of a row-major fragment. Read off machine code that ptxas 13.0 makes
// for sm_80 and sm_90 (m16n16k16, m32n8k16, m8n32k16, m16n16k8).
#pragma once

#include <string_view>
#include <vector>

#include "synth/program/inline_ptx.h"

namespace swizzle {

struct MatrixFragment {
  enum class Use { kA, kB, kAccumulator };
  enum class Element { kHalf, kBfloat16, kTf32, kFloat, kInt32, kInt8, kOther };
  Use use = Use::kA;
  int m = 16, n = 16, k = 16;
  Element element = Element::kHalf;
  bool is_row_major = true;  // a line is a row
  bool is_stored = false;
  bool is_in_shared = true;  // and the instruction says so
};

int bytes_of(MatrixFragment::Element element);                                       // 0: kOther
std::optional<MatrixFragment::Element> fragment_element(std::string_view ptx_type);  // "f16"

// One instruction of a warp: lane `high * split + low` accesses `bits` from this element of that line on.
struct FragmentAccess {
  MemoryOperation operation = MemoryOperation::kLoad;
  int matrices = 0;  // kLdmatrix: lanes 0 … 8 * matrices - 1 give the rows
  int bits = 32;
  int split = 4;
  int line = 0, line_of_high = 0, line_of_low = 0;
  int element = 0, element_of_high = 0, element_of_low = 0;
};

// In the order of the instructions. None: it is not known.
std::vector<FragmentAccess> fragment_accesses(const MatrixFragment& fragment);

}  // namespace swizzle
