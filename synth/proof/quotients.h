// Quotients of numbers that depend on sizes by sizes: private to this room.
//
//   bias[i % c], i = 256 · b + t      q = i / c, of which c · q <= i < c · q + c is known: bias[i - c · q]
#pragma once

#include <optional>

#include "synth/proof/elements.h"

namespace swizzle {

// q = a / by, an atom that is the same wherever they are divided, of which by · q <= a < by · q + by is known, and
// nothing else. Nothing of what rounds or other unknown numbers decide: these stand for several.
std::optional<Polynomial> unknown_quotient(const Polynomial& a, const Polynomial& by, SizeRegion& region,
                                           Elements& elements);

}  // namespace swizzle
