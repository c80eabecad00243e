// Elements at indices that data decide, of buffers that nothing stores to: private to this room.
//
//   y[t] = w[id[i] * d + t]        one leaf for the element of w at d · id[i] + t, whatever id[i] is
//
// Kernel and spec read the same element where the index is the same sum. It is bounded by what its parts may be
// (`#pragma swizzle range id(0, n)`, bytes, `& 15`): both ends are inside of the buffer.
#pragma once

#include "synth/proof/elements.h"
#include "synth/proof/size_region.h"

namespace swizzle {

// As directives say, of the kernel's buffers.
IndexRanges ranges_of(const Program& kernel, const SizeRegion& region);

}  // namespace swizzle
