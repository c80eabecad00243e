// CostBound: how many guarded accumulates any completion must issue.
//
//   c[l + 32] on lane l = 31 needs 64 products; each of its 4 guards offers one in each of 32 iterations:
//   at least 2 of the 4 conditions are true somewhere, whatever they are
//   on lane l = 0 it needs 33: so only one of the 2 can be true everywhere, and the other is a comparison at least
//   once one of the 4 is known to bring 20 of lane 0's, no other can be true everywhere
//
// Costs are in the machine's issue slots per warp.
#pragma once

#include <vector>

#include "synth/bounds/guard_patterns.h"
#include "synth/machine/machine.h"

namespace swizzle {

double cost_of(const Counts& counts, const IssueCosts& machine);

class CostBound {
 public:
  // prices: by HoleId, as are the costs below. shares: see shared_products.
  CostBound(const Problem& problem, const std::vector<Capacity>& capacities, const std::vector<GuardPrice>& prices,
            const IssueCosts& machine, const std::vector<std::vector<std::size_t>>& shares = {});

  // What is missing to the bound if the holes cost at least `known`.
  double beyond(const std::vector<double>& known) const;
  // Few ways are left for the guards to share products out, if all holes together cost less than `below`.
  bool few_patterns(const std::vector<double>& known, double below) const;
  const std::vector<std::size_t>& pattern_holes() const { return patterns_.holes(); }

 private:
  // Guards that may be 0 everywhere, and what those of them cost that some output cannot do without.
  struct Group {
    std::vector<std::size_t> holes;  // no hole is in two groups
    double least = 0;
  };
  std::vector<Group> groups_;
  GuardPatterns patterns_;
};

}  // namespace swizzle
