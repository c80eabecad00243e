#include "synth/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "synth/cost_bound.h"
#include "synth/cost_classes.h"
#include "synth/exchanges.h"
#include "synth/hole_order.h"
#include "synth/propagator.h"
#include "synth/stores.h"
#include "synth/table_costs.h"
#include "synth/table_groups.h"

namespace swizzle {
namespace {

constexpr std::size_t kFewTables = 256;
constexpr std::size_t kFewToTry = 4;
constexpr std::size_t kMany = 64, kProbesEach = 4;
constexpr std::size_t kUnlimited = ~std::size_t{0};
constexpr std::size_t kDiveTables = 10'000;
constexpr std::size_t kDiveVisits = 500;  // times the constraints
constexpr double kHorizon = 1.25;  // without a completion to compare with, what exceeds the budget so far is not looked into
constexpr double kPoor = 1.25;  // times the bound: a completion that guards make dear
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-6;

class Search {
 public:
  Search(Problem& problem, const SolveOptions& options)
      : problem_(problem), options_(options), domains_(problem.points), costs_(problem, options.machine) {}

  Solution run() {
    for (const HoleSpace& space : problem_.holes)
      if (!space.points.empty()) solution_.raw_space += raw_space_log10(space);
    if (const auto conflict = add_equations(problem_, covering_equations(problem_), network_, options_.deadline)) return infeasible(*conflict);
    std::set<std::pair<std::uint32_t, std::int64_t>> violations;
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r) {
      if (out_of_time()) return conclude();
      const Value v = problem_.requirements[r].violation;
      if (truth(v) == true) return infeasible({Goal::npos, r, {}, 0, 0, Goal::npos, false, {}});
      if (truth(v) == false || !violations.emplace(v.aux, v.bits).second) continue;
      if (const auto conflict = add_requirement(problem_, r, network_)) return infeasible(*conflict);
    }
    propagator_.emplace(network_, problem_, domains_);
    propagator_->set_interrupt([this] { return soon_out_of_time(); });
    if (const auto conflict = propagator_->propagate()) return infeasible(*conflict);
    classes_.emplace(problem_, domains_, costs_, options_.deadline);
    classes_->join(*propagator_, options_.deadline);
    if (const auto conflict = propagator_->propagate()) return infeasible(*conflict);
    if (const auto conflict = classes_->sharpen(*propagator_, options_.deadline)) return infeasible(*conflict);
    guarded_ = std::any_of(problem_.guarded.begin(), problem_.guarded.end(), [&](const Counts& c) { return cost_of(c, options_.machine) > 0; });
    precedes_ = hole_order(problem_, network_);
    shares_ = shared_products(problem_, network_);
    propagator_->set_interrupt([this] { return over_budget() || soon_out_of_time(); });
    do {
      restart_ = false;
      found_.clear();
      exchanges_ = options_.all > 0 ? std::vector<Exchange>() : exchanges(problem_, network_);
      best_ = options_.below - cost_of(problem_.counts, options_.machine);
      deepen();
    } while (restart_);
    return conclude();
  }

 private:
  struct HoleState {
    std::size_t hole;
    double from = 0;                          // no table that costs less is to be tried any more
    std::size_t cheaper = 0;                  // tables that cost less, at most
    std::size_t looseness = 0;                // Σ over points of the values left, when `next` was found
    std::shared_ptr<const CostClass> next;
    std::shared_ptr<const std::set<std::vector<std::int16_t>>> tried;  // values where the hole was asked
    bool kept = false;                        // `next` is all there is to try
  };

  // A place in the search tree to go on from: the tables chosen so far and what is left to try.
  struct Node {
    double bound;
    std::vector<std::pair<std::size_t, std::shared_ptr<const HoleTable>>> chosen;
    std::vector<HoleState> open;
  };

