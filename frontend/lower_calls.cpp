#include "frontend/lower_calls.h"

#include <climits>
#include <utility>

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/Builtins.h>
#include <llvm/ADT/StringExtras.h>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// What eval() gives.
bool is_any(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "$any";
}

// Those have bodies for clang alone.
bool is_of_accumulators(const clang::FunctionDecl& callee) {
  const std::string name = callee.getNameAsString();
  return !callee.isInStdNamespace() && (name == "create_accumulator" || name == "accumulate" || name == "eval");
}

bool is_of_std(const clang::FunctionDecl& callee) {
  const clang::DeclContext* around = callee.getDeclContext();
  while (around->isRecord()) around = around->getParent();
  return around->isStdNamespace();
}

// By nvcc's own choice.
bool is_allowed_in_kernels(const clang::FunctionDecl& callee) {
  const unsigned builtin = callee.getBuiltinID();
  return builtin == clang::Builtin::BImove || builtin == clang::Builtin::BIforward;
}

// Those of the prelude that have bodies for clang alone, so that constants may be of them.
bool stands_for_intrinsic(const clang::FunctionDecl* callee) {
  return callee->isInStdNamespace() && intrinsic_named(callee->getNameAsString());
}

// Also through a pointer that is a constant. Null: it is none.
const clang::FunctionDecl* callee_of(const clang::CallExpr* call, const clang::ASTContext& ast) {
  if (const clang::FunctionDecl* direct = call->getDirectCallee()) return direct;
  clang::Expr::EvalResult known;
  const clang::Expr* pointer = call->getCallee();
  if (call->isTypeDependent() || pointer->isValueDependent() || pointer->containsErrors() ||
      !pointer->EvaluateAsRValue(known, ast) || !known.Val.isLValue())
    return nullptr;
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(known.Val.getLValueBase().dyn_cast<const clang::ValueDecl*>());
}

// Of 32 and 64 bits, those that CUDA has.
bool has_atomic(Intrinsic kind, Scalar s) {
  const bool is_narrow = s == Scalar::kI32 || s == Scalar::kU32, is_wide = s == Scalar::kI64 || s == Scalar::kU64;
  switch (kind) {
    case Intrinsic::kAtomicAdd: return is_narrow || s == Scalar::kU64 || s == Scalar::kF32 || s == Scalar::kF64;
    case Intrinsic::kAtomicSub: return is_narrow;
    case Intrinsic::kAtomicMin:
    case Intrinsic::kAtomicMax: return is_narrow || is_wide;
    default: return is_narrow || s == Scalar::kU64;
  }
}

// Which of several functions it calls, the object tells as the program runs.
bool is_decided_by_object(const clang::CallExpr* call) {
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::CXXMethodDecl* method = member != nullptr ? member->getMethodDecl() : nullptr;
  const auto* named =
      member != nullptr ? llvm::dyn_cast<clang::MemberExpr>(member->getCallee()->IgnoreParens()) : nullptr;
  if (method == nullptr || !method->isVirtual() || named == nullptr || named->hasQualifier()) return false;
  return method->getDevirtualizedMethod(member->getImplicitObjectArgument(), false) == nullptr;
}

bool is_known_function(const std::string& name) { return intrinsic_named(name) || name.starts_with("__threadfence"); }

}  // namespace

