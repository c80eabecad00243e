// Matching: outputs that share tuples, each tuple of which is exactly one monomial that some of them need.
//
//   products of polynomials on lane l:  tuple (a, b) goes to c[l] under ?sw_cond 1 and to c[l + 32] under ?sw_cond 2
//
// Tuples are products of fetches. A candidate assignment adds a tuple to an output where its guard holds.
//
// A matching is exact if there are as many tuples as different monomials. Then every tuple is one monomial that is
// needed, no two are the same, and it goes to those outputs that need it, with the coefficient that they need: nothing
// can cancel, neither modulo 2 nor by its sign. With fewer tuples than monomials there is no completion. With more, or
// with values that are no products of inputs, the outputs become sums instead.
//
// This is an all-different constraint between tuples and monomials. What is pruned are singles and small Hall sets
// (J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994); the guards follow, as in a
// cardinality constraint whose capacities are what each output still needs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "synth/network/element_constraint.h"
#include "synth/provenance/points.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

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

// Of one output of a matching: how many products it needs beyond those that surely come, how many each guarding
// hole can still bring, and how many it surely brings.
struct Capacity {
  std::size_t needed = 0;
  std::vector<std::pair<std::size_t, std::size_t>> offered = {};  // hole, products
  std::vector<std::pair<std::size_t, std::size_t>> brought = {};
};

// What it guards is added where one point, of two values, is 1.
inline bool is_condition(const Guard& guard, const PointTable& points) {
  return guard.size() == 1 && guard[0].second == 1 && points[guard[0].first].domain == 2;
}

}  // namespace swizzle
