// Divisions by powers of two, as what else gives the same digits: private to synth/provenance/.
//
//   x / 4.0f   x * 0.25f
//   u / 8      u >> 3           of unsigned words, and of sums of bytes that are never negative
//   u % 8      u & 7            likewise
#pragma once

#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

bool is_power_of_2(double d);  // whose reciprocal is a number; also of what is less than 0, or than 1

// What kDiv or kRem makes of data; nothing: another operation, or a function like any other.
std::optional<Value> divided_by_power_of_2(Provenance& p, Operator op, Scalar s, Value dividend, Value divisor);

}  // namespace swizzle
