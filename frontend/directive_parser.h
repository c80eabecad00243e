// The `#pragma swizzle` lines of a file: see synth/directives.h for the language.
#pragma once

#include "synth/directives.h"

namespace swizzle {

Result<Directives> parse_directives(const SourceText& source);

}  // namespace swizzle
