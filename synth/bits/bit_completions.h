// What a search of bits tries next, and whether what it has decided is a completion. Private to synth/bits/.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "synth/problem/problem.h"
#include "synth/program/program.h"
#include "synth/tables/domains.h"

namespace swizzle {

// The values that a point may still take, the likely ones first, and how many these are. Of a constant, those that no
// other point of the hole has, and of many those that move by one bit of an index; of a mask, both.
std::pair<std::vector<int>, std::size_t> likely_values(const Program& sketch, const Problem& problem,
                                                       const Domains& domains, PointId point);

struct WrongEquations {
  std::vector<std::size_t> equations;
  bool is_known = true;  // false: one of them has a bit that is not in normal form
};
WrongEquations wrong_equations(Problem& problem, const std::vector<std::size_t>& equations,
                               const Assignment& assignment);

}  // namespace swizzle