  // What the cheapest table costs that is left, of a hole whose tables are listed; nothing, if they are not.
  std::optional<double> cheapest_left(std::size_t hole) const {
    const CompactTable* const table = propagator_->table_of(problem_.holes[hole]);
    if (!table) return std::nullopt;
    const std::size_t t = table->next_live(0);
    return t < table->list().tables.size() ? costs_.of(hole, table->list(), t) : kInfinity;
  }

  GuardPrice guard_price(std::size_t hole) const {
    const HoleSpace& space = problem_.holes[hole];
    const double guarded = cost_of(problem_.guarded[hole], options_.machine);
    GuardPrice price{propagator_->is_nonzero(hole) ? kInfinity : 0, guarded, guarded};
    const CompactTable* const table = propagator_->table_of(space);
    if (!table) return price;
    price.everywhere = price.compared = kInfinity;
    for (std::size_t t = table->next_live(0); t < table->list().tables.size(); t = table->next_live(t + 1)) {
      if (table->list().uniform[t] == 0) continue;
      double& least = table->list().uniform[t] > 0 ? price.everywhere : price.compared;
      least = std::min(least, costs_.of(hole, table->list(), t));
      if (price.compared < kInfinity) break;
    }
    return price;
  }

  CostBound supply_bound() {
    if (!guarded_) return CostBound(problem_, {}, {}, options_.machine);
    std::vector<GuardPrice> prices;
    for (std::size_t h = 0; h < problem_.holes.size(); ++h) prices.push_back(guard_price(h));
    return CostBound(problem_, propagator_->supplies(), prices, options_.machine, shares_);
  }

  // First a short depth-first search for a good completion, which bounds the rest from above. What that leaves is searched best first: what
  // lies within the least bound depth first, and what exceeds it is kept for later.
  void deepen() {
    const CostBound at_root = supply_bound();
    use(&at_root);
    frontier_.clear();
    known_.assign(problem_.holes.size(), 0);
    budget_ = kInfinity;
    std::vector<HoleState> open;
    for (std::size_t h = 0; h < problem_.holes.size(); ++h)
      if (!problem_.holes[h].points.empty()) open.push_back({h, 0, 0, 0, nullptr, nullptr, false});
    probe(open);
    const double root = root_bound_ = bound();
    if (options_.all == 0 && root < kInfinity) {
      visits_left_ = propagator_->visits() + dive_visits();
      expand(std::move(open));
      visits_left_ = kUnlimited;
    } else {
      frontier_.push_back({root, {}, std::move(open)});
    }
    while (!frontier_.empty() && !enough()) {
      budget_ = std::min_element(frontier_.begin(), frontier_.end(), [](const Node& a, const Node& b) { return a.bound < b.bound; })->bound;
      if (budget_ == kInfinity || budget_ > best_ - kTolerance) break;
      const auto later = std::partition(frontier_.begin(), frontier_.end(), [&](const Node& n) { return n.bound > budget_ + kTolerance; });
      std::vector<Node> now(std::make_move_iterator(later), std::make_move_iterator(frontier_.end()));
      frontier_.erase(later, frontier_.end());
      for (Node& node : now) {
        if (enough()) break;
        resume(std::move(node));
      }
    }
  }

  void resume(Node node) {
    const Propagator::Mark root = propagator_->mark();
    std::fill(known_.begin(), known_.end(), 0);
    chosen_ = std::move(node.chosen);
    for (const auto& [hole, table] : chosen_) {
      fix(hole, *table);
      known_[hole] = costs_.of(hole, *table);
    }
    if (!propagator_->propagate()) expand(std::move(node.open));
    chosen_.clear();
    propagator_->undo(root);
  }

