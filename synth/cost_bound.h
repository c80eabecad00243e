// CostBound: how many guarded accumulates any completion must issue.
//
//   c[l + 32] on lane l = 31 needs 64 products; each of its 4 guards offers one in each of 32 iterations:
//   at least 2 of the 4 conditions are true somewhere, whatever they are
//   on lane l = 0 it needs 33: so only one of the 2 can be true everywhere, and the other is a comparison at least
//
// Costs are in the machine's issue slots per warp.
#pragma once

#include <vector>

#include "synth/machine.h"
#include "synth/propagator.h"

namespace swizzle {

double cost_of(const Counts& counts, const Machine& machine);

class CostBound {
 public:
  CostBound(const Problem& problem, const std::vector<Propagator::Supply>& supplies, const Machine& machine);

  // What is missing to the bound if the holes cost at least `known` (by HoleId).
  double beyond(const std::vector<double>& known) const;

 private:
  // Of one set of guards: the prices and the comparisons (each of one operation) that its outputs ask for.
  struct Group {
    std::vector<std::size_t> holes;  // no hole is in two groups
    double least = 0;
  };
  std::vector<Group> groups_;
};

}  // namespace swizzle
