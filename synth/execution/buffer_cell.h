// A slot of a buffer, and who has stored to it: see cell_access.h.
#pragma once

#include <cstdint>
#include <optional>

#include "synth/base/diagnostic.h"
#include "synth/execution/repetition.h"
#include "synth/provenance/value.h"

namespace swizzle {

// After the launch.
struct Cell {
  Value value;
  Value written = Value::integer(0);  // 1, 0, or what data decide; by other stores than those that holes decide
  Value others = Value::integer(0);   // likewise: some thread but the last writer has written
  std::uint32_t thread = 0;           // the last writer, numbered through the launch
  std::uint32_t block = 0;
  // Of the writes: those of other blocks, and those since a barrier of this one; its barriers before, and the time of
  // the last one (WarpOrder), if all of these are of one thread.
  Value outside = Value::integer(0), since = Value::integer(0);
  std::uint32_t epoch = 0;
  std::optional<std::uint32_t> time = {};
  SourceRange range;                           // the last store
  std::optional<std::size_t> repetition = {};  // of Trace::repetitions
  Steps steps = {};                            // then: of the slot, from each group to the next
};

}  // namespace swizzle