ExprId CallLowering::call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = checks_ ? callee_of(expr, ast_) : expr->getDirectCallee();
  // std::move and std::forward give their argument; clang instantiates no bodies of them.
  if (callee != nullptr && !expr->isTypeDependent() && is_allowed_in_kernels(*callee))
    return nodes_.expression(expr->getArg(0));
  if (checks_)
    if (const ExprId only_checked = checked(expr); only_checked.valid()) return only_checked;
  if (callee == nullptr) return source_.unsupported(expr, "a call through a pointer");
  if (program_.is_kernel) note_host_call(*callee, expr);
  std::span<const clang::Expr* const> written(expr->getArgs(), expr->getNumArgs());
  Expr out = types_.node(ExprKind::kCall, expr);
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
    const clang::Expr* object = member->getImplicitObjectArgument();
    if (layout_number(object->getType()))
      return source_.unsupported(expr, "the size of a layout other than as the size of an array");
    const ExprId inner = nodes_.expression(object);
    if (!checks_ && is_any(object->getType())) return accumulators_.evaluated(inner, out.type);
    if (!checks_ && !source_.in_user_file(callee->getLocation()) && !callee->hasBody())
      return source_.unsupported(expr, fmt::format("a call of '{}'", callee->getNameAsString()));
    out.operands = {object->getType()->isPointerType() ? inner : tree_.address_of(inner)};
  } else if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
             method != nullptr && method->isInstance()) {
    out.operands = {tree_.address_of(nodes_.expression(written[0]))};
    written = written.subspan(1);
  } else if (callee->getBuiltinID() != 0 && spec_intrinsic_named(callee->getNameAsString())) {
    return of_prelude(expr, callee->getNameAsString());
  } else if (!source_.in_user_file(callee->getLocation()) &&
             (!callee->hasBody() || stands_for_intrinsic(callee) ||
              hole_kind_seen_as(callee->getNameAsString()) != nullptr || is_of_accumulators(*callee))) {
    return of_prelude(expr, callee->getNameAsString());
  }
  for (ExprId argument : arguments_of(written, callee)) out.operands.push_back(argument);
  out.callee = nodes_.function(callee);
  if (!callee->getReturnType()->isReferenceType()) return tree_.make(std::move(out));
  out.type = tree_.pointer_to(out.type);
  return tree_.dereference(tree_.make(std::move(out)));
}

void CallLowering::note_host_call(const clang::FunctionDecl& callee, const clang::CallExpr* expr) {
  const bool is_written = source_.in_user_file(expr->getBeginLoc());
  if (!is_written || !is_of_std(callee) || is_allowed_in_kernels(callee)) return;
  const std::string name = callee.getNameAsString();
  const bool is_intrinsic = callee.isInStdNamespace() && intrinsic_named(name),
             is_constant = callee.getNumParams() == 0 && !callee.isInStdNamespace() && callee.isConstexpr();
  program_.host_calls.push_back(
      make_error(program_.source, source_.range_of(expr),
                 fmt::format("'{}' is a function of the host's, which nvcc refuses in a kernel{}",
                             callee.getQualifiedNameAsString(),
                             is_intrinsic  ? "; write " + name
                             : is_constant ? "; a constexpr variable outside of it may have its value"
                                           : "")));
}

ExprId CallLowering::checked(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = callee_of(expr, ast_);
  if (callee == nullptr || expr->isTypeDependent() || is_decided_by_object(expr)) return unknown_.call(expr);
  const unsigned builtin = callee->getBuiltinID();
  if (builtin == clang::Builtin::BI__builtin_is_constant_evaluated)
    return tree_.integer(0, types_.of(expr->getType()), source_.range_of(expr));
  const std::string name = callee->getNameAsString();
  if (builtin != 0 && spec_intrinsic_named(name)) return {};
  if (!source_.in_user_file(callee->getLocation()))
    if (const ExprId touched = device_.call(expr, name); touched.valid()) return touched;
  const bool is_member = llvm::isa<clang::CXXMethodDecl>(callee);
  const bool has_meaning = !is_member && source_.in_prelude(callee->getLocation()) && is_known_function(name);
  return callee->hasBody() || has_meaning ? ExprId{} : unknown_.call(expr);
}

std::vector<ExprId> CallLowering::arguments_of(std::span<const clang::Expr* const> arguments,
                                               const clang::FunctionDecl* callee) {
  std::vector<ExprId> lowered;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      source_.unsupported(arguments[i], "a variadic argument");
      break;
    }
    if (layout_number(arguments[i]->getType()) && layout_number(callee->getParamDecl(i)->getType())) {
      layouts_.pass(arguments[i]->getType());
      continue;  // what it decides is known by its number
    }
    const ExprId argument = nodes_.expression(arguments[i]);
    lowered.push_back(callee->getParamDecl(i)->getType()->isReferenceType() ? tree_.address_of(argument) : argument);
  }
  return lowered;
}