  // What each hole costs at least by itself: the cheapest tables that propagation does not refute on their own.
  void probe(std::vector<HoleState>& open) {
    constexpr std::size_t kMostProbes = 64;
    std::vector<std::size_t> done;
    for (HoleState& state : open) {
      if (contains(done, state.hole)) continue;
      const std::vector<std::size_t> alike = images(open, state.hole);
      done.insert(done.end(), alike.begin(), alike.end());
      state.looseness = looseness(state.hole);
      for (std::size_t probes = 0; !out_of_time();) {
        CostClass next = classes_->next(state.hole, state.from, costs_.unit(state.hole) * 8, state.cheaper + kFewTables, *propagator_);
        if (next.cost == kInfinity && !excluded_) excluded_ = state.hole;
        const std::size_t listed = next.tables.size();
        probes += listed;
        if (!next.tables.empty() && probes <= kMostProbes)
          std::erase_if(next.tables, [&](const HoleTable& table) {
            const Propagator::Mark mark = propagator_->mark();
            const bool stands = !propagator_->refutes_at_once(problem_.holes[state.hole], table) && fix(state.hole, table) && !propagator_->propagate_briefly();
            propagator_->undo(mark);
            return !stands;
          });
        const bool refuted = next.tables.empty() && next.cost != kInfinity && probes > 0 && probes <= kMostProbes && !next.beyond && !next.many;
        if (refuted) {
          state.from = costs_.above(state.hole, next.cost);
          state.cheaper += listed;
        } else state.next = std::make_shared<CostClass>(std::move(next));
        if (!refuted) break;
      }
      copy_to(alike, state, open);
    }
  }

  // What holds for one hole holds for those that come in its place.
  void copy_to(const std::vector<std::size_t>& images, const HoleState& state, std::vector<HoleState>& open) {
    for (HoleState& image : open) {
      if (!contains(images, image.hole)) continue;
      image.from = state.from;
      image.cheaper = state.cheaper;
      image.next = state.next;
      image.looseness = looseness(image.hole);
      known_[image.hole] = image.next ? image.next->cost : image.from;
    }
  }

  bool out_of_time() {
    timed_out_ = timed_out_ || options_.deadline.passed();
    return timed_out_;
  }

  // The same, asked very often: the clock is read now and then.
  bool soon_out_of_time() {
    constexpr unsigned kSeldom = 16;
    return timed_out_ || (++asked_for_time_ % kSeldom == 0 && out_of_time());
  }

  // A dive goes on for as long as it may gain much.
  std::size_t dive_visits() const {
    const double gain = best_ < kInfinity ? std::min(1.0, (best_ - root_bound_) / std::max(root_bound_, 1.0)) : 1;
    return static_cast<std::size_t>(gain * gain * static_cast<double>(kDiveVisits * (network_.clusters.size() + network_.goals.size())));
  }

  bool diving() const { return visits_left_ != kUnlimited; }
  bool dive_ends() const { return propagator_->visits() >= visits_left_; }

  // The search, or the dive, is over.
  bool enough() {
    if (out_of_time() || restart_ || hopeless_ || dive_ends()) return true;
    if (options_.all > 0) return found_.size() >= options_.all;
    return !found_.empty() && (options_.first_only || (budget_ < kInfinity && best_ <= budget_ + kTolerance));
  }

  std::size_t looseness(std::size_t hole) const {
    std::size_t sum = 0;
    for (PointId p : problem_.holes[hole].points) sum += static_cast<std::size_t>(domains_.count(p));
    return sum;
  }

  // A lower bound on the cost of any completion below: known_ holds what each hole costs at least.
  double bound() const {
    double sum = bound_->beyond(known_);
    for (double c : known_) sum += c;
    return sum;
  }

  void use(const CostBound* bound) {
    bound_ = bound;
    active_.clear();
  }

  // What the points that are known make each hole cost, on top of what is known of its tables.
  bool over_budget() {
    if (!guarded_) return false;
    std::vector<double>& active = scratch_;
    active = known_;
    for (std::size_t h = 0; h < active.size(); ++h) {
      if (const std::optional<double> least = cheapest_left(h)) active[h] = std::max(active[h], *least);
      else if (propagator_->is_nonzero(h)) active[h] = std::max(active[h], cost_of(problem_.guarded[h], options_.machine));
    }
    if (active != active_) {
      active_bound_ = std::accumulate(active.begin(), active.end(), bound_->beyond(active));
      active_.swap(active);
    }
    return active_bound_ > (best_ < kInfinity ? best_ - kTolerance : budget_ * kHorizon);
  }

