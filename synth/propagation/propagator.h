// Propagator: removes the values of points that no completion has.
//
// Rules, each sound on its own:
//   matchings  see matching_propagator.h
//   sums       see sum_propagator.h
//   nogoods    a value that cannot be together with that of a fixed point is removed
//   MDDs       of a requirement: a value that leads to a violation whatever the other points are is removed
//   tables     of a hole whose tables can be listed, those that fit stay; a value that none of them has is removed
//   matchings and sums: a value of a point that every live alternative passes, and none takes, is removed
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/element_propagator.h"
#include "synth/propagation/matching_propagator.h"
#include "synth/propagation/sum_propagator.h"
#include "synth/propagation/table_constraints.h"

namespace swizzle {

class Propagator {
 public:
  Propagator(const ConstraintNetwork& network, const Problem& problem, Domains& domains);

  // Takes in what was added to the network since.
  void extend();
  // Removes values until nothing changes. A conflict: no completion lies within the domains.
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

  // See MatchingPropagator.
  std::vector<Capacity> capacities() { return matchings_.capacities(); }
  BinaryNogoods binary_nogoods(const HoleSpace& space) const { return matchings_.binary_nogoods(space); }
  void name_missing(Conflict& conflict) { matchings_.name_missing(conflict); }
  bool matchings_hold() { return matchings_.all_hold(); }

  // See TableConstraints: `tables` are a hole's tables, or its families.
  template <typename Tables>
  void add_table(const HoleSpace& space, std::shared_ptr<const Tables> tables) {
    tables_.add(space, std::move(tables));
  }
  void list_table(const HoleSpace& space, std::shared_ptr<const TableList> list) {
    tables_.list(space, std::move(list));
  }
  bool has_families(const HoleSpace& space) const { return tables_.has_families(space); }
  const CompactTable* table_of(const HoleSpace& space) const { return tables_.table_of(space); }

  // How many constraints were visited so far: a measure of work that does not depend on the machine.
  std::size_t visits() const { return visits_; }

  // How many conflicts so far were found by constraints that watch the point: dom/wdeg (Boussemart et al., ECAI 2004).
  std::size_t conflict_weight(PointId point) const;

  // The positions (in HoleSpace::points) at which some live alternative or option, a requirement or a store still asks.
  std::vector<std::size_t> relevant_positions(const HoleSpace& space) const;

  // By hole, whether some choice asks it first of all, so that its values may force something elsewhere.
  std::vector<bool> forcing() const;
  // What the hole's values force elsewhere; null if that is nothing. Not to be asked below the root of the search.
  std::unique_ptr<ImpliedLiterals> implied_literals(const HoleSpace& space);
  struct Mark {
    std::size_t domains, fetches, sums, tables, nonzero;
  };
  Mark mark() const { return {domains_.mark(), fetches_.mark(), sums_.mark(), tables_.mark(), nonzero_trail_.size()}; }
  void undo(Mark mark);

 private:
  void watch(PointId point, std::uint32_t constraint);
  void watch_fetch(std::uint32_t id);
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
  std::optional<Conflict> next_family();
  // The conflict of a hole that has no table left.
  static std::optional<Conflict> without_table(std::optional<HoleId> hole);
  std::optional<Conflict> next_constraint();
  void note_telling(std::uint32_t constraint);
  std::optional<Conflict> visit(std::uint32_t constraint) {
    return constraint % 2 == 0 ? matchings_.visit(constraint / 2) : sums_.visit(constraint / 2);
  }
  // What a constraint watches of a hole: positions of points, and of its fetches those that ask one, with the point's
  // position in them.
  struct Scope {
    std::vector<std::size_t> positions;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fetches;
  };
  const Scope& scope(std::uint32_t constraint, const HoleSpace& space);
  const std::vector<Implication>& implications_of(std::uint32_t fetch);
  std::optional<Conflict> propagate_nogoods();

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
  std::size_t visited_ = 0;  // in queue_: those before are done
  std::function<bool()> interrupt_;
  static constexpr std::size_t kDeep = 32;   // visits
  static constexpr std::size_t kSoon = 128;  // visits
  std::size_t visits_ = 0, started_ = 0, deep_until_ = 0, families_due_ = 0;
  const Problem& problem_;
  const std::vector<PointId> stores_ask_;
  ElementPropagator fetches_;
  MatchingPropagator matchings_;
  SumPropagator sums_;
  TableConstraints tables_;
  std::size_t watched_fetches_ = 0;
  std::vector<std::uint8_t> nonzero_;  // by hole
  std::vector<std::size_t> nonzero_trail_;
};

}  // namespace swizzle
