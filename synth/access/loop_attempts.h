// What came of attempts to multiply a loop (loop_jump.h): private to this room.
#pragma once

#include <cstdint>

namespace swizzle {

struct RoundTape;

struct LoopAttempts {
  int in_vain = 0;          // at rounds that are not alike, or too few
  int too_short = 0;        // that ended without a word, since one that was of use
  std::int64_t copied = 0;  // cells of shared memory, for those
};

}  // namespace swizzle