  void keep_for_later(double bound, const std::vector<HoleState>& open) {
    if (bound < best_ - kTolerance) frontier_.push_back({bound, chosen_, open});
  }

  // False: this node is done, for want of tables, or kept for a larger budget.
  bool within_budget(const std::vector<HoleState>& open) {
    const double least = bound();
    if (least <= budget_ + kTolerance && least < best_ - kTolerance) return true;
    keep_for_later(least, open);
    return false;
  }

  // Brings every open hole's next cost class up to date. False as above.
  bool refresh(std::vector<HoleState>& open) {
    for (HoleState& state : open) known_[state.hole] = state.next ? state.next->cost : state.from;
    for (HoleState& state : open) {
      if (state.next && state.looseness == looseness(state.hole) && !state.next->beyond) continue;
      if (state.kept) {
        if (!drop_misfits(state)) return false;
        continue;
      }
      list(state, kFewTables);
      if (state.next->cost == kInfinity && !excluded_) excluded_ = state.hole;
      if (state.next->cost == kInfinity) return false;
    }
    return within_budget(open);
  }

  // Finds the hole's next cost class, and its tables if they are no more than `limit`.
  void list(HoleState& state, std::size_t limit) {
    known_[state.hole] = kInfinity;
    const double others = bound_->beyond(known_) + std::accumulate(known_.begin(), known_.end(), 0.0, [](double sum, double c) { return c == kInfinity ? sum : sum + c; });
    state.next = std::make_shared<CostClass>(classes_->next(state.hole, state.from, std::min(budget_, best_) - others, std::min(state.cheaper + limit, CostClasses::kMostTables), *propagator_));
    state.looseness = looseness(state.hole);
    known_[state.hole] = state.next->cost;
  }

  // What guards do, if few patterns are left or a better one is all that is wanted; else a hole that waits for no other, with the cheapest tables, and those the fewest.
  std::size_t pick(const std::vector<HoleState>& open, bool patterns_first) const {
    const auto waits = [&](const HoleState& s) {
      return std::any_of(open.begin(), open.end(), [&](const HoleState& other) {
        return precedes_.contains({other.hole, s.hole}) && !precedes_.contains({s.hole, other.hole});
      });
    };
    const auto decides_pattern = [&](const HoleState& s) {
      const std::vector<std::size_t>& holes = bound_->pattern_holes();
      return patterns_first && s.next->tables.size() == 1 && std::binary_search(holes.begin(), holes.end(), s.hole);
    };
    const auto rank = [&](const HoleState& s) {
      const bool forced = s.next->forced;
      return std::tuple(!forced, !decides_pattern(s), waits(s), s.next->cost, s.next->many ? kUnlimited : s.next->tables.size(), s.hole);
    };
    return static_cast<std::size_t>(std::min_element(open.begin(), open.end(), [&](const HoleState& a, const HoleState& b) { return rank(a) < rank(b); }) - open.begin());
  }

  // Tries what is open below the tables chosen so far, within the budget.
  void expand(std::vector<HoleState> open) {
    ++solution_.nodes;
    const Propagator::Mark mark = propagator_->mark();
    const std::size_t chosen = chosen_.size();
    if (take_forced(open)) {
      if (open.empty()) {
        complete();
      } else {
        const CostBound* const outer = bound_;
        const CostBound here = supply_bound();
        use(&here);
        if (within_budget(open)) branch(std::move(open));
        use(outer);
      }
    }
    chosen_.resize(chosen);
    propagator_->undo(mark);
  }

