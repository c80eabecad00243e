// Clashing outputs: a few outputs that no completion serves together, where no reason of a search tells more.
//
//   if (?sw_cond(t, d)) v = w;  of a prefix sum, where v += w was meant
//     no completion makes y[1], written by thread 1, what the spec stores
//   v += w; with a spec that leaves x[3] out
//     no completion makes y[2] and y[4], written by threads 2 and 4, what the spec stores
#pragma once

#include <optional>
#include <string>

#include "synth/base/deadline.h"
#include "synth/problem/problem.h"

namespace swizzle {

// Of a problem without completions; nothing: more than a few have to be looked at together, or time is short.
std::optional<std::string> clashing_outputs(Problem& problem, const Deadline& deadline);

}  // namespace swizzle
