// What an equation takes away, added on both sides.
//
//   x[0] + choice(P, …) - x[2]  =  y       becomes       x[0] + choice(P, …)  =  y + x[2]
//
// Now nothing takes away what another term brings, so that a prefix of the steps which brings too much is left at once
// (TrialGraph). The same assignments solve both.
#pragma once

#include "synth/problem/problem.h"

namespace swizzle {

struct Sides {
  Value actual, expected;
};

// As they are, unless all that is taken away from a sum of the equation's type is known.
Sides without_subtractions(Provenance& provenance, const Equation& equation);

}  // namespace swizzle
