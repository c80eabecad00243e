#include "synth/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "synth/cost_bound.h"
#include "synth/propagator.h"

namespace swizzle {
namespace {

constexpr std::size_t kTableLimit = 4'000'000;
constexpr std::size_t kFewTables = 256;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-6;

// The cheapest tables of one hole that are still to be tried: all of the same cost.
struct CostClass {
  double cost = 0;                // infinite: no table is left
  std::vector<HoleTable> tables;
  bool forced = false;            // no other table fits
  bool beyond = false;            // the cost is a lower bound beyond the budget, and there are no tables
};

class Search {
 public:
  Search(Problem& problem, const SolveOptions& options)
      : problem_(problem), options_(options), domains_(problem.points), started_(std::chrono::steady_clock::now()) {}

  Solution run() {
    if (options_.time_limit_seconds)
      deadline_ = started_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(*options_.time_limit_seconds));
    for (const HoleSpace& space : problem_.holes)
      if (!space.points.empty()) solution_.raw_space += raw_space_log10(space);
    if (const auto conflict = add_equations(problem_, covering_equations(problem_), network_)) return infeasible(*conflict);
    std::set<std::pair<std::uint32_t, std::int64_t>> violations;
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r) {
      const Value v = problem_.requirements[r].violation;
      if (truth(v) == true) return infeasible({Goal::npos, r, {}, 0, 0});
      if (truth(v) == false || !violations.emplace(v.aux, v.bits).second) continue;
      if (const auto conflict = add_requirement(problem_, r, network_)) return infeasible(*conflict);
    }
    propagator_.emplace(network_, domains_);
    if (const auto conflict = propagator_->propagate()) return infeasible(*conflict);
    grammars_ = grammars_of(problem_.holes);
    bound_.emplace(problem_, network_, options_.machine);
    tables_.resize(problem_.holes.size());
    find_precedence();
    return deepen();
  }

 private:
  struct HoleState {
    std::size_t hole;
    double from = 0;                          // no table that costs less is to be tried any more
    std::size_t looseness = 0;                // Σ over points of the values left, when `next` was found
    std::shared_ptr<const CostClass> next;
  };

  // Completions by non-decreasing bound on their cost: what one pass leaves out for its budget, the next looks at.
  Solution deepen() {
    std::vector<HoleState> open;
    for (std::size_t h = 0; h < problem_.holes.size(); ++h)
      if (!problem_.holes[h].points.empty()) open.push_back({h, 0, 0, nullptr});
    known_.assign(problem_.holes.size(), 0);
    probe(open);
    budget_ = bound();
    while (!enough()) {
      beyond_budget_ = kInfinity;
      descend(open, 0);
      if (beyond_budget_ == kInfinity) break;
      budget_ = beyond_budget_;
    }
    exhausted_ = !enough() || (options_.all == 0 && !found_.empty() && !timed_out_ && !truncated_);
    return conclude();
  }

  // What each hole costs at least by itself: the cheapest tables that propagation does not refute on their own.
  void probe(std::vector<HoleState>& open) {
    constexpr std::size_t kMostProbes = 64;
    for (HoleState& state : open) {
      state.looseness = looseness(state.hole);
      for (std::size_t probes = 0; !out_of_time();) {
        CostClass next = next_class(state.hole, state.from, unit(state.hole) * 4, state.looseness);
        if (next.cost == kInfinity && !excluded_) excluded_ = state.hole;
        probes += next.tables.size();
        if (!next.tables.empty() && probes <= kMostProbes)
          std::erase_if(next.tables, [&](const HoleTable& table) {
            const Propagator::Mark mark = propagator_->mark();
            const bool stands = choose(state.hole, table);
            propagator_->undo(mark);
            return !stands;
          });
        const bool refuted = next.tables.empty() && next.cost != kInfinity && probes > 0 && probes <= kMostProbes && !next.beyond;
        if (refuted) state.from = above(state.hole, next.cost);
        else state.next = std::make_shared<CostClass>(std::move(next));
        if (!refuted) break;
      }
      known_[state.hole] = state.next ? state.next->cost : state.from;
    }
  }

  // The least cost of a table that costs more than `cost`, as far as can be said.
  double above(std::size_t hole, double cost) const {
    if (problem_.holes[hole].kind == HoleKind::kCond) return cost + 100 * kTolerance;
    return cost + (unit(hole) > 0 ? unit(hole) / 2 : 1);
  }

