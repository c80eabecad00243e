// Dynamic shared memory that a launch in the file gives, against what its kernel uses.
//
//   f<<<n / 64, 64, 32 * sizeof(float)>>>(x, y, n)     128 bytes; a kernel that uses s[63] needs 256
#pragma once

#include <cstdint>
#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// An error: it gives less. Nothing: it gives enough, or nobody says how much.
std::optional<Diagnostic> lacking_shared_memory(const Program& kernel, const Sizes& sizes, std::int64_t used_bytes);

}  // namespace swizzle
