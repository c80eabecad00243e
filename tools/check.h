// `swizzle-synth check KERNEL.cu`: bank conflicts and coalescing of kernels as they are.
#pragma once

#include "tools/options.h"

namespace swizzle {

// The whole command; returns the exit code.
int check(const CheckOptions& options);

}  // namespace swizzle
