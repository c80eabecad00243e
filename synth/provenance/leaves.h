// Leaves: two choice trees become one, whose leaves are functions of theirs. Private to synth/provenance/.
//
//   P ? 1 : 2   and   Q ? 3 : 4   under +     P ? (Q ? 4 : 5) : (Q ? 5 : 6)
#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

inline constexpr std::size_t kAnyPairs = std::numeric_limits<std::size_t>::max();

// Nothing, if it takes more pairs of nodes than these.
std::optional<Value> applied_to_leaves(Provenance& p, Value a, Value b, const std::function<Value(Value, Value)>& f,
                                       std::size_t most_pairs = kAnyPairs);

}  // namespace swizzle
