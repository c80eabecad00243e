#include "synth/synthesis/constant_posing.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "synth/base/in_parallel.h"
#include "synth/bits/word_tables.h"
#include "synth/bounds/guarded_issues.h"
#include "synth/machine/machine.h"
#include "synth/problem/permutations.h"
#include "synth/provenance/deferred_words.h"
#include "synth/synthesis/explanation.h"

namespace swizzle {
namespace {

// Searches other than that of bits see each bit.
void work_out_words(Problem& problem) {
  for (Equation& e : problem.equations) e.actual = worked_out(problem.provenance, e.actual);
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
  std::optional<PosedAssignments> with_refusals;  // some of which may be followed where more values are known
  for (const std::set<HoleId>& open : tries) {
    auto posed = pose_all(task, open);
    const bool poses = posed.ok() && !posed->posed.empty();
    const bool refuses = poses && std::ranges::any_of(posed->rejected, is_refusal);
    if (open.empty() || task.deadline.passed() || (poses && !refuses)) return posed;
    if (poses && !with_refusals) with_refusals = std::move(*posed);
  }
  auto posed = pose_all(task, {});
  if (!posed.ok() && with_refusals && !task.deadline.passed()) return std::move(*with_refusals);
  return posed;
}

}  // namespace swizzle
