// CostBound: how many guarded accumulates any completion must issue.
//
//   c[l + 32] on lane l = 31 needs 64 products; each of its 4 guards offers one in each of 32 iterations:
//   at least 2 of the 4 conditions are true somewhere, whatever they are
//   on lane l = 0 it needs 33: so only one of the 2 can be true everywhere, and the other is a comparison at least
//   once one of the 4 is known to bring 20 of lane 0's, no other can be true everywhere
//
// Costs are in the machine's issue slots per warp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "synth/bounds/guard_patterns.h"
#include "synth/bounds/product_prices.h"
#include "synth/machine/machine.h"

namespace swizzle {

class CostBound {
 public:
  // prices: by HoleId. shares: see shared_products.
  CostBound(const Problem& problem, const std::vector<Capacity>& capacities, const std::vector<GuardPrice>& prices,
            const IssueCosts& machine, const std::vector<std::vector<std::size_t>>& shares = {},
            const ProductPrices& products = {});

  // What is missing to the bound beyond the prices that are known.
  double beyond(const KnownCosts& known) const;
  // Few ways are left for the guards to share products out, if all holes together cost less than `below`.
  bool few_patterns(const KnownCosts& known, double below) const;
  const std::vector<std::size_t>& pattern_holes() const { return patterns_.holes(); }

 private:
  struct Group {
    std::vector<std::size_t> holes;
    double least = 0;
  };
  static std::vector<Group> apart(const std::map<std::vector<std::size_t>, double>& bounds, std::set<std::size_t> used);
  void add_issued(const std::vector<Capacity>& capacities, const std::vector<std::vector<std::size_t>>& shares,
                  const ProductPrices& products);
  double issued(const KnownCosts& known) const;
  KnownCosts expressions(const KnownCosts& known) const;

  // Guards that may be 0 everywhere, and what those of them cost that some output cannot do without; no hole is in two.
  std::vector<Group> groups_;
  GuardPatterns patterns_;
  // Guards of patterns, and what some output makes them issue; no hole is in two. What else they cost, by patterns.
  std::vector<Group> issued_;
  std::optional<GuardPatterns> comparisons_;
  std::vector<GuardPrice> prices_;
};

}  // namespace swizzle
