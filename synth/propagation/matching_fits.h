// MatchingFits: of one matching, the monomials that each tuple may be as far as its fetches tell.
//
//   fetch A may be a[1] or a[3], fetch B only b[2]:   tuple (A, B) may be a[1]·b[2] or a[3]·b[2]
//
// What it found is kept, and found anew only for fetches of which other alternatives are live by now.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/element_propagator.h"

namespace swizzle {

class MatchingFits {
 public:
  explicit MatchingFits(const Matching& matching);

  // By tuple, Matching::words each.
  const Mask& update(const Matching& matching, const ElementPropagator& fetches);
  // What the factor at this position of Matching::factors reaches, as of update().
  const std::uint64_t* reached(const Matching& matching, std::uint32_t factor) const {
    return &reached_[factor * matching.words];
  }
  // `may` is what the fetches were last restricted to.
  bool is_settled(const Mask& may) const { return may == kept_; }
  // Keeps of every fetch the alternatives with which its tuples are something in `may`. False: nothing is left.
  bool restrict(const Matching& matching, ElementPropagator& fetches, const Mask& may);

 private:
  std::vector<std::uint64_t> seen_;  // by factor: the version of its fetch
  std::vector<std::uint8_t> changed_;
  Mask reached_;                        // by factor
  Mask fits_;                           // by tuple
  Mask kept_;                           // by tuple: `may`, when its fetches were restricted last
  std::vector<std::uint64_t> kept_at_;  // by factor: the version of its fetch afterwards
};

}  // namespace swizzle
