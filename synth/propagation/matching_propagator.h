// MatchingPropagator: removes the values of points under which a matching does not come out.
//
//   o = x·w + y·v, tuples t0, t1, monomials x·w and y·v:   t0 can be x·w alone   →  t1 is y·v, and so are its fetches
//
// A fetch is only what its tuples may be; a monomial that one tuple can be is that tuple, and a tuple that can be one
// monomial takes it from the others (all-different: Régin 1994); a guard holds where its output needs the tuple.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/element_propagator.h"
#include "synth/propagation/guard_alternatives.h"
#include "synth/propagation/matching_fits.h"
#include "synth/tables/binary_nogoods.h"

namespace swizzle {

class MatchingPropagator {
 public:
  MatchingPropagator(const ConstraintNetwork& network, const PointTable& points, Domains& domains,
                     ElementPropagator& fetches)
      : network_(network),
        points_(points),
        domains_(domains),
        fetches_(fetches) {}

  // Takes in the matchings that were added since. Returns the first of them.
  std::uint32_t extend();
  // The fetches of a matching's factors, sorted.
  const std::vector<std::uint32_t>& fetches_of(std::size_t index) const { return fetches_of_[index]; }

  std::optional<Conflict> visit(std::size_t index);
  // Says what a conflict, just found, is about: a product that none of its tuples can be.
  void name_missing(Conflict& conflict);

  // Of every output of a matching.
  std::vector<Capacity> capacities();
  // Values of two of the hole's points that would make two tuples of a matching the same monomial, as far as the other
  // holes are known.
  BinaryNogoods binary_nogoods(const HoleSpace& space) const;
  // With every point fixed: whether the outputs of all matchings are what they must be.
  bool all_hold();

 private:
  bool narrow(std::size_t index);
  // One fetch for one monomial, which is all that its alternatives are, with the coefficient that is needed.
  static bool is_single(const Matching& matching);
  // Two fetches that cannot be the same leaf, and the versions of them at which that was last seen to.
  struct Rivals {
    std::uint32_t a, b;
    std::uint64_t seen_a = 0, seen_b = 0;
  };
  static std::vector<Rivals> rivals(const Matching& matching);
  bool separate(std::vector<Rivals>& rivals);
  void find_what_fits(std::size_t matching);
  bool assign_singles(const Matching& matching);
  bool prune_hall_sets(const Matching& matching, bool& again);
  std::optional<std::size_t> monomial_of(const Matching& matching,
                                         const Matching::Tuple& tuple) const;  // with every point fixed
  bool decide_guards(const Matching& matching);
  // A value of one of a hole's points, and with it some monomial.
  struct Maker {
    std::uint32_t position;
    int value;
  };
  static constexpr std::uint32_t kNone = ~0u;
  void note_makers(const Matching& matching, const Matching::Tuple& tuple,
                   const std::vector<std::uint32_t>& position_of, std::vector<std::vector<Maker>>& makers) const;

  const ConstraintNetwork& network_;
  const PointTable& points_;
  Domains& domains_;
  ElementPropagator& fetches_;
  std::vector<std::vector<std::uint32_t>> fetches_of_;  // by matching, like the next four
  std::vector<std::uint8_t> single_;
  std::vector<MatchingFits> fits_;
  std::vector<GuardAlternatives> alternatives_;
  std::vector<std::vector<Rivals>> rivals_of_;
  // Of the visit under way.
  Mask may_;                            // by tuple, Matching::words each: the monomials that it may be
  std::vector<std::uint32_t> by_mask_;  // tuples
};

}  // namespace swizzle
