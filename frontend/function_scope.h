// What the function that is being lowered provides for what is inside of it: private to frontend/.
//
//   const int lane = threadIdx.x % 32;               a lane candidate, in the words of which holes are written
//   for (int k = 0; k < 4; ++k) acc += magic_get(r);   k is a loop variable, `acc += …` the statement
#pragma once

#include <cstddef>
#include <vector>

#include "synth/base/ids.h"

namespace clang {
class FunctionDecl;
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace swizzle {

struct LocalObject {
  const clang::VarDecl* declared = nullptr;
  VariableId id;
};

struct FunctionScope {
  const clang::FunctionDecl* function = nullptr;
  const clang::Stmt* body = nullptr;
  std::vector<const clang::VarDecl*> loop_variables;   // of the `for`s around, outermost first
  std::vector<const clang::VarDecl*> lane_candidates;  // integer locals in scope
  ExprId self;                                         // `this`, if it is a member function
  VariableId constructed;                              // the object, if it is a constructor
  bool returns_reference = false;
  // In a check, objects in scope where whose end something runs, and how many there were where `break` and `continue`
  // go.
  std::vector<LocalObject> objects;
  std::size_t objects_at_break = 0, objects_at_continue = 0;
  // The last expression that is a whole statement, initializes a variable, is the index of a subscript.
  const clang::Expr* statement = nullptr;
  const clang::Expr* initializer = nullptr;
  const clang::Expr* index = nullptr;
};

}  // namespace swizzle
