// What a variable of host code is where a launch uses it: private to frontend/.
#pragma once

#include <optional>

#include <clang/AST/Decl.h>

namespace swizzle {

// By the function that it belongs to, or by any. What follows the launch, and no loop leads back from, does not count.
bool may_be_changed(const clang::VarDecl* v, clang::SourceLocation launch);

// Where nothing else than its initializer says what the variable is; null, else.
const clang::Expr* only_value_of(const clang::VarDecl* v, clang::SourceLocation launch);

// `int g; g = (n + 63) / 64;`, `int g = n / 64; if (n % 64) g++;`, `if (g > 256) g = 256;`: the only change of a
// variable, which is in the block of its declaration, behind it and before `use`.
struct OneChange {
  const clang::Expr* value = nullptr;      // that is assigned; null: it is one more than its initializer
  const clang::Expr* condition = nullptr;  // under which it is; null: always
};
std::optional<OneChange> one_change_of(const clang::VarDecl* v, clang::SourceLocation use,
                                       clang::SourceLocation launch);

}  // namespace swizzle
