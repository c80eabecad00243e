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

#include "synth/machine.h"
#include "synth/propagator.h"

namespace swizzle {

double cost_of(const Counts& counts, const Machine& machine);

// What a guarding hole costs if it is not 0 everywhere.
struct GuardPrice {
  bool active = false;    // it is known not to be 0 everywhere: what it costs is told by `known`
  bool compared = false;  // `least` has a comparison in it
  double least = 0;
};

class CostBound {
 public:
  // prices: by HoleId, as are the costs below.
  CostBound(const Problem& problem, const std::vector<Propagator::Supply>& supplies, const std::vector<GuardPrice>& prices, const Machine& machine);

  // What is missing to the bound if the holes cost at least `known`.
  double beyond(const std::vector<double>& known) const;

 private:
  // Guards that may be 0 everywhere, and what those of them cost that some output cannot do without.
  struct Group {
    std::vector<std::size_t> holes;  // no hole is in two groups
    double least = 0;
  };
  std::vector<Group> groups_;
};

}  // namespace swizzle
