// The launches in a file's host code: private to frontend/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "frontend/launch_in_file.h"

namespace swizzle {

// `kernel<<<grid, block>>>(…)`, which Clang is given as a comma: the call of the kernel, and of `$launch`. Both have
// callees that are known.
struct LaunchCall {
  const clang::CallExpr *kernel = nullptr, *shape = nullptr;
};
std::optional<LaunchCall> launch_call(const clang::Stmt* s);

// By kernel (canonical declarations): its first launch. Ranges are offsets into the text that clang was given.
std::map<const clang::Decl*, LaunchInFile> launches_in(clang::ASTContext& context);

// The integer that an expression of host code is, if constants and the initializers of variables tell.
std::optional<std::int64_t> host_integer(const clang::Expr* expr, clang::ASTContext& context, int depth = 0);

}  // namespace swizzle
