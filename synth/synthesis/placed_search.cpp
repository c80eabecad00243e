#include "synth/synthesis/placed_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "synth/bits/bit_search.h"
#include "synth/bits/word_tables.h"
#include "synth/machine/machine.h"
#include "synth/problem/pose.h"
#include "synth/synthesis/layout_placement.h"
#include "synth/synthesis/necessary_accesses.h"
#include "synth/synthesis/wavefront_prices.h"

namespace swizzle {
namespace {

constexpr std::size_t kFewPlaced = 32;

Solution solve_one(const Program& sketch, Problem& problem, const SolveOptions& options) {
  return has_open_words(sketch, problem) ? solve_bits(sketch, problem, options) : solve(problem, options);
}

class PlacedSearch {
 public:
  PlacedSearch(const Program& sketch, Problem& problem, const SolveOptions& options)
      : sketch_(sketch),
        problem_(problem),
        options_(options),
        memory_(memory_of(sketch)),
        placement_(sketch, problem, memory_) {
    least_.shared_wavefronts = least_wavefronts(problem, memory_);
    if (depends_on_points(problem)) guarded_wavefronts_ = necessary_wavefronts(problem);
    for (std::size_t h = 0; h < sketch.holes.size(); ++h)
      if (const LayoutId l = sketch.holes[h].layout; l.valid())
        least_.integer_ops +=
            problem.executions[h] * Layout::plain(sketch.layout(l).rows, sketch.layout(l).columns).integer_ops();
  }

  Solution run() {
    SolveOptions options = options_;
    options.below = std::numeric_limits<double>::infinity();
    const WavefrontPrices wavefronts(problem_, memory_);
    if (!by_wavefronts() && wavefronts.are_any())
      options.price_beyond = [&](std::size_t hole, const HoleTable& table) {
        return options_.issue_costs.shared_wavefront * wavefronts.of(hole, table);
      };
    if (options.all > 0 && depends_on_points(problem_)) options.all = std::max(options.all, kMostPlaced);
    Solution solution = solve_one(sketch_, problem_, options);
    if (solution.outcome != Outcome::kFound) return solution;
    const Optimality base = solution.optimality;
    place(solution.completions);
    if (depends_on_points(problem_) && options_.all == 0 && !options_.first_only && !meets_bound(first_base_) &&
        !is_least(solution, wavefronts) && !is_settled_by_trials(options, wavefronts)) {
      all_placed_ = false;
      for (options.all = kFewPlaced; options.all <= kMostPlaced && !all_placed_; options.all *= kFewPlaced / 2) {
        options.below = most_base();
        Solution more = solve_one(sketch_, problem_, options);
        if (more.nodes >= options.most_trial_nodes) options.most_trial_nodes = 0;  // more of them do no better
        more.nodes += solution.nodes;
        more.raw_space = solution.raw_space;
        solution = std::move(more);
        place(solution.completions);
        all_placed_ = (solution.exhausted && !is_cut_) || stopped_;
        is_cut_ = !all_placed_ && options_.deadline.passed();
        if (is_cut_) break;
      }
    }
    return conclude(std::move(solution), base);
  }

  std::optional<Completion> best_of(std::vector<Completion> completions) {
    std::ranges::stable_sort(completions, {}, [](const Completion& c) { return c.cost.total; });
    place(completions);
    return is_cut_ ? std::nullopt : best_;
  }

 private:
  bool by_wavefronts() const { return !sketch_.layouts.empty(); }

  // The cost with what the placement adds to it, or the least that any adds.
  Cost with(Cost cost, double wavefronts, double integer_ops) const {
    cost.shared_wavefronts += wavefronts;
    cost.integer_ops += integer_ops;
    cost.total += wavefronts * options_.issue_costs.shared_wavefront + integer_ops * options_.issue_costs.integer_op;
    return cost;
  }

  // Where each access is of one hole, the search can tell by tables what all of them cost.
  bool is_settled_by_trials(SolveOptions options, const WavefrontPrices& wavefronts) {
    constexpr std::size_t kFewNodes = 1'000'000;
    constexpr double kFewSeconds = 2;
    if (options.price_beyond == nullptr || !wavefronts.are_all()) return false;
    options.by_trials = true;
    options.most_trial_nodes = std::min(options.most_trial_nodes, kFewNodes);
    options.deadline = options.deadline.within(kFewSeconds);
    Solution tried = solve_one(sketch_, problem_, options);
    place(tried.completions);
    return tried.optimality == Optimality::kProved && is_least(tried, wavefronts);
  }

  // The best is the least by what the search has taken wavefronts to cost, and costs that.
  bool is_least(const Solution& found, const WavefrontPrices& wavefronts) const {
    if (!best_ || !found.is_least_with_beyond || !wavefronts.are_all()) return false;
    double all = least_.shared_wavefronts;
    for (std::size_t h = 0; h < best_->tables.size(); ++h)
      if (!problem_.holes[h].points.empty()) all += wavefronts.of(h, best_->tables[h]);
    return std::abs(best_->placement->wavefronts - all) <= kCostTolerance;
  }

