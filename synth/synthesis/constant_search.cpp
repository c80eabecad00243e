#include "synth/synthesis/constant_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "synth/base/in_parallel.h"
#include "synth/bits/word_tables.h"
#include "synth/problem/permutations.h"
#include "synth/synthesis/constant_posing.h"
#include "synth/synthesis/doubted_search.h"
#include "synth/synthesis/explanation.h"
#include "synth/synthesis/placed_search.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

// log10 Σ n · 10^of(space), over the different spaces and those that were rejected.
double sum_of_spaces(const PosedAssignments& assignments,
                     const std::function<double(const std::vector<HoleSpace>&)>& of) {
  std::vector<double> logs;
  if (!assignments.rejected.empty()) logs.push_back(std::log10(static_cast<double>(assignments.rejected.size())));
  for (const auto& [holes, count] : assignments.spaces)
    logs.push_back(of(holes) + std::log10(static_cast<double>(count)));
  const double largest = logs.empty() ? 0 : *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double l : logs) sum += std::pow(10, l - largest);
  return largest + std::log10(std::max(1.0, sum));
}

double raw_space(const std::vector<HoleSpace>& holes) {
  double sum = 0;
  for (const HoleSpace& space : holes) sum += raw_space_log10(space);
  return sum;
}

class ConstantSearch {
 public:
  ConstantSearch(const SynthesisTask& task, PosedAssignments& assignments, const SolveOptions& options)
      : task_(task),
        assignments_(assignments),
        options_(options) {}

  SynthesisSolution run() {
    if (assignments_.posed.empty() && assignments_.first) best_ = std::move(assignments_.first);
    for (std::size_t next = 0; next < assignments_.posed.size(); next += task_.jobs) {
      if (options_.all == 0 && found() &&
          (options_.first_only || (!by_wavefronts() && assignments_.posed[next].bound > cost() - kCostTolerance)))
        break;
      if (options_.deadline.passed()) {
        leave_open(UnknownReason::kTimeOfSearch);
        break;
      }
      solve_wave(next, std::min(task_.jobs, assignments_.posed.size() - next));
    }
    leave_open_what_was_refused();
    conclude();
    return {std::move(solution_), std::move(best_)};
  }

 private:
  struct Solved {
    std::optional<PosedAssignment> posed;  // nothing: a limit ended it
    UnknownReason ended_by = UnknownReason::kTimeOfPosing;
    Solution solution;
  };

  bool found() const { return !solution_.completions.empty(); }
  bool by_wavefronts() const { return !task_.sketch.layouts.empty(); }
  double cost() const { return solution_.completions[0].cost.total; }

  // The first reason is told.
  void leave_open(UnknownReason reason, std::string words) {
    if (std::exchange(is_open_, true)) return;
    solution_.unknown = reason;
    solution_.reason = std::move(words);
  }
  void leave_open(UnknownReason reason) { leave_open(reason, unknown_text(reason)); }

  // A value that the sketch would be right with, for all that is known.
  void leave_open_what_was_refused() {
    const auto refused = std::ranges::find_if(assignments_.rejected, is_refusal);
    if (refused == assignments_.rejected.end()) return;
    const auto& [assignment, errors] = *refused;
    leave_open(UnknownReason::kOther,
               fmt::format("with {}, at {}:{}, {}", describe(assignment, task_.sketch), errors.front().where.line,
                           errors.front().where.column, errors.front().message));
  }

  void solve_wave(std::size_t from, std::size_t count) {
    std::vector<Solved> wave(count);
    shared_.resize(std::max(shared_.size(), count));
    in_parallel(count, [&](std::size_t i) {
      PosedAssignments::Bounded& next = assignments_.posed[from + i];
      wave[i].posed =
          from + i == 0 ? std::exchange(assignments_.first, std::nullopt) : std::exchange(next.kept, std::nullopt);
      try {
        pose_and_solve(next.assignment, i, wave[i]);
      } catch (const std::bad_alloc&) {
        wave[i].posed.reset();
        wave[i].ended_by = UnknownReason::kOutOfMemory;
      }
    });
    for (Solved& solved : wave) {
      if (solved.posed) add(std::move(*solved.posed), std::move(solved.solution));
      else leave_open(solved.ended_by);
    }
  }

