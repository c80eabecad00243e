// SumConstraint: an output whose summands list what each may bring; they must bring what is needed, no more and no
// less.
//
//   y[1] = x[1] + x[2] of two fetches on 4 lanes:
//     need       x[1]: 1, x[2]: 1
//     summands   fetch A: P = 0 brings x[0], P = 1 brings x[1], …     fetch B: …
//   an option that brings x[0] is removed; if A alone can bring x[1], it does
#pragma once

#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/network/default_edges.h"
#include "synth/network/violation_mdds.h"

namespace swizzle {

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

}  // namespace swizzle
