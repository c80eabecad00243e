// Goals: the equations of a Problem, compiled for propagation.
//
// One output `y[1] = x[1] + x[2]` of a sketch that fetches twice through a lane hole, on 4 lanes:
//   need   { x[1]: 1, x[2]: 1 }
//   terms  fetch at k = 0: options { P(1,0) = 1 → x[1],  P(1,0) = 2 → x[2] }      the other lanes bring what nobody needs
//          fetch at k = 1: options { P(1,1) = 1 → x[1],  P(1,1) = 2 → x[2] }
// As soon as P(1,0) = 1 is known, x[1] is served and P(1,1) must be 2.
//
// Rules, each sound on its own (a monomial is a product of inputs, `need` its coefficient in the spec):
//   an option that brings more of a monomial than is still needed is struck out;
//   a monomial whose suppliers are just enough makes each of them bring it;
//   a value of a point that every live option of a term passes, and none takes, is struck out.
// The first needs that nothing cancels: it is used where all coefficients are positive, or (modulo 2) where too few
// terms are left for a pair to cancel.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/pose.h"

namespace swizzle {

struct Contribution {
  std::uint32_t monomial;
  double amount;
};

using Path = boost::container::small_vector<std::pair<PointId, int>, 4>;

struct Option {
  Path path;  // the option is live while every point still allows its value
  boost::container::small_vector<Contribution, 1> brings;
};

struct GoalTerm {
  std::vector<Option> options;
  bool open = false;  // too many options to list: it may bring anything
};

struct Goal {
  bool is_set = false;        // min, max, |: covering a need twice is fine
  bool cancel_free = true;
  std::vector<double> need;   // by monomial
  std::vector<Value> names;   // by monomial, for explanations
  std::vector<GoalTerm> terms;
  std::size_t equation = 0;   // Problem::equations; or npos for a requirement
  std::size_t requirement = 0;
  static constexpr std::size_t npos = ~std::size_t{0};
};

using Domains = std::vector<ValueSet>;  // by PointId: what a point may still be

struct Conflict {
  std::size_t equation = Goal::npos;  // as in Goal
  std::size_t requirement = 0;
  Value missing;                      // what nothing can bring any more, or undefined
};

class Goals {
 public:
  // A conflict here means that some equation fails whatever the holes are.
  std::optional<Conflict> compile(Problem& problem);

  // Strikes out values until nothing changes. A conflict: no completion lies within `domains`.
  std::optional<Conflict> propagate(Domains& domains) const;

  // (a, b) for holes whose points stand in this order on the way to some option.
  void precedence(const Problem& problem, std::set<std::pair<std::size_t, std::size_t>>& out) const;

  // The same goals for domains that only shrink from here: without dead options, and without what is settled.
  Goals within(const Domains& domains) const;

 private:
  friend class GoalCompiler;
  std::optional<Conflict> visit(std::size_t goal, Domains& domains, bool& changed) const;
  std::vector<Goal> goals_;
};

// "y[5], written by thread 5, needs x[99], which no choice of the holes brings there"
std::string explain(const Conflict& conflict, const Problem& problem);

}  // namespace swizzle
