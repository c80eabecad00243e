// From ring equations to candidates of matchings: private to synth/.
//
//   c[1] of the product of two polynomials, lane 1 of 4:
//     needs    the monomials a0·b1 and a1·b0, each once
//     assignments   in each of 4 iterations the tuple (fetch of a, fetch of b), under a guard of its own
//   c[0], which lane 0 computes from other fetches, shares no tuple with it: they are two groups, and two matchings
//
// Tuples and monomials are numbered, so that groups are told by numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/network/constraint_network.h"
#include "synth/network/element_builder.h"
#include "synth/network/exclusive_guards.h"
#include "synth/network/function_products.h"
#include "synth/network/sum_compiler.h"

namespace swizzle {

// Equal keys get equal numbers, from 0 on.
template <typename Key, typename Hash>
class Numbering {
 public:
  std::uint32_t operator()(Key key) {
    const auto [it, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(keys_.size()));
    if (fresh) keys_.push_back(&it->first);
    return it->second;
  }
  const Key& operator[](std::uint32_t number) const { return *keys_[number]; }
  std::size_t size() const { return keys_.size(); }

 private:
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
  std::vector<const Key*> keys_;
};

// A product of fetches, and of inputs that are there whatever the holes are.
struct CandidateTuple {
  std::vector<NodeId> open, fixed;  // sorted
  friend bool operator==(const CandidateTuple&, const CandidateTuple&) = default;
};

struct HashOfNodes {
  std::size_t operator()(const Factors& factors) const { return add(0, factors); }
  std::size_t operator()(const CandidateTuple& tuple) const {
    return add(add(tuple.open.size(), tuple.open), tuple.fixed);
  }

 private:
  template <typename Nodes>
  static std::size_t add(std::size_t hash, const Nodes& nodes) {
    return hash_of(hash, nodes, [](NodeId n) { return n.value; });
  }
};

struct CandidateMatching {
  struct Need {
    std::uint32_t monomial;
    Value coefficient;
  };
  // One assignment of a tuple to the output.
  struct CandidateAssignment {
    Value coefficient;
    Guard guard;
    std::uint32_t tuple = 0;
    bool alternative =
        false;  // the tuple is offered to the output by others as well, and no two of these guards hold together
  };
  RingEquation equation;
  std::vector<Need> needs;
  std::vector<std::uint32_t> served;  // of a set: what is there whatever the holes are, and may be brought again
  std::vector<CandidateAssignment> assignments;
  bool repeated = false;  // the output may get some tuple twice
};

class CandidateMatchingBuilder {
 public:
  CandidateMatchingBuilder(Provenance& provenance, ElementBuilder& fetches)
      : provenance_(provenance),
        fetches_(fetches),
        functions_(provenance, fetches, FunctionProducts::Of::kFactors),
        outputs_(provenance, fetches, FunctionProducts::Of::kOutputs) {}

  // Functions of fetches in what is built later: all are to be known before the first is built.
  FunctionProducts& functions() { return functions_; }
  FunctionProducts& outputs() { return outputs_; }
  // Nothing: this output is no sum of products of inputs.
  std::optional<CandidateMatching> build(const RingEquation& part);

  // As one function of fetches. Nothing: it is no such, or what it has to be may come of several.
  std::optional<CandidateMatching> build_whole(const RingEquation& part);

  const Factors& monomial(std::uint32_t number) const { return monomials_[number]; }
  const Factors& written(std::uint32_t number) const { return written_[number]; }  // functions are factors in it
  const CandidateTuple& tuple(std::uint32_t number) const { return tuples_[number]; }
  std::size_t monomials() const { return monomials_.size(); }
  std::size_t tuples() const { return tuples_.size(); }

 private:
  using Assignment = CandidateMatching::CandidateAssignment;
  // What is added where `guard` holds. False: it is no product of inputs, nor a choice of sums of such.
  bool assignment(const Term& term, const Guard& guard, CandidateMatching& candidate);
  bool assign_alternatives(const Term& term, const Guard& guard, CandidateMatching& candidate);
  bool take_fixed(const Term& term, CandidateMatching& candidate);
  void mark_alternatives(CandidateMatching& candidate);
  bool make_exclusive(const RingEquation& part, std::vector<GuardedCoefficient>& added);
  bool expand(const RingEquation& part, const Term& term, CandidateMatching::CandidateAssignment& assignment,
              CandidateTuple& tuple);
  bool take_factor(NodeId factor, CandidateTuple& tuple);
  bool takes_places(std::size_t places);
  std::uint32_t number_of(const Factors& monomial, const Factors& written);
  Value multiplied(const RingEquation& part, Value a, Value b);
  Value negated(const RingEquation& part, Value a);

  Provenance& provenance_;
  ElementBuilder& fetches_;
  FunctionProducts functions_, outputs_;
  Numbering<Factors, HashOfNodes> monomials_;
  std::vector<Factors> written_;  // by monomial
  Numbering<CandidateTuple, HashOfNodes> tuples_;
  std::vector<std::size_t> offered_;  // by tuple: the candidate that offered it last, from 1 on
  std::size_t candidates_ = 0;
  // Of the term at hand: functions of several places, and whether one may be a constant.
  std::size_t functions_in_term_ = 0;
  bool is_constant_in_term_ = false;
};

// CandidateMatchings that share tuples, directly or through others.
struct MatchingComponent {
  std::vector<std::size_t> candidates;
  std::vector<std::uint32_t> tuples;  // different ones
  std::size_t monomials = 0;          // different ones
  bool repeated = false;              // an output may get some tuple twice
  bool same_ring = true;
  bool served = false;  // some monomial that is needed is there already

  bool is_exact() const { return same_ring && !repeated && !served && tuples.size() == monomials; }
};

std::vector<MatchingComponent> grouped(const std::vector<CandidateMatching>& candidates,
                                       const CandidateMatchingBuilder& builder);

}  // namespace swizzle
