// What is left out of a program that is checked: a kUnknown, whose operands stay for what they access. Private to
// frontend/.
//
//   f(a[i], &n, tile);      of an f that is not known: unknown(a[i], &n, &tile)
//
// A local variable that f may change goes as its address, so that it is unknown afterwards.
#pragma once

#include "frontend/lowering_context.h"

namespace clang {
class CallExpr;
}

namespace swizzle {

struct LaunchSyntax;

class UnknownLowering {
 public:
  explicit UnknownLowering(const LoweringContext& in)
      : program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes) {}

  // Gives a kUnknown that has none yet the operands of `expr`, which became `id`; others stay as they are.
  ExprId with_operands(ExprId id, const clang::Expr* expr);
  void add_operand(Expr& out, const clang::Expr* operand);
  ExprId call(const clang::CallExpr* expr);
  // A launch by the device: its parent evaluates the arguments, and no more.
  ExprId launch(const LaunchSyntax& launch, SourceRange range);

 private:
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
};

}  // namespace swizzle
