#include "frontend/lower_accumulators.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

#include "synth/program/collectives.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// The N of `$operator<N>`.
std::optional<std::int64_t> operator_code(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || record->getName() != "$operator") return std::nullopt;
  return record->getTemplateArgs()[0].getAsIntegral().getExtValue();
}

bool is_lambda(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->isLambda();
}

bool is_identity(clang::QualType type) {
  return operator_code(type) == static_cast<std::int64_t>(AccumulatorOp::kIdentity);
}

// How two values of a type are combined; null: they cannot be.
const clang::CXXMethodDecl* function_of(const clang::CXXRecordDecl* lambda, clang::QualType element) {
  const auto takes_two = [&](const clang::FunctionDecl* f) {
    return f->getNumParams() == 2 && !f->getReturnType()->isVoidType();
  };
  const auto* open = lambda->getDependentLambdaCallOperator();
  if (open == nullptr) return takes_two(lambda->getLambdaCallOperator()) ? lambda->getLambdaCallOperator() : nullptr;
  for (const clang::FunctionDecl* f : open->specializations())
    if (takes_two(f) && f->getParamDecl(0)->getType().getCanonicalType().getUnqualifiedType() == element)
      return llvm::cast<clang::CXXMethodDecl>(f);
  return nullptr;
}

// What an accumulator was made with, without `identity`: how tuples are combined, and what is in them.
struct Roles {
  clang::QualType outer, inner;
};
std::optional<Roles> roles_of(clang::QualType accumulator) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      accumulator.getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || record->getTemplateArgs().size() < 2) return std::nullopt;
  std::vector<clang::QualType> found;
  for (const clang::TemplateArgument& a : record->getTemplateArgs()[1].pack_elements()) {
    if (!operator_code(a.getAsType()) && !is_lambda(a.getAsType()))
      return std::nullopt;  // create_accumulator() says so
    if (!is_identity(a.getAsType())) found.push_back(a.getAsType());
  }
  if (found.empty() || found.size() > 2) return std::nullopt;
  return Roles{found.front(), found.back()};
}

std::optional<Operator> operator_of(std::int64_t code) {
  switch (static_cast<AccumulatorOp>(code)) {
    case AccumulatorOp::kPlus: return Operator::kAdd;
    case AccumulatorOp::kTimes: return Operator::kMul;
    case AccumulatorOp::kXor: return Operator::kXor;
    case AccumulatorOp::kAnd: return Operator::kAnd;
    case AccumulatorOp::kOr: return Operator::kOr;
    default: return std::nullopt;
  }
}

const clang::InitListExpr* list_in(const clang::Expr* tuple) {
  while (true) {
    if (const auto* e = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(tuple)) tuple = e->getSubExpr();
    else if (const auto* e = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(tuple)) tuple = e->getSubExpr();
    else if (const auto* e = llvm::dyn_cast<clang::ImplicitCastExpr>(tuple)) tuple = e->getSubExpr();
    else return llvm::dyn_cast<clang::InitListExpr>(tuple);
  }
}

}  // namespace

// (initial, operator, operator): literals with the code, at what stands there.
ExprId AccumulatorLowering::create(const clang::CallExpr* expr) {
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kCreateAccumulator;
  out.operands = {nodes_.expression(expr->getArg(0))};
  const TypeId i32 = tree_.scalar_type(Scalar::kI32);
  for (unsigned i = 1; i < expr->getNumArgs(); ++i) {
    const clang::QualType by = expr->getArg(i)->getType();
    const SourceRange at = source_.range_of(expr->getArg(i));
    const auto code = operator_code(by);
    if (!code && !is_lambda(by)) {
      source_.error(
          at,
          "expected an operator (identity, plus, times, bit_xor, bit_and or bit_or), the name of a function of two values, or a lambda");
      return tree_.integer(0, out.type, out.range);
    }
    if (!code) nodes_.expression(expr->getArg(i));  // for what is wrong with it
    if (!is_identity(by)) out.operands.push_back(tree_.integer(code.value_or(int(AccumulatorOp::kFunction)), i32, at));
  }
  if (out.operands.size() < 2 || out.operands.size() > 3)
    return source_.unsupported(expr, "create_accumulator() without one or two operators");
  if (out.operands.size() == 2) out.operands.push_back(out.operands[1]);
  return tree_.make(std::move(out));
}

