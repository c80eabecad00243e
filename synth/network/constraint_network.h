// ConstraintNetwork: the equations of a Problem as constraints over points, ready for propagation.
//
// Lane 1 of 4 computes y[1] = x[1] + x[2] by fetching twice through a lane hole P and a register hole Q:
//   fetch A (k = 0)   P(1,0) = 1, Q(1,0) = 0 → x[1]     P(1,0) = 2, Q(2,0) = 0 → x[2]     …     its alternatives
//   fetch B (k = 1)   P(1,1) = 1, Q(1,1) = 0 → x[1]     …
//   matching           tuples (A), (B); monomials x[1], x[2]: as many as there are tuples, so each is used once
// As soon as P(1,0) = 1 is known, A is x[1], so B is x[2], and P(1,1) must be 2.
//
// A matching holds the outputs that share tuples (products of fetches), each offered to some of them under guards:
//   ff, lane l:  tuple (a, b) is offered to c[l] under ?sw_cond 1 and to c[l + 32] under ?sw_cond 2
// It is exact if there are as many tuples as different monomials. Then every tuple is one monomial that is needed, no
// two are the same, and it goes to those outputs that need it, with the coefficient that they need: nothing can cancel,
// neither modulo 2 nor by its sign. With fewer tuples
// than monomials there is no completion. With more, or with values that are no products of inputs, the outputs become
// Sums instead, whose terms list their options one by one.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/network/default_edges.h"
#include "synth/network/violation_mdds.h"
#include "synth/problem/pose.h"
#include "synth/tables/domains.h"

namespace swizzle {

using Mask = std::vector<std::uint64_t>;  // one bit for each monomial of a matching, or each alternative of a fetch
using Guard = boost::container::small_vector<std::pair<PointId, int>, 1>;  // a Path, of one step mostly

struct Step {
  std::uint32_t local;  // position in ElementConstraint::points
  std::int32_t value;   // negative: any but ~value
  friend auto operator<=>(const Step&, const Step&) = default;
};

// The alternatives of fetches that differ in their points only.
struct ElementScheme {
  struct Alternative {
    std::uint32_t first_step, steps, leaf;
    friend auto operator<=>(const Alternative&, const Alternative&) = default;
  };
  std::vector<Step> steps;
  std::vector<Alternative> alternatives;
  std::vector<NodeId> leaves;  // input elements, or opaque values without choices
  std::vector<int> domains;    // by point, if there are steps to any but some value

  // The same as sets of alternatives, `words` words each: see ElementPropagator.
  std::size_t words = 1;
  std::vector<std::uint32_t> first_literal;  // by point, and one past the last
  std::vector<std::uint32_t> literals;       // by literal: the value that its point has
  Mask supports;                             // by literal
  Mask passes;                               // by point
  Mask of_leaf;                              // by leaf
};

// One value that holes choose: each alternative is a leaf and the steps that lead to it.
struct ElementConstraint {
  std::vector<PointId> points;
  std::shared_ptr<const ElementScheme> shape;
  bool relaxed = false;  // alternatives have conditions that are not told
};

struct Matching {
  struct Factor {
    std::uint32_t fetch;
    std::shared_ptr<const Mask>
        serves;  // by leaf of the fetch, Matching::words each: the monomials that have it as a factor
  };
  struct Tuple {
    std::vector<std::uint32_t> factors;  // positions in Matching::factors
    std::vector<NodeId> fixed;
    std::uint32_t fits;  // in masks: by its fixed factors
  };
  struct CandidateAssignment {
    std::uint32_t tuple, sum;
    std::uint32_t fits;        // in masks: what the sum needs with this assignment's coefficient
    Guard guard;               // added where all of these hold
    bool alternative = false;  // others offer the tuple to the sum as well; no two of their guards hold together
  };
  struct Member {
    std::size_t equation;
    Mask needs;  // with whatever coefficient
  };
  std::size_t words = 0;    // of a Mask
  bool idempotent = false;  // x · x = x
  std::vector<Factors> monomials;
  std::vector<Value> names;     // by monomial, for explanations
  std::vector<Factor> factors;  // no two alike
  std::vector<Tuple> tuples;
  std::vector<CandidateAssignment> assignments;
  std::vector<Mask> masks;
  std::vector<Member> sums;
};

struct Contribution {
  std::uint32_t monomial;
  double amount;
};

struct Option {
  Path path;  // the option is live while every point still allows its value
  boost::container::small_vector<Contribution, 1> brings;
};

struct Summand {
  std::vector<Option> options;
  bool open = false;  // too many options to list: it may bring anything
};

struct SumConstraint {
  static constexpr std::size_t npos = ~std::size_t{0};
  bool is_set = false;       // min, max, |: covering a need twice is fine
  bool cancel_free = true;   // no term can take away what another brings
  std::vector<double> need;  // by monomial
  std::vector<Value> names;  // by monomial, for explanations
  std::vector<Summand> terms;
  std::size_t equation = 0;  // Problem::equations; or npos for a requirement
  std::size_t requirement = 0;
  // Of a requirement, which has no terms: where it begins in ConstraintNetwork::MDDs, and the points that it asks.
  ViolationMdds::Target mdd = ViolationMdds::kSafe;
  std::vector<PointId> asked;
  int telling = ViolationMdds::kAlways;  // it says something only where a point has no more values left than this
};

// Why there is no completion (any more).
struct Conflict {
  std::size_t equation = SumConstraint::npos;  // as in SumConstraint
  std::size_t requirement = 0;
  Value missing;                               // what nothing can bring any more, or undefined
  std::size_t needed = 0, offered = 0;         // of a matching with fewer tuples than monomials
  std::size_t matching = SumConstraint::npos;  // where it was found, if in a matching
  bool interrupted = false;                    // no conflict: the work was told to stop
  HoleId hole{};                               // valid: none of its tables fits, whatever the rest says
};

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

// Of one output of a matching: how many products it needs beyond those that surely come, and how many each guarding
// hole can still bring.
struct Capacity {
  std::size_t needed = 0;
  std::vector<std::pair<std::size_t, std::size_t>> offered;  // hole, products
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

// "y[5], written by thread 5, needs x[99], which no choice of the holes brings there"
std::string explain(const Conflict& conflict, const Problem& problem);

}  // namespace swizzle
