// What a hole's grammar has, for tests of grammars: all_of(space, anything(space)) are all of its tables.
#pragma once

#include <cstddef>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

inline Domains anything(const HoleSpace& s) {
  PointTable points;
  for (const auto& arguments : s.arguments) points.intern(s.id, arguments, s.domain);
  return Domains(points);
}

inline Enumeration all_of(const HoleSpace& s, const Domains& domains, int max_ops = kAnyCost,
                          std::size_t limit = 1'000'000) {
  const std::vector<HoleSpace> holes{s};
  return grammars_of(holes)[0]->within(domains, max_ops, limit);
}

}  // namespace swizzle
