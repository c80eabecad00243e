#include "synth/synthesis/constant_search.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "synth/bits/word_tables.h"
#include "synth/bounds/guarded_issues.h"
#include "synth/machine/machine.h"
#include "synth/problem/permutations.h"
#include "synth/provenance/deferred_words.h"
#include "synth/synthesis/doubted_search.h"
#include "synth/synthesis/explanation.h"
#include "synth/synthesis/placed_search.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

// Searches other than that of bits see each bit.
void work_out_words(Problem& problem) {
  for (Equation& e : problem.equations) e.actual = worked_out(problem.provenance, e.actual);
}

// `spec`: its runs at the instances; null, where there is no other assignment to share them with.
Result<PosedAssignment> pose_assignment(const SynthesisTask& task, const SpecRuns* spec,
                                        const ConstantAssignment& assignment) {
  auto sketch = specialize(task.sketch, assignment);
  if (!sketch.ok()) return sketch.errors();
  PosedAssignment result{assignment, std::move(*sketch), {}, {}};
  if (spec) {
    auto posed = spec->pose(result.sketch, result.problem, task.deadline);
    if (!posed.ok()) return posed.errors();
    result.posed = std::move(*posed);
  } else {
    for (const Sizes& sizes : task.instances) {
      auto posed = pose(result.sketch, task.spec, sizes, result.problem, task.deadline, task.groups);
      if (!posed.ok()) return posed.errors();
      result.posed.push_back(std::move(*posed));
    }
  }
  collect_holes(result.sketch, result.problem);
  if (!has_open_words(result.sketch, result.problem)) work_out_words(result.problem);
  drop_fulfilled(result.problem);
  return result;
}

bool alike(const std::vector<HoleSpace>& a, const std::vector<HoleSpace>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const HoleSpace& x, const HoleSpace& y) {
    return x.domain == y.domain && x.arguments == y.arguments;
  });
}

void count_space(const std::vector<HoleSpace>& holes, PosedAssignments& assignments) {
  for (auto& [known, count] : assignments.spaces)
    if (alike(known, holes)) {
      ++count;
      return;
    }
  assignments.spaces.emplace_back(holes, 1);
}

bool is_same_reason(const Diagnostics& a, const Diagnostics& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Diagnostic& x, const Diagnostic& y) { return render(x) == render(y); });
}

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

