// TrialStep: what a TrialGraph decides at once.
//
//   v += shuffle(v, P(lane)); v += shuffle(v, Q(lane)) on 4 lanes     the four points of P, then the four of Q
#pragma once

#include <cstddef>
#include <vector>

#include "synth/base/ids.h"

namespace swizzle {

// The points of one hole that are asked at the same depth of the graph; or, where each output has points of its own,
// those of one output.
struct TrialStep {
  HoleId hole;
  std::vector<std::size_t> positions;  // in HoleSpace::points
  bool is_part = false;                // others of its hole are decided behind, for other outputs
};

}  // namespace swizzle
