// Tables by their value at one point, so that what refutes the value refutes them all.
//
//   tables   0 1 2 3   1 2 3 0   2 3 0 1   2 2 2 2   3 3 3 3
//   divided at position 0:   {0 1 2 3}   {1 2 3 0}   {2 3 0 1, 2 2 2 2}   {3 3 3 3}
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

struct TableGroups {
  std::size_t position = 0;                           // in HoleSpace::points
  std::vector<std::vector<const HoleTable*>> groups;  // in the order of their first tables
};

// At a position where the tables, two or more that are not all the same, differ. Of the positions with enough values,
// one of the largest weight.
TableGroups divide(const std::vector<const HoleTable*>& tables,
                   const std::function<std::size_t(std::size_t position)>& weight);

}  // namespace swizzle
