#include "frontend/lower_unknown.h"

#include <utility>

#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

#include "frontend/launch_syntax.h"

namespace swizzle {

// A local variable may be changed by who gets it, an array or an object goes as a pointer; anything else is read.
void UnknownLowering::add_operand(Expr& out, const clang::Expr* operand) {
  const clang::Expr* plain = operand->IgnoreParenImpCasts();
  if (operand->getType().isNull() || plain->getType().isNull()) return;  // a list in parentheses
  if (llvm::isa<clang::OverloadExpr>(plain) || plain->getType()->isFunctionType()) return;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(plain);
  const auto* variable = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  if (ref != nullptr && variable == nullptr) return;
  const bool is_whole =
      operand->isGLValue() && (operand->getType()->isArrayType() || operand->getType()->isRecordType());
  const bool may_change = variable != nullptr && !variable->isInvalidDecl() && operand->isGLValue() &&
                          !variable->getType().isConstQualified() && variable->hasLocalStorage() &&
                          !is_opaque(variable->getType());
  const ExprId id = nodes_.expression(may_change || is_whole ? plain : operand);
  const bool is_address = is_whole ? program_.expr(id).kind != ExprKind::kUnknown
                                   : may_change && program_.expr(id).kind == ExprKind::kVariable;
  out.operands.push_back(is_address ? tree_.address_of(id) : id);
}

ExprId UnknownLowering::launch(const LaunchSyntax& launch, SourceRange range) {
  Expr out = program_.expr(tree_.unknown(range));
  if (launch.call != nullptr)
    for (const clang::Expr* argument : launch.call->arguments()) out.operands.push_back(nodes_.expression(argument));
  return tree_.make(std::move(out));
}

ExprId UnknownLowering::with_operands(ExprId id, const clang::Expr* expr) {
  if (program_.expr(id).kind != ExprKind::kUnknown || !program_.expr(id).operands.empty()) return id;
  Expr out = program_.expr(id);
  if (!is_opaque(expr->getType())) out.type = types_.of(expr->getType());
  const bool has_parts = !llvm::isa<clang::LambdaExpr, clang::DeclRefExpr, clang::CallExpr, clang::StmtExpr>(expr);
  for (const clang::Stmt* child : expr->children()) {
    const auto* operand = llvm::dyn_cast_or_null<clang::Expr>(child);
    if (has_parts && operand != nullptr) add_operand(out, operand);
  }
  program_.exprs[id.value] = std::move(out);
  return id;
}

ExprId UnknownLowering::call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (callee != nullptr && !source_.in_prelude(callee->getLocation()))
    source_.error(source_.range_of(expr), fmt::format("'{}' {}: it is not followed", callee->getNameAsString(),
                                                      method != nullptr && method->isVirtual()
                                                          ? "is virtual, and which one is called is not known"
                                                          : "has no body here"));
  if (callee == nullptr && !expr->containsErrors())
    source_.error(source_.range_of(expr), "a call through a pointer is not followed");
  Expr out = program_.expr(tree_.unknown(source_.range_of(expr)));
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
    add_operand(out, member->getImplicitObjectArgument());
  for (const clang::Expr* argument : expr->arguments()) add_operand(out, argument);
  if (!is_opaque(expr->getType())) out.type = types_.of(expr->getType());
  const ExprId made = tree_.make(std::move(out));
  const auto* assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  if (assignment == nullptr || !assignment->isAssignmentOp() || is_opaque(expr->getType()) ||
      is_opaque(expr->getArg(0)->getType()))
    return made;
  Expr assign = types_.node(ExprKind::kAssign, expr);
  assign.type = types_.of(expr->getArg(0)->getType());
  program_.exprs[made.value].type = assign.type;
  assign.operands = {nodes_.expression(expr->getArg(0)), made};
  return tree_.make(std::move(assign));
}

}  // namespace swizzle
