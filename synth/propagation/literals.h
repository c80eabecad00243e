// Literals, a point with one of its values or with any but one, under the domains of a search node.
//
//   P0 may be 1 or 2:   holds(P0, 1)   holds(P0, ~1), as it may be 2   not holds(P0, 3)
#pragma once

#include "synth/tables/domains.h"

namespace swizzle {

// The point still allows the value, or (negative) any but ~value.
inline bool holds(PointId point, int value, const Domains& domains) {
  return value >= 0 ? domains.allows(point, value) : domains.count(point) > 1 || !domains.allows(point, ~value);
}

// So does every point of the path (or guard).
template <typename Steps>
bool holds(const Steps& path, const Domains& domains) {
  for (const auto& [point, value] : path)
    if (!holds(point, value, domains)) return false;
  return true;
}

}  // namespace swizzle
