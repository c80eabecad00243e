// PosedAssignments: what the ?sw_const holes of a sketch may be, and the sketch that each choice leaves.
//
//   auto rc = load(x, base + ?sw_const(-1, 1), 1, ?sw_const(1, 3));
//     assignments   (0, 1), (0, 2), (-1, 1), (-1, 2)
//     specialized  auto rc = load(x, base + 0, 1, 1);   and so on: to be posed and searched each by itself
//
// Other holes are functions of their arguments and are searched by tables; an integer that decides how often a loop
// runs, how many registers there are or what is fetched from where changes the equations themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

using ConstantAssignment = std::vector<std::int64_t>;  // by HoleId; only those of ?sw_const and ?sw_choose count

// Of a ?sw_const that stays open: the search decides it by its points, among bits.
inline constexpr std::int64_t kOpenConstant = INT64_MIN;

inline constexpr std::size_t kMostConstantAssignments = 4096;

// All of them: small values first. One, if there is no ?sw_const. Of ?sw_choose, the number of the argument. What asks
// with k… stays open, and every ?sw_const of `open`. Error: more than kMostConstantAssignments.
Result<std::vector<ConstantAssignment>> constant_assignments(const Program& sketch, const std::set<HoleId>& open = {});

// Every ?sw_const at its least value.
ConstantAssignment least_constants(const Program& sketch);

// The sketch with integers in place of ?sw_const; ids and holes stay. Error: an array size that is not in [1, 65536].
Result<Program> specialize(const Program& sketch, const ConstantAssignment& assignment);

// What literals, ?sw_const and `const` variables made of them give; nothing if anything else has a say.
std::optional<std::int64_t> constant_value(const Program& program, ExprId id,
                                           const ConstantAssignment& assignment = {});

// "?sw_const at 7:20 = 2 and at 9:31 = -1"; empty if there is none.
std::string describe(const ConstantAssignment& assignment, const Program& sketch);
// "?sw_const and ?sw_choose": the holes that assignments are of.
std::string kinds_of_constants(const Program& sketch);

}  // namespace swizzle
