// Where a text in C++ is no code.
#pragma once

#include <string_view>

namespace swizzle {

// The offset just behind the comment, string or character that starts at `at`, or `at` if none does.
std::size_t skip_non_code(std::string_view text, std::size_t at);

}  // namespace swizzle
