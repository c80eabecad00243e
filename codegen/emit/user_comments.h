// Comments of the user's that would be read as directives, which are comments in what is emitted.
//
//   // swizzle launch grid(n / 32)        // - swizzle launch grid(n / 32)
//   // swizzle-ignore: once a launch      stays, for `check`
#pragma once

#include <vector>

#include "synth/base/source_edits.h"
#include "synth/program/program.h"

namespace swizzle {

// What tells them apart. directives: where the program's own stand, which may be comments as well.
std::vector<SourceEdit> told_apart(const SourceText& source, const std::vector<SourceRange>& directives);

}  // namespace swizzle
