// A hole's table by its values alone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

inline HoleTable table(std::vector<std::int16_t> values) {
  HoleTable table;
  table.values = std::move(values);
  return table;
}

}  // namespace swizzle
