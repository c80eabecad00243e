// Hole chains: holes whose steps build on each other, to be decided before others begin. Private to synth/trials/.
//
//   for (d = 1; d < 32; d *= 2) { s += shuffle(s, P(lane, d)); q += shuffle(q, Q(lane, d)); }
//     P and Q are two chains: all steps of P, then those of Q, since P leaves one sum however it came about
//   for (d = 1; d < 32; d *= 2) { w = shuffle(v, P(lane, d)); if (C(lane, d)) v += w; }
//     P and C are one: the second step of P asks for what C decided in the first
//   of w = shuffle(v, lane + P(d)); if (lane < C(d)) v += w, P and C constants, each point by itself:
//     P(1), C(1), P(2), C(2), …: though the last lane has nobody to fetch from, so that it asks C alone
#pragma once

#include <cstdint>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// What chains are made of: holes, or single points of theirs.
struct ChainLinks {
  static constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> of_point;  // numbers; kNone: of no account
  std::vector<std::uint32_t> depths;    // by number: where it is asked first
};

// By number: the place of its chain. What a chain asks for comes before it; of others, what begins at a lower depth
// does. values: of equations and requirements.
std::vector<std::uint32_t> places_of_chains(const Problem& problem, const std::vector<Value>& values,
                                            const ChainLinks& links);

}  // namespace swizzle
