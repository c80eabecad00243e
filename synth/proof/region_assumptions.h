// What assumptions make of a region: private to this room.
//
//   n >= 3                n = 64 · (b + s + 1) holds it everywhere
//   pitch >= w            pitch = w + p
#pragma once

#include <optional>

#include "synth/proof/size_region.h"

namespace swizzle {

// Where to split the region so that assumptions like n >= 3 hold throughout, or do not hold anywhere, which it says.
std::optional<Split> split_by_assumptions(const Program& kernel, const SizeRegion& region, bool& is_assumed_away);

// Without the sizes that assumptions like n <= 512 leave out, as far as one side of a split is left, at the number of
// tiles of a size that the launch does not know; and with sizes that are at least others told by these.
SizeRegion narrowed_by_assumptions(const Program& kernel, SizeRegion whole);

}  // namespace swizzle
