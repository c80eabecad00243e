// What the rounds of a loop make of values: see rounds.h.
#pragma once

#include <vector>

#include "synth/proof/polynomial.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// Rounds that add up in the ring, by their number.
struct Rounds {
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kF32;
  Polynomial count;
  Atom number = 0;
};
// Rounds that make each value anew of those that the round before left, for which the placeholders stand in `part`.
struct Recurrence {
  struct Line {
    Value placeholder, start, part;
    Scalar scalar = Scalar::kF32;
  };
  Polynomial count;
  Atom number = 0;
  std::vector<Line> lines;
};

}  // namespace swizzle