  double unit(std::size_t hole) const { return problem_.executions[hole] * options_.machine.integer_op; }

  // Guarded instructions are issued unless the condition is false everywhere.
  double cost(std::size_t hole, const HoleTable& table) const {
    const bool active = std::any_of(table.values.begin(), table.values.end(), [](std::int16_t v) { return v != 0; });
    return unit(hole) * table.integer_ops + (active ? cost_of(problem_.guarded[hole], options_.machine) : 0);
  }

  bool out_of_time() {
    if (deadline_ && std::chrono::steady_clock::now() > *deadline_) timed_out_ = true;
    return timed_out_;
  }

  bool enough() const { return timed_out_ || (!found_.empty() && found_.size() >= std::max<std::size_t>(1, options_.all)); }

  std::size_t looseness(std::size_t hole) const {
    std::size_t sum = 0;
    for (PointId p : problem_.holes[hole].points) sum += static_cast<std::size_t>(domains_.count(p));
    return sum;
  }

  // The cheapest tables that cost `from` or more. Past `budget` only a bound is told, if there are many.
  CostClass next_class(std::size_t hole, double from, double budget, std::size_t loose) {
    const TableGrammar& grammar = *grammars_[hole];
    const bool conditional = problem_.holes[hole].kind == HoleKind::kCond;
    const bool few = conditional || unit(hole) == 0 || loose < 2 * problem_.holes[hole].points.size();
    if (few) {
      Enumeration all = grammar.within(domains_, kAnyCost, unit(hole) == 0 || conditional ? kTableLimit : kFewTables);
      if (all.complete) return cheapest(hole, std::move(all.tables), from);
      if (unit(hole) == 0) truncated_ = true;
    }
    int ops = static_cast<int>(std::ceil(from / std::max(unit(hole), kTolerance) - kTolerance));
    for (; ops <= grammar.most_ops() && unit(hole) * ops <= budget + kTolerance; ++ops) {
      Enumeration found = grammar.within(domains_, ops, kTableLimit);
      if (!found.complete) truncated_ = true;
      std::erase_if(found.tables, [&](const HoleTable& t) { return t.integer_ops < ops; });
      if (!found.tables.empty()) return {unit(hole) * ops, std::move(found.tables), false, false};
    }
    if (ops > grammar.most_ops() || grammar.within(domains_, kAnyCost, 1).tables.empty()) return {kInfinity, {}, false, false};
    return {unit(hole) * ops, {}, false, true};
  }

  CostClass cheapest(std::size_t hole, std::vector<HoleTable> tables, double from) const {
    CostClass result{kInfinity, {}, false, false};
    for (const HoleTable& t : tables)
      if (const double c = cost(hole, t); c > from - kTolerance) result.cost = std::min(result.cost, c);
    result.forced = tables.size() == 1;
    std::erase_if(tables, [&](const HoleTable& t) { return std::abs(cost(hole, t) - result.cost) > kTolerance; });
    result.tables = std::move(tables);
    return result;
  }

  // A lower bound on the cost of any completion below: known_ holds what each hole costs at least.
  double bound() const {
    double sum = bound_->beyond(known_);
    for (double c : known_) sum += c;
    return sum;
  }

  // False: this node is done, for want of tables or of budget.
  bool within_budget() {
    const double least = bound();
    if (least <= budget_ + kTolerance) return true;
    beyond_budget_ = std::min(beyond_budget_, least);
    return false;
  }

  // Brings every open hole's next cost class up to date. False as above.
  bool refresh(std::vector<HoleState>& open) {
    for (HoleState& state : open) known_[state.hole] = state.next ? state.next->cost : state.from;
    for (HoleState& state : open) {
      const std::size_t loose = looseness(state.hole);
      if (state.next && state.looseness == loose) continue;
      known_[state.hole] = kInfinity;
      const double others = bound_->beyond(known_) + std::accumulate(known_.begin(), known_.end(), 0.0, [](double sum, double c) { return c == kInfinity ? sum : sum + c; });
      state.next = std::make_shared<CostClass>(next_class(state.hole, state.from, budget_ - others, loose));
      state.looseness = loose;
      known_[state.hole] = state.next->cost;
      if (state.next->cost == kInfinity && !excluded_) excluded_ = state.hole;
      if (!within_budget()) return false;
    }
    return within_budget();
  }

