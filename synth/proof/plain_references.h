// References that are read alone, as values: what is looked at by its address may be changed, for all that loops know.
//
//   int clamp(const int& x, const int& most) { … }      int clamp(int x, int most) { … }
//   const int& left = x - 1;                            int left = x - 1;
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Parameters of functions that change nothing but what is their own, and names of temporaries. Nothing: there are none.
std::optional<Program> with_plain_references(const Program& program);

}  // namespace swizzle
