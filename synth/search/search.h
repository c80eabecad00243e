// Search: branch and bound over the tables of the holes. Private to synth/search/solve.cpp.
//
// A node is the tables chosen so far and, of each hole that is open, the cheapest tables that propagation leaves it. A
// hole is picked, its cheapest tables are tried one by one (or by the values of single points, which refute many at
// once), and then it costs more; what cannot cost less than the best completion is left. The parts:
//   solve.cpp            from a Problem to its Solution
//   search_tree.cpp      nodes: what is picked, tried, and kept for later
//   search_tables.cpp    the tables of one hole, tried on a node
//   search_bounds.cpp    what a node costs at least, and when it is over
//   search_probes.cpp    tables that are looked at before they are tried; holes that may change places
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "synth/bounds/cost_bound.h"
#include "synth/bounds/table_costs.h"
#include "synth/propagation/propagator.h"
#include "synth/search/cost_classes.h"
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

  struct HoleState {
    std::size_t hole;
    double from = 0;            // no table of a lower rank is to be tried any more
    std::size_t cheaper = 0;    // tables of lower ranks, at most
    double least = 0;           // no table that is left has a lower price, as `next` was found
    std::size_t looseness = 0;  // Σ over points of the values left, when `next` was found
    std::shared_ptr<const CostClass> next = {};
    std::shared_ptr<const std::map<std::vector<std::int16_t>, double>> tried =
        {};             // price, by values where it was asked
    bool kept = false;  // `next` is all there is to try
  };

  // A place in the search tree to go on from: the tables chosen so far and what is left to try.
  struct Node {
    double bound;
    std::vector<std::pair<std::size_t, std::shared_ptr<const HoleTable>>> chosen;
    std::vector<HoleState> open;
  };

  Solution to_its_end();
  // Whether trials on numbers settled all (trial_search.h).
  bool settled_by_trials();
  bool is_hopeless();
  Solution infeasible(Conflict conflict);
  Solution conclude();
  // What cut the search short, if something did.
  std::optional<UnknownReason> cut() const;
  // The search starts again: what was found is kept, should a limit end it before as much is found again, or nothing be
  // cheaper.
  void set_aside();
  void take_back();

  // First a short depth-first search for a good completion, which bounds the rest from above. What that leaves is
  // searched best first: what lies within the least bound depth first, and what exceeds it is kept for later.
  void deepen();
  void resume(Node node);
  // Tries what is open below the tables chosen so far, within the budget.
  void expand(std::vector<HoleState> open);
  // Chooses what has one table left, until nothing has. False: this node is done.
  bool take_forced(std::vector<HoleState>& open);
  void branch(std::vector<HoleState> open);
  // What guards do, if few patterns are left; else a hole that waits for no other, with the cheapest tables, and those
  // the fewest.
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
  // The open holes, of which one is to have one of these tables.
  static std::vector<HoleState> with_tables(HoleState state, const CostClass& from,
                                            const std::vector<const HoleTable*>& tables, std::vector<HoleState> rest);
  // False: none of the tables that were kept fits any more.
  bool drop_misfits(HoleState& state);
  // Of tables that agree wherever the hole is still asked, the cheapest is enough; and what several holes decide about
  // goes by all of their values. What equations outside of the
  // network ask is not known here: should one of them fail later, the search starts again with it.
  std::vector<const HoleTable*> different(HoleState& state, const CostClass& tried) const;
  // Whether the values of single points, tried before tables, have lately refuted some.
  bool dividing_pays();
  bool fix(std::size_t hole, const HoleTable& table);
  // False: the table is refuted, or (with `rest`) kept for a larger budget.
  bool choose(std::size_t hole, const HoleTable& table, const std::vector<HoleState>& rest);

  // Brings every open hole's next cost class up to date. False as in within_budget.
  bool refresh(std::vector<HoleState>& open);
  // Finds the hole's next cost class, and its tables if they are no more than `limit`.
  void list(HoleState& state, std::size_t limit);
  double least_of(const HoleState& state) const;
  std::size_t looseness(std::size_t hole) const;
  // Of a hole whose tables are listed, the least price and rank of those left; nothing, if they are not.
  std::optional<std::pair<double, double>> cheapest_left(std::size_t hole) const;
  // What is known of the hole, by its next class and those behind it, or by the table that is chosen.
  void know(const HoleState& state);
  void know(std::size_t hole, double price, double rank);
  void know(std::size_t hole, const HoleTable& table) {
    know(hole, costs_.price(hole, table), costs_.rank(hole, table));
  }
  GuardPrice guard_price(std::size_t hole) const;
  CostBound capacity_bound();
  void use(const CostBound* bound);
  // A lower bound on the cost of any completion below: known_ holds what each hole costs at least.
  double bound() const;
  // What the points that are known make each hole cost, on top of what is known of its tables.
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
  Solution solution_;
  std::vector<VariableSymmetry> symmetries_;
  std::vector<std::vector<std::size_t>> shares_;  // see shared_products
  ProductPrices products_;
  std::set<std::pair<std::size_t, std::size_t>> precedes_;  // see hole_order
  bool guarded_ = false;                                    // some guard has something of a cost behind it

  std::vector<std::pair<std::size_t, std::shared_ptr<const HoleTable>>> chosen_;  // on the way to the current node
  std::vector<Node> frontier_;
  std::vector<Completion> found_, aside_;
  KnownCosts known_;
  const CostBound* bound_ = nullptr;
  double below_ = kInfinity;  // the total cost of what trials found
  double best_ = kInfinity;   // cost of the best completion, without what is issued anyway
  double budget_ = 0, root_bound_ = 0;
  KnownCosts active_, scratch_;           // known_ and what points tell
  double active_bound_ = 0;               // the bound for active_
  std::size_t visits_left_ = kUnlimited;  // of the dive
  std::size_t passed_ = 0, refuted_ = 0;  // values of single points
  unsigned asked_for_time_ = 0;
  double least_unlisted_ = kInfinity;  // what a completion costs at least that has a table which no list has
  bool timed_out_ = false, out_of_memory_ = false, restart_ = false;
  std::optional<std::size_t> excluded_;  // a hole without a table that fits
  std::optional<Conflict> deepest_, hopeless_;
};

}  // namespace swizzle
