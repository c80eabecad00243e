// Guards that may hold together, as guards of which no two do: private to synth/.
//
//   P ? a·b : 0  ^  Q ? a·b : 0   adds a·b where P = 1 and Q = 0, and where P = 0 and Q = 1
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "synth/network/element_constraint.h"
#include "synth/provenance/value.h"

namespace swizzle {

// What is added, where all steps of its guard hold.
struct GuardedCoefficient {
  Guard guard;
  Value coefficient;
};

// Some point has one value in the one, and another in the other.
bool exclude_each_other(const Guard& a, const Guard& b);

// The same sum of what is added, and nothing where that is 0. Nothing: it asks too many points, or some of other than
// two values.
std::optional<std::vector<GuardedCoefficient>> exclusive(const std::vector<GuardedCoefficient>& added,
                                                         const std::function<int(PointId)>& domain,
                                                         const std::function<Value(Value, Value)>& sum);

}  // namespace swizzle
