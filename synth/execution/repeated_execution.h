// Execution by groups that stand for others: private to this room.
//
//   y[i] = x[i] + x[i + 1], i < n = 100, 4 blocks of 32 threads
//     blocks 0 … 3 at once: i < n is true of some and false of others, and turns at block 3
//     blocks 0 … 2 at once: block 0 is executed, and is a Repetition of 3
//     block 3: executed by itself
//
// What may part groups is an integer that is worked out for all of them (strides.h): a condition, an address, a bound.
// Groups are warps where nothing in the program is shared, otherwise blocks; of a sequential program, the iterations of
// its outermost loops.
#pragma once

#include <optional>

#include "synth/execution/execute.h"

namespace swizzle {

// Nothing: it does not repeat itself, or that is not known, or it has an error; it is to be executed as a whole.
std::optional<Trace> execute_repeatedly(const Program& program, const Execution& execution, Provenance& provenance,
                                        PointTable& points);

// Sums of what all warps issue become averages per warp.
void take_averages(Trace& trace, const LaunchShape& shape);

}  // namespace swizzle
