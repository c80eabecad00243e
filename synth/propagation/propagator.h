// Propagator: removes the values of points that no completion has.
//
// Rules, each sound on its own:
//   matchings  a fetch is only what its tuples may be; a monomial that one tuple can be is that tuple, and a tuple that
//             can be one monomial takes it from the others; a guard holds where its output needs the tuple
//   sums     an option that brings more of a monomial than is still needed is removed; a monomial whose suppliers
//             are just enough makes each of them bring it
//   nogoods  a value that cannot be together with that of a fixed point is removed
//   MDDs  of a requirement, a value that leads to a violation whatever the other points are is removed
//   tables    of a hole whose tables can be listed, those that fit stay; a value that none of them has is removed
//   matchings and sums: a value of a point that every live alternative passes, and none takes, is removed
// Live alternatives and options are kept in front of the dead ones, so that undo() only moves a count.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/compact_table.h"
#include "synth/propagation/element_propagator.h"
#include "synth/propagation/implied_literals.h"
#include "synth/propagation/matching_fits.h"
#include "synth/propagation/mdd_walk.h"
#include "synth/propagation/transform_table.h"
#include "synth/tables/binary_nogoods.h"

namespace swizzle {

class Propagator {
 public:
  Propagator(const ConstraintNetwork& network, const Problem& problem, Domains& domains);

  // Takes in what was added to the network since.
  void extend();
  // removes values until nothing changes. A conflict: no completion lies within the domains.
  std::optional<Conflict> propagate() { return propagate(~std::size_t{0}); }
  // The same, but ends after so many visits as there are constraints. Only to be undone.
  std::optional<Conflict> propagate_briefly() { return propagate(network_.matchings.size() + network_.sums.size()); }

  // Whether the constraint that refuted the last table at once refutes this one as well: asked before all of it is
  // fixed, as most tables that fail do so for the same reason.
  bool refutes_at_once(const HoleSpace& space, const HoleTable& table);

  // Asked after every constraint; true ends propagate() with Conflict::interrupted.
  void set_interrupt(std::function<bool()> interrupt) { interrupt_ = std::move(interrupt); }
  // Some point of the hole must be something else than 0.
  bool is_nonzero(std::size_t hole) const { return nonzero_[hole] != 0; }

  // Of every output of a matching.
  std::vector<Capacity> capacities();

  // How many constraints were visited so far: a measure of work that does not depend on the machine.
  std::size_t visits() const { return visits_; }

  // How many conflicts so far were found by constraints that watch the point: dom/wdeg (Boussemart et al., ECAI 2004).
  std::size_t conflict_weight(PointId point) const;

  // The positions (in HoleSpace::points) at which some live alternative or option, a requirement or a store still asks.
  std::vector<std::size_t> relevant_positions(const HoleSpace& space) const;

  // A hole that takes part as a whole: with all its tables listed, or by its families. What is given outlives this.
  void add_table(const HoleSpace& space, std::shared_ptr<const TableList> list);
  void add_table(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families);
  // Lists what is left of a hole that takes part by its families.
  void list_table(const HoleSpace& space, std::shared_ptr<const TableList> list);
  bool has_families(const HoleSpace& space) const;
  // By hole, whether some choice asks it first of all, so that its values may force something elsewhere.
  std::vector<bool> forcing() const;
  // What the hole's values force elsewhere; null if that is nothing. Not to be asked below the root of the search.
  std::unique_ptr<ImpliedLiterals> implied_literals(const HoleSpace& space);
  // Values of two of the hole's points that would make two tuples of a matching the same monomial, as far as the other
  // holes are known.
  BinaryNogoods binary_nogoods(const HoleSpace& space) const;
  // The tables of a hole that are left; nothing if they are not listed.
  const CompactTable* table_of(const HoleSpace& space) const;

  // Says what a matching's conflict, just found, is about: a product that none of its tuples can be.
  void name_missing(Conflict& conflict);

  struct Mark {
    std::size_t domains, fetches, trail, tables, nonzero;
  };
  Mark mark() const {
    return {domains_.mark(), fetches_.mark(), trail_.size(), table_trail_.size(), nonzero_trail_.size()};
  }
  void undo(Mark mark);

  // With every point fixed: whether the outputs of all matchings are what they must be.
  bool matchings_hold();

