#include "frontend/lower_casts.h"

#include <utility>

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <fmt/format.h>

#include "frontend/narrow_storage.h"

namespace swizzle {
namespace {

bool is_symbol_use(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  return e.kind == ExprKind::kVariable && !program.variable(e.variable).symbol.empty();
}

}  // namespace

ExprId CastLowering::lower(const clang::CastExpr* expr) { return checks_ ? checked(expr) : in_sketch(expr); }

ExprId CastLowering::in_sketch(const clang::CastExpr* expr) {
  const clang::Expr* sub = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case clang::CK_NoOp: return written(expr, nodes_.expression(sub));
    case clang::CK_LValueToRValue:
    case clang::CK_ConstructorConversion:
    case clang::CK_FunctionToPointerDecay: return nodes_.expression(sub);
    case clang::CK_UserDefinedConversion: return nodes_.expression(sub);
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_PointerToBoolean:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_ArrayToPointerDecay:
    case clang::CK_ToVoid: break;
    case clang::CK_BitCast:
      if (is_pointer_cast(expr)) break;
      return unsupported(expr);
    case clang::CK_LValueBitCast: return seen_as(expr);
    default: return source_.unsupported(expr, fmt::format("this conversion ({})", expr->getCastKindName()));
  }
  Expr out = types_.node(ExprKind::kCast, expr);
  const auto* unwritten = llvm::dyn_cast<clang::ImplicitCastExpr>(expr);
  out.implicit =
      unwritten != nullptr && !unwritten->isPartOfExplicitCast() && source_.in_user_file(expr->getBeginLoc());
  out.operands = {nodes_.expression(sub)};
  if (expr->getCastKind() == clang::CK_ArrayToPointerDecay && is_symbol_use(program_, out.operands[0]))
    return out.operands[0];
  return widens_mask(out.operands[0], out.type) ? out.operands[0] : tree_.make(std::move(out));
}

// Of `(int)x` clang converts x alone, and the parentheses add nothing: the conversion is the whole of it.
ExprId CastLowering::written(const clang::CastExpr* expr, ExprId converted) {
  const auto* inner = llvm::dyn_cast<clang::ImplicitCastExpr>(expr->getSubExpr());
  if (inner != nullptr && inner->isPartOfExplicitCast() && program_.expr(converted).kind == ExprKind::kCast)
    program_.exprs[converted.value].range = source_.range_of(expr);
  return converted;
}

ExprId CastLowering::unsupported(const clang::CastExpr* expr) {
  const TypeId from = types_.of(expr->getSubExpr()->getType()), to = types_.of(expr->getType());
  return source_.unsupported(
      expr, fmt::format("a cast from '{}' to '{}'", program_.type(from).spelling, program_.type(to).spelling));
}

// Between pointers to what may be seen as each other, or to void.
bool CastLowering::is_pointer_cast(const clang::CastExpr* expr) {
  const Type from = program_.type(types_.of(expr->getSubExpr()->getType())),
             to = program_.type(types_.of(expr->getType()));
  if (from.form != Type::Form::kPointer || to.form != Type::Form::kPointer) return false;
  return tree_.may_be_seen_as(from.element, to.element) || program_.type(to.element).form == Type::Form::kVoid ||
         looks_inside(program_.type(from.element), program_.type(to.element));
}

// An lvalue as one of another type.
ExprId CastLowering::seen_as(const clang::CastExpr* expr) {
  const TypeId from = types_.of(expr->getSubExpr()->getType()), to = types_.of(expr->getType());
  if (!tree_.may_be_seen_as(from, to) && !looks_inside(program_.type(from), program_.type(to)))
    return unsupported(expr);
  return tree_.seen_as(nodes_.expression(expr->getSubExpr()), to);
}

// Whether the value is a mask that is now of 64 bits: a mask is as wide as what it meets.
bool CastLowering::widens_mask(ExprId value, TypeId wanted_type) {
  Expr& hole = program_.exprs[value.value];
  if (hole.kind != ExprKind::kHole || !program_.hole(hole.hole).traits().is_mask()) return false;
  const Type& wanted = program_.type(wanted_type);
  if (wanted.form != Type::Form::kScalar || is_real(wanted.scalar) || bit_width(wanted.scalar) != 64) return false;
  program_.holes[hole.hole.value].bits = 64;
  hole.type = wanted_type;
  return true;
}

// Addresses are integers, so that casts of pointers are free.
ExprId CastLowering::checked(const clang::CastExpr* expr) {
  const clang::Expr* sub = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_FunctionToPointerDecay:
    case clang::CK_BuiltinFnToFnPtr:
    case clang::CK_UserDefinedConversion: return nodes_.expression(sub);
    case clang::CK_NullToPointer: return tree_.integer(0, types_.of(expr->getType()), source_.range_of(expr));
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase: return base_of(expr);
    case clang::CK_LValueBitCast: {
      const ExprId place = nodes_.expression(sub);
      return tree_.seen_as(place, types_.of(expr->getType()));
    }
    case clang::CK_Dependent: return tree_.unknown(source_.range_of(expr));
    default: break;
  }
  Expr out = types_.node(ExprKind::kCast, expr);
  out.operands = {nodes_.expression(sub)};
  return tree_.make(std::move(out));
}

// A pointer or an object as one of its base class.
ExprId CastLowering::base_of(const clang::CastExpr* expr) {
  const clang::Expr* sub = expr->getSubExpr();
  const bool pointer = sub->getType()->isPointerType();
  const clang::CXXRecordDecl* from =
      pointer ? sub->getType()->getPointeeCXXRecordDecl() : sub->getType()->getAsCXXRecordDecl();
  clang::CharUnits offset;
  for (const clang::CXXBaseSpecifier* step : expr->path()) {
    const auto* to = step->getType()->getAsCXXRecordDecl();
    if (from == nullptr || to == nullptr || step->isVirtual() || from->isInvalidDecl())
      return tree_.unknown(source_.range_of(expr));
    offset += ast_.getASTRecordLayout(from).getBaseClassOffset(to);
    from = to;
  }
  Expr out = types_.node(ExprKind::kMember, expr);
  if (pointer) out.type = types_.of(expr->getType()->getPointeeType());
  out.member_offset_bytes = static_cast<int>(offset.getQuantity());
  const ExprId object = nodes_.expression(sub);
  out.operands = {pointer ? tree_.dereference(object) : object};
  const ExprId made = tree_.make(std::move(out));
  return pointer ? tree_.address_of(made) : made;
}

}  // namespace swizzle
