// Decided equations: what equations come to where all elements that only decide are the same.
//
//   y[1] = head[1] == 0 ? x[0] + x[1] : x[1]     head[1] only decides
//     where it is 0, y[1] = x[0] + x[1]; where it is 1, y[1] = x[1]
//
// A completion fulfils these, too; and often they are sums, of which is known what must be where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

using NodeSet = std::unordered_set<std::uint32_t>;

// The elements that reach conditions alone, as nodes, and are not ordered among each other. Any numbers would hardly
// ever decide a comparison both ways.
NodeSet deciding_elements(const Problem& problem, const std::vector<std::size_t>& equations);

// Those that are told by form (laws.h).
std::vector<Equation> decided_equations(Problem& problem, const std::vector<std::size_t>& equations,
                                        const NodeSet& deciding);

}  // namespace swizzle
