// What is left out of a program that is checked: its operands stay, for what they access.
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>

#include <fmt/format.h>

#include "frontend/launch_syntax.h"
#include "frontend/lowering.h"

namespace swizzle {

// A local variable may be changed by who gets it, an array or an object goes as a pointer; anything else is read.
void Lowering::add_operand(Expr& out, const clang::Expr* operand) {
  const clang::Expr* plain = operand->IgnoreParenImpCasts();
  if (llvm::isa<clang::OverloadExpr>(plain) || plain->getType()->isFunctionType()) return;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(plain);
  const auto* variable = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  if (ref != nullptr && variable == nullptr) return;
  const bool is_whole =
      operand->isGLValue() && (operand->getType()->isArrayType() || operand->getType()->isRecordType());
  const bool may_change = variable != nullptr && !variable->isInvalidDecl() && operand->isGLValue() &&
                          !variable->getType().isConstQualified() && variable->hasLocalStorage() &&
                          !is_opaque(variable->getType());
  const ExprId id = expression(may_change || is_whole ? plain : operand);
  const bool is_address = is_whole ? program_.expr(id).kind != ExprKind::kUnknown
                                   : may_change && program_.expr(id).kind == ExprKind::kVariable;
  out.operands.push_back(is_address ? tree_.address_of(id) : id);
}

// A launch by the device: its parent evaluates the arguments, and no more.
ExprId Lowering::device_launch(const LaunchSyntax& launch, SourceRange range) {
  Expr out = program_.expr(tree_.unknown(range));
  if (launch.call != nullptr)
    for (const clang::Expr* argument : launch.call->arguments()) out.operands.push_back(expression(argument));
  return tree_.make(std::move(out));
}

ExprId Lowering::with_operands(ExprId id, const clang::Expr* expr) {
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

// A call of what has a meaning only in a program that is checked; invalid: it is one like in any other.
ExprId Lowering::checked_call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (callee == nullptr || expr->isTypeDependent()) return unknown_call(expr);
  // std::move and std::forward give their argument; clang instantiates no bodies of them.
  if (const unsigned id = callee->getBuiltinID(); id == clang::Builtin::BImove || id == clang::Builtin::BIforward)
    return expression(expr->getArg(0));
  const std::string name = callee->getNameAsString();
  if (!source_.in_user_file(callee->getLocation()))
    if (const ExprId touched = device_call(expr, name); touched.valid()) return touched;
  const bool is_member = llvm::isa<clang::CXXMethodDecl>(callee);
  const bool has_meaning = !is_member && source_.in_prelude(callee->getLocation()) && is_known_function(name);
  return callee->hasBody() || has_meaning ? ExprId{} : unknown_call(expr);
}

ExprId Lowering::unknown_call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (callee != nullptr && !source_.in_prelude(callee->getLocation()))
    source_.error(source_.range_of(expr),
                  fmt::format("'{}' has no body here: it is not followed", callee->getNameAsString()));
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
  assign.operands = {expression(expr->getArg(0)), made};
  return tree_.make(std::move(assign));
}

// A pointer or an object as one of its base class.
ExprId Lowering::base_of(const clang::CastExpr* expr) {
  const clang::Expr* sub = expr->getSubExpr();
  const bool pointer = sub->getType()->isPointerType();
  const clang::CXXRecordDecl* from =
      pointer ? sub->getType()->getPointeeCXXRecordDecl() : sub->getType()->getAsCXXRecordDecl();
  clang::CharUnits offset;
  for (const clang::CXXBaseSpecifier* step : expr->path()) {
    const auto* to = step->getType()->getAsCXXRecordDecl();
    if (from == nullptr || to == nullptr || step->isVirtual() || from->isInvalidDecl())
      return tree_.unknown(source_.range_of(expr));
    offset += context_.getASTRecordLayout(from).getBaseClassOffset(to);
    from = to;
  }
  Expr out = types_.node(ExprKind::kMember, expr);
  if (pointer) out.type = types_.of(expr->getType()->getPointeeType());
  out.member_offset_bytes = static_cast<int>(offset.getQuantity());
  const ExprId object = expression(sub);
  out.operands = {pointer ? tree_.dereference(object) : object};
  const ExprId made = tree_.make(std::move(out));
  return pointer ? tree_.address_of(made) : made;
}

// Addresses are integers, so that casts of pointers are free.
ExprId Lowering::checked_cast(const clang::CastExpr* expr) {
  const clang::Expr* sub = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_FunctionToPointerDecay:
    case clang::CK_BuiltinFnToFnPtr:
    case clang::CK_UserDefinedConversion: return expression(sub);
    case clang::CK_NullToPointer: return tree_.integer(0, types_.of(expr->getType()), source_.range_of(expr));
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase: return base_of(expr);
    case clang::CK_LValueBitCast: {
      const ExprId place = expression(sub);
      return tree_.seen_as(place, types_.of(expr->getType()));
    }
    case clang::CK_Dependent: return tree_.unknown(source_.range_of(expr));
    default: break;
  }
  Expr out = types_.node(ExprKind::kCast, expr);
  out.operands = {expression(sub)};
  return tree_.make(std::move(out));
}

}  // namespace swizzle
