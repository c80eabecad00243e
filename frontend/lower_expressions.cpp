#include "frontend/lower_expressions.h"

#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

#include "frontend/launch_syntax.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

// What an expression that adds nothing stands for; null: it adds something.
const clang::Expr* stands_for(const clang::Expr* expr) {
  if (const auto* e = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) return e->getSubExpr();
  if (const auto* e = llvm::dyn_cast<clang::ParenExpr>(expr)) return e->getSubExpr();
  if (const auto* e = llvm::dyn_cast<clang::FullExpr>(expr)) return e->getSubExpr();
  if (const auto* e = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr)) return e->getReplacement();
  if (const auto* e = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return e->getExpr();
  if (const auto* e = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) return e->getExpr();
  if (const auto* e = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr)) return e->getSubExpr();
  if (const auto* e = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr)) return e->getInitializer();  // (int2){a, b}
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr);
  return list != nullptr && list->isTransparent() ? list->getInit(0) : nullptr;
}

}  // namespace

ExprId ExpressionLowering::lower(const clang::Expr* expr) {
  if (checks_ && llvm::isa<clang::RecoveryExpr, clang::OverloadExpr, clang::LambdaExpr, clang::StringLiteral,
                           clang::PredefinedExpr>(expr))
    return tree_.unknown(source_.range_of(expr));
  if (const auto launch = checks_ ? launch_syntax(expr) : std::nullopt)
    return unknown_.launch(*launch, source_.range_of(expr));
  if (const clang::Expr* other = stands_for(expr)) return nodes_.expression(other);
  if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    if (const auto* part = llvm::dyn_cast<clang::BindingDecl>(e->getDecl())) return bound(part, source_.range_of(e));
  if (const ExprId number = literal(expr); number.valid()) return number;
  if (llvm::isa<clang::CXXThisExpr>(expr) && scope_.self.valid()) return scope_.self;
  if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(expr)) return reference(e);
  if (const auto* e = llvm::dyn_cast<clang::CastExpr>(expr)) return casts_.lower(e);
  if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(expr)) return unary(e);
  if (const auto* e = llvm::dyn_cast<clang::BinaryOperator>(expr)) return binary(e);
  if (const auto* e = llvm::dyn_cast<clang::MemberExpr>(expr)) return member(e);
  if (const auto* e = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) return calls_.construct(e);
  if (const auto* e = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr)) return calls_.operator_call(e);
  if (const auto* e = llvm::dyn_cast<clang::CallExpr>(expr)) return calls_.call(e);
  if (const auto* e = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) return subscript(e);
  return of_parts(expr);
}

ExprId ExpressionLowering::of_parts(const clang::Expr* expr) {
  Expr out = types_.node(ExprKind::kConstruct, expr);
  if (const auto* e = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr)) {
    out.operands = {nodes_.expression(e->getSubExpr())};
    return tree_.make(std::move(out));
  }
  if (const auto* e = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    out.kind = ExprKind::kConditional;
    out.operands = {nodes_.expression(e->getCond()), nodes_.expression(e->getTrueExpr()),
                    nodes_.expression(e->getFalseExpr())};
    return tree_.make(std::move(out));
  }
  if (const auto* e = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    out.operands = fields_.values(e);
    if (!expr->getType()->isAggregateType() && out.operands.size() == 1) return out.operands[0];
    if (!checks_ && expr->getType()->isUnionType() && !out.operands.empty()) return as_union(out.operands[0], out);
    return tree_.make(std::move(out));
  }
  if (llvm::isa<clang::ImplicitValueInitExpr>(expr) || llvm::isa<clang::CXXScalarValueInitExpr>(expr))
    return tree_.make(std::move(out));
  if (const auto* e = llvm::dyn_cast<clang::CXXNewExpr>(expr); e != nullptr && checks_) return placement_new(e);
  if (llvm::isa<clang::StringLiteral>(expr)) return source_.unsupported(expr, "a string");
  if (const auto* e = llvm::dyn_cast<clang::LambdaExpr>(expr)) return lambda(e);
  return source_.unsupported(expr, fmt::format("this expression ({})", expr->getStmtClassName()));
}

