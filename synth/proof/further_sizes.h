// further_sizes: sizes that were not given, and that a kernel which fits the given ones by chance is likely to fail at.
//
//   grid(n / 64) block(64), known n = 64, 256             128, 192, 320, 448, …: the next, an odd one, primes of blocks
//   grid((n + 63) / 64) block(64), known n = 100          1, 101, 163, 200, 32, 65, 127, 201, …
//
// Of several parameters one after the other varies around each known size, then all of them together.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/proof/admissible_sizes.h"

namespace swizzle {

// Admissible sizes that are not among the known ones, of launches of few and of many threads in turn, with `threads` in
// total at most.
// Units: threads of a launch.
std::vector<Sizes> further_sizes(const AdmissibleSizes& admissible, const Program& kernel,
                                 const std::vector<Sizes>& known, std::int64_t threads);

// Sizes at which a launch has no more blocks, whatever else they are, or all of its blocks are whole: with one size at
// a time, all others being as small as they may be.
std::vector<Sizes> sizes_at_caps(const AdmissibleSizes& admissible, const Program& kernel, const Sizes& known);

// Sizes that are just above a number which the kernel names, or than its arrays are long: `s[c & 1023]`. Likewise one
// size at a time; those of small numbers first.
std::vector<Sizes> sizes_above_numbers(const AdmissibleSizes& admissible, const Program& kernel, const Sizes& known);

// The threads of a launch at a size; none, where there is no such launch.
std::int64_t threads_at(const Program& kernel, const Sizes& sizes);

}  // namespace swizzle
