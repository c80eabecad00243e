// Output groups: holes that fewer outputs ask for come first.
//
//   if (shuffle(key, P) < key) { key = shuffle(key, P); value = shuffle(value, Q); }
//
// The keys say what P is, whatever Q is: all steps of P, then those of Q. Private to synth/trials/.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// By hole: the place of the first buffer that asks for it, where buffers that fewer holes decide come first.
std::vector<std::uint32_t> groups_of_holes(const Problem& problem, const std::vector<std::size_t>& equations);

}  // namespace swizzle
