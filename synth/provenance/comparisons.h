// Comparisons of data: the form that each has, and what is known of them whatever the data are.
//
//   x[1] == x[0]               x[0] == x[1]
//   a < b || a == b            a <= b
//   !p && q || p               p || q
//   max(0, |x|, |y|)           max(|x|, |y|)
#pragma once

#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

// Of what is compared by ==, whether b stands first. Where holes decide about them, threads that compare alike look
// alike.
bool comes_after(const Provenance& provenance, Value a, Value b);

// |x|, which is |-x|: of both, the one that stands first.
Value absolute_value(Provenance& provenance, Scalar s, Value x);

// lhs && rhs, or lhs || rhs, where one of them is known or both compare the same. Nothing: it has no simpler form.
std::optional<Value> joined_conditions(Provenance& provenance, bool is_and, Value lhs, Value rhs);

// |x|, exp(x), sqrt(x) of real numbers.
bool is_never_negative(const Provenance& provenance, NodeId id);

}  // namespace swizzle
