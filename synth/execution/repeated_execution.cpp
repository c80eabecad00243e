#include "synth/execution/repeated_execution.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "synth/execution/interpreter.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

constexpr std::int64_t kFewGroups = 4;          // of which each may as well be executed
constexpr std::int64_t kManyGroups = 64;        // each of which takes longer by itself than together
constexpr std::int64_t kShareOfTries = 4;       // tries that come to nothing may cost one part in so many of all groups
constexpr std::int64_t kMostSlots = 8'000'000;  // of a buffer that is stored to: each is accounted for

// Threads meet across the warps of a block.
bool is_block_bound(const Program& program) {
  return std::ranges::any_of(program.variables, [](const Variable& v) { return v.is_shared; }) ||
         std::ranges::any_of(program.exprs, [](const Expr& e) {
           return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kSyncThreads;
         });
}

std::int64_t group_count(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{1}, std::multiplies<>());
}

// The warps of a block, if each has its threads in rows of it, or rows in each of it.
std::optional<std::vector<GroupAxis>> axes_of_warps(const LaunchShape& shape) {
  const auto [x, y, z] = shape.block;
  const auto axis = [](Builtin builtin, std::int64_t step, std::int64_t count) {
    return GroupAxis{builtin, {}, 0, step, count};
  };
  if (x % kWarpSize == 0)
    return std::vector{axis(Builtin::kThreadIdxX, kWarpSize, x / kWarpSize), axis(Builtin::kThreadIdxY, 1, y),
                       axis(Builtin::kThreadIdxZ, 1, z)};
  const int rows = kWarpSize / x;
  if (kWarpSize % x != 0 || y % rows != 0) return std::nullopt;
  return std::vector{axis(Builtin::kThreadIdxY, rows, y / rows), axis(Builtin::kThreadIdxZ, 1, z)};
}

// Of what is launched: warps, if nothing ties those of a block together.
struct LaunchedGroups {
  LaunchedGroups(const Program& program, const LaunchShape& shape) {
    const auto warps = is_block_bound(program) ? std::nullopt : axes_of_warps(shape);
    by_warps = warps.has_value();
    axes = warps.value_or(std::vector<GroupAxis>{});
    for (std::size_t d = 0; d < kBlockIdx.size(); ++d) axes.push_back({kBlockIdx[d], {}, 0, 1, shape.grid[d]});
  }

  std::vector<GroupAxis> axes;
  bool by_warps = false;
};

std::vector<std::int64_t> counts_of(const std::vector<GroupAxis>& axes) {
  std::vector<std::int64_t> counts;
  for (const GroupAxis& axis : axes) counts.push_back(axis.count);
  return counts;
}

class RepeatedExecution {
 public:
  RepeatedExecution(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points)
      : program_(program),
        execution_(execution),
        provenance_(provenance),
        points_(points) {}

  std::optional<Trace> run() {
    const PointTable points = points_;
    if (execution_.shape ? run_launch() : run_loops()) return std::move(trace_);
    points_ = points;
    return std::nullopt;
  }

 private:
  bool run_launch();
  bool run_loops();
  bool run_axes(std::vector<GroupAxis> axes, bool by_warps);
  // Groups by their place on each axis: `counts` of them from `begin`.
  struct Range {
    std::vector<std::int64_t> begin, counts;
  };
  bool run_boxes(Range all);
  bool run_box(const Range& range, std::vector<Range>& left);
  bool add(Trace&& of_group, const GroupBox& box);
  bool run_one_by_one(const Range& range);
  void share_issues();
  bool keeps_apart(const GroupBox& box);
  bool add_requirements(std::vector<Requirement> of_group);
  void add_issues(Trace& of_group, double times);
  bool marks_stores(const Trace& of_group, const std::vector<std::int64_t>& counts);

  const Program& program_;
  const Execution& execution_;
  Provenance& provenance_;
  PointTable& points_;
  std::vector<GroupAxis> axes_;
  bool by_warps_ = false;
  std::int64_t groups_ = 0;
  std::int64_t wasted_steps_ = 0, most_steps_ = 0;  // of all tries that came to nothing; of any one
  std::size_t known_points_ = 0;                    // after the first group
  std::map<std::vector<std::uint32_t>, Counts> guarded_;
  std::vector<std::vector<char>> is_stored_;  // by buffer, by slot
  std::vector<std::uint32_t> required_;
  IssuesByPlace issues_;                    // of all boxes so far
  std::vector<char> is_read_, is_written_;  // by buffer
  Trace trace_;
};

