// Private to synth/provenance/.
#pragma once

#include "synth/provenance/node.h"

namespace swizzle {

inline bool factors_less(const Term& a, const Term& b) { return a.factors < b.factors; }

// What no minimum or maximum of values of type s changes by.
Value neutral_extreme(Ring ring, Scalar s);

// All floating types are one field (the reals); integers are told apart by width alone.
Scalar algebra_of(Ring ring, Scalar s);

}  // namespace swizzle
