// What holes that permute their index imply: at two indices they never have the same value.
//
//   tile[row * 8 + ?sw_xor(lane, 8, row)] = …      no two lanes of a row meet, whatever the hole is
#pragma once

#include "synth/problem/problem.h"

namespace swizzle {

// The two points are of one hole that permutes its index (a ?sw_xor, say) for any value of the others, and differ in
// that one alone.
bool never_equal(const Problem& problem, PointId p, PointId q);

// Takes out the requirements, or the parts of them, that two such points be different. After collect_holes().
void drop_fulfilled(Problem& problem);

}  // namespace swizzle