// The accumulator is a variable of the type that it takes.
bool AccumulatorLowering::takes(ExprId accumulator, TypeId type, SourceRange range) {
  const VariableId variable = program_.expr(accumulator).variable;
  const auto [known, fresh] = accumulated_.try_emplace(variable.value, type);
  const Type &before = program_.type(known->second), &now = program_.type(type);
  if (!fresh && (before.form != now.form || before.scalar != now.scalar || before.slots != now.slots)) {
    source_.error(range,
                  fmt::format("this accumulator takes '{}' here and '{}' before", now.spelling, before.spelling));
    return false;
  }
  program_.variables[variable.value].type = program_.exprs[accumulator.value].type = known->second;
  return true;
}

// a ⊗ b as an element: integers narrower than int are computed as int, as in C.
ExprId AccumulatorLowering::combined(clang::QualType by, clang::QualType element, ExprId a, ExprId b) {
  const TypeId id = types_.of(element);
  const Type held = program_.type(id);
  const auto refuse = [&](const char* why) {
    source_.error(source_.use(), fmt::format("values of '{}' are not combined {}", held.spelling, why));
    return a;
  };
  Expr out;
  out.range = source_.use();
  if (const auto code = operator_code(by)) {
    if (held.form != Type::Form::kScalar) return refuse("by an operator; give a function that takes two of them");
    out.kind = ExprKind::kBinary;
    out.op = *operator_of(*code);
    out.type = !is_real(held.scalar) && bit_width(held.scalar) < 32 ? tree_.scalar_type(Scalar::kI32) : id;
    out.operands = {tree_.converted(a, out.type), tree_.converted(b, out.type)};
    return tree_.converted(tree_.make(out), id);
  }
  const clang::CXXMethodDecl* f = function_of(by->getAsCXXRecordDecl(), element);
  if (f == nullptr) return refuse("by this function; it must take two of them and return one");
  out.type = types_.of(f->getReturnType());
  const bool is_scalar = held.form == Type::Form::kScalar && program_.type(out.type).form == Type::Form::kScalar;
  if (f->getReturnType()->isReferenceType() || (out.type != id && !is_scalar))
    return refuse("by this function; it must take two of them and return one");
  Expr object;
  object.kind = ExprKind::kConstruct;
  object.range = source_.use();
  object.type = types_.of(clang::QualType(by->getAsCXXRecordDecl()->getTypeForDecl(), 0));
  out.kind = ExprKind::kCall;
  out.operands = {tree_.address_of(tree_.make(std::move(object)))};
  for (unsigned i = 0; i < 2; ++i) {
    const clang::QualType taken = f->getParamDecl(i)->getType();
    const ExprId given = tree_.converted(i == 0 ? a : b, types_.of(taken));
    out.operands.push_back(taken->isReferenceType() ? tree_.address_of(given) : given);
  }
  out.callee = nodes_.function(f);
  return tree_.converted(tree_.make(std::move(out)), id);
}