 private:
  struct LiveList {
    std::vector<std::uint32_t> order;  // order[0 … live) are live
    std::size_t live = 0;
  };
  void watch(PointId point, std::uint32_t constraint);
  struct Watchers {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fetches;  // and the point's position in it
    std::vector<std::uint32_t> constraints;  // constraints: matchings (even numbers) and sums (odd)
  };
  static constexpr std::size_t kMany = 64;
  std::optional<Conflict> propagate(std::size_t visits);
  bool is_settled() const;
  void note_change(PointId point);
  void wake(const std::vector<std::uint32_t>& constraints);
  void wake_changed();
  void shrink(std::size_t list, std::size_t live);
  std::optional<Conflict> next_table(std::vector<std::uint32_t>& queue);
  std::optional<Conflict> next_family();
  std::optional<Conflict> next_constraint();
  void note_telling(std::uint32_t constraint);
  std::optional<Conflict> visit(std::uint32_t constraint) {
    return constraint % 2 == 0 ? visit_matching(constraint / 2) : visit_sum(constraint / 2);
  }
  // What a constraint watches of a hole: positions of points, and of its fetches those that ask one, with the point's
  // position in them.
  struct Scope {
    std::vector<std::size_t> positions;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fetches;
  };
  const Scope& scope(std::uint32_t constraint, const HoleSpace& space);
  const std::vector<Implication>& implications_of(std::uint32_t fetch);
  std::optional<Conflict> visit_matching(std::size_t index);
  bool narrow_matching(std::size_t index);
  // One fetch for one monomial, which is all that its alternatives are, with the coefficient that is needed.
  static bool is_single(const Matching& matching);
  std::optional<Conflict> visit_sum(std::size_t index);
  std::optional<Conflict> propagate_nogoods();
  std::optional<Conflict> visit_mdd(const SumConstraint& sum);
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
  bool remove_unsupported(const Summand& term, std::size_t list);
  std::optional<std::uint32_t> meet_needs(const SumConstraint& sum, std::size_t first_list,
                                          const std::vector<double>& rest, const std::vector<bool>& decided);
  template <typename Keep>
  void filter(std::size_t list, Keep&& keep);

  const ConstraintNetwork& network_;
  Domains& domains_;
  std::vector<Watchers> watchers_, hole_watchers_;  // by point, by hole
  std::vector<std::uint8_t> queued_matchings_, queued_sums_;
  static constexpr std::size_t kRecent = 4;
  std::vector<std::uint32_t> conflicts_;   // by constraint
  std::optional<std::uint32_t> refuting_;  // constraint that refuted the last table, asked first
  std::map<std::pair<std::uint32_t, std::size_t>, Scope> scopes_;  // by constraint and hole
  static constexpr std::size_t kMostImplied = 4096;
  std::map<std::pair<const ElementScheme*, std::vector<ElementPropagator::Word>>, std::vector<Implication>>
      implied_;  // by shape and live alternatives
  std::vector<std::uint32_t>
      recent_;  // constraints that found the latest conflicts, or were visited before an interrupt
  std::optional<std::uint32_t> last_;  // constraint, of the work under way
  std::vector<PointId> fixed_;         // points whose nogoods are to be looked at
  std::vector<std::uint32_t> queue_;
  std::size_t visited_ = 0;                                   // in queue_: those before are done
  std::vector<LiveList> lists_;                               // of summands
  std::vector<std::size_t> sum_list_;                         // by sum: that of its first term
  std::vector<std::pair<std::uint32_t, std::size_t>> trail_;  // list, how many were live
  std::vector<std::vector<std::uint32_t>> fetches_of_;        // by matching
  std::vector<std::uint8_t> single_;                          // by matching
  std::vector<MatchingFits> fits_;                            // by matching
  std::vector<std::vector<Rivals>> rivals_of_;                // by matching
  std::function<bool()> interrupt_;
  static constexpr std::size_t kDeep = 32;   // visits
  static constexpr std::size_t kSoon = 128;  // visits
  std::size_t visits_ = 0, started_ = 0, deep_until_ = 0, families_due_ = 0;
  const Problem& problem_;
  const std::vector<PointId> stores_ask_;
  ElementPropagator fetches_;
  MddWalk walk_;
  std::size_t watched_fetches_ = 0;
  std::vector<std::uint8_t> nonzero_;  // by hole
  std::vector<std::size_t> nonzero_trail_;
  void add_constraint(std::unique_ptr<TableConstraint> constraint);
  std::vector<std::unique_ptr<TableConstraint>> tables_;
  std::vector<const CompactTable*> listed_;                      // by table; or nothing
  std::vector<std::pair<std::uint32_t, std::size_t>> table_at_;  // by point: table and position in it
  std::vector<std::uint8_t> queued_tables_;
  std::vector<std::uint32_t> table_queue_, family_queue_;  // those that are listed, and the others
  std::vector<TableConstraint::Saved> table_trail_;
  // Of the visit under way.
  Mask may_;                            // by tuple, Matching::words each: the monomials that it may be
  std::vector<std::uint32_t> by_mask_;  // tuples
};

}  // namespace swizzle
