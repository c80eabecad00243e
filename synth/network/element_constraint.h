// ElementConstraint: a value that holes choose among leaves, as `leaf[index]` of constraint programming (Van Hentenryck
// and Carillon 1988) with several points for an index. What a lane fetches is one, so that it is called a fetch where
// its meaning is meant.
//
//   lane 1 of 4 fetches rc[Q(P)] of lane P, two registers a lane:
//     points  P(1,0), Q(0,0) … Q(3,0)
//     leaves  x[0] … x[7]      alternatives  P = 0, Q(0) = 0 → x[0]     P = 0, Q(0) = 1 → x[4]     …
//
// Fetches that differ in nothing but their points share their scheme.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/base/ids.h"
#include "synth/provenance/node.h"

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

}  // namespace swizzle
