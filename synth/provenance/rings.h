// Private to synth/provenance/.
#pragma once

#include "synth/provenance/node.h"

namespace swizzle {

inline bool factors_less(const Term& a, const Term& b) { return a.factors < b.factors; }

// All floating types are one field (the reals); integers are told apart by width alone.
Scalar algebra_of(Ring ring, Scalar s);

}  // namespace swizzle
