// Polynomials of indicators (indicators.h): sums of products of conditions, each of which is 1 or 0.
//
//   [p] + [q] - [p] · [q]      0 or 1, whatever the data are: p || q
//   [p] + [q]                  0, 1 or 2
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

// A coefficient of a sum of type s, as a number with a sign.
double signed_number(Scalar s, Value coefficient);

// 1 where a condition holds, which holes may choose, and 0 elsewhere.
bool is_condition_value(const Provenance& provenance, Value v);

// The terms of a sum of type s of products of such values, in normal form. Nothing: something else is in it, or more
// than `most` terms.
std::optional<std::vector<Term>> indicator_polynomial(const Provenance& provenance, Scalar s, Value v,
                                                      std::size_t most = 64);

// 0 or 1, whatever its indicators are. It takes steps, of which there are some hundreds: false also beyond them.
bool is_truth_polynomial(Scalar s, const std::vector<Term>& polynomial);

}  // namespace swizzle
