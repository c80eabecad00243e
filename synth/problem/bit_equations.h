// Bit equations: what `#pragma swizzle bits(x, y)` asks of sketch and spec.
//
//   y[0] of 4 bits: {x[0].1, x[0].0, 0, 0}, and the spec has {x[0].1, x[0].2, 0, 0}
//     told    bit 1 of y[0] is bit 0 of x[0], and the spec says bit 2 of x[0]
#pragma once

#include <string>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// By parameter: the directive names it. Errors: a name that is no parameter, or no array of integers.
Result<std::vector<bool>> buffers_with_bits(const Program& kernel);

// The kernel as if all its arrays were named there; nothing: some are, or others are not of integers.
std::optional<Program> with_bits_followed(const Program& kernel);

// The word without the bits that a value of type s does not have; anything else as it is.
Value trimmed(Provenance& provenance, Scalar s, Value v);

// "y[0] is x[1], and the spec says x[2]"; of words, as above.
std::string difference(const Equation& equation, const Provenance& provenance, const std::vector<std::string>& names);

// Where one side is a word: the lowest bit that no hole decides and that differs from the spec's, in words. Empty:
// none.
std::string differing_bit(const Equation& equation, const Provenance& provenance,
                          const std::vector<std::string>& names);

// Whether what an output needs is out of reach for itself, or because of what other outputs need.
enum class Missing { kAnyway, kBesideOthers };

// "bit 3 of y[5] needs bit 5 of x[3], which no choice of the holes brings there", or "which cannot come there beside
// the others"; bit -1: of the element as a whole.
std::string missing_bit(const Equation& equation, int bit, Missing missing, const Provenance& provenance,
                        const std::vector<std::string>& names);

}  // namespace swizzle
