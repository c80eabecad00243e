#include "frontend/clang_version.h"

#include <clang/Basic/Version.h>

namespace swizzle {

std::string clang_version() { return CLANG_VERSION_STRING; }

}  // namespace swizzle