  void pose_and_solve(const ConstantAssignment& assignment, std::size_t place, Solved& to) {
    if (!to.posed) {
      auto posed = pose_assignment(task_, assignments_.spec.get(), assignment);
      if (!posed.ok()) return;
      to.posed = std::move(*posed);
    }
    if (!shared_[place]) shared_[place] = std::make_shared<SharedTables>();
    SolveOptions options = options_;
    options.shared = shared_[place];
    if (options_.all == 0 && found()) options.below = cost();
    to.solution = solve_in_doubt(to.posed->sketch, task_.spec, to.posed->problem, options);
  }

  void add(PosedAssignment posed, Solution one) {
    solution_.nodes += one.nodes;
    if (one.outcome == Outcome::kUnknown) return leave_open(one.unknown, std::move(one.reason));
    if (one.outcome == Outcome::kInfeasible) {
      if (!best_ && !is_open_) {
        solution_.reason = std::move(one.reason);
        best_ = std::move(posed);
      }
      return;
    }
    if (!one.reason.empty() || one.optimality == Optimality::kBestFound) leave_open(one.unknown, std::move(one.reason));
    if (assignments_.posed.size() == 1 && !by_wavefronts()) solution_.at_least = one.at_least;
    for (Completion& c : one.completions) fill_in(posed, c);
    if (!found() || is_better(one.completions[0], solution_.completions[0], by_wavefronts())) best_ = std::move(posed);
    keep(std::move(one.completions));
  }

  static void fill_in(const PosedAssignment& posed, Completion& completion) {
    for (std::size_t h = 0; h < completion.tables.size(); ++h)
      if (posed.sketch.holes[h].traits().is_assigned() && posed.assignment[h] != kOpenConstant)
        completion.tables[h].expression = IndexExpr::constant(posed.assignment[h]);
  }

  void keep(std::vector<Completion> more) {
    auto& all = solution_.completions;
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::stable_sort(all.begin(), all.end(),
                     [&](const Completion& a, const Completion& b) { return is_better(a, b, by_wavefronts()); });
    all.resize(std::min(all.size(), std::max<std::size_t>(1, options_.all)));
  }

  void conclude() {
    solution_.raw_space = sum_of_spaces(assignments_, raw_space);
    if (found()) {
      solution_.outcome = Outcome::kFound;
      if (!is_open_ || options_.first_only) solution_.reason.clear();
      solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                             : is_open_                              ? Optimality::kBestFound
                                                                     : Optimality::kProved;
      return;
    }
    solution_.outcome = is_open_ ? Outcome::kUnknown : Outcome::kInfeasible;
  }

  const SynthesisTask& task_;
  PosedAssignments& assignments_;
  const SolveOptions& options_;
  Solution solution_;
  std::optional<PosedAssignment> best_;
  std::vector<std::shared_ptr<SharedTables>> shared_;  // by place in a wave
  bool is_open_ = false;                               // some assignment was not solved to its end: reason tells why
};

}  // namespace

SynthesisSolution solve_assignments(const SynthesisTask& task, PosedAssignments& assignments,
                                    const SolveOptions& options) {
  return ConstantSearch(task, assignments, options).run();
}

std::string explain_infeasible(const SynthesisTask& task, const PosedAssignments& assignments,
                               SynthesisSolution& searched) {
  const auto told = [&](const ConstantAssignment& assignment, const std::string& reason) {
    if (assignments.size() == 1) return reason;
    return fmt::format("none of the {} values of {} has a completion; with {}, which comes closest, {}",
                       assignments.size(), kinds_of_constants(task.sketch), describe(assignment, task.sketch), reason);
  };
  PosedAssignment* const closest = searched.best ? &*searched.best : nullptr;
  if (closest && has_open_words(closest->sketch, closest->problem))
    return told(closest->assignment, searched.solution.reason);
  if (closest)
    return told(closest->assignment,
                explain_infeasible(closest->problem, closest->sketch, searched.solution.reason, task.deadline));
  const auto& [assignment, errors] = assignments.rejected.front();
  return told(assignment, fmt::format("{} at {}:{}", errors.front().message, errors.front().where.line,
                                      errors.front().where.column));
}

std::optional<double> distinct_space_log10(const PosedAssignments& assignments, const Deadline& deadline) {
  bool are_counted = true;
  const double sum = sum_of_spaces(assignments, [&](const std::vector<HoleSpace>& holes) {
    const auto one = are_counted ? distinct_space_log10(holes, deadline) : std::nullopt;
    are_counted = one.has_value();
    return one.value_or(0);
  });
  return are_counted ? std::optional(sum) : std::nullopt;
}

}  // namespace swizzle
