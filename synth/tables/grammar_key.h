// What decides the tables of a hole: holes that are alike in all of it have the same grammar over the same points.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

using GrammarKey = std::tuple<HoleKind, bool, bool, int, std::size_t, ArgumentList>;

inline GrammarKey grammar_key(const HoleSpace& space) {
  return {space.kind, space.extra, space.is_xor, space.domain, space.first_argument, space.arguments};
}

}  // namespace swizzle
