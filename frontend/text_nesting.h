// What Clang's preprocessor would recurse over until it overruns the stack: private to frontend/.
//
//   #if ((((1))))          a level for each `(`, and likewise for `!`, `~`, `-`, `+` and `?`
//   #define P - - - - -    the same, where a condition has P
//   ID(ID(ID(1)))          several levels for each `(`, where ID is a macro
//
// It shows no one the words that it reads meanwhile, as the parser's are shown to NestingGuard: so the text is looked
// at beforehand.
#pragma once

#include <optional>

#include "synth/base/diagnostic.h"

namespace swizzle {

// An error at what is too much. No parser of Clang's reads as many parentheses anyway.
std::optional<Diagnostic> nested_too_deeply(const SourceText& source);

}  // namespace swizzle
