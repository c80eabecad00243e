// Tables: what a hole may be, point by point, and the cheapest expression of each possibility.
//
// A hole's candidates are counted by distinct table, not by parameters. Given the values that are allowed at each of
// its points, enumerate_tables() yields every table of the hole's grammar that stays within them:
//
//   ?sw_part(2, lane, k) on 4 lanes, k < 2, where only (3, 1) must be 1 and the others 0:
//     lane, k   (0,0) (1,0) (2,0) (3,0) (0,1) (1,1) (2,1) (3,1)
//     table       0     0     0     0     0     0     0     1        "lane + k < 4 ? 0 : 1"     cost 3
//
// Transformation swizzles (DESIGN section 1; Swizzle Inventor section 5.3) are sums of parts. With a group g dividing
// n, i' = i mod g, a fan c whose conflict period d divides g with (g / d) | c, and R(k) = Σ_j c_j·k_j + ⌊k_j / d_j⌋:
//   plain     g·⌊i/g⌋ + (c·i' + ⌊i'/d⌋ + R(k) + c0) mod g
//   wrapped   g·⌊i/g⌋ + (c·i' + (⌊i'/d⌋ + R(k) + c0) mod (g/d)) mod g
// For each (g, c, d) the allowed rotations are an intersection of rotated bit masks over i; R and c0 follow.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <vector>

#include "synth/index_expr.h"
#include "synth/points.h"
#include "synth/program.h"

namespace swizzle {

inline constexpr int kMaxDomain = 1024;
using ValueSet = std::bitset<kMaxDomain>;

struct HoleTable {
  std::vector<std::int16_t> values;  // by position in HoleSpace::points
  IndexExpr expression;              // over the hole's argument positions, as in Hole::arguments
  int integer_ops = 0;
};

// One hole with its points.
struct HoleSpace {
  HoleId id;
  HoleKind kind = HoleKind::kXform;
  int domain = 0;
  std::vector<PointId> points;
  std::vector<std::vector<std::int64_t>> arguments;  // by point: kXform: i, k…; kPart, kCond: v…
  std::size_t first_argument = 0;  // position in Hole::arguments of the first `v` or `k`; kXform: i is at 0
};

struct Enumeration {
  std::vector<HoleTable> tables;  // distinct, by non-decreasing integer_ops
  bool complete = true;           // false: `limit` cut it short
};

Enumeration enumerate_tables(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit);

// log10 of the number of parameter settings of the hole's grammar, as Swizzle Inventor counts them.
double raw_space_log10(const HoleSpace& space);

// Behind enumerate_tables, one source file each.
Enumeration enumerate_xform(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit);
Enumeration enumerate_part(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit);
Enumeration enumerate_cond(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit);
// Sorts by cost and keeps the cheapest of each table.
void keep_distinct(Enumeration& enumeration);

}  // namespace swizzle
