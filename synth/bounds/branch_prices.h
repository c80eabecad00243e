// branch_prices: what a condition makes a warp issue at least, both of whose branches bring products.
//
//   if (C(lane, k)) lo ^= a·b; else hi ^= a·b;  for k of 32:   lo of lane 31 needs 32 products, hi of lane 0 needs 31
//     63 accumulates, though no lane has more than 32
#pragma once

#include <vector>

#include "synth/bounds/guarded_issues.h"
#include "synth/network/constraint_network.h"

namespace swizzle {

// By HoleId: in issue slots of a warp, in any completion; 0 where nothing is known.
std::vector<double> branch_prices(const Problem& problem, const ConstraintNetwork& network,
                                  const GuardedIssues& issues);

}  // namespace swizzle
