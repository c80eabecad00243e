// The Clang that parses: "19.1.7".
#pragma once

#include <string>

namespace swizzle {

std::string clang_version();

}  // namespace swizzle
