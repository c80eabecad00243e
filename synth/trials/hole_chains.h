// Hole chains: holes whose steps build on each other, to be decided before others begin. Private to synth/trials/.
//
//   for (d = 1; d < 32; d *= 2) { s += shuffle(s, P(lane, d)); q += shuffle(q, Q(lane, d)); }
//     P and Q are two chains: all steps of P, then those of Q, since P leaves one sum however it came about
//   for (d = 1; d < 32; d *= 2) { w = shuffle(v, P(lane, d)); if (C(lane, d)) v += w; }
//     P and C are one: the second step of P asks for what C decided in the first
#pragma once

#include <cstdint>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// By hole: the place of its chain. What a chain asks for comes before it; of others, what begins at a lower depth does.
// values: of equations and requirements. depths: by hole, where its points are asked first.
std::vector<std::uint32_t> places_of_chains(const Problem& problem, const std::vector<Value>& values,
                                            const std::vector<std::uint32_t>& depths);

}  // namespace swizzle