bool RepeatedExecution::run_launch() {
  LaunchedGroups groups(program_, *execution_.shape);
  if (!run_axes(std::move(groups.axes), groups.by_warps)) return false;
  take_averages(trace_, *execution_.shape);
  return true;
}

// The inner loops' bounds may depend on the outer ones: then those are taken by themselves.
bool RepeatedExecution::run_loops() {
  const std::vector<StmtId> loops = nested_loops(program_);
  if (loops.empty()) return false;
  const std::vector<GroupAxis> axes = Interpreter(program_, execution_, provenance_, points_).axes_of(loops);
  for (std::size_t depth = axes.size(); depth > 0; --depth)
    if (run_axes({axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(depth)}, false)) return true;
  return false;
}

bool RepeatedExecution::run_axes(std::vector<GroupAxis> axes, bool by_warps) {
  axes_ = std::move(axes);
  by_warps_ = by_warps;
  trace_ = {};
  guarded_.clear();
  is_stored_.clear();
  required_.clear();
  issues_.clear();
  is_read_.clear();
  is_written_.clear();
  std::vector<std::int64_t> counts = counts_of(axes_);
  groups_ = group_count(counts);
  if (groups_ < kFewGroups) return false;
  if (!run_boxes({std::vector<std::int64_t>(axes_.size(), 0), std::move(counts)})) return false;
  if (points_.size() != known_points_) return false;  // others than in the order in which the whole launch asks
  for (auto& [guards, issued] : guarded_) {
    trace_.guarded.push_back({{}, issued});
    for (std::uint32_t guard : guards) trace_.guarded.back().guards.push_back(Value::node(NodeId(guard)));
  }
  return true;
}

bool RepeatedExecution::run_boxes(Range all) {
  std::vector<Range> left{std::move(all)};  // the next one last
  while (!left.empty()) {
    const Range next = std::move(left.back());
    left.pop_back();
    if (!run_box(next, left)) return false;
  }
  return true;
}

// Where its groups do not behave alike, both parts of the box are left to be run.
bool RepeatedExecution::run_box(const Range& range, std::vector<Range>& left) {
  GroupBox box{
      .axes = axes_, .by_warps = by_warps_, .begin = range.begin, .strides = Strides(range.counts), .issues = issues_};
  provenance_.grow_by(&box.strides);
  Interpreter group(program_, execution_, provenance_, points_, &box);
  auto of_group = group.run_group();
  provenance_.grow_by(nullptr);
  most_steps_ = std::max(most_steps_, group.steps());
  if (of_group.ok()) return add(std::move(*of_group), box);
  const std::optional<Cut> cut = box.strides.cut();
  if (!cut) return false;
  wasted_steps_ += group.steps();
  if (wasted_steps_ > most_steps_ * (groups_ / kShareOfTries)) return run_one_by_one(range);
  Range first = range, rest = range;
  first.counts[cut->axis] = cut->at;
  rest.begin[cut->axis] += cut->at;
  rest.counts[cut->axis] -= cut->at;
  left.push_back(std::move(rest));
  left.push_back(std::move(first));
  return true;
}

// What was found out so far is kept, if so many groups do not take longer than all together.
bool RepeatedExecution::run_one_by_one(const Range& range) {
  if (groups_ > kManyGroups) return false;
  const std::vector<std::int64_t>& counts = range.counts;
  std::vector<std::int64_t> at(counts.size(), 0);
  for (std::size_t axis = 0; axis < at.size();) {
    std::vector<std::int64_t> here = range.begin;
    for (std::size_t a = 0; a < here.size(); ++a) here[a] += at[a];
    if (!run_boxes({std::move(here), std::vector<std::int64_t>(counts.size(), 1)})) return false;
    for (axis = 0; axis < at.size() && ++at[axis] == counts[axis]; ++axis) at[axis] = 0;
  }
  return true;
}

// No group reads what another writes.
bool RepeatedExecution::keeps_apart(const GroupBox& box) {
  is_read_.resize(box.is_written.size());
  is_written_.resize(box.is_written.size());
  for (std::size_t b = 0; b < is_read_.size(); ++b) {
    is_read_[b] |= box.read_steps[b].has_value() ? 1 : 0;
    is_written_[b] |= box.is_written[b];
    if (is_read_[b] != 0 && is_written_[b] != 0) return false;
  }
  return true;
}

