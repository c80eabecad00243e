// Mirror images: completions that differ only in how the sketch's symmetries are broken.
//
//   for (int k = 0; k < 3; k++) out += __shfl_sync(m, x[t], ?sw_xform(t, 4, k));
//     #1  (t + k) & 3        #2  (t - k + 2) & 3      what #1 fetches at k, #2 fetches at 2 - k: a mirror image of #1
//
// Two completions are mirror images if the tables of one become those of the other by
//   - giving a loop variable's values other numbers, the same in every hole that it is an argument of (k reversed,
//   say);
//   - handing tables round among holes that are asked with the same arguments (the operands of a product);
//   - both; or renumbering a variable together with the values of one hole, as when registers between two steps are
//     renamed: what is written under j is then read under the new number of j.
// Variables of several loops are renumbered by reversal, a single one in any way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/program/program.h"
#include "synth/search/solve.h"
#include "synth/tables/tables.h"

namespace swizzle {

// By hole: the loop variable at each position of HoleSpace::arguments, by name, or nothing.
std::vector<std::vector<std::string>> loop_variables(const Program& sketch);

// By completion: the first one that it is a mirror image of. variables: as of loop_variables(); threads keep their
// numbers.
std::vector<std::optional<std::size_t>> mirror_images(const std::vector<HoleSpace>& holes,
                                                      const std::vector<std::vector<std::string>>& variables,
                                                      const std::vector<Completion>& completions);

}  // namespace swizzle