// `new (p) T(v)` is `(*(T*)p = v, (T*)p)`.
ExprId ExpressionLowering::placement_new(const clang::CXXNewExpr* expr) {
  const clang::Expr* value = expr->getInitializer() != nullptr ? expr->getInitializer() : expr->getConstructExpr();
  if (expr->isArray() || expr->getNumPlacementArgs() != 1 || value == nullptr)
    return source_.unsupported(expr, "this new");
  const auto place = [&] {
    Expr out = types_.node(ExprKind::kCast, expr);
    out.operands = {nodes_.expression(expr->getPlacementArg(0)->IgnoreParenImpCasts())};
    return tree_.make(std::move(out));
  };
  const SourceRange range = source_.range_of(expr);
  return tree_.both(tree_.assigned(tree_.dereference(place()), nodes_.expression(value), range), place(), range);
}

// A member's value as the union's, of which it must be all.
ExprId ExpressionLowering::as_union(ExprId member, const Expr& whole) {
  if (program_.type(program_.expr(member).type).size_bytes == program_.type(whole.type).size_bytes)
    return tree_.seen_as(member, whole.type);
  source_.error(whole.range, "this sets a part of a union, which is not supported; set its widest member");
  return tree_.make(whole);
}

ExprId ExpressionLowering::literal(const clang::Expr* expr) {
  const auto number = [&](std::int64_t value) {
    return tree_.integer(value, types_.of(expr->getType()), source_.range_of(expr));
  };
  const auto real = [&](double value) {
    Expr out = types_.node(ExprKind::kRealLiteral, expr);
    out.real_value = value;
    return tree_.make(std::move(out));
  };
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(expr) && checks_) return number(0);
  if (const auto* e = llvm::dyn_cast<clang::IntegerLiteral>(expr))
    return number(wrap(program_.type(types_.of(expr->getType())).scalar,
                       static_cast<std::int64_t>(e->getValue().getZExtValue())));
  if (const auto* e = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(expr)) return number(e->getValue());
  if (const auto* e = llvm::dyn_cast<clang::CharacterLiteral>(expr)) return number(e->getValue());
  if (const auto* e = llvm::dyn_cast<clang::FloatingLiteral>(expr)) return real(e->getValueAsApproximateDouble());
  clang::Expr::EvalResult known;
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::SizeOfPackExpr>(expr) &&
      expr->EvaluateAsInt(known, ast_))
    return number(known.Val.getInt().getExtValue());
  if (const auto* e = llvm::dyn_cast<clang::CallExpr>(expr);  // __builtin_inff()
      e != nullptr && e->getBuiltinCallee() != 0 && e->getNumArgs() == 0 && e->getType()->isRealFloatingType() &&
      e->EvaluateAsRValue(known, ast_) && known.Val.isFloat())
    return real(known.Val.getFloat().convertToDouble());
  return {};
}

// Of `auto [a, b] = pair;`: a is a member or an element of what has no name, or what get<0>() gave of it.
ExprId ExpressionLowering::bound(const clang::BindingDecl* part, SourceRange range) {
  if (part->getBinding() == nullptr) return tree_.unknown(range);
  const ExprId id = nodes_.expression(part->getBinding());
  program_.exprs[id.value].range = range;
  return id;
}

ExprId ExpressionLowering::subscript(const clang::ArraySubscriptExpr* expr) {
  Expr out = types_.node(ExprKind::kSubscript, expr);
  const clang::Expr *of = expr->getBase(), *index = expr->getIdx();
  // Of an index that clang does not understand it takes the other one for the index.
  if (of == expr->getRHS() && (index->getType()->isArrayType() || index->getType()->isPointerType()) &&
      of->isTypeDependent())
    std::swap(of, index);
  const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(of);
  const bool array = decay != nullptr && decay->getCastKind() == clang::CK_ArrayToPointerDecay;
  out.operands = {nodes_.expression(array ? decay->getSubExpr() : of)};
  scope_.index = index->IgnoreParenImpCasts();
  out.operands.push_back(nodes_.expression(index));
  return tree_.make(std::move(out));
}

