// Propagation of requirements: what their points may still be.
#include <algorithm>

#include "synth/propagation/propagator.h"

namespace swizzle {

std::optional<Conflict> Propagator::exclude() {
  while (!fixed_.empty()) {
    const PointId p = fixed_.back();
    fixed_.pop_back();
    const Exclusions& exclusions = network_.exclusions[p.value];
    const int value = domains_.first(p);
    const auto failed = [](std::uint32_t requirement) { return Conflict{Goal::npos, requirement, {}, 0, 0, Goal::npos, false, {}}; };
    for (const Exclusions::Unequal& other : exclusions.unequal)
      if (!domains_.strike_out(other.point, value)) return failed(other.requirement);
    if (exclusions.by_value.empty()) continue;
    for (const Exclusions::Other& other : exclusions.by_value[static_cast<std::size_t>(value)])
      if (!domains_.strike_out(other.point, other.value)) return failed(other.requirement);
  }
  return std::nullopt;
}

std::optional<Conflict> Propagator::visit_diagram(const Goal& goal) {
  const bool is_told = std::any_of(goal.asked.begin(), goal.asked.end(), [&](PointId p) { return domains_.count(p) <= goal.telling; });
  if (!is_told || walk_.keep_safe(goal.diagram, goal.asked)) return std::nullopt;
  return Conflict{goal.equation, goal.requirement, {}, 0, 0, Goal::npos, false, {}};
}

}  // namespace swizzle
