// Stores: what a store to a buffer must be, where holes have a say in it.
//
//   y[?sw_xform(t, 4)] = x[t] on 4 lanes, spec y[i] = x[3 - i]
//     thread 0 stores x[0], and the spec has x[0] in y[3] alone: its point may only be 3
//
// A slot that several threads store to must get the same from all of them, so that the last one, which the slot's
// equation looks at, stands for all. A thread may overwrite what it stored itself, as long as nobody else stores there.
#pragma once

#include "synth/problem/problem.h"

namespace swizzle {

// Takes in the stores of one instance whose equations the problem has: those that holes decide, and those that may meet
// them. Adds the requirements that each goes where the spec stores, and where it stores that.
void pose_stores(const Trace& sketch, const Trace& spec, std::size_t instance, Problem& problem);

// The points that Problem::stores ask.
std::vector<PointId> points_of_stores(const Problem& problem);

// With every point assigned: no two threads store different values to a slot.
bool stores_agree(Problem& problem, const Assignment& assignment);

// And no requirement is violated.
bool keeps_requirements(Problem& problem, const Assignment& assignment);

}  // namespace swizzle
