// What moves between the registers of a warp, drawn: lanes × registers before and after each step, and arrows.
//
//   tid < k ? 1 : 0 (?sw_part at 17:15), (tid + k) & 31 (?sw_xform at 19:21)        on 4 lanes:
//
//   1 of 3, k = 1, at 40:17: __shfl_sync(FULL_MASK, (idx == 0 ? rc[0] : rc[1]), recv_from)
//   lane          0   1   2   3
//   a rc[0]       0   1   2   3
//   b rc[1]       4   5   6   7
//   from         a1  a2  a3  b0
//   tmp           1   2   3   4
#pragma once

#include <string>
#include <vector>

#include "codegen/picture/svg.h"
#include "synth/execution/movement.h"

namespace swizzle {

struct MovementPicture {
  SourceText source;                     // of the kernel
  std::vector<std::string> expressions;  // that the holes became, a line each
  Movement movement;
};

// Of 120 columns at most: lanes that do not fit go below. Of many steps, the first ones.
std::string movement_text(const MovementPicture& picture);

// A panel for each step, below a line for each expression.
std::vector<std::vector<SvgPanel>> movement_panels(const MovementPicture& picture);
std::string movement_style();
inline constexpr const char* kMovementLegend =
    "Columns are lanes, rows registers; a number is an element of the input, +2 a sum of two (^, <, >, | likewise), *4 a word of bits of four elements. Bit by bit, a number is a bit, 5:2 bit 2 of element 5; . is 0, # is 1, f another function. What moves keeps its colour: that of the "
    "lane that it comes from, or of the register, where nothing leaves its lane. Arrows lead from lane to lane.";

}  // namespace swizzle
