#include "driver/races_in_the_way.h"

#include <algorithm>
#include <utility>

namespace swizzle {
namespace {

bool is_race(const Requirement& requirement) { return requirement.message.ends_with(": a race"); }

}  // namespace

Diagnostics races_in_the_way(const SynthesisTask& task, double seconds) {
  SynthesisTask soon = task;
  soon.deadline = task.deadline.within(seconds);
  auto posed = pose_assignments(soon);
  if (!posed.ok() || posed->size() != 1 || !posed->first) return {};
  std::vector<Requirement>& all = posed->first->problem.requirements;
  const auto races = std::stable_partition(all.begin(), all.end(), [](const Requirement& r) { return !is_race(r); });
  const std::vector<Requirement> left_out(std::make_move_iterator(races), std::make_move_iterator(all.end()));
  if (left_out.empty()) return {};
  all.erase(races, all.end());
  SolveOptions how;
  how.first_only = true;
  how.deadline = soon.deadline;
  how.issue_costs = task.issue_costs;
  SynthesisSolution found = solve_assignments(soon, *posed, how);
  if (found.solution.outcome != Outcome::kFound || !found.best) return {};
  Problem& problem = found.best->problem;
  const Assignment assignment = assignment_of(problem, found.solution.completions[0].tables);
  PointId blocked;
  for (const Requirement& race : left_out)
    if (truth(problem.provenance.resolve(race.violation, assignment, blocked)) == true)
      return {make_note(task.sketch.source, race.range, "but for this there is a completion: " + race.message)};
  return {};
}

}  // namespace swizzle