ExprId CallLowering::of_prelude(const clang::CallExpr* expr, const std::string& name) {
  if (const HoleTraits* traits = hole_kind_seen_as(name)) return holes_.call(expr, *traits);
  if (name == "magic_get") return holes_.magic_get(expr);
  if (name == "__cvta_generic_to_shared" || name == "__cvta_generic_to_global") {  // the pointer, as an integer
    Expr address = types_.node(ExprKind::kCast, expr);
    address.operands = {nodes_.expression(expr->getArg(0))};
    return tree_.make(std::move(address));
  }
  if (!stands_well(expr, name)) return tree_.placeholder(source_.range_of(expr));
  if (name == "create_accumulator") return accumulators_.create(expr);
  if (name == "accumulate") return accumulators_.accumulate(expr);
  if (name == "eval") return accumulators_.eval(expr);
  const auto in_spec = program_.is_kernel && !checks_ ? std::nullopt : spec_intrinsic_named(name);
  const auto known = in_spec ? in_spec : intrinsic_named(name);
  if (known && lane_behavior(*known) == LaneBehavior::kNoEffect)
    return checks_ ? nothing_of(expr) : tree_.placeholder(source_.range_of(expr));
  if (known && lane_behavior(*known) == LaneBehavior::kWrite) return store(expr);
  if (known && lane_behavior(*known) == LaneBehavior::kAtomic) return atomic(expr, *known, name);
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  if (!known) return refused(expr, name);
  out.intrinsic = *known;
  const std::string& moved = program_.type(out.type).spelling;
  if (!checks_ && lane_behavior(*known) == LaneBehavior::kShuffle &&
      program_.type(out.type).form != Type::Form::kScalar && moved != "__half2" && moved != "__nv_bfloat162")
    return source_.unsupported(expr, fmt::format("a shuffle of '{}'", moved));
  const bool compares = *known == Intrinsic::kMin || *known == Intrinsic::kMax;  // in the type of the result
  for (const clang::Expr* argument : expr->arguments()) {
    const auto* bound =
        llvm::dyn_cast<clang::MaterializeTemporaryExpr>(argument);  // to a reference: std::min(a + b, c)
    const ExprId operand = nodes_.expression(bound != nullptr ? bound->getSubExpr() : argument);
    out.operands.push_back(compares ? tree_.converted(operand, out.type) : operand);
  }
  return tree_.make(std::move(out));
}

// printf("%f", s[t]) reads what it prints.
ExprId CallLowering::nothing_of(const clang::CallExpr* expr) {
  ExprId all = tree_.placeholder(source_.range_of(expr));
  for (const clang::Expr* argument : expr->arguments()) {
    if (llvm::isa<clang::StringLiteral>(argument->IgnoreParenImpCasts())) continue;
    Expr both = types_.node(ExprKind::kComma, expr);
    both.operands = {nodes_.expression(argument), all};
    all = tree_.make(std::move(both));
  }
  return all;
}

ExprId CallLowering::refused(const clang::CallExpr* expr, const std::string& name) {
  const std::string why = why_refused(name);
  if (why.empty() || checks_) return source_.unsupported(expr, fmt::format("a call of '{}'", name));
  source_.error(source_.range_of(expr), fmt::format("a call of '{}' is not supported in a sketch: {}", name, why));
  return tree_.placeholder(source_.range_of(expr));
}

// `__stcs(p, v)` is `*p = v`.
ExprId CallLowering::store(const clang::CallExpr* expr) {
  const ExprId place = tree_.dereference(nodes_.expression(expr->getArg(0)));
  Expr out = types_.node(ExprKind::kAssign, expr);
  out.type = program_.expr(place).type;
  out.operands = {place, nodes_.expression(expr->getArg(1))};
  return tree_.make(std::move(out));
}

// What it returns depends on which thread comes first.
ExprId CallLowering::atomic(const clang::CallExpr* expr, Intrinsic kind, const std::string& name) {
  if (expr != scope_.statement)
    return source_.unsupported(expr,
                               fmt::format("what {}() returns, which depends on the thread that comes first,", name));
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  if (program_.type(out.type).form != Type::Form::kScalar || !has_atomic(kind, program_.type(out.type).scalar))
    return source_.unsupported(expr, fmt::format("{}() of '{}'", name, program_.type(out.type).spelling));
  out.intrinsic = kind;
  out.operands = {nodes_.expression(expr->getArg(0)), tree_.converted(nodes_.expression(expr->getArg(1)), out.type)};
  return tree_.make(std::move(out));
}

