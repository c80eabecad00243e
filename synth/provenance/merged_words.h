// Merged words: the bits of one word where a mask is 1, those of another where it is 0.
//
//   (a & k) | (b & ~k)      each bit of k chooses between a's and b's; likewise with ^ in place of |
//   b ^ ((a ^ b) & k)       the same: a delta swap
//   k = m << D, D in {0, 1}, bit 1:     D (0: m1 (0: b.1, 1: a.1), 1: m0 (0: b.1, 1: a.1))
//
// Followed one by one, its four operations make as many diagrams as large as k's; here it is one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "synth/provenance/provenance.h"

namespace swizzle {

inline constexpr std::uint32_t kDeferredMerge = 1'300'000;  // of k, a and b

// The merge that a | b, or a ^ b, of deferred words is, of words that are defined whatever the holes are.
std::optional<Value> as_merge(Provenance& provenance, std::uint32_t code, Scalar s, std::span<const Value> operands);

// One bit of a merge.
Value bit_of_merge(Provenance& provenance, const Children& operands, std::size_t position);

}  // namespace swizzle
