// Which functions a kernel reaches, and what else a CUDA file has: host code, other kernels.
#pragma once

#include <vector>

#include <clang/AST/Decl.h>

namespace swizzle {

// Definitions: `entry` and what it calls, directly or not.
std::vector<const clang::FunctionDecl*> functions_reached(const clang::FunctionDecl* entry);

// The outermost declarations of the main file that a program of `reached` alone does without: functions that are none
// of them, and what clang did not understand.
std::vector<const clang::Decl*> declarations_besides(const clang::ASTContext& context,
                                                     const std::vector<const clang::FunctionDecl*>& reached);

}  // namespace swizzle