// All at once, in threads of their own. If some throw (for want of memory), the first of them is heard.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 1) return work(0);
  std::vector<std::exception_ptr> thrown(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        try {
          work(i);
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);
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

class Posing {
 public:
  Posing(const SynthesisTask& task, std::shared_ptr<const SpecRuns> spec)
      : task_(task),
        looks_for_lacks_(spec != nullptr && task.sketch.directives.bits.empty()) {
    result_.spec = std::move(spec);
  }

  void add(const ConstantAssignment& assignment, Result<PosedAssignment> posed) {
    if (!posed.ok()) {
      result_.rejected.emplace_back(assignment, posed.errors());
      return;
    }
    count_space(posed->problem.holes, result_);
    const std::size_t missing = looks_for_lacks_ ? lack_of(posed->problem).inputs : 0;
    if (missing > 0) {
      ++result_.lacking;
      if (!closest_ || missing < lacks_) closest_ = std::move(*posed);
      lacks_ = std::min(lacks_, missing);
      return;
    }
    const double bound = cost_of(posed->problem.counts, task_.issue_costs);
    kept_nodes_ += posed->problem.provenance.size();
    result_.posed.push_back({assignment, bound, std::move(*posed)});
    while (kept_nodes_ > kMostKept && drop_one()) {}
  }

  Result<PosedAssignments> finish() && {
    std::stable_sort(result_.posed.begin(), result_.posed.end(),
                     [](const auto& a, const auto& b) { return a.bound < b.bound; });
    result_.first =
        result_.posed.empty() ? std::move(closest_) : std::exchange(result_.posed.front().kept, std::nullopt);
    if (result_.first) return std::move(result_);
    const Diagnostics& first = result_.rejected.front().second;
    if (std::all_of(result_.rejected.begin(), result_.rejected.end(),
                    [&](const auto& r) { return is_same_reason(r.second, first); }))
      return first;
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMostKept = 1 << 18;  // nodes

  // The one that is solved last of those that are kept. False: only the first one is.
  bool drop_one() {
    PosedAssignments::Bounded* last = nullptr;
    std::size_t kept = 0;
    for (PosedAssignments::Bounded& b : result_.posed) {
      if (!b.kept) continue;
      ++kept;
      if (!last || b.bound >= last->bound) last = &b;
    }
    if (kept < 2) return false;
    kept_nodes_ -= last->kept->problem.provenance.size();
    last->kept.reset();
    return true;
  }

  const SynthesisTask& task_;
  bool looks_for_lacks_;
  PosedAssignments result_;
  std::size_t kept_nodes_ = 0;
  std::optional<PosedAssignment> closest_;  // of those that lack inputs
  std::size_t lacks_ = ~std::size_t{0};
};

}  // namespace

namespace {

// `open`: every ?sw_const that is left to the search.
Result<PosedAssignments> pose_all(const SynthesisTask& task, const std::set<HoleId>& open) {
  const auto all = constant_assignments(task.sketch, open);
  if (!all.ok()) return all.errors();
  std::shared_ptr<const SpecRuns> spec;
  if (all->size() > 1) {
    auto runs = SpecRuns::of(task.sketch, task.spec, task.instances, task.deadline, task.groups);
    if (!runs.ok()) return runs.errors();
    spec = std::make_shared<const SpecRuns>(std::move(*runs));
  }
  Posing posing(task, spec);
  for (std::size_t next = 0; next < all->size(); next += task.jobs) {
    std::vector<std::optional<Result<PosedAssignment>>> wave(std::min(task.jobs, all->size() - next));
    in_parallel(wave.size(), [&](std::size_t i) { wave[i] = pose_assignment(task, spec.get(), (*all)[next + i]); });
    for (std::size_t i = 0; i < wave.size(); ++i) {
      if (!wave[i]->ok() && task.deadline.passed()) return wave[i]->errors();
      posing.add((*all)[next + i], std::move(*wave[i]));
    }
  }
  return std::move(posing).finish();
}

// What only makes sense among bits stands among bits.
std::optional<Diagnostics> misplaced_hole(const Program& sketch) {
  if (!sketch.directives.bits.empty()) return std::nullopt;
  for (const Hole& hole : sketch.holes)
    if (hole.traits().is_word())
      return Diagnostics{
          make_error(sketch.source, hole.range,
                     fmt::format("{} needs words that are followed bit by bit; write '#pragma swizzle bits(x, y)'",
                                 hole.traits().usage()))};
  return std::nullopt;
}

}  // namespace

// Among bits, a ?sw_const is left to the search wherever its value does not decide what is executed: all of them, or
// all but one.
Result<PosedAssignments> pose_assignments(const SynthesisTask& task) {
  if (const auto error = misplaced_hole(task.sketch)) return *error;
  if (task.sketch.directives.bits.empty()) return pose_all(task, {});
  std::set<HoleId> constants;
  for (std::size_t h = 0; h < task.sketch.holes.size(); ++h)
    if (const Hole& hole = task.sketch.holes[h]; hole.traits().is_constant() && hole.arguments.empty())
      constants.insert(HoleId(h));
  std::vector<std::set<HoleId>> tries{constants};
  for (const HoleId closed : constants)
    if (constants.size() > 1) tries.push_back(constants), tries.back().erase(closed);
  for (const std::set<HoleId>& open : tries) {
    auto posed = pose_all(task, open);
    if (open.empty() || task.deadline.passed() || (posed.ok() && !posed->posed.empty())) return posed;
  }
  return pose_all(task, {});
}

SynthesisSolution solve_assignments(const SynthesisTask& task, PosedAssignments& assignments,
                                    const SolveOptions& options) {
  return ConstantSearch(task, assignments, options).run();
}

std::string explain_infeasible(const SynthesisTask& task, const PosedAssignments& assignments,
                               SynthesisSolution& searched) {
  const auto told = [&](const ConstantAssignment& assignment, const std::string& reason) {
    if (assignments.size() == 1) return reason;
    return fmt::format("none of the {} values of ?sw_const has a completion; with {}, which comes closest, {}",
                       assignments.size(), describe(assignment, task.sketch), reason);
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
