// Where a text in C++ is no code.
#pragma once

#include <string>

namespace swizzle {

// The offset just behind the comment, string or character that starts at `at`, or `at` if none does.
std::size_t skip_non_code(const std::string& text, std::size_t at);

}  // namespace swizzle
