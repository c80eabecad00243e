// Races that keep a sketch from a completion: there is one that computes what the spec does, but for a barrier.
//
//   s[t] = x[t]; y[t] = s[?sw_xor(t, 64)];   against y[i] = x[i ^ 48]
//     with 48 ^ t the words are those that the spec asks for, and thread 48 has written what thread 0 reads:
//     "but for this there is a completion: threads 48 and 0 use 's[48]' without a barrier between them: a race"
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/synthesis/constant_search.h"

namespace swizzle {

// Of a sketch that has no completion, a note at the first such race; empty: there is none, or none was found in that
// time.
Diagnostics races_in_the_way(const SynthesisTask& task, double seconds = 0.5);

}  // namespace swizzle