  // Forced tables first; else a hole that waits for no other, with the cheapest tables, and those the fewest.
  std::size_t pick(const std::vector<HoleState>& open) const {
    const auto waits = [&](const HoleState& s) {
      return std::any_of(open.begin(), open.end(), [&](const HoleState& other) {
        return precedes_.contains({other.hole, s.hole}) && !precedes_.contains({s.hole, other.hole});
      });
    };
    const auto rank = [&](const HoleState& s) {
      const bool forced = s.next->forced;
      return std::tuple(!forced, waits(s), s.next->cost, s.next->tables.size(), s.hole);
    };
    return static_cast<std::size_t>(std::min_element(open.begin(), open.end(), [&](const HoleState& a, const HoleState& b) { return rank(a) < rank(b); }) - open.begin());
  }

  void descend(std::vector<HoleState> open, double spent) {
    ++solution_.nodes;
    if (open.empty()) return complete(spent);
    if (!refresh(open)) return;
    while (!enough() && !out_of_time()) {
      HoleState& state = open[pick(open)];
      const std::shared_ptr<const CostClass> tried = state.next;
      std::vector<HoleState> rest;
      for (const HoleState& s : open)
        if (s.hole != state.hole) rest.push_back(s);
      for (const HoleTable& table : tried->tables) {
        const Propagator::Mark mark = propagator_->mark();
        if (choose(state.hole, table)) {
          const std::vector<double> known = known_;
          descend(rest, spent + tried->cost);
          known_ = known;
        }
        propagator_->undo(mark);
        if (enough() || out_of_time()) return;
      }
      if (tried->forced) return;
      state.from = tried->beyond ? tried->cost : above(state.hole, tried->cost);
      state.next = nullptr;
      if (!refresh(open)) return;
    }
  }

  bool choose(std::size_t hole, const HoleTable& table) {
    tables_[hole] = table;
    const HoleSpace& space = problem_.holes[hole];
    for (std::size_t i = 0; i < space.points.size(); ++i)
      if (!domains_.fix(space.points[i], table.values[i])) return false;
    const auto conflict = propagator_->propagate();
    if (conflict && !deepest_) deepest_ = conflict;
    return !conflict;
  }

