// Separate bits: what is left of a search when masks alone are open. A bit of an output asks few bits of masks, and
// bits that share none are settled one group after the other:
//
//   y[t] = (u & w & M) | (d & w) | (u & d), of 4 bits, M a mask
//     bit 0 asks M.0, bit 1 asks M.1, …       4 groups of 2 values each, in place of 16 masks
//     M.0 = 0 is told from the spec by form   M.0 = 1
//
// A group without a solution decides that there is none at all, whatever the others are.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/problem/problem.h"

namespace swizzle {

struct SeparateBits {
  enum class Outcome { kSolved, kImpossible, kOpen };  // open: too much work, or not all is in normal form
  Outcome outcome = Outcome::kOpen;
  Assignment solution;       // of kSolved
  std::size_t equation = 0;  // of kImpossible: one whose bit has no value that serves
  int bit = 0;
};

// Of these equations, whose outputs come to `actuals` (by equation); decided: by point, -1 where it is open. Points
// that nobody asks become 0.
SeparateBits settle_separately(Problem& problem, const std::vector<std::size_t>& equations,
                               const std::vector<Value>& actuals, const Assignment& decided, const Deadline& deadline);

}  // namespace swizzle
