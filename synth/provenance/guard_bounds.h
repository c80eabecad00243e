// What integers may be where a condition on data holds.
//
//   if (k >= 0 && k < n) … w[k] …      k is in [0, n - 1] there
#pragma once

#include <cstdint>
#include <map>

#include "synth/provenance/provenance.h"

namespace swizzle {

// By node, as numbers of any type that has them.
using NodeBounds = std::map<std::uint32_t, ValueRange>;

// Of nodes that the condition compares with numbers. What it says beyond that is left out.
NodeBounds bounds_under(const Provenance& provenance, Value condition);

}  // namespace swizzle
