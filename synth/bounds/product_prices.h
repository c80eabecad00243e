// product_prices: what a guard has to issue at least for each product that it brings to an output.
//
//   c0[l] on lane l is offered a0·b0 under a guard for each k of 32, each an accumulate of 2 slots:  2
//   in pairs, for k of 16, each two accumulates and two products:                                     2
//
// So that an output which needs 33 products makes its guards issue 33 accumulates, whatever the guards are.
#pragma once

#include <map>
#include <vector>

#include "synth/bounds/guarded_issues.h"
#include "synth/network/constraint_network.h"

namespace swizzle {

// By output, in the order of MatchingPropagator::capacities(), and by the hole that guards: issue slots per product.
using ProductPrices = std::vector<std::map<std::size_t, double>>;

ProductPrices product_prices(const Problem& problem, const ConstraintNetwork& network, const GuardedIssues& issues);

}  // namespace swizzle
