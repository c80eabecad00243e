// HoleOrder: which holes are asked before which.
//
//   __shfl_sync(m, r[Q], P)      lane hole P before register hole Q: the source lane evaluates Q
//   if (C) out ^= a & b          holes of a and b before C: C says where the product goes
//
// Deciding a hole before those that wait for it leaves them little choice.
#pragma once

#include <set>
#include <utility>

#include "synth/network/constraint_network.h"

namespace swizzle {

// (a, b), by HoleId: on the way to some alternative, a is asked before b; or a says what b guards.
std::set<std::pair<std::size_t, std::size_t>> hole_order(const Problem& problem, const ConstraintNetwork& network);

}  // namespace swizzle
