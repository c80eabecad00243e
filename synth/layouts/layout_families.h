// The layouts that `?sw_layout(rows, columns)` may become: every member of the families below, each once.
//
//   pitch × { nothing, XOR of a row, rotation of a row, Swizzle<B, M, S> of the index };  XOR with rotation at the
//   least pitch
//
// 4×4 words on 4 banks, nothing wider accessed:  pitches 4 … 7;  XORs (r & 1), (r & 3), (r & 1) << 1, (r >> 1) & 1, …;
// rotations by 1, 2 or 3 times r or r >> 1;  Swizzle<1, 0, 1>, <1, 0, 2>, <2, 0, 2>, …
//
// A pitch with an XOR or a rotation, and the rotation, are whole words. A pitch beyond one more line of banks repeats
// the banks of a smaller one, and bits of the address above a line choose no bank: they are no members,
// unless an XOR takes all bits that there are and so needs no mask. Accesses of
// several elements at a time keep `together` of them aligned and side by side: pitch, rotation and the swizzles' lowest
// bit are multiples of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/layouts/layout.h"

namespace swizzle {

struct LayoutShape {
  int rows = 1, columns = 1;
  int element_bytes = 4;                 // the smallest that the layout is used with
  int together = 1;                      // elements, a power of two
  int line_bytes = 128;                  // one word of every bank
  std::optional<std::int64_t> capacity;  // elements; none: the buffer is as large as the layout asks for
  int word_bytes = 4;
  friend bool operator==(const LayoutShape&, const LayoutShape&) = default;
};

struct RankedLayout {
  Layout layout;
  int integer_ops = 0;
  std::int64_t size = 0;  // elements
};

// By non-decreasing operations of the printed address, then by size, then the simpler family first. All fit the
// capacity.
std::vector<RankedLayout> layouts_of(const LayoutShape& shape);

}  // namespace swizzle
