// Propagation of requirements: what their points may still be.
#include <algorithm>

#include "synth/propagator.h"

namespace swizzle {

std::optional<Conflict> Propagator::exclude() {
  while (!fixed_.empty()) {
    const PointId p = fixed_.back();
    fixed_.pop_back();
    const auto& by_value = network_.exclusions[p.value];
    for (const Exclusion& other : by_value[static_cast<std::size_t>(domains_.first(p))])
      if (!domains_.strike_out(other.point, other.value)) return Conflict{Goal::npos, other.requirement, {}, 0, 0, Goal::npos, false, {}};
  }
  return std::nullopt;
}

std::optional<Conflict> Propagator::visit_diagram(const Goal& goal) {
  const bool is_told = std::any_of(goal.asked.begin(), goal.asked.end(), [&](PointId p) { return domains_.count(p) <= goal.telling; });
  if (!is_told || walk_.keep_safe(goal.diagram, goal.asked)) return std::nullopt;
  return Conflict{goal.equation, goal.requirement, {}, 0, 0, Goal::npos, false, {}};
}

}  // namespace swizzle
