// Loops that leave out their first elements, as loops over all of them: so that the blocks which share an interior out
// have the same elements as those that share all.
//
//   for (int i = 1; i < n - 1; i++) f(i);        for (int i = 0; i < n - 1; i++) if (i >= 1) f(i);
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Of loops whose end is no constant. Nothing: there is none.
std::optional<Program> with_loops_from_zero(const Program& program);

}  // namespace swizzle