ExprId ExpressionLowering::reference(const clang::DeclRefExpr* expr) {
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(expr->getDecl()))
    return tree_.integer(constant->getInitVal().getExtValue(), types_.of(expr->getType()), source_.range_of(expr));
  const auto* decl = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
  if (checks_ && (decl == nullptr || decl->isInvalidDecl())) return tree_.unknown(source_.range_of(expr));
  if (decl == nullptr)
    return source_.unsupported(expr, fmt::format("'{}' as a value", expr->getDecl()->getNameAsString()));
  Expr out = types_.node(ExprKind::kVariable, expr);
  if (!source_.in_user_file(decl->getLocation()) && decl->getName() == "warpSize") {
    out.kind = ExprKind::kBuiltin;
    out.builtin = Builtin::kWarpSize;
    return tree_.make(std::move(out));
  }
  if (const auto x = x_of_three(expr)) return three(*x, std::move(out));
  // A constant that needs no storage.
  clang::Expr::EvalResult known;
  if (checks_ && expr->isValueDependent()) return tree_.unknown(out.range);
  if (decl->getType().isConstQualified() && decl->getType()->isIntegerType() && decl->getAnyInitializer() != nullptr &&
      expr->EvaluateAsInt(known, ast_) && !known.HasSideEffects)
    return tree_.integer(known.Val.getInt().getExtValue(), out.type, out.range);
  out.variable = nodes_.variable(decl, {});
  if (!program_.variable(out.variable).symbol.empty()) out.type = program_.variable(out.variable).type;
  return tree_.make(std::move(out));
}

// threadIdx.x of threadIdx.
std::optional<Builtin> ExpressionLowering::x_of_three(const clang::DeclRefExpr* expr) const {
  if (source_.in_user_file(expr->getDecl()->getLocation())) return std::nullopt;
  constexpr std::array kNames{"threadIdx", "blockIdx", "blockDim", "gridDim"};
  const auto found = std::ranges::find(kNames, expr->getDecl()->getNameAsString());
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Builtin>(3 * (found - kNames.begin()));
}

// threadIdx as a whole.
ExprId ExpressionLowering::three(Builtin x, Expr out) {
  out.kind = ExprKind::kConstruct;
  for (int i = 0; i < 3; ++i) {
    Expr part;
    part.kind = ExprKind::kBuiltin;
    part.builtin = static_cast<Builtin>(static_cast<int>(x) + i);
    part.range = out.range;
    part.type = types_.of(ast_.UnsignedIntTy);
    out.operands.push_back(tree_.make(std::move(part)));
  }
  return tree_.make(std::move(out));
}

ExprId ExpressionLowering::unary(const clang::UnaryOperator* expr) {
  Expr out = types_.node(ExprKind::kUnary, expr);
  out.operands = {nodes_.expression(expr->getSubExpr())};
  switch (expr->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension: return out.operands[0];
    case clang::UO_Minus: out.op = Operator::kNegate; break;
    case clang::UO_Not: out.op = Operator::kBitNot; break;
    case clang::UO_LNot: out.op = Operator::kLogicalNot; break;
    case clang::UO_Deref: out.kind = ExprKind::kDereference; break;
    case clang::UO_AddrOf: out.kind = ExprKind::kAddressOf; break;
    case clang::UO_PreInc:
    case clang::UO_PostInc:
    case clang::UO_PreDec:
    case clang::UO_PostDec:
      out.kind = ExprKind::kIncDec;
      out.op = expr->isIncrementOp() ? Operator::kAdd : Operator::kSub;
      out.prefix = expr->isPrefix();
      break;
    default: return source_.unsupported(expr, "this operator");
  }
  return tree_.make(std::move(out));
}

