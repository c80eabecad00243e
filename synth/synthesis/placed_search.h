// Placed search: completions together with the layouts of their tiles, and the wavefronts that holes decide.
//
//   tile[L(r, c)] = …;  y[…] = tile[L(?sw_xform(lane, 32), k)];
//     completions    lane; 31 - lane; …, listed by their cost without those wavefronts that several holes, or layouts,
//                    decide (wavefront_prices.h)
//     each placed    its best layouts (layout_placement.h), until none that is left can be better
//
// With ?sw_layout, compared are wavefronts first, then issue slots, then bytes of shared memory; without it, issue
// slots.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/search/solve.h"

namespace swizzle {

inline constexpr std::size_t kMostPlaced = 512;  // completions that are listed to be placed

// Whether wavefronts depend on holes: there are layouts, or holes decide words of shared memory.
bool is_placed(const Program& sketch, const Problem& problem);

// solve(), for a sketch whose wavefronts depend on holes as for any other.
Solution solve_placed(const Program& sketch, Problem& problem, const SolveOptions& options);

// Of completions of such a sketch without their placement: the best one with it. Nothing, if not all could be placed in
// time.
std::optional<Completion> best_placed(const Program& sketch, Problem& problem, std::vector<Completion> completions,
                                      const SolveOptions& options);

// By what a sketch with layouts (`by_wavefronts`), or any other, is to be minimal.
bool is_better(const Completion& a, const Completion& b, bool by_wavefronts);

}  // namespace swizzle
