// Nodes of the search: what is picked, tried, and kept for later.
#include "synth/search/search.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "synth/network/hole_order.h"
#include "synth/problem/stores.h"

namespace swizzle {
namespace {

constexpr std::size_t kMany = 64, kProbesEach = 4;
constexpr std::size_t kDiveTables = 10'000;

}  // namespace

void Search::deepen() {
  const CostBound at_root = node_->of_guards();
  node_->use(&at_root);
  frontier_.clear();
  node_->forget();
  budget_ = kInfinity;
  std::vector<HoleState> open;
  for (std::size_t h = 0; h < problem_.holes.size(); ++h)
    if (!problem_.holes[h].points.empty()) open.push_back({.hole = h});
  probe(open);
  note_unlisted(open);
  const double root = root_bound_ = node_->bound();
  if (root >= best_ - kCostTolerance) return;
  precedes_ = hole_order(problem_, network_);
  if (options_.all == 0) {
    visits_left_ = propagator_->visits() + dive_visits();
    expand(std::move(open));
    visits_left_ = kUnlimited;
  } else {
    frontier_.push_back({root, {}, std::move(open)});
  }
  while (!frontier_.empty() && !enough()) {
    budget_ = std::min_element(frontier_.begin(), frontier_.end(), [](const SearchNode& a, const SearchNode& b) {
                return a.bound < b.bound;
              })->bound;
    assert(budget_ >= root_bound_ - kCostTolerance);
    if (budget_ == kInfinity || budget_ > best_ - kCostTolerance) break;
    const auto later = std::partition(frontier_.begin(), frontier_.end(),
                                      [&](const SearchNode& n) { return n.bound > budget_ + kCostTolerance; });
    std::vector<SearchNode> now(std::make_move_iterator(later), std::make_move_iterator(frontier_.end()));
    frontier_.erase(later, frontier_.end());
    for (SearchNode& node : now) {
      if (enough()) break;
      resume(std::move(node));
    }
  }
}

void Search::resume(SearchNode node) {
  const Propagator::Mark root = propagator_->mark();
  for (std::size_t h = 0; h < problem_.holes.size(); ++h) node_->know(h, 0, 0);
  chosen_ = std::move(node.chosen);
  for (const auto& [hole, table] : chosen_) {
    fix(hole, *table);
    node_->know(hole, *table);
  }
  const auto conflict = propagator_->propagate();
  if (!conflict) expand(std::move(node.open));
  else if (conflict->interrupted && !findings_.timed_out)
    keep_for_later(node_->last_bound_with_points(), node.open);  // it costs even more than was known
  chosen_.clear();
  propagator_->undo(root);
}

std::size_t Search::pick(const std::vector<HoleState>& open, bool patterns_first) const {
  const auto waits = [&](const HoleState& s) {
    return std::any_of(open.begin(), open.end(), [&](const HoleState& other) {
      return precedes_.contains({other.hole, s.hole}) && !precedes_.contains({s.hole, other.hole});
    });
  };
  const auto decides_pattern = [&](const HoleState& s) {
    const std::vector<std::size_t>& holes = node_->guards().pattern_holes();
    return patterns_first && s.next->tables.size() == 1 && std::binary_search(holes.begin(), holes.end(), s.hole);
  };
  const auto rank = [&](const HoleState& s) {
    const bool forced = s.next->forced;
    return std::tuple(!forced, !decides_pattern(s), waits(s), s.next->rank,
                      s.next->many ? kUnlimited : s.next->tables.size(), s.hole);
  };
  return static_cast<std::size_t>(
      std::min_element(open.begin(), open.end(),
                       [&](const HoleState& a, const HoleState& b) { return rank(a) < rank(b); }) -
      open.begin());
}

void Search::expand(std::vector<HoleState> open) {
  ++findings_.so_far.nodes;
  const Propagator::Mark mark = propagator_->mark();
  const std::size_t chosen = chosen_.size();
  if (take_forced(open)) {
    if (open.empty()) {
      complete();
    } else {
      const CostBound here = node_->of_guards();
      const CostBound* const outer = node_->use(&here);
      if (within_budget(open)) branch(std::move(open));
      node_->use(outer);
    }
  }
  chosen_.resize(chosen);
  propagator_->undo(mark);
}

bool Search::take_forced(std::vector<HoleState>& open) {
  while (refresh(open)) {
    const auto forced = std::find_if(open.begin(), open.end(),
                                     [](const HoleState& s) { return s.next->forced && s.next->tables.size() == 1; });
    if (forced == open.end()) return true;
    const HoleState state = std::move(*forced);
    open.erase(forced);
    chosen_.emplace_back(state.hole, std::make_shared<const HoleTable>(state.next->tables.front()));
    node_->know(state.hole, *chosen_.back().second);
    if (!choose(state.hole, *chosen_.back().second, open)) return false;
  }
  return false;
}

void Search::branch(std::vector<HoleState> open) {
  bool probed = false;
  while (!enough()) {
    const bool patterns_first = best_ < kInfinity && node_->guards().few_patterns(node_->known(), best_);
    HoleState& state = open[pick(open, patterns_first)];
    if (state.next->many) {
      list(state, diving() ? kDiveTables : CostClasses::kMostTables);
      if (state.next->many) return keep_for_later(node_->bound(), open);
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
    raise(open, state.hole, costs_.above(state.hole, tried->rank), tried->tables.size());
    if (!enough() && !refresh(open)) return;
  }
  if (dive_ends()) keep_for_later(node_->bound(), open);
}

void Search::raise(std::vector<HoleState>& open, std::size_t hole, double from, std::size_t cheaper) {
  const std::vector<std::size_t> raised = images(open, hole);
  for (HoleState& state : open)
    if (contains(raised, state.hole)) {
      assert(from >= state.from - kCostTolerance);
      state.from = from;
      state.cheaper += cheaper;
      state.next = nullptr;
      state.least = classes_->least_price(state.hole, from, *propagator_);
      node_->know(state);
    }
}

bool Search::fix(std::size_t hole, const HoleTable& table) {
  const HoleSpace& space = problem_.holes[hole];
  for (std::size_t i = 0; i < space.points.size(); ++i)
    if (!domains_.fix(space.points[i], table.values[i])) return false;
  return true;
}

bool Search::choose(std::size_t hole, const HoleTable& table, const std::vector<HoleState>& rest) {
  if (propagator_->refutes_at_once(problem_.holes[hole], table) || !fix(hole, table)) return false;
  const auto conflict = propagator_->propagate();
  if (!conflict) return true;
  if (conflict->interrupted && !findings_.timed_out) keep_for_later(node_->last_bound_with_points(), rest);
  if (!conflict->interrupted && !findings_.deepest) findings_.deepest = conflict;
  return false;
}

void Search::complete() {
  if (!propagator_->matchings_hold()) return;
  Assignment assignment(domains_.points(), 0);
  for (std::size_t p = 0; p < assignment.size(); ++p) assignment[p] = domains_.first(PointId(p));
  PointId blocked;
  for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
    if (network_.exact[e]) continue;
    const Equation& equation = problem_.equations[e];
    if (equation.holds(
            problem_.provenance.normalize(problem_.provenance.resolve(equation.actual, assignment, blocked))))
      continue;
    if (network_.covered[e]) return;
    const auto conflict = add_equations(problem_, {e}, network_, options_.deadline);
    if (conflict && conflict->interrupted) findings_.timed_out = true;
    else if (conflict) findings_.hopeless = conflict;
    restart_ = !conflict;
    propagator_->extend();
    return;
  }
  if (!keeps_requirements(problem_, assignment)) return;
  std::vector<HoleTable> tables(problem_.holes.size());
  for (const auto& [hole, table] : chosen_) tables[hole] = *table;
  const Cost total = costs_.total(tables);
  const double cost = total.total - cost_of(problem_.counts, options_.issue_costs);
  assert(node_->bound() <= cost + kCostTolerance);  // bounds never exceed a completion
  if (options_.all == 0) {
    if (cost >= best_ - kCostTolerance) return;
    findings_.found.clear();
    best_ = cost;
    if (diving()) visits_left_ = propagator_->visits() + dive_visits();
  }
  findings_.found.push_back({std::move(tables), total, {}});
  if (options_.when_found) options_.when_found();
}

}  // namespace swizzle