// What the emitter writes out as statements must be one.
bool CallLowering::stands_well(const clang::CallExpr* expr, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    source_.error(source_.range_of(expr), why);
    return false;
  };
  if ((name == "load" || name == "create_accumulator") && expr != scope_.initializer)
    return refuse(fmt::format("{0}() must initialize a variable: auto v = {0}(…);", name));
  if ((name == "store" || name == "accumulate") && expr != scope_.statement)
    return refuse(fmt::format("{}() must be a statement of its own", name));
  if (name == "load" || name == "store") return has_small_counts(expr, name);
  if (name != "accumulate") return true;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->getArg(0)->IgnoreParenImpCasts());
  const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* made = v != nullptr && v->getInit() != nullptr
                         ? llvm::dyn_cast<clang::CallExpr>(v->getInit()->IgnoreImplicit())
                         : nullptr;
  if (made == nullptr || made->getDirectCallee() == nullptr ||
      made->getDirectCallee()->getNameAsString() != "create_accumulator")
    return refuse("accumulate() takes a variable that create_accumulator() initializes");
  return true;
}

// Of elements a thread, and of registers: what is emitted repeats their text, where nothing cuts them off.
bool CallLowering::has_small_counts(const clang::CallExpr* expr, const std::string& name) {
  for (const unsigned i : {2u, 3u}) {
    const clang::Expr* const given = expr->getArg(i)->IgnoreParenImpCasts();
    clang::Expr::EvalResult known;
    if (given->isValueDependent() || !given->EvaluateAsInt(known, ast_)) continue;
    const llvm::APSInt& count = known.Val.getInt();
    if (count >= INT_MIN && count <= INT_MAX) continue;
    source_.error(source_.range_of(given),
                  fmt::format("{}() takes an int here, which {} is not", name, llvm::toString(count, 10)));
    return false;
  }
  return true;
}

ExprId CallLowering::operator_call(const clang::CXXOperatorCallExpr* expr) {
  if (expr->getOperator() == clang::OO_Subscript && registers_element(expr->getArg(0)->getType()) != nullptr) {
    Expr out = types_.node(ExprKind::kSubscript, expr);
    out.operands = {nodes_.expression(expr->getArg(0)), nodes_.expression(expr->getArg(1))};
    return tree_.make(std::move(out));
  }
  if (expr->getOperator() == clang::OO_Call && layout_number(expr->getArg(0)->getType()))
    return holes_.layout_use(expr);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(expr->getDirectCallee());
  if (expr->getOperator() == clang::OO_Equal && method != nullptr && method->isTrivial()) {
    Expr out = types_.node(ExprKind::kAssign, expr);
    out.operands = {nodes_.expression(expr->getArg(0)), nodes_.expression(expr->getArg(1))};
    return tree_.make(std::move(out));
  }
  return method == nullptr || checks_ || source_.in_user_file(method->getLocation()) || method->hasBody()
             ? call(expr)
             : source_.unsupported(expr, "this operator");
}

ExprId CallLowering::construct(const clang::CXXConstructExpr* expr) {
  const clang::CXXConstructorDecl* constructor = expr->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && (constructor->isTrivial() || (checks_ && constructor->isDefaulted())))
    return nodes_.expression(expr->getArg(0));
  if (expr->getNumArgs() == 0 && constructor->isTrivial()) return tree_.make(types_.node(ExprKind::kConstruct, expr));
  if (checks_ && (!constructor->hasBody() || expr->containsErrors()) && source_.in_prelude(constructor->getLocation()))
    return tree_.unknown(source_.range_of(expr));
  const bool is_followed =
      source_.in_user_file(constructor->getLocation()) || source_.in_prelude(constructor->getLocation());
  if ((!checks_ && !is_followed) || !constructor->hasBody() || !expr->getType()->isRecordType())
    return source_.unsupported(expr, "this constructor");
  Expr out = types_.node(ExprKind::kCall, expr);
  out.operands = arguments_of({expr->getArgs(), expr->getNumArgs()}, constructor);
  out.callee = nodes_.function(constructor);
  return tree_.make(std::move(out));
}

}  // namespace swizzle
