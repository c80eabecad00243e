// Readable constants: of completions that cost the same, the one whose constants are the hole's own argument.
//
//   for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, ?sw_const(1, 32, d));
//
// adds up the warp with d, and with d == 1 ? 16 : d == 2 ? 8 : … as well.
#pragma once

#include <functional>
#include <vector>

#include "synth/bounds/table_costs.h"
#include "synth/problem/problem.h"

namespace swizzle {

// `tables` is a completion, and `assignment` what it is at each point. Another one takes its place where it holds, too.
void prefer_arguments(const Problem& problem, const TableCosts& costs, std::vector<HoleTable>& tables,
                      Assignment& assignment, const std::function<bool(const Assignment&)>& holds);

}  // namespace swizzle
