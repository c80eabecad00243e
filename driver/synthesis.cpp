#include "driver/synthesis.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/placement_text.h"
#include "driver/races_in_the_way.h"
#include "driver/suggestions.h"
#include "synth/machine/machine.h"

namespace swizzle {
namespace {

std::string posed_text(const Program& sketch, const PosedAssignments& assignments, std::size_t instances) {
  const std::size_t all = assignments.size();
  const std::string values = all == 1 ? ""
                                      : fmt::format(" for {} of {} values of {}", all - assignments.rejected.size(),
                                                    all, kinds_of_constants(sketch));
  if (!assignments.first) return "posed nothing" + values;
  const Problem& problem = assignments.first->problem;
  return fmt::format("posed {} over {} at {}{}", counted(problem.equations.size(), "equation"),
                     counted(problem.points.size(), "point"), counted(instances, "size"), values);
}

const HoleSpace* heaviest_hole(const PosedAssignments& assignments) {
  const HoleSpace* heaviest = nullptr;
  if (!assignments.first) return heaviest;
  for (const HoleSpace& space : assignments.first->problem.holes)
    if (!space.points.empty() && (heaviest == nullptr || raw_space_log10(space) > raw_space_log10(*heaviest)))
      heaviest = &space;
  return heaviest;
}

double layouts_log10(const Solution& solution) {
  return solution.completions.empty() ? 0 : layouts_log10(solution.completions[0]);
}

}  // namespace

Result<IssueCosts> target_machine(const std::string& arch) {
  const auto machine = issue_costs_for(arch);
  if (!machine) return make_error(fmt::format("unknown architecture '{}'; try sm_90", arch));
  return *machine;
}

void pose_also(const std::vector<Sizes>& also, PairSizes& sizes) {
  for (const Sizes& at : also) {
    std::erase(sizes.checks, at);
    sizes.instances.push_back(at);
  }
}

OrEnding<PosedPair> pose_pair(const Pair& pair, const SynthesisRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kPose, observer);
  auto sizes = sizes_of(pair, request.set);
  if (!sizes.ok()) return bad_input(sizes.errors());
  pose_also(request.also, *sizes);
  const auto failed = [&](const Diagnostics& errors) {
    return request.deadline.passed() ? unknown(UnknownReason::kTimeOfPosing, request.limit) : bad_input(errors);
  };
  SynthesisTask task{pair.sketch,     pair.spec,    sizes->instances, request.deadline,
                     request.machine, request.jobs, request.groups};
  auto assignments = pose_assignments(task);
  if (!assignments.ok()) return failed(assignments.errors());
  PosedPair posed{std::move(task), std::move(*assignments), {}, 0};
  // Check sizes stay out of the search; their extents guard load().
  for (const Sizes& at : sizes->checks) {
    auto expected = expect(pair.sketch, pair.spec, at, request.deadline, request.groups);
    if (!expected.ok()) return failed(expected.errors());
    posed.at_checks.push_back(std::move(*expected));
  }
  posed.seconds = timer.end(posed_text(pair.sketch, posed.assignments, sizes->instances.size()));
  return posed;
}

std::string search_timeout_text(const PosedPair& posed, const SynthesisRequest& request) {
  const std::string text = unknown_text(UnknownReason::kTimeOfSearch, request.limit);
  const HoleSpace* heaviest = heaviest_hole(posed.assignments);
  if (heaviest == nullptr) return text;
  return text + fmt::format("; the heaviest hole is {}, with {} and 10^{:.1f} settings", heaviest->name,
                            counted(heaviest->points.size(), "point"), raw_space_log10(*heaviest));
}

Searched search(PosedPair& posed, const SynthesisRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kSearch, observer);
  const std::string out_of_time = search_timeout_text(posed, request);  // while the assignments are there
  SolveOptions how;
  how.first_only = request.first_only;
  how.all = request.all;
  how.deadline = request.deadline;
  how.issue_costs = request.machine;
  how.when_found = request.when_found;
  SynthesisSolution found = solve_assignments(posed.task, posed.assignments, how);
  Searched searched{std::move(found.solution), std::move(found.best), 0, {}, 0};
  const Solution& solution = searched.solution;
  searched.raw_space = solution.raw_space + layouts_log10(solution);
  if (solution.unknown == UnknownReason::kTimeOfSearch && !solution.reason.empty())
    searched.solution.reason = out_of_time;
  searched.seconds =
      timer.end(fmt::format("searched {} of 10^{:.1f} parameter settings: {}", counted(solution.nodes, "node"),
                            searched.raw_space, name_of(solution.outcome)));
  return searched;
}

constexpr double kExplanationSeconds = 1.5;

Ending conclude(const PosedPair& posed, const SynthesisRequest& request, Searched& searched) {
  Solution& solution = searched.solution;
  if (request.counts_space) searched.distinct_space = distinct_space_log10(posed.assignments, request.deadline);
  switch (solution.outcome) {
    case Outcome::kFound: return {Ending::Kind::kFound, solution.reason, {}};
    case Outcome::kUnknown: {
      const bool is_late = request.suggests && solution.unknown == UnknownReason::kTimeOfSearch;
      return {Ending::Kind::kUnknown, solution.reason, is_late ? suggested_transformations(posed.task) : Diagnostics{}};
    }
    case Outcome::kInfeasible: break;
  }
  SynthesisSolution explained{std::move(solution), std::move(searched.best)};
  SynthesisTask soon = posed.task;
  soon.deadline = soon.deadline.within(kExplanationSeconds);
  explained.solution.reason = explain_infeasible(soon, posed.assignments, explained);
  solution = std::move(explained.solution);
  searched.best = std::move(explained.best);
  Diagnostics notes = request.suggests ? races_in_the_way(posed.task) : Diagnostics{};
  if (notes.empty() && request.suggests) notes = suggestions(posed.task);
  return {Ending::Kind::kInfeasible, solution.reason, std::move(notes)};
}

}  // namespace swizzle
