// Expressions, each kind of clang's by the function or class that lowers it: private to frontend/.
//
//   a[i].x += 1       Assign(kAdd, Member(Subscript(a, i)), 1)
//
// What adds nothing (parentheses, the replacement of a template's parameter) is left out; what clang knows the value of
// is a literal.
#pragma once

#include "frontend/lower_calls.h"
#include "frontend/lower_casts.h"
#include "frontend/lower_fields.h"
#include "frontend/lower_unknown.h"
#include "frontend/lowering_context.h"

namespace clang {
class ArraySubscriptExpr;
class BinaryOperator;
class DeclRefExpr;
class LambdaExpr;
class BindingDecl;
class CXXNewExpr;
class MemberExpr;
class UnaryOperator;
}  // namespace clang

namespace swizzle {

class ExpressionLowering {
 public:
  ExpressionLowering(const LoweringContext& in, CallLowering& calls, UnknownLowering& unknown)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        scope_(in.scope),
        calls_(calls),
        casts_(in),
        fields_(in),
        unknown_(unknown),
        checks_(in.checks) {}

  ExprId lower(const clang::Expr* expr);

 private:
  ExprId literal(const clang::Expr* expr);   // a number that clang knows; invalid: it is something else
  ExprId of_parts(const clang::Expr* expr);  // objects, arrays, conditionals
  ExprId as_union(ExprId member, const Expr& whole);
  ExprId bound(const clang::BindingDecl* part, SourceRange range);
  ExprId subscript(const clang::ArraySubscriptExpr* expr);
  ExprId reference(const clang::DeclRefExpr* expr);
  std::optional<Builtin> x_of_three(const clang::DeclRefExpr* expr) const;
  ExprId three(Builtin x, Expr out);
  ExprId unary(const clang::UnaryOperator* expr);
  ExprId binary(const clang::BinaryOperator* expr);
  ExprId compared_with_null(const clang::BinaryOperator* expr);  // invalid: it is no comparison of a pointer with null
  ExprId member(const clang::MemberExpr* expr);
  ExprId lambda(const clang::LambdaExpr* expr);
  ExprId placement_new(const clang::CXXNewExpr* expr);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  FunctionScope& scope_;
  CallLowering& calls_;
  CastLowering casts_;
  FieldLowering fields_;
  UnknownLowering& unknown_;
  const bool checks_;
};

}  // namespace swizzle
