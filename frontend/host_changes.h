// What host code may change: private to frontend/.
//
//   b.x = n; ++t; fill(&a); this->rows = 3;      b, t, a, and the class whose method it is
#pragma once

#include <set>
#include <vector>

namespace clang {
class CXXRecordDecl;
class Decl;
class DeclRefExpr;
class Expr;
class QualType;
class Stmt;
class VarDecl;
}  // namespace clang

namespace swizzle {

// The variable that is named, as its first declaration; of a structured binding, what it takes apart; null: no
// variable.
const clang::Decl* variable_named(const clang::DeclRefExpr* e);

// Variables that `s` may change: assigned, incremented, bound to a reference, with their address taken, or changed by a
// lambda that `s` names.
std::set<const clang::Decl*> changed_in(const clang::Stmt* s);

// Whether it writes where a pointer leads, or a call: to variables whose address was taken.
bool writes_through_pointers(const clang::Stmt* s);

// All variables that it names, and the class whose object `this` points to.
std::set<const clang::Decl*> named_in(const clang::Stmt* s);

// Of those that a lambda has by reference, what its body may change.
std::set<const clang::Decl*> changed_by(const clang::CXXRecordDecl* lambda);
// The class of a lambda, by value or by reference; null: another type.
const clang::CXXRecordDecl* lambda_class(clang::QualType type);

// The statements and expressions that may, each by itself.
std::vector<const clang::Stmt*> changes_of(const clang::Decl* declared, const clang::Stmt* s);

// A body, as it is asked about often.
struct HostBody {
  struct Made {
    const clang::VarDecl* variable = nullptr;
    std::set<const clang::Decl*> of;  // named where it is initialized
  };
  std::set<const clang::Decl*> changed;  // in it
  std::vector<Made> declared;            // in order
};
HostBody survey(const clang::Stmt* body);

struct HostChanges {
  std::set<const clang::Decl*> all;
  std::set<const clang::Decl*> filled;  // in no other way than by functions that are not here: scanf("%d", &n)
};
HostChanges changes_in(const clang::Stmt* s);

// Whether what ends with a variable of this type may write where pointers lead: to variables whose address was taken.
bool writes_at_its_end(clang::QualType type);

// Whether a copy of an object is another one than the object: by a constructor that somebody wrote.
bool has_own_copies(clang::QualType type);

// The class whose object `this` points to, if that is what `e` says; null: it says something else.
const clang::Decl* class_of_this(const clang::Expr* e);

}  // namespace swizzle
