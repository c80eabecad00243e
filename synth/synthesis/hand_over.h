// Hand-over: where a search ends unknown, Z3 gets what it left open, and the rest of the time.
//
//   two shuffles by ?sw_linear(lane, 32, k) each, 10^10 maps, none of which propagation excludes:
//     holes with few tables left are a choice among these; linear maps are their bits at a basis of the points; of
//     other holes the values are free, and a model whose values no expression has is refuted by the fewest points that
//     none of them goes with
//   a model is a completion if it is one by form; without one, there is no completion
//
// The outputs are told to Z3 as the oracle tells them (synth/oracle).
#pragma once

#include <functional>

#include "synth/problem/problem.h"
#include "synth/program/program.h"
#include "synth/search/solve.h"

namespace swizzle {

// Z3 is asked after a short turn of the search, if little is to be told, and with what is left of the time in the end.
// Not if there are layouts, words that are followed bit by bit, or several completions are asked for.
Solution search_or_hand_over(const Program& sketch, Problem& problem, const SolveOptions& options,
                             const std::function<Solution(const SolveOptions&)>& search);

}  // namespace swizzle