  // Chooses what has one table left, until nothing has. False: this node is done.
  bool take_forced(std::vector<HoleState>& open) {
    while (refresh(open)) {
      const auto forced = std::find_if(open.begin(), open.end(), [](const HoleState& s) { return s.next->forced && s.next->tables.size() == 1; });
      if (forced == open.end()) return true;
      const HoleState state = std::move(*forced);
      open.erase(forced);
      chosen_.emplace_back(state.hole, std::make_shared<const HoleTable>(state.next->tables.front()));
      if (!choose(state.hole, *chosen_.back().second, open)) return false;
    }
    return false;
  }

  // Before many tables of `hole` are tried: of the other holes, the cheapest tables that none of them fits any more are
  // left behind. True: some hole costs more than was known. Asked only where there is a best completion: what its cost
  // interrupts is refuted for good, what the budget interrupts is not.
  bool look_around(std::vector<HoleState>& open, std::size_t hole, std::size_t limit) {
    bool raised = false;
    std::vector<std::size_t> done = images(open, hole);
    for (HoleState& state : open) {
      if (contains(done, state.hole) || state.kept) continue;
      const std::vector<std::size_t> alike = images(open, state.hole);
      done.insert(done.end(), alike.begin(), alike.end());
      while (state.next && !state.next->beyond && !state.next->many && state.next->tables.size() <= kFewTables && bound() < best_ - kTolerance) {
        const bool some = std::any_of(state.next->tables.begin(), state.next->tables.end(), [&](const HoleTable& table) {
          if (limit == 0 || out_of_time()) return true;
          --limit;
          const Propagator::Mark mark = propagator_->mark();
          const bool stands = !propagator_->refutes_at_once(problem_.holes[state.hole], table) && fix(state.hole, table) && !propagator_->propagate();
          propagator_->undo(mark);
          return stands;
        });
        if (some) break;
        raised = true;
        state.from = costs_.above(state.hole, state.next->cost);
        state.cheaper += state.next->tables.size();
        state.next = std::make_shared<CostClass>(classes_->next(state.hole, state.from, best_, state.cheaper + kFewTables, *propagator_));
        state.looseness = looseness(state.hole);
        known_[state.hole] = state.next->cost;
      }
      copy_to(alike, state, open);
    }
    return raised;
  }

  void branch(std::vector<HoleState> open) {
    bool probed = false;
    while (!enough()) {
      const bool patterns_first = best_ < kInfinity && (best_ > kPoor * bound() || bound_->few_patterns(known_, best_));
      HoleState& state = open[pick(open, patterns_first)];
      if (state.next->many) {
        list(state, diving() ? kDiveTables : CostClasses::kMostTables);
        if (state.next->many) return keep_for_later(bound(), open);
        if (!within_budget(open)) return;
        continue;
      }
      const std::shared_ptr<const CostClass> tried = state.next;
      if (tried->tables.size() > kMany && !probed && budget_ < kInfinity && best_ < kInfinity) {
        probed = true;
        if (look_around(open, state.hole, kProbesEach * tried->tables.size())) {
          if (!refresh(open)) return;
          continue;
        }
      }
      std::vector<HoleState> rest;
      for (const HoleState& s : open)
        if (s.hole != state.hole) rest.push_back(s);
      try_tables(state, *tried, different(state, *tried), rest);
      if (tried->forced) return;
      raise(open, state.hole, costs_.above(state.hole, tried->cost), tried->tables.size());
      if (!enough() && !refresh(open)) return;
    }
    if (dive_ends()) keep_for_later(bound(), open);
  }

  // No completion below this node has a table of `hole` that costs less than `from`. Where the node stays the same under
  // an exchange, that goes for the hole that comes in its place as well.
  void raise(std::vector<HoleState>& open, std::size_t hole, double from, std::size_t cheaper) {
    const std::vector<std::size_t> raised = images(open, hole);
    for (HoleState& state : open)
      if (contains(raised, state.hole)) {
        state.from = known_[state.hole] = from;
        state.cheaper += cheaper;
        state.next = nullptr;
      }
  }

