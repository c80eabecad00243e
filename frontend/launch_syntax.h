// A `<<<…>>>` as clang has it, after rewrite_launches(): private to frontend/.
//
//   ({ $launched(); $kernel(f<32>); $grid(4); $block(256); $shared(64); $argument<0>(x); f<32>(x); })
//   {kernel: f<32>, grid: 4, block: 256, shared: 64, arguments: {x}, call: f<32>(x)}
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
}  // namespace clang

namespace swizzle {

using LaunchArguments = std::vector<const clang::Expr*>;  // in their places

// Null: clang did not understand it.
struct LaunchSyntax {
  const clang::Expr* kernel = nullptr;
  const clang::Expr *grid = nullptr, *block = nullptr;
  const clang::Expr* shared = nullptr;  // bytes of dynamic shared memory; null, too: it is not written
  LaunchArguments arguments;
  const clang::CallExpr* call = nullptr;  // as the kernel gets them
};

// Nothing: another statement.
std::optional<LaunchSyntax> launch_syntax(const clang::Stmt* stmt);

// The name of what is called, in the pattern of a template, too; empty: it has none.
std::string called_name(const clang::CallExpr* call);

// The function, or the template, that an expression names: `f<32>`, `&f<32>`, `(void*)f<32>`; null: none, or several
// kernels, of which `arguments`, if they are told, may go to more than one.
const clang::FunctionDecl* named_function(const clang::Expr* expr, const LaunchArguments* arguments = nullptr);

}  // namespace swizzle
