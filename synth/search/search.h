// Search: branch and bound over the tables of the holes. Private to synth/search/solve.cpp.
//
// A node is the tables chosen so far and, of each hole that is open, the cheapest tables that propagation leaves it. A
// hole is picked, its cheapest tables are tried one by one (or by the values of single points, which refute many at
// once), and then it costs more; what cannot cost less than the best completion is left. The parts:
//   solve.cpp            from a Problem to its Solution
//   findings.cpp         what was found, and why there is no more
//   search_tree.cpp      nodes: what is picked, tried, and kept for later
//   search_tables.cpp    the tables of one hole, tried on a node
//   node_bound.cpp       what a node costs at least
//   search_bounds.cpp    the tables that are next at a node, and when it is over
//   search_probes.cpp    tables that are looked at before they are tried; holes that may change places
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "synth/bounds/table_costs.h"
#include "synth/propagation/propagator.h"
#include "synth/search/cost_classes.h"
#include "synth/search/findings.h"
#include "synth/search/node_bound.h"
#include "synth/search/search_node.h"
#include "synth/search/solve.h"
#include "synth/search/symmetries.h"

namespace swizzle {

class Search {
 public:
  Search(Problem& problem, const SolveOptions& options)
      : problem_(problem),
        options_(options),
        domains_(problem.points),
        costs_(problem, options.issue_costs),
        shared_(options.shared ? options.shared : std::make_shared<SharedTables>()) {}

  Solution run();

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kUnlimited = ~std::size_t{0};
  static constexpr std::size_t kFewTables = 256;

  Solution to_its_end();
  // Whether trials on numbers settled all (trial_search.h).
  bool settled_by_trials();
  Solution infeasible(Conflict conflict);  // before anything is searched
  Solution conclude();

  // First a short depth-first search for a good completion, which bounds the rest from above. What that leaves is
  // searched best first: what lies within the least bound depth first, and what exceeds it is kept for later.
  void deepen();
  void resume(SearchNode node);
  // Tries what is open below the tables chosen so far, within the budget.
  void expand(std::vector<HoleState> open);
  // Chooses what has one table left, until nothing has. False: this node is done.
  bool take_forced(std::vector<HoleState>& open);
  void branch(std::vector<HoleState> open);
  // What guards do, if few patterns are left; else a hole that waits for no other, with the cheapest and fewest tables.
  std::size_t pick(const std::vector<HoleState>& open, bool patterns_first) const;
  // No completion below this node has a table of `hole` of a lower rank than `from`. Where the node stays the same
  // under a symmetry, that goes for the hole that comes in its place as well.
  void raise(std::vector<HoleState>& open, std::size_t hole, double from, std::size_t cheaper);
  // All tables are chosen. What the network does not say exactly is decided here; an equation that fails joins it.
  void complete();

  // Tries tables of the same cost. Of many, the values of single points are tried first: what refutes a value refutes
  // all tables that have it.
  void try_tables(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables,
                  const std::vector<HoleState>& rest);
  // The dive ends here: what it did not come to is kept.
  void leave(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables,
             const std::vector<HoleState>& rest);
  // False: none of the tables that were kept fits any more.
  bool drop_misfits(HoleState& state);
  // Of tables that agree wherever the hole is still asked, the cheapest is enough; what several holes decide about goes
  // by all of their values. Should an equation outside of the network fail later, the search starts again with it.
  std::vector<const HoleTable*> different(HoleState& state, const CostClass& tried) const;
  // Whether the values of single points, tried before tables, have lately refuted some.
  bool dividing_pays();
  bool fix(std::size_t hole, const HoleTable& table);
  // False: the table is refuted, or (with `rest`) kept for a larger budget.
  bool choose(std::size_t hole, const HoleTable& table, const std::vector<HoleState>& rest);

  // Completions of tables that no list has, of one or several holes, cost more than that.
  void note_unlisted(const std::vector<HoleState>& open);
  // Brings every open hole's next cost class up to date. False as in within_budget.
  bool refresh(std::vector<HoleState>& open);
  // Finds the hole's next cost class, and its tables if they are no more than `limit`.
  void list(HoleState& state, std::size_t limit);
  double least_of(const HoleState& state) const;
  std::size_t looseness(std::size_t hole) const;
  // What the points that are known make the node cost exceeds what is wanted.
  bool over_budget();
  // False: this node is done, for want of tables, or kept for a larger budget.
  bool within_budget(const std::vector<HoleState>& open);
  void keep_for_later(double bound, const std::vector<HoleState>& open);
  // A dive goes on for as long as it may gain much.
  std::size_t dive_visits() const;
  bool diving() const { return visits_left_ != kUnlimited; }
  bool dive_ends() const { return propagator_->visits() >= visits_left_; }
  // The search, or the dive, is over.
  bool enough();
  bool out_of_time();
  // The same, asked very often: the clock is read now and then.
  bool soon_out_of_time();

  // What each hole costs at least by itself: the cheapest tables that propagation does not refute on their own. It ends
  // where that is more than is wanted.
  void probe(std::vector<HoleState>& open);
  // Before many tables of `hole` are tried: of the other holes, the cheapest tables that none of them fits any more are
  // left behind. True: some hole costs more than was known. Asked only where there is a best completion: what its cost
  // interrupts is refuted for good, what the budget interrupts is not.
  bool look_around(std::vector<HoleState>& open, std::size_t hole, std::size_t limit);
  // The hole, and those that come in its place under symmetries that leave the node as it is.
  std::vector<std::size_t> images(const std::vector<HoleState>& open, std::size_t hole) const;
  bool keeps(const VariableSymmetry& e, const std::vector<HoleState>& open) const;
  // What holds for one hole holds for those that come in its place.
  void copy_to(const std::vector<std::size_t>& images, const HoleState& state, std::vector<HoleState>& open);
  static bool contains(const std::vector<std::size_t>& holes, std::size_t hole);

  Problem& problem_;
  const SolveOptions& options_;
  ConstraintNetwork network_;
  Domains domains_;
  std::optional<Propagator> propagator_;
  TableCosts costs_;
  std::shared_ptr<SharedTables> shared_;
  std::optional<CostClasses> classes_;
  std::optional<NodeBound> node_;  // of the current node
  Findings findings_;
  std::vector<VariableSymmetry> symmetries_;
  std::set<std::pair<std::size_t, std::size_t>> precedes_;  // see hole_order
  ChosenTables chosen_;                                     // on the way to the current node
  std::vector<SearchNode> frontier_;
  double below_ = kInfinity;  // the total cost of what trials found
  double best_ = kInfinity;   // cost of the best completion, without what is issued anyway
  double budget_ = 0, root_bound_ = 0;
  std::size_t visits_left_ = kUnlimited;  // of the dive
  std::size_t passed_ = 0, refuted_ = 0;  // values of single points
  unsigned asked_for_time_ = 0;
  bool restart_ = false;
};

}  // namespace swizzle