  static bool contains(const std::vector<std::size_t>& holes, std::size_t hole) { return std::find(holes.begin(), holes.end(), hole) != holes.end(); }

  // The hole, and those that come in its place under exchanges that leave the node as it is.
  std::vector<std::size_t> images(const std::vector<HoleState>& open, std::size_t hole) const {
    std::vector<std::size_t> images{hole};
    for (std::size_t i = 0; i < images.size(); ++i)
      for (const Exchange& e : exchanges_)
        if (!contains(images, e[images[i]]) && keeps(e, open)) images.push_back(e[images[i]]);
    return images;
  }

  bool keeps(const Exchange& e, const std::vector<HoleState>& open) const {
    for (const auto& [hole, table] : chosen_) {
      const auto other = std::find_if(chosen_.begin(), chosen_.end(), [&, h = hole](const auto& c) { return c.first == e[h]; });
      if (other == chosen_.end() || other->second->values != table->values) return false;
    }
    return std::all_of(open.begin(), open.end(), [&](const HoleState& state) {
      if (e[state.hole] == state.hole) return !state.kept;
      const auto other = std::find_if(open.begin(), open.end(), [&](const HoleState& s) { return s.hole == e[state.hole]; });
      return other != open.end() && !state.kept && other->from == state.from;
    });
  }

  // Whether the values of single points, tried before tables, have lately refuted some.
  bool dividing_pays() {
    constexpr std::size_t kRecently = 64, kSeldom = 8;
    if (passed_ > kRecently) {
      passed_ /= 2;
      refuted_ /= 2;
    }
    return passed_ < kRecently / 2 || passed_ < kSeldom * refuted_;
  }

  // Tries tables of the same cost. Of many, the values of single points are tried first: what refutes a value refutes
  // all tables that have it.
  void try_tables(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables, const std::vector<HoleState>& rest) {
    const std::vector<double> known = known_;
    known_[state.hole] = from.cost;
    const auto at_root = propagator_->mark();
    if (tables.size() <= kFewToTry || (tables.size() <= kFewTables && !dividing_pays())) {
      for (std::size_t t = 0; t < tables.size(); ++t) {
        const HoleTable& table = *tables[t];
        chosen_.emplace_back(state.hole, std::make_shared<const HoleTable>(table));
        if (choose(state.hole, table, rest)) expand(rest);
        chosen_.pop_back();
        known_ = known;
        known_[state.hole] = from.cost;
        propagator_->undo(at_root);
        if (!enough()) continue;
        leave(state, from, {tables.begin() + static_cast<std::ptrdiff_t>(t) + 1, tables.end()}, rest);
        break;
      }
    } else {
      const auto [position, groups] = divide(tables, [&](std::size_t p) { return propagator_->weight(problem_.holes[state.hole].points[p]); });
      std::size_t done = 0;
      for (const std::vector<const HoleTable*>& group : groups) {
        ++done;
        if (domains_.fix(problem_.holes[state.hole].points[position], group.front()->values[position])) {
          const auto conflict = propagator_->propagate();
          ++(conflict ? refuted_ : passed_);
          if (!conflict) try_tables(state, from, group, rest);
          else if (conflict->interrupted && !timed_out_) keep_for_later(active_bound_, with_tables(state, from, group, rest));
          else if (!conflict->interrupted && !deepest_) deepest_ = conflict;
        }
        propagator_->undo(at_root);
        if (!enough()) continue;
        std::vector<const HoleTable*> left;
        for (std::size_t g = done; g < groups.size(); ++g) left.insert(left.end(), groups[g].begin(), groups[g].end());
        leave(state, from, left, rest);
        break;
      }
    }
    known_ = known;
  }

