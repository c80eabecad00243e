// NecessaryIssues: instructions under a hole's condition that every completion issues.
//
//   for (d = 1; d < 8; d *= 2) if (?sw_cond(lane, d)) v += shuffle(v, …), lane 7 the sum of x[0] … x[7]:
//     each of the three adds at most doubles what a lane has, so that without one of them lane 7 has 4 elements at most
//
// Likewise by the factors of products: a step without which no output has a product of five factors, or all have two
// and more (monomial_degrees.h). A table that leaves one out is no part of a completion, and none costs less than what
// is necessary.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/bounds/guarded_issues.h"

namespace swizzle {

class NecessaryIssues {
 public:
  NecessaryIssues(Problem& problem, const std::vector<std::size_t>& equations, const GuardedIssues& issues);

  // The numbers of those that the hole alone decides about.
  const std::vector<std::uint32_t>& of(std::size_t hole) const { return of_hole_[hole]; }
  // What those cost that the hole alone decides about.
  double cost(std::size_t hole) const { return cost_[hole]; }
  bool are_issued(std::size_t hole, const HoleTable& table) const;

 private:
  const GuardedIssues& issues_;
  std::vector<std::vector<std::uint32_t>> of_hole_;  // numbers
  std::vector<double> cost_;
};

}  // namespace swizzle