// In the order in which the whole launch comes upon them, if the first group does so upon all.
bool RepeatedExecution::add_requirements(std::vector<Requirement> of_group) {
  const bool is_first = trace_.repetitions.empty();
  for (Requirement& r : of_group) {
    if (std::ranges::find(required_, r.violation.aux) != required_.end()) continue;
    if (!is_first) return false;
    required_.push_back(r.violation.aux);
    trace_.requirements.push_back(std::move(r));
  }
  return true;
}

// No two groups store to one slot.
bool RepeatedExecution::marks_stores(const Trace& of_group, const std::vector<std::int64_t>& counts) {
  is_stored_.resize(of_group.cells.size());
  for (std::size_t b = 0; b < of_group.cells.size(); ++b) {
    std::vector<char>& stored = is_stored_[b];
    if (!of_group.cells[b].empty() && of_group.touched[b] > kMostSlots) return false;
    const auto end = static_cast<std::size_t>(of_group.cells[b].empty() ? 0 : of_group.touched[b]);
    if (stored.size() < end) stored.resize(end);
    for (const auto& [slot, cell] : of_group.cells[b])
      if (!each_group(counts, cell.steps, [&](std::int64_t moved) {
            return std::exchange(stored[static_cast<std::size_t>(slot + moved)], 1) == 0;
          }))
        return false;
  }
  return true;
}

void RepeatedExecution::add_issues(Trace& of_group, double times) {
  const auto add = [&](Counts& to, const Counts& from) {
    for (double Counts::* c :
         {&Counts::shuffles, &Counts::accumulates, &Counts::multiplies, &Counts::shared_wavefronts, &Counts::loads})
      to.*c += times * from.*c;
  };
  add(trace_.counts, of_group.counts);
  for (const GuardedIssue& issue : of_group.guarded) {
    std::vector<std::uint32_t> guards;
    for (const Value& guard : issue.guards) guards.push_back(guard.aux);
    add(guarded_[guards], issue.counts);
  }
  for (const auto& [hole, count] : of_group.hole_executions) trace_.hole_executions[hole] += times * count;
  for (SharedAccess& access : of_group.shared_accesses) {
    access.count *= times;
    trace_.shared_accesses.push_back(std::move(access));
  }
}

// The boxes to come meet what this one met: see note_issue().
void RepeatedExecution::share_issues() {
  for (auto& [place, issues] : issues_) issues.is_shared = true;
}

bool RepeatedExecution::add(Trace&& of_group, const GroupBox& box) {
  const std::vector<std::int64_t>& counts = box.strides.counts();
  if (trace_.repetitions.empty()) {
    known_points_ = points_.size();
    trace_.buffers = of_group.buffers;
    trace_.cells.resize(of_group.cells.size());
    trace_.touched.assign(of_group.touched.size(), 0);
  }
  if (!of_group.shared_accesses.empty() && !trace_.shared_accesses.empty()) return false;
  issues_ = box.issues;
  share_issues();
  if (!keeps_apart(box) || !marks_stores(of_group, counts)) return false;
  if (!add_requirements(std::move(of_group.requirements))) return false;
  for (std::size_t b = 0; b < of_group.cells.size(); ++b) {
    trace_.touched[b] = std::max(trace_.touched[b], of_group.touched[b]);
    for (auto& [slot, cell] : of_group.cells[b]) {
      cell.repetition = trace_.repetitions.size();
      trace_.cells[b].emplace(slot, std::move(cell));
    }
  }
  add_issues(of_group, static_cast<double>(group_count(counts)));
  trace_.hole_indexed.insert(of_group.hole_indexed.begin(), of_group.hole_indexed.end());
  trace_.shared_objects.merge(of_group.shared_objects);
  trace_.dynamic_shared_bytes = std::max(trace_.dynamic_shared_bytes, of_group.dynamic_shared_bytes);
  trace_.repetitions.push_back({counts, box.read_steps});
  return true;
}

}  // namespace

bool may_repeat(const Program& program, const LaunchShape& shape) {
  return group_count(counts_of(LaunchedGroups(program, shape).axes)) >= kFewGroups;
}

std::optional<Trace> execute_repeatedly(const Program& program, const Execution& execution, Provenance& provenance,
                                        PointTable& points) {
  return RepeatedExecution(program, execution, provenance, points).run();
}

}  // namespace swizzle
