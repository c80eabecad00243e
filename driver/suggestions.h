// Suggestions: what a sketch without a completion could have instead, tried one after the other for half a second.
// Only what was tried, and has a completion, is told:
//
//   y[t] = x[?sw_xform(t, 32)];   against y[i] = x[i ^ 5]
//     ?sw_xform_extra(t, 32)   none      ?sw_xor(t, 32)   found: "with ?sw_xor(t, 32) here there is a completion"
//
// Tried are: wider holes; XOR swizzles; transformations where partitions stand; one more argument, of the integers that
// are declared above the hole; any expression of a hole's arguments; multiples of an argument of a partition; one more
// register of a load(). What is told are those changes that it takes.
#pragma once

#include <optional>

#include "synth/base/diagnostic.h"
#include "synth/program/program.h"
#include "synth/synthesis/constant_search.h"

namespace swizzle {

// Notes, where the sketch would change; none, if nothing that was tried helps. Until the task's deadline at most.
Diagnostics suggestions(const SynthesisTask& task, double seconds = 1.5);

// Those with transformations where partitions stand, which have many more tables: for a search that its time ended.
Diagnostics suggested_transformations(const SynthesisTask& task, double seconds = 1.5);

// The sketch in which as few holes as it takes may be any expression of the same arguments, if that has a completion.
std::optional<Program> widened(const SynthesisTask& task);

}  // namespace swizzle