  // The dive ends here: what it did not come to is kept.
  void leave(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables, const std::vector<HoleState>& rest) {
    if (dive_ends() && !tables.empty()) keep_for_later(bound(), with_tables(state, from, tables, rest));
  }

  // The open holes, of which one is to have one of these tables.
  static std::vector<HoleState> with_tables(HoleState state, const CostClass& from, const std::vector<const HoleTable*>& tables, std::vector<HoleState> rest) {
    auto next = std::make_shared<CostClass>();
    next->cost = from.cost;
    next->forced = true;
    for (const HoleTable* table : tables) next->tables.push_back(*table);
    state.next = std::move(next);
    state.kept = true;
    rest.push_back(std::move(state));
    return rest;
  }

  // False: none of the tables that were kept fits any more.
  bool drop_misfits(HoleState& state) {
    const std::vector<PointId>& points = problem_.holes[state.hole].points;
    auto next = std::make_shared<CostClass>(*state.next);
    std::erase_if(next->tables, [&](const HoleTable& table) {
      for (std::size_t i = 0; i < points.size(); ++i)
        if (!domains_.allows(points[i], table.values[i])) return true;
      return false;
    });
    state.next = std::move(next);
    return !state.next->tables.empty();
  }

  // Of tables that agree wherever the hole is still asked, the cheapest is enough. What equations outside of the
  // network ask is not known here: should one of them fail later, the search starts again with it.
  std::vector<const HoleTable*> different(HoleState& state, const CostClass& tried) const {
    std::vector<const HoleTable*> tables;
    const HoleSpace& space = problem_.holes[state.hole];
    const std::vector<std::size_t> asked = tried.tables.size() == 1 || options_.all > 0 ? std::vector<std::size_t>() : propagator_->asked(space);
    if (asked.empty() || asked.size() == space.points.size()) {
      for (const HoleTable& t : tried.tables) tables.push_back(&t);
      return tables;
    }
    auto seen = state.tried ? std::make_shared<std::set<std::vector<std::int16_t>>>(*state.tried) : std::make_shared<std::set<std::vector<std::int16_t>>>();
    for (const HoleTable& t : tried.tables) {
      std::vector<std::int16_t> values(t.values.size(), -1);
      for (std::size_t position : asked) values[position] = t.values[position];
      if (seen->insert(std::move(values)).second) tables.push_back(&t);
    }
    state.tried = std::move(seen);
    return tables;
  }

  bool fix(std::size_t hole, const HoleTable& table) {
    const HoleSpace& space = problem_.holes[hole];
    for (std::size_t i = 0; i < space.points.size(); ++i)
      if (!domains_.fix(space.points[i], table.values[i])) return false;
    return true;
  }

  // False: the table is refuted, or (with `rest`) kept for a larger budget.
  bool choose(std::size_t hole, const HoleTable& table, const std::vector<HoleState>& rest) {
    if (propagator_->refutes_at_once(problem_.holes[hole], table) || !fix(hole, table)) return false;
    const auto conflict = propagator_->propagate();
    if (!conflict) return true;
    if (conflict->interrupted && !timed_out_) keep_for_later(active_bound_, rest);
    if (!conflict->interrupted && !deepest_) deepest_ = conflict;
    return false;
  }

  // All tables are chosen. What the network does not say exactly is decided here; an equation that fails joins it.
  void complete() {
    if (!propagator_->clusters_hold()) return;
    Assignment assignment(domains_.points(), 0);
    for (std::size_t p = 0; p < assignment.size(); ++p) assignment[p] = domains_.first(PointId(p));
    PointId blocked;
    for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
      if (network_.exact[e]) continue;
      const Equation& equation = problem_.equations[e];
      if (equation.holds(problem_.provenance.normalize(problem_.provenance.resolve(equation.actual, assignment, blocked)))) continue;
      if (network_.covered[e]) return;
      hopeless_ = add_equations(problem_, {e}, network_, options_.deadline);
      restart_ = !hopeless_;
      propagator_->extend();
      return;
    }
    for (const Requirement& r : problem_.requirements)
      if (truth(problem_.provenance.resolve(r.violation, assignment, blocked)) != false) return;
    if (!stores_agree(problem_, assignment)) return;
    std::vector<HoleTable> tables(problem_.holes.size());
    for (const auto& [hole, table] : chosen_) tables[hole] = *table;
    const Cost total = costs_.total(tables);
    if (options_.all == 0) {
      found_.clear();
      best_ = std::accumulate(known_.begin(), known_.end(), 0.0);
      if (diving()) visits_left_ = propagator_->visits() + dive_visits();
    }
    found_.push_back({std::move(tables), total, {}});
  }

