// Symmetries: pairs of holes that may change places, with what goes with them, without changing a ConstraintNetwork.
//
//   accumulate(c, {a0, b}, ?sw_cond(l, k));  accumulate(c, {a1, b}, ?sw_cond(l, k));
//     a0's register and lane holes for a1's, and the first condition for the second: the same equations
//
// A completion with its tables exchanged is a completion of the same cost, so that the search needs to look at one of
// the two only.
#pragma once

#include <cstddef>
#include <vector>

#include "synth/bounds/guarded_issues.h"
#include "synth/network/constraint_network.h"

namespace swizzle {

// By HoleId, the hole that comes in its place: its own inverse.
using VariableSymmetry = std::vector<std::size_t>;

std::vector<VariableSymmetry> find_symmetries(const Problem& problem, const ConstraintNetwork& network,
                                              const GuardedIssues& issues);

}  // namespace swizzle
