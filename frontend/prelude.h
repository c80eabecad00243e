// The CUDA that sketches see: declarations parsed before the user's file in place of the toolkit's headers.
#pragma once

#include <string>
#include <vector>

namespace swizzle {

std::string prelude_text();

// Headers that a sketch or spec may include; they add nothing to the prelude.
const std::vector<std::string>& accepted_headers();

}  // namespace swizzle
