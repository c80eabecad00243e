// Three ways: what comes of a key that is less, alike or greater, as one condition and two values.
//
//   a < b ? p : a == b ? min(p, r) : r      a < b || a == b && p < r ? p : r
#pragma once

#include "synth/provenance/order_forms.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// Of `precedence ? if_true : if_false`, where if_false tells keys that are alike from greater ones. False: it does not,
// and both are as they were.
bool join_three_ways(Provenance& provenance, Precedence& precedence, Value if_true, Value& if_false);

}  // namespace swizzle
