// Lowers a node of clang's tree, whatever it is: what the parts of lowering ask for what is inside of their own nodes.
// Private to frontend/.
//
//   Accumulators see accumulate(o, {f(a), b}, c) and ask for expression(f(a)): they know nothing of calls.
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/base/ids.h"

namespace clang {
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace swizzle {

class NodeLowering {
 public:
  virtual ExprId expression(const clang::Expr* expr) = 0;
  virtual StmtId statement(const clang::Stmt* stmt) = 0;  // null: an empty one
  // Lowered once, or, of the prelude, for each use.
  virtual FunctionId function(const clang::FunctionDecl* decl) = 0;
  // `declaration` is the whole statement; empty: it declares other variables, too, or this is a use.
  virtual VariableId variable(const clang::VarDecl* decl, SourceRange declaration) = 0;

 protected:
  ~NodeLowering() = default;
};

}  // namespace swizzle