  // All tables are chosen. What the network does not say exactly is decided here; an equation that fails joins it.
  void complete(double spent) {
    if (!propagator_->clusters_hold()) return;
    Assignment assignment(domains_.points(), 0);
    for (std::size_t p = 0; p < assignment.size(); ++p) assignment[p] = domains_.first(PointId(p));
    PointId blocked;
    for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
      if (network_.exact[e]) continue;
      const Equation& equation = problem_.equations[e];
      if (problem_.provenance.normalize(problem_.provenance.resolve(equation.actual, assignment, blocked)) == equation.expected) continue;
      if (network_.covered[e]) return;
      if (const auto conflict = add_equations(problem_, {e}, network_); conflict && !hopeless_) hopeless_ = conflict;
      propagator_->extend();
      return;
    }
    for (const Requirement& r : problem_.requirements)
      if (truth(problem_.provenance.resolve(r.violation, assignment, blocked)) != false) return;
    found_.push_back({tables_, total_cost(spent)});
  }

  Cost total_cost(double spent) const {
    Cost cost;
    Counts counts = problem_.counts;
    for (std::size_t h = 0; h < tables_.size(); ++h) {
      cost.integer_ops += problem_.executions[h] * tables_[h].integer_ops;
      if (std::none_of(tables_[h].values.begin(), tables_[h].values.end(), [](std::int16_t v) { return v != 0; })) continue;
      counts.shuffles += problem_.guarded[h].shuffles;
      counts.accumulates += problem_.guarded[h].accumulates;
      counts.multiplies += problem_.guarded[h].multiplies;
      counts.shared_wavefronts += problem_.guarded[h].shared_wavefronts;
    }
    cost.shuffles = counts.shuffles;
    cost.accumulates = counts.accumulates;
    cost.shared_wavefronts = counts.shared_wavefronts;
    cost.total = cost_of(problem_.counts, options_.machine) + spent;
    return cost;
  }

  // (a, b): on the way to some alternative, a is asked before b; or a says what b guards.
  void find_precedence() {
    const auto hole_of = [&](PointId p) { return static_cast<std::size_t>(problem_.points[p].hole.value); };
    const auto before = [&](std::size_t a, std::size_t b) {
      if (a != b) precedes_.emplace(a, b);
    };
    std::vector<std::set<std::size_t>> holes_of(network_.fetches.size());
    for (std::size_t f = 0; f < network_.fetches.size(); ++f) {
      const Fetch& fetch = network_.fetches[f];
      for (PointId p : fetch.points) holes_of[f].insert(hole_of(p));
      if (fetch.alternatives.empty()) continue;
      for (const Fetch::Alternative& a : {fetch.alternatives.front(), fetch.alternatives.back()})
        for (std::uint32_t i = 0; i < a.steps; ++i)
          for (std::uint32_t j = i + 1; j < a.steps; ++j)
            before(hole_of(fetch.points[fetch.steps[a.first_step + i].local]), hole_of(fetch.points[fetch.steps[a.first_step + j].local]));
    }
    for (const Cluster& cluster : network_.clusters)
      for (const Cluster::Offer& offer : cluster.offers)
        for (const auto& [point, unused] : offer.guard)
          for (const Cluster::Factor& factor : cluster.tuples[offer.tuple].factors)
            for (std::size_t h : holes_of[factor.fetch]) before(h, hole_of(point));
    for (const Goal& goal : network_.goals)
      for (const GoalTerm& term : goal.terms)
        for (const Option& option : term.options)
          for (std::size_t i = 0; i < option.path.size(); ++i)
            for (std::size_t j = i + 1; j < option.path.size(); ++j) before(hole_of(option.path[i].first), hole_of(option.path[j].first));
  }

  Solution infeasible(const Conflict& conflict) {
    solution_.outcome = Outcome::kInfeasible;
    solution_.reason = explain(conflict, problem_);
    return std::move(solution_);
  }

  Solution conclude() {
    std::stable_sort(found_.begin(), found_.end(), [](const Completion& a, const Completion& b) { return a.cost.total < b.cost.total; });
    solution_.completions = std::move(found_);
    if (!solution_.completions.empty()) {
      solution_.outcome = Outcome::kFound;
      solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                             : exhausted_                            ? Optimality::kProved
                                                                     : Optimality::kBestFound;
      return std::move(solution_);
    }
    if (timed_out_ || truncated_) {
      solution_.outcome = Outcome::kUnknown;
      solution_.reason = timed_out_ ? "the time limit ended the search" : "too many tables of one hole fit to try them all";
      return std::move(solution_);
    }
    solution_.outcome = Outcome::kInfeasible;
    if (hopeless_) solution_.reason = explain(*hopeless_, problem_);
    else if (excluded_) solution_.reason = fmt::format("no {} of hole {} gives what its points must have", kind_name(problem_.holes[*excluded_].kind), *excluded_ + 1);
    else if (deepest_) solution_.reason = explain(*deepest_, problem_);
    else solution_.reason = "every completion that fits each output alone fails on all of them together";
    return std::move(solution_);
  }

  static const char* kind_name(HoleKind kind) {
    return kind == HoleKind::kXform ? "grouping, fanning and rotation" : kind == HoleKind::kPart ? "partition" : "condition";
  }

  Problem& problem_;
  const SolveOptions& options_;
  Network network_;
  Domains domains_;
  std::optional<Propagator> propagator_;
  std::vector<std::unique_ptr<TableGrammar>> grammars_;
  std::optional<CostBound> bound_;
  Solution solution_;
  std::vector<HoleTable> tables_;
  std::vector<double> known_;  // by HoleId: what the hole costs at least
  std::set<std::pair<std::size_t, std::size_t>> precedes_;
  std::vector<Completion> found_;
  double budget_ = 0, beyond_budget_ = kInfinity;
  std::chrono::steady_clock::time_point started_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool timed_out_ = false, truncated_ = false, exhausted_ = false;
  std::optional<std::size_t> excluded_;
  std::optional<Conflict> deepest_, hopeless_;
};

}  // namespace

Solution solve(Problem& problem, const SolveOptions& options) { return Search(problem, options).run(); }

}  // namespace swizzle
