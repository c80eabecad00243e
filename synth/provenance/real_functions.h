// Functions of real numbers, as an input is computed by them that tells two values apart.
//
//   exp(2.5) = 12.18…            floor(2.999): nothing, rounding would decide
//   2.5 and 2.5001               are not seen to be apart
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "synth/program/intrinsics.h"

namespace swizzle {

inline constexpr double kRealTolerance = 1e-2;  // what rounding may make of different orders of computing
inline constexpr double kNoise = 1e-6;          // of the same order, in doubles: what is more has a reason

// Relative to the greater one, beyond 1.
bool are_apart(double a, double b, double tolerance = kRealTolerance);

// Of those that grow throughout, and tell what reaches them; of others besides; nothing: there is no value, or none
// that is certain.
std::optional<double> growing_function(Intrinsic kind, double x);
std::optional<double> other_function(Intrinsic kind, double x);
// Of all that are computed here, also of two operands; fast ones are what they approximate. No number: none is certain.
std::optional<double> real_function(Intrinsic kind, std::span<const double> operands);

// isnan, isinf, isfinite, signbit. Nothing: it is another one, or the sign is not certain.
bool is_real_predicate(Intrinsic kind);
std::optional<bool> real_predicate(Intrinsic kind, double x);

}  // namespace swizzle
