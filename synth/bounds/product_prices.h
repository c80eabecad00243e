// What conditions have to issue at least for each product that they bring to an output.
//
//   c0[l] on lane l is offered a0·b0 under a guard for each k of 32, each an accumulate of 2 slots:  2
//   in pairs, for k of 16, each two accumulates and two products:                                     2
//
// So that an output which needs 33 products makes its guards issue 33 accumulates, whatever the guards are.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "synth/bounds/guarded_issues.h"
#include "synth/network/constraint_network.h"

namespace swizzle {

// A hole of two values, and the one that guards ask.
using Branch = std::pair<std::size_t, int>;

struct BranchOffer {
  std::size_t products = 0;
  double price = 0;  // issue slots of the cheapest of them
};

// By sum of the matching: what guards of one step offer it. Of an issue that may bring several products to a sum, each
// pays its part; those that are not `counted` cost nothing.
std::vector<std::map<Branch, BranchOffer>> branch_offers(const Problem& problem, const Matching& matching,
                                                         const GuardedIssues& issues,
                                                         const std::function<bool(std::uint32_t)>& counted);

// By output, in the order of MatchingPropagator::capacities(), and by the hole that guards: issue slots per product
// that comes where it is 1.
using ProductPrices = std::vector<std::map<std::size_t, double>>;

ProductPrices product_prices(const Problem& problem, const ConstraintNetwork& network, const GuardedIssues& issues);

}  // namespace swizzle
