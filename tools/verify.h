// `swizzle-synth verify`: whether a kernel without holes equals its spec.
#pragma once

#include "tools/options.h"

namespace swizzle {

// The whole command; returns the exit code, which is 3 for a kernel that is refuted.
int verify(const Options& options);

}  // namespace swizzle