// if (c) o = o ⊕ tuple. Where lanes meet in the tuple, all evaluate it, before the condition is asked.
ExprId AccumulatorLowering::accumulate(const clang::CallExpr* expr) {
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kAccumulate;
  const clang::InitListExpr* list = list_in(expr->getArg(1));
  const auto roles = roles_of(expr->getArg(0)->getType());
  if (list == nullptr || list->getNumInits() == 0) return source_.unsupported(expr, "this form of accumulate()");
  const ExprId accumulator = nodes_.expression(expr->getArg(0)), condition = nodes_.expression(expr->getArg(2));
  std::vector<ExprId> elements;
  for (const clang::Expr* element : list->inits()) elements.push_back(nodes_.expression(element));
  const clang::QualType element = list->getInit(0)->getType().getCanonicalType().getUnqualifiedType();
  if (!roles || !takes(accumulator, types_.of(element), out.range)) return tree_.integer(0, out.type, out.range);
  ExprId tuple = elements[0];
  for (std::size_t i = 1; i < elements.size(); ++i) tuple = combined(roles->inner, element, tuple, elements[i]);
  const bool meet = std::any_of(elements.begin(), elements.end(), [&](ExprId e) { return meets_lanes(program_, e); });
  const bool is_certain =
      program_.expr(condition).kind == ExprKind::kIntLiteral && program_.expr(condition).int_value != 0;
  ExprId effect;
  if (meet && !is_certain) {
    Variable term;
    term.name = "term";
    term.type = types_.of(element);
    term.range = out.range;
    const ExprId held = tree_.variable_use(tree_.make(std::move(term)), out.range);
    effect = tree_.assigned(held, tuple, out.range);
    tuple = held;
  }
  ExprId update = tree_.assigned(accumulator, combined(roles->outer, element, accumulator, tuple), out.range);
  if (!is_certain) update = tree_.under(condition, update, out.range);
  out.operands = {accumulator, condition, effect.valid() ? tree_.both(effect, update, out.range) : update};
  out.operands.insert(out.operands.end(), elements.begin(), elements.end());
  return tree_.make(std::move(out));
}

ExprId AccumulatorLowering::eval(const clang::CallExpr* expr) {
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kEvalAccumulator;
  out.operands = {nodes_.expression(expr->getArg(0))};
  const TypeId wanted = out.type;
  const ExprId eval = tree_.make(std::move(out));
  return program_.type(wanted).form == Type::Form::kScalar ? evaluated(eval, wanted) : eval;
}

// eval(o) has the type of what o takes; clang sees one that converts to all arithmetic types.
ExprId AccumulatorLowering::evaluated(ExprId eval, TypeId wanted) {
  const Expr& accumulator = program_.expr(program_.expr(eval).operands[0]);
  const auto taken = accumulated_.find(accumulator.variable.value);
  program_.exprs[eval.value].type = taken == accumulated_.end() ? wanted : taken->second;
  Expr out;
  out.kind = ExprKind::kCast;
  out.range = program_.expr(eval).range;
  out.type = wanted;
  out.operands = {eval};
  return tree_.make(std::move(out));
}

void AccumulatorLowering::set_types() {
  const auto taken = [&](VariableId v) {
    const auto known = accumulated_.find(v.value);
    return known == accumulated_.end() ? std::nullopt : std::optional(known->second);
  };
  for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
    Expr& e = program_.exprs[n];
    if (e.kind == ExprKind::kVariable) e.type = taken(e.variable).value_or(e.type);
    if (e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kEvalAccumulator)
      e.type = taken(program_.expr(e.operands[0]).variable).value_or(e.type);
  }
  for (const Stmt& s : program_.stmts) {
    const auto type = s.kind == StmtKind::kDeclare ? taken(s.variable) : std::nullopt;
    if (!type || !s.expr.valid()) continue;
    const ExprId initial = program_.expr(s.expr).operands[0];
    const Type &from = program_.type(program_.expr(initial).type), &to = program_.type(*type);
    if (from.form != to.form || (to.form != Type::Form::kScalar && from.slots != to.slots))
      source_.error(program_.expr(initial).range,
                    fmt::format("the accumulator takes '{}', and it starts as '{}'", to.spelling, from.spelling));
    const ExprId value = tree_.converted(initial, *type);
    program_.exprs[s.expr.value].operands[0] = value;
    program_.exprs[s.expr.value].type = *type;
  }
}

}  // namespace swizzle
