// The input elements that a value may be made of, whatever holes choose.
#pragma once

#include <set>

#include "synth/provenance/provenance.h"

namespace swizzle {

std::set<NodeId> inputs_below(const Provenance& provenance, Value v);

}  // namespace swizzle
