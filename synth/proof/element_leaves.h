// Leaves that are no elements of buffers: private to the sources of elements.h.
#pragma once

#include "synth/proof/elements.h"

namespace swizzle {

inline constexpr BufferId kSums(kNumbers.value + 1), kPlaceholders(kNumbers.value + 2),
    kRecurrences(kNumbers.value + 3);  // lines of them: kMostLines · which + line
inline constexpr std::size_t kMostLines = 8;

}  // namespace swizzle
