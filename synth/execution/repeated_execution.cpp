#include "synth/execution/repeated_execution.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "synth/execution/interpreter.h"

namespace swizzle {
namespace {

constexpr std::int64_t kFewGroups = 2;

std::int64_t groups_of(const std::vector<std::int64_t>& counts) {
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
  bool run_box(std::vector<std::int64_t> begin, std::vector<std::int64_t> counts);
  bool add(Trace&& of_group, const GroupBox& box);
  bool counts_alike(const GroupBox& box);
  void add_issues(Trace& of_group, double times);
  bool marks_stores(const Trace& of_group, const std::vector<std::int64_t>& counts);

  const Program& program_;
  const Execution& execution_;
  Provenance& provenance_;
  PointTable& points_;
  std::vector<GroupAxis> axes_;
  bool by_warps_ = false;
  std::int64_t runs_ = 0, most_runs_ = 0;
  std::size_t known_points_ = 0;  // after the first group
  std::map<std::vector<std::uint32_t>, Counts> guarded_;
  std::vector<std::vector<char>> is_stored_;  // by buffer, by slot
  std::vector<std::uint32_t> required_;
  std::map<ExprId, std::vector<char>> has_data_;  // of the first group: see counts_alike()
  Trace trace_;
};

bool RepeatedExecution::run_launch() {
  const LaunchShape& shape = *execution_.shape;
  const bool shares = std::ranges::any_of(program_.variables, [](const Variable& v) { return v.is_shared; });
  const auto warps = shares ? std::nullopt : axes_of_warps(shape);
  std::vector<GroupAxis> axes = warps.value_or(std::vector<GroupAxis>{});
  const std::array<Builtin, 3> blocks{Builtin::kBlockIdxX, Builtin::kBlockIdxY, Builtin::kBlockIdxZ};
  for (std::size_t d = 0; d < blocks.size(); ++d) axes.push_back({blocks[d], {}, 0, 1, shape.grid[d]});
  if (!run_axes(std::move(axes), warps.has_value())) return false;
  take_averages(trace_, shape);
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
  has_data_.clear();
  std::vector<std::int64_t> counts;
  for (const GroupAxis& axis : axes_) counts.push_back(axis.count);
  const std::int64_t groups = groups_of(counts);
  if (groups < kFewGroups) return false;
  runs_ = 0;
  most_runs_ = 64 + groups / 2;
  if (!run_box(std::vector<std::int64_t>(axes_.size(), 0), std::move(counts))) return false;
  if (points_.size() != known_points_) return false;  // others than in the order in which the whole launch asks
  for (auto& [guards, issued] : guarded_) {
    trace_.guarded.push_back({{}, issued});
    for (std::uint32_t guard : guards) trace_.guarded.back().guards.push_back(Value::node(NodeId(guard)));
  }
  return true;
}

bool RepeatedExecution::run_box(std::vector<std::int64_t> begin, std::vector<std::int64_t> counts) {
  if (++runs_ > most_runs_) return false;
  GroupBox box{axes_, by_warps_, begin, Strides(counts)};
  provenance_.grow_by(&box.strides);
  auto of_group = Interpreter(program_, execution_, provenance_, points_, &box).run_group();
  provenance_.grow_by(nullptr);
  if (of_group.ok()) return add(std::move(*of_group), box);
  const std::optional<Cut> cut = box.strides.cut();
  if (!cut) return false;
  std::vector<std::int64_t> rest_begin = begin, rest_counts = counts;
  counts[cut->axis] = cut->at;
  rest_begin[cut->axis] += cut->at;
  rest_counts[cut->axis] -= cut->at;
  return run_box(std::move(begin), std::move(counts)) && run_box(std::move(rest_begin), std::move(rest_counts));
}

// No two groups store to one slot.
bool RepeatedExecution::marks_stores(const Trace& of_group, const std::vector<std::int64_t>& counts) {
  is_stored_.resize(of_group.cells.size());
  for (std::size_t b = 0; b < of_group.cells.size(); ++b) {
    std::vector<char>& stored = is_stored_[b];
    const auto end = static_cast<std::size_t>(of_group.touched[b]);
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

// A block issues an operation on data for each of its warps once one of them has data there. Where several boxes meet
// an operation, that can only be told if it always has data, or never.
bool RepeatedExecution::counts_alike(const GroupBox& box) {
  const auto is_always = [](const std::vector<char>& each, bool has) {
    return std::ranges::all_of(each, [&](char c) { return (c != 0) == has; });
  };
  for (const auto& [operation, has_data] : box.has_data) {
    const auto [known, fresh] = has_data_.try_emplace(operation, has_data);
    const auto both = [&](bool has) { return is_always(known->second, has) && is_always(has_data, has); };
    if (!fresh && !both(true) && !both(false)) return false;
  }
  return true;
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
  if (!counts_alike(box) || !marks_stores(of_group, counts)) return false;
  for (std::size_t b = 0; b < of_group.cells.size(); ++b) {
    trace_.touched[b] = std::max(trace_.touched[b], of_group.touched[b]);
    for (auto& [slot, cell] : of_group.cells[b]) {
      cell.repetition = trace_.repetitions.size();
      trace_.cells[b].emplace(slot, std::move(cell));
    }
  }
  add_issues(of_group, static_cast<double>(groups_of(counts)));
  for (Requirement& r : of_group.requirements)
    if (std::ranges::find(required_, r.violation.aux) == required_.end()) {
      required_.push_back(r.violation.aux);
      trace_.requirements.push_back(std::move(r));
    }
  trace_.hole_indexed.insert(of_group.hole_indexed.begin(), of_group.hole_indexed.end());
  trace_.shared_objects.merge(of_group.shared_objects);
  trace_.dynamic_shared_bytes = std::max(trace_.dynamic_shared_bytes, of_group.dynamic_shared_bytes);
  trace_.repetitions.push_back({counts, box.read_steps});
  return true;
}

}  // namespace

std::optional<Trace> execute_repeatedly(const Program& program, const Execution& execution, Provenance& provenance,
                                        PointTable& points) {
  return RepeatedExecution(program, execution, provenance, points).run();
}

}  // namespace swizzle