  // No completion of this cost, or a higher one, is better than the best, whatever its placement.
  bool meets_bound(const Cost& base) const {
    if (!best_) return false;
    const Cost least = with(base, least_.shared_wavefronts + guarded_wavefronts_, least_.integer_ops);
    if (by_wavefronts() && best_->cost.shared_wavefronts > least.shared_wavefronts + kCostTolerance) return false;
    return best_->cost.total <= least.total + kCostTolerance;
  }

  // What a completion may cost without its placement, to be better than the best.
  double most_base() const {
    if (!best_ || by_wavefronts()) return std::numeric_limits<double>::infinity();
    return best_->cost.total - with({}, least_.shared_wavefronts, least_.integer_ops).total;
  }

  void place(std::vector<Completion>& completions) {
    if (!completions.empty()) first_base_ = completions[0].cost;
    for (Completion& c : completions) {
      if (options_.all == 0 && meets_bound(c.cost)) {
        stopped_ = true;
        break;
      }
      is_cut_ = is_cut_ || (best_ && options_.deadline.passed());
      if (is_cut_) break;
      auto placed = placement_.place(c.tables, options_.deadline);
      if (!placed) continue;
      is_cut_ = is_cut_ || !placed->exhausted;
      c.cost = with(c.cost, placed->wavefronts, placed->integer_ops);
      for (std::size_t h = 0; h < sketch_.holes.size(); ++h)
        if (const LayoutId l = sketch_.holes[h].layout; l.valid()) {
          c.tables[h].expression = placed->layouts[l.value].layout.expression();
          c.tables[h].integer_ops = c.tables[h].expression.integer_ops();
        }
      c.placement = std::move(*placed);
      if (!best_ || is_better(c, *best_, by_wavefronts())) best_ = c;
    }
  }

  Solution conclude(Solution solution, Optimality base) {
    std::erase_if(solution.completions, [](const Completion& c) { return !c.placement; });
    if (!best_) {
      const bool is_open = depends_on_points(problem_) && !solution.exhausted;
      solution.completions.clear();
      solution.outcome = is_open ? Outcome::kUnknown : Outcome::kInfeasible;
      if (is_open && !solution.reason.empty()) return solution;
      solution.reason = placement_.reason();
      solution.unknown = UnknownReason::kOther;
      return solution;
    }
    solution.outcome = Outcome::kFound;  // whatever the last search came to
    const bool is_proved = base == Optimality::kProved && all_placed_ && best_->placement->exhausted;
    if (options_.first_only || (options_.all == 0 && is_proved)) {
      solution.reason.clear();
    } else if (is_cut_ && solution.reason.empty()) {
      solution.unknown = UnknownReason::kTimeOfSearch;
      solution.reason = unknown_text(solution.unknown);
    } else if (solution.reason.empty()) {
      solution.reason = "not all that cost as little were placed in shared memory";
    }
    if (options_.all > 0) {
      std::stable_sort(solution.completions.begin(), solution.completions.end(),
                       [&](const auto& a, const auto& b) { return is_better(a, b, by_wavefronts()); });
      return solution;
    }
    solution.optimality = options_.first_only ? Optimality::kNotAsked
                          : is_proved         ? Optimality::kProved
                                              : Optimality::kBestFound;
    solution.completions = {*best_};
    return solution;
  }

  const Program& sketch_;
  Problem& problem_;
  const SolveOptions& options_;
  SharedMemoryModel memory_;
  LayoutPlacement placement_;
  Cost least_;                     // that every placement adds
  double guarded_wavefronts_ = 0;  // and no completion does without, which the prices of tables may have as well
  Cost first_base_;
  std::optional<Completion> best_;
  bool stopped_ = false, all_placed_ = true;
  bool is_cut_ = false;  // by the deadline, with something in hand
};

}  // namespace

bool is_better(const Completion& a, const Completion& b, bool by_wavefronts) {
  const auto key = [&](const Completion& c) {
    return std::tuple(by_wavefronts ? c.cost.shared_wavefronts : 0.0, c.cost.total,
                      c.placement ? c.placement->bytes : 0);
  };
  return key(a) < key(b);
}

bool is_placed(const Program& sketch, const Problem& problem) {
  return !sketch.layouts.empty() || depends_on_points(problem);
}

Solution solve_placed(const Program& sketch, Problem& problem, const SolveOptions& options) {
  if (!is_placed(sketch, problem)) return solve_one(sketch, problem, options);
  Solution solution = PlacedSearch(sketch, problem, options).run();
  solution.beyond_doubt = false;  // of one of several searches
  return solution;
}

std::optional<Completion> best_placed(const Program& sketch, Problem& problem, std::vector<Completion> completions,
                                      const SolveOptions& options) {
  SolveOptions one = options;
  one.all = 0;
  return PlacedSearch(sketch, problem, one).best_of(std::move(completions));
}

}  // namespace swizzle
