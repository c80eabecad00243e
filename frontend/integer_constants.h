// The integer constants of the user's file, for its directives.
//
//   constexpr int kRows = 8;   const unsigned kTile = 4 * kRows;      {"kRows": 8, "kTile": 32}
//
// Variables outside of functions and namespaces, `const` or `constexpr`, with a value that is known. What a kernel's
// parameter is named like is none: in a directive, that name is the parameter.
#pragma once

#include "synth/program/directives.h"

namespace clang {
class ASTContext;
}

namespace swizzle {

Sizes integer_constants(const clang::ASTContext& context);

}  // namespace swizzle