// p != nullptr: pointers lead somewhere.
ExprId ExpressionLowering::compared_with_null(const clang::BinaryOperator* expr) {
  const auto is_null = [&](const clang::Expr* e) {
    return e->isNullPointerConstant(ast_, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
  };
  const bool has_pointers = expr->getLHS()->getType()->isPointerType() || expr->getRHS()->getType()->isPointerType();
  if (checks_ || !expr->isEqualityOp() || !has_pointers || is_null(expr->getLHS()) == is_null(expr->getRHS()))
    return {};
  return tree_.integer(expr->getOpcode() == clang::BO_NE, types_.of(expr->getType()), source_.range_of(expr));
}

ExprId ExpressionLowering::binary(const clang::BinaryOperator* expr) {
  if (const ExprId known = compared_with_null(expr); known.valid()) return known;
  Expr out = types_.node(ExprKind::kBinary, expr);
  const ExprId lhs = nodes_.expression(expr->getLHS());
  out.operands = {lhs, nodes_.expression(expr->getRHS())};
  clang::BinaryOperatorKind code = expr->getOpcode();
  if (code == clang::BO_Comma) out.kind = ExprKind::kComma;
  if (expr->isAssignmentOp()) out.kind = ExprKind::kAssign;
  if (code == clang::BO_Comma || code == clang::BO_Assign) return tree_.make(std::move(out));
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expr)) {
    out.compound = true;
    out.computation = types_.of(compound->getComputationResultType());
    code = clang::BinaryOperator::getOpForCompoundAssignment(code);
  }
  switch (code) {
    case clang::BO_Add: out.op = Operator::kAdd; break;
    case clang::BO_Sub: out.op = Operator::kSub; break;
    case clang::BO_Mul: out.op = Operator::kMul; break;
    case clang::BO_Div: out.op = Operator::kDiv; break;
    case clang::BO_Rem: out.op = Operator::kRem; break;
    case clang::BO_Shl: out.op = Operator::kShl; break;
    case clang::BO_Shr: out.op = Operator::kShr; break;
    case clang::BO_And: out.op = Operator::kAnd; break;
    case clang::BO_Or: out.op = Operator::kOr; break;
    case clang::BO_Xor: out.op = Operator::kXor; break;
    case clang::BO_LT: out.op = Operator::kLt; break;
    case clang::BO_LE: out.op = Operator::kLe; break;
    case clang::BO_GT: out.op = Operator::kGt; break;
    case clang::BO_GE: out.op = Operator::kGe; break;
    case clang::BO_EQ: out.op = Operator::kEq; break;
    case clang::BO_NE: out.op = Operator::kNe; break;
    case clang::BO_LAnd: out.op = Operator::kLogicalAnd; break;
    case clang::BO_LOr: out.op = Operator::kLogicalOr; break;
    default: return source_.unsupported(expr, "this operator");
  }
  return tree_.make(std::move(out));
}

ExprId ExpressionLowering::member(const clang::MemberExpr* expr) {
  if (const auto* shared = llvm::dyn_cast<clang::VarDecl>(expr->getMemberDecl()))
    return tree_.variable_use(nodes_.variable(shared, {}), source_.range_of(expr));
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  if (field == nullptr || field->isInvalidDecl() || field->getParent()->isInvalidDecl())
    return source_.unsupported(expr, "this member");
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->getBase()->IgnoreParenImpCasts());
  Expr out = types_.node(ExprKind::kMember, expr);
  if (const auto x = ref != nullptr ? x_of_three(ref) : std::nullopt) {
    out.kind = ExprKind::kBuiltin;
    out.builtin = static_cast<Builtin>(static_cast<int>(*x) + (field->getName()[0] - 'x'));
    return tree_.make(std::move(out));
  }
  out.member_slot = types_.field_slot(field);
  if (checks_) out.member_offset_bytes = types_.offset_bytes(field);
  out.operands = {nodes_.expression(expr->getBase())};
  if (expr->isArrow()) out.operands = {tree_.dereference(out.operands[0])};
  if (!checks_ && field->getParent()->isUnion()) {
    const ExprId seen = tree_.seen_as(out.operands[0], out.type);
    program_.exprs[seen.value].range = out.range;
    return seen;
  }
  return fields_.use(field, std::move(out));
}

// An object without content: what a lambda captures is the variable itself.
ExprId ExpressionLowering::lambda(const clang::LambdaExpr* expr) {
  for (const clang::LambdaCapture& capture : expr->captures()) {
    const auto* v = capture.capturesVariable() ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()) : nullptr;
    if (v == nullptr || v->isInitCapture())
      return source_.unsupported(expr, "a lambda that captures more than variables");
    if (capture.getCaptureKind() == clang::LCK_ByCopy && is_modified(scope_.body, v))
      return source_.unsupported(expr,
                                 fmt::format("a lambda with a copy of '{}', which changes; capture it by reference: it",
                                             v->getNameAsString()));
  }
  return tree_.make(types_.node(ExprKind::kConstruct, expr));
}

}  // namespace swizzle
