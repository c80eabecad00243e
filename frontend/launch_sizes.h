// The launches of a kernel in the host code around it, over the kernel's own parameters: private to frontend/.
//
//   const int count = 1 << 12;
//   const dim3 block(64);
//   copy<<<(count + 63) / 64, block>>>(x, y, count);        of `copy(const float* x, float* y, int n)`:
//                                          launch grid((n + 63) / 64) block(64), instance n = 4096
#pragma once

#include <optional>
#include <vector>

#include <clang/AST/Decl.h>

#include "frontend/source_rewrite.h"
#include "synth/base/diagnostic.h"
#include "synth/program/directives.h"

namespace swizzle {

// Adds to `directives` what they leave open: the shape, and a size for each launch where there is no `instance`.
// Nothing is added where the file has no launch of the kernel. Errors: launches of different shapes, or one whose shape
// is made of what the kernel is not given.
Result<std::monostate> add_launches(const clang::FunctionDecl* kernel, const SourceText& source,
                                    const RewrittenSource& rewritten, Directives& directives);

}  // namespace swizzle