  Solution infeasible(Conflict conflict) {
    if (conflict.interrupted && out_of_time()) return conclude();
    if (propagator_) propagator_->name_missing(conflict);
    solution_.outcome = Outcome::kInfeasible;
    solution_.reason = explain(conflict, problem_);
    return std::move(solution_);
  }

  Solution conclude() {
    std::stable_sort(found_.begin(), found_.end(), [](const Completion& a, const Completion& b) { return a.cost.total < b.cost.total; });
    solution_.exhausted = !timed_out_ && !(classes_ && classes_->truncated()) && (options_.all == 0 || found_.size() < options_.all) && !options_.first_only;
    solution_.completions = std::move(found_);
    if (!solution_.completions.empty()) {
      solution_.outcome = Outcome::kFound;
      solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                             : !timed_out_ && !classes_->truncated()          ? Optimality::kProved
                                                                     : Optimality::kBestFound;
      return std::move(solution_);
    }
    if (timed_out_ || (classes_ && classes_->truncated())) {
      solution_.outcome = Outcome::kUnknown;
      solution_.reason = timed_out_ ? "the time limit ended the search" : "too many tables of one hole fit to try them all";
      return std::move(solution_);
    }
    solution_.outcome = Outcome::kInfeasible;
    if (hopeless_) solution_.reason = explain(*hopeless_, problem_);
    else if (excluded_) solution_.reason = explain({Goal::npos, 0, {}, 0, 0, Goal::npos, false, HoleId(*excluded_)}, problem_);
    else if (deepest_) solution_.reason = explain(*deepest_, problem_);
    else solution_.reason = "every completion that fits each output alone fails on all of them together";
    return std::move(solution_);
  }

  Problem& problem_;
  const SolveOptions& options_;
  Network network_;
  Domains domains_;
  std::optional<Propagator> propagator_;
  TableCosts costs_;
  std::optional<CostClasses> classes_;
  const CostBound* bound_ = nullptr;
  Solution solution_;
  std::vector<std::pair<std::size_t, std::shared_ptr<const HoleTable>>> chosen_;  // on the way to the current node
  std::vector<Node> frontier_;
  std::vector<Exchange> exchanges_;
  std::vector<std::vector<std::size_t>> shares_;  // see shared_products
  std::vector<double> known_;  // by HoleId: what the hole costs at least
  std::set<std::pair<std::size_t, std::size_t>> precedes_;
  std::vector<Completion> found_;
  std::vector<double> active_, scratch_;  // by HoleId: known_ and what points tell; active_bound_ is the bound for active_
  double budget_ = 0, active_bound_ = 0, root_bound_ = 0;
  double best_ = kInfinity;  // cost of the best completion, in the units of known_
  std::size_t visits_left_ = kUnlimited;  // of the dive
  unsigned asked_for_time_ = 0;
  std::size_t passed_ = 0, refuted_ = 0;  // values of single points
  bool timed_out_ = false, restart_ = false, guarded_ = false;
  std::optional<std::size_t> excluded_;
  std::optional<Conflict> deepest_, hopeless_;
};

}  // namespace

Solution solve(Problem& problem, const SolveOptions& options) { return Search(problem, options).run(); }

}  // namespace swizzle
