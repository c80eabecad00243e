// ConstraintNetwork: the equations of a Problem as constraints over points, ready for propagation.
//
// Lane 1 of 4 computes y[1] = x[1] + x[2] by fetching twice through a lane hole P and a register hole Q:
//   fetch A (k = 0)   P(1,0) = 1, Q(1,0) = 0 → x[1]     P(1,0) = 2, Q(2,0) = 0 → x[2]     …     its alternatives
//   fetch B (k = 1)   P(1,1) = 1, Q(1,1) = 0 → x[1]     …
//   matching          tuples (A), (B); monomials x[1], x[2]: as many as there are tuples, so each is used once
// As soon as P(1,0) = 1 is known, A is x[1], so B is x[2], and P(1,1) must be 2.
//
// Outputs that share no exact matching (matching.h) become sums (sum_constraint.h), whose summands list their options
// one by one. Constraint networks: U. Montanari, "Networks of constraints", Information Sciences 7, 1974.
#pragma once

#include <optional>
#include <vector>

#include "synth/network/conflict.h"
#include "synth/network/element_constraint.h"
#include "synth/network/matching.h"
#include "synth/network/sum_constraint.h"
#include "synth/network/violation_mdds.h"
#include "synth/problem/problem.h"

namespace swizzle {

// What requirements that pair the values of two points say of one.
struct PointNogoods {
  struct Other {
    PointId point;
    int value;
    std::uint32_t requirement;
  };
  struct Unequal {
    PointId point;
    std::uint32_t requirement;
  };
  std::vector<std::vector<Other>> by_value;  // what cannot be together with a value
  std::vector<Unequal> unequal;              // points that can have no value that this one has
  bool empty() const { return by_value.empty() && unequal.empty(); }
};

struct ConstraintNetwork {
  std::vector<ElementConstraint> fetches;
  std::vector<Matching> matchings;
  std::vector<SumConstraint> sums;
  ViolationMdds mdds;                 // of requirements
  std::vector<PointNogoods> nogoods;  // by point
  std::vector<bool> storing;  // by hole: it decides where something is stored, as most of its values lead past it
  std::vector<bool> covered;  // by equation: it is part of some matching or sum
  std::vector<bool> exact;    // by equation: it is part of a matching
};

// Adds equations (or one requirement) to the network. A conflict: it fails whatever the holes are, or was interrupted.
std::optional<Conflict> add_equations(Problem& problem, const std::vector<std::size_t>& equations,
                                      ConstraintNetwork& network, const Deadline& deadline = {});
std::optional<Conflict> add_requirement(Problem& problem, std::size_t requirement, ConstraintNetwork& network);

// A few equations in which every point occurs with every value that matters there, as far as it occurs at all.
std::vector<std::size_t> covering_equations(const Problem& problem);

}  // namespace swizzle
