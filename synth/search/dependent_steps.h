// DependentSteps: whether a Problem is better tried on numbers, step by step, than followed back from its outputs.
//
//   v += shuffle(v, P); v += shuffle(v, Q)     what Q chooses among was computed from what P chose
//   v = shuffle(shuffle(shuffle(x, P), Q), R)  32 · 32 · 32 ways lead to a lane: more than P has settings
//
#pragma once

#include <cstddef>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// Some value that is chosen is computed from what others choose.
bool has_dependent_steps(const Problem& problem, const std::vector<std::size_t>& equations);

// Values that only go from place to place, and may go in more ways than any hole has settings: to follow the ways, as
// propagation does, is more work than to try the tables.
bool has_more_ways_than_tables(const Problem& problem, const std::vector<std::size_t>& equations);

}  // namespace swizzle
