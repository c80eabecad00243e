// Disjoint words: outputs as they were if whatever is combined by exclusive-or did not overlap.
//
//   a ^ a << D      a | a << D
//   a ^ M           as it is: M is no data, but what is inverted
//
// Both are the same where of two bits one is 0. An or tells much more about its operands than an exclusive-or, whose
// bits may cancel; what is found for the or is a completion if it is one for the exclusive-or.
#pragma once

#include <optional>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

// Nothing, if no deferred word is combined so.
std::optional<std::vector<Value>> as_disjoint(Provenance& provenance, const std::vector<Value>& outputs);

}  // namespace swizzle
