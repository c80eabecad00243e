// Arms: what a value is where a condition on data holds, and where it fails; in whichever form the choice is kept.
// Private to synth/provenance/.
//
//   q + [c] · p          q + p, q
//   max(a, c ? b : d)    max(a, b), max(a, d)
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

inline bool is_order(Ring ring) { return ring == Ring::kMin || ring == Ring::kMax; }

struct Arms {
  Value if_true, if_false;
};
// Nothing: the value is no such choice.
std::optional<Arms> arms_of(Provenance& provenance, Value v, Value condition);

// Of v = q + [c] · p + [c] · [d] · r: c, d. Nothing: there are more than so many.
std::vector<Value> conditions_of(const Provenance& provenance, Value v, std::size_t most);
// The one that most terms have.
std::optional<Value> commonest_condition(const Provenance& provenance, Value v);
// The condition of v = q + [c] · p, if there is one alone.
std::optional<Value> only_condition(const Provenance& provenance, Value v);
// One of the conditions of v = q + [c] · p + [c] · [d] · r, if there are few.
std::optional<Value> first_condition(const Provenance& provenance, Value v);

// What v, an arm of a choice, is where the condition holds, or fails: q + [c] · p there is q + p, or q.
Value under_condition(Provenance& provenance, Value v, Value condition, bool holds);

// v as a value of type s, where a sum has integers without a sign.
Value as_of_type(Scalar s, Value v);

}  // namespace swizzle
