#include "synth/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "synth/goals.h"

namespace swizzle {
namespace {

constexpr std::size_t kTableLimit = 4'000'000;

class Search {
 public:
  Search(Problem& problem, const SolveOptions& options) : problem_(problem), options_(options) {}

  Solution run() {
    const auto started = std::chrono::steady_clock::now();
    if (options_.time_limit_seconds)
      deadline_ = started + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(*options_.time_limit_seconds));
    for (const HoleSpace& space : problem_.holes)
      if (!space.points.empty()) solution_.raw_space += raw_space_log10(space);
    if (const auto conflict = goals_.compile(problem_)) return infeasible(*conflict);
    Domains domains(problem_.points.size());
    for (std::size_t p = 0; p < domains.size(); ++p)
      for (int v = 0; v < problem_.points[PointId(p)].domain; ++v) domains[p].set(static_cast<std::size_t>(v));
    if (const auto conflict = goals_.propagate(domains)) return infeasible(*conflict);
    tables_.resize(problem_.holes.size());
    goals_.precedence(problem_, precedes_);
    std::vector<std::size_t> open;
    for (std::size_t h = 0; h < problem_.holes.size(); ++h)
      if (!problem_.holes[h].points.empty()) open.push_back(h);
    descend(goals_, domains, open, 0);
    return conclude();
  }

 private:
  double weight(std::size_t hole) const { return problem_.executions[hole] * options_.machine.integer_op; }

  bool out_of_time() {
    if (deadline_ && std::chrono::steady_clock::now() > *deadline_) timed_out_ = true;
    return timed_out_;
  }

  bool enough() const {
    return timed_out_ || (options_.first_only && !found_.empty()) || (options_.all > 0 && found_.size() >= options_.all);
  }

  // What any table of a hole within `domains` costs at least: nothing if a constant or the index itself may stand
  // there, else a comparison, a comparison and a select, or one operation.
  double least_cost(std::size_t hole, const Domains& domains) const {
    const HoleSpace& space = problem_.holes[hole];
    ValueSet everywhere = ~ValueSet{};
    bool identity = space.kind == HoleKind::kXform;
    for (std::size_t i = 0; i < space.points.size(); ++i) {
      const ValueSet& allowed = domains[space.points[i].value];
      everywhere &= allowed;
      identity = identity && allowed.test(static_cast<std::size_t>(space.arguments[i][0]));
    }
    if (everywhere.any() || identity) return 0;
    return weight(hole) * (space.kind == HoleKind::kPart ? 2 : 1);
  }

  // Whether another open hole decides where this one is asked: a lane comes before the register at that lane.
  bool must_wait(std::size_t hole, const std::vector<std::size_t>& open) const {
    return std::any_of(open.begin(), open.end(), [&](std::size_t other) { return precedes_.contains({other, hole}) && !precedes_.contains({hole, other}); });
  }

  // The hole whose points are known best: its table is all but forced.
  std::size_t most_constrained(const Domains& domains, const std::vector<std::size_t>& open) const {
    std::size_t best = 0;
    double best_score = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const HoleSpace& space = problem_.holes[open[i]];
      double bits = 0;
      for (PointId p : space.points) bits += std::log2(static_cast<double>(domains[p.value].count()));
      double score = bits / (static_cast<double>(space.points.size()) * std::max(1.0, std::log2(space.domain)));
      if (must_wait(open[i], open)) score += 1;
      if (score < best_score) {
        best_score = score;
        best = i;
      }
    }
    return best;
  }

