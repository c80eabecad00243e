// Residues: the numbers that trials compute with (trial_graph.h). Real numbers are residues modulo the prime
// 2^61 - 1, integers are words, as long as the machine's.
//
//   0.5 · 4 = 2     the residue of 0.5 is the inverse of that of 2
//   -3 < 2          in order of the residues around 0
//
// Private to synth/trials/.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "synth/base/hashes.h"
#include "synth/program/operators.h"

namespace swizzle {

inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

inline std::uint64_t added(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

inline std::uint64_t multiplied(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  const auto low = static_cast<std::uint64_t>(product) & kPrime, high = static_cast<std::uint64_t>(product >> 61);
  return added(low, high);
}

inline std::int64_t centered(std::uint64_t a) {
  return a > kPrime / 2 ? static_cast<std::int64_t>(a) - static_cast<std::int64_t>(kPrime)
                        : static_cast<std::int64_t>(a);
}

inline std::uint64_t residue_of(std::int64_t integer) {
  const auto modulus = static_cast<std::int64_t>(kPrime);
  const std::int64_t rest = integer % modulus;
  return static_cast<std::uint64_t>(rest < 0 ? rest + modulus : rest);
}

// Nothing: it is no number.
std::optional<std::uint64_t> residue_of(double real);

// Numbers that only stand among others in order: -infinity, -FLT_MAX, 1e30. They are told apart by their first 28
// digits.
inline bool is_extreme(double real) { return std::abs(real) >= 0x1p52; }

// Beyond nearly all residues of other numbers, in order around 0. No sum or product may be made of it.
std::uint64_t residue_of_extreme(double real);

// Whether an operation is compared by its operands alone: it has no evaluation, or rounds.
bool is_hashed(std::uint32_t code, Scalar s);

// An opaque function of integers, by its code (provenance.h); of what has no evaluation, a hash.
std::uint64_t value_of_function(std::uint32_t code, Scalar s, std::span<const std::uint64_t> operands);

}  // namespace swizzle
