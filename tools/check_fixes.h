// `check --suggest` and `check --fix`.
#pragma once

#include <vector>

#include "driver/array_fixes.h"

namespace swizzle {

// With `writes`, the first of each array of which it is known that the kernel computes the same is written into the
// file: `verify` says so, or does not say otherwise where no proof is needed.
std::vector<SuggestedFix> suggested_fixes(const CheckedFile& file, const CheckRequest& request, FixKinds kinds,
                                          bool writes);

}  // namespace swizzle