  void descend(const Goals& outer, const Domains& domains, std::vector<std::size_t> open, double spent) {
    ++solution_.nodes;
    if (open.empty()) return complete(domains, spent);
    if (out_of_time()) return;
    const Goals goals = outer.within(domains);
    const std::size_t at = most_constrained(domains, open);
    const std::size_t hole = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    double rest = 0;
    for (std::size_t h : open) rest += least_cost(h, domains);
    const HoleSpace& space = problem_.holes[hole];
    std::vector<ValueSet> allowed;
    for (PointId p : space.points) allowed.push_back(domains[p.value]);
    Enumeration fitting = enumerate_tables(space, allowed, kTableLimit);
    if (!fitting.complete) truncated_ = true;
    if (fitting.tables.empty() && !excluded_) excluded_ = hole;
    for (HoleTable& table : fitting.tables) {
      if (enough() || out_of_time()) return;
      const double cost = spent + weight(hole) * table.integer_ops;
      if (options_.all == 0 && cost + rest >= best_) return;  // sorted: the rest costs no less
      Domains narrowed = domains;
      for (std::size_t i = 0; i < space.points.size(); ++i) {
        narrowed[space.points[i].value].reset();
        narrowed[space.points[i].value].set(static_cast<std::size_t>(table.values[i]));
      }
      tables_[hole] = table;
      if (const auto conflict = goals.propagate(narrowed)) {
        if (!deepest_) deepest_ = conflict;
        continue;
      }
      descend(goals, narrowed, open, cost);
    }
  }

  // All tables are chosen. Propagation has only bounded what they do; this decides it.
  void complete(const Domains& domains, double integer_cost) {
    Assignment assignment(domains.size(), 0);
    for (std::size_t p = 0; p < domains.size(); ++p) {
      std::size_t value = 0;
      while (!domains[p].test(value)) ++value;
      assignment[p] = static_cast<int>(value);
    }
    PointId blocked;
    for (const Equation& e : problem_.equations)
      if (!(problem_.provenance.normalize(problem_.provenance.resolve(e.actual, assignment, blocked)) == e.expected)) return;
    for (const Requirement& r : problem_.requirements)
      if (truth(problem_.provenance.resolve(r.violation, assignment, blocked)) != false) return;
    best_ = std::min(best_, integer_cost);
    found_.push_back({tables_, cost_of(integer_cost)});
    if (options_.all == 0 && found_.size() > 1) found_.erase(found_.begin());  // the later is the cheaper
  }

  Cost cost_of(double integer_cost) const {
    const Machine& m = options_.machine;
    const Counts& n = problem_.counts;
    Cost cost{n.shuffles, n.accumulates, n.shared_wavefronts, integer_cost / m.integer_op, 0};
    cost.total = n.shuffles * m.shuffle + n.accumulates * m.accumulate + n.multiplies * m.multiply +
                 n.shared_wavefronts * m.shared_wavefront + integer_cost;
    return cost;
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
      const bool exhausted = !timed_out_ && !truncated_;
      solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                             : exhausted                             ? Optimality::kProved
                                                                     : Optimality::kBestFound;
      return std::move(solution_);
    }
    if (timed_out_ || truncated_) {
      solution_.outcome = Outcome::kUnknown;
      solution_.reason = timed_out_ ? "the time limit ended the search" : "too many tables of one hole fit to try them all";
      return std::move(solution_);
    }
    solution_.outcome = Outcome::kInfeasible;
    if (excluded_) solution_.reason = fmt::format("no {} of hole {} gives what its points must have", kind_name(problem_.holes[*excluded_].kind), *excluded_ + 1);
    else if (deepest_) solution_.reason = explain(*deepest_, problem_);
    else solution_.reason = "every completion that fits each output alone fails on all of them together";
    return std::move(solution_);
  }

  static const char* kind_name(HoleKind kind) {
    return kind == HoleKind::kXform ? "grouping, fanning and rotation" : kind == HoleKind::kPart ? "partition" : "condition";
  }

  Problem& problem_;
  const SolveOptions& options_;
  Goals goals_;
  Solution solution_;
  std::vector<HoleTable> tables_;
  std::set<std::pair<std::size_t, std::size_t>> precedes_;  // (a, b): somewhere a decides whether b is asked
  std::vector<Completion> found_;
  double best_ = std::numeric_limits<double>::infinity();
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool timed_out_ = false;
  bool truncated_ = false;
  std::optional<std::size_t> excluded_;
  std::optional<Conflict> deepest_;
};

}  // namespace

Solution solve(Problem& problem, const SolveOptions& options) { return Search(problem, options).run(); }

}  // namespace swizzle
