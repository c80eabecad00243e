// `check --suggest` and `check --fix`.
#pragma once

#include <vector>

#include "driver/check.h"

namespace swizzle {

// With `writes`, those of which it is known that the kernel computes the same are written into the file: `verify` says
// so, or, of an array of rows, does not say otherwise.
std::vector<SuggestedFix> suggested_fixes(const CheckedFile& file, const CheckRequest& request, bool writes);

}  // namespace swizzle
