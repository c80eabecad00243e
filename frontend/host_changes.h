// What host code may change: private to frontend/.
//
//   b.x = n; ++t; fill(&a); this->rows = 3;      b, t, a, and the class whose method it is
#pragma once

#include <set>
#include <vector>

namespace clang {
class Decl;
class Expr;
class Stmt;
}  // namespace clang

namespace swizzle {

// Variables that `s` may change: assigned, incremented, bound to a reference, with their address taken.
std::set<const clang::Decl*> changed_in(const clang::Stmt* s);

// The statements and expressions that may, each by itself.
std::vector<const clang::Stmt*> changes_of(const clang::Decl* variable, const clang::Stmt* s);

struct HostChanges {
  std::set<const clang::Decl*> all;
  std::set<const clang::Decl*> filled;  // in no other way than by functions that are not here: scanf("%d", &n)
};
HostChanges changes_in(const clang::Stmt* s);

// The class whose object `this` points to, if that is what `e` says; null: it says something else.
const clang::Decl* class_of_this(const clang::Expr* e);

}  // namespace swizzle
