#include "synth/search/necessary_issues.h"

#include <algorithm>

#include "synth/search/needed_elements.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostWork = 20'000'000;  // nodes, for all issues together

}  // namespace

NecessaryIssues::NecessaryIssues(Problem& problem, const std::vector<std::size_t>& equations,
                                 const GuardedIssues& issues)
    : issues_(issues),
      of_hole_(problem.holes.size()),
      cost_(problem.holes.size(), 0) {
  if (problem.guarded.empty() || problem.guarded.size() * problem.provenance.size() > kMostWork) return;
  const NeededElements needed(problem, equations);
  for (std::size_t h = 0; h < of_hole_.size(); ++h)
    for (std::uint32_t number : issues.alone(h)) {
      const auto allows = [&](PointId p, std::size_t value) {
        return problem.points[p].hole.value != h || !issues.issues(number, h, p, value);
      };
      if (needed.may_be_met(allows)) continue;
      of_hole_[h].push_back(number);
      cost_[h] += issues.cost(number);
    }
}

bool NecessaryIssues::are_issued(std::size_t hole, const HoleTable& table) const {
  return std::ranges::all_of(of_hole_[hole],
                             [&](std::uint32_t number) { return issues_.is_issued(number, hole, table.values); });
}

}  // namespace swizzle
