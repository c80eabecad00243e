// Doubles: real numbers as some input gives them, in a TrialGraph that is to refute.
//
//   rsqrt(q) of residues is a hash of q: what differs there may be the same function of the input after all
//   of doubles it is 1 / sqrt(q): where an output differs by more than rounding makes of it, that input refutes
//
// Each number knows how far it may be from the real one; where a function jumps within that, it is not known. Where
// there is none, as of 1 / 0, there is none of what is added to it, or multiplied: no output that is a number is that.
//
// Private to synth/trials/.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "synth/program/operators.h"

namespace swizzle {

struct Approximate {
  double value = 0, error = 0;  // the real number is within `error` of the value

  static Approximate none() { return {std::numeric_limits<double>::quiet_NaN(), 0}; }
  bool is_none() const { return std::isnan(value); }
  bool is_known() const { return is_none() || (std::isfinite(value) && std::isfinite(error)); }

  friend Approximate operator+(Approximate a, Approximate b);
  friend Approximate operator*(Approximate a, Approximate b);
};

// Further apart than both may be off, or a number and none.
bool are_apart(Approximate a, Approximate b);

// Of few digits: sums and products of a few are exact. Of inputs by turns up to 8, up to 1/2, whose squares are less
// than themselves, and up to 1/2 and positive.
inline double any_double(std::uint64_t random, std::uint64_t input = 0) {
  const double any = static_cast<double>(random % 4096) / 256 - 8;
  return input % 3 == 0 ? any : (input % 3 == 1 ? any : std::abs(any)) / 16;
}

// The same of what differs by rounding alone, mostly.
inline std::uint64_t leading_bits(std::uint64_t bits) { return (bits + (1 << 11)) >> 12; }

// Whether an opaque operation of real numbers, by its code (provenance.h), has values here; and which. Of a comparison
// it is 1 or 0.
bool has_doubles(std::uint32_t code, Scalar s, std::size_t operands);
std::optional<Approximate> function_on_doubles(std::uint32_t code, std::span<const Approximate> operands);

}  // namespace swizzle
