// Values that cannot be together with that of a fixed point.
#include "synth/propagation/propagator.h"

namespace swizzle {

std::optional<Conflict> Propagator::propagate_nogoods() {
  while (!fixed_.empty()) {
    const PointId p = fixed_.back();
    fixed_.pop_back();
    const PointNogoods& nogoods = network_.nogoods[p.value];
    const int value = domains_.first(p);
    const auto failed = [](std::uint32_t requirement) {
      return Conflict{SumConstraint::npos, requirement, {}, 0, 0, SumConstraint::npos, false, {}};
    };
    for (const PointNogoods::Unequal& other : nogoods.unequal)
      if (!domains_.remove_value(other.point, value)) return failed(other.requirement);
    if (nogoods.by_value.empty()) continue;
    for (const PointNogoods::Other& other : nogoods.by_value[static_cast<std::size_t>(value)])
      if (!domains_.remove_value(other.point, other.value)) return failed(other.requirement);
  }
  return std::nullopt;
}

}  // namespace swizzle
