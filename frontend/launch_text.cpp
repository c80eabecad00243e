#include "frontend/launch_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "frontend/host_changes.h"
#include "frontend/host_values.h"
#include "frontend/launch_syntax.h"
#include "frontend/launch_variables.h"

namespace swizzle {
namespace {

constexpr int kDeepest = 50;

// `>>` rounds down and `/` to 0: of what is not below 0, that is the same.
bool may_be_below_0(const std::string& text) { return text.find('-') != std::string::npos; }

std::string quotient_of(const std::string& dividend, const std::string& divisor) {
  return fmt::format("({} / {})", dividend, divisor);
}

// "((n + 63) / 64)"
std::string rounded_up(const std::string& dividend, const std::string& divisor) {
  const auto number = number_in(divisor);
  return number ? fmt::format("(({} + {}) / {})", dividend, *number - 1, divisor)
                : fmt::format("(({0} + {1} - 1) / {1})", dividend, divisor);
}

bool is_below(clang::BinaryOperatorKind op) { return op == clang::BO_LT || op == clang::BO_LE; }

}  // namespace

const clang::VarDecl* variable_in(const clang::Expr* expr) {
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

LaunchNames::LaunchNames(const clang::FunctionDecl* kernel, clang::SourceLocation launch)
    : context_(&kernel->getASTContext()),
      launch_(launch) {
  for (const auto* parameter : kernel->parameters()) parameters_.insert(parameter->getNameAsString());
}

// It may have been another number where the grid was computed.
bool LaunchNames::may_change(const clang::Stmt* s) const {
  if (s == nullptr) return false;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s);
  const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(s);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s);
  const bool is_of_memory = llvm::isa<clang::CallExpr, clang::CXXThisExpr, clang::ArraySubscriptExpr>(s) ||
                            (member != nullptr && member->isArrow()) ||
                            (unary != nullptr && unary->getOpcode() == clang::UO_Deref);
  return is_of_memory || (v != nullptr && may_be_changed(v, launch_)) ||
         std::ranges::any_of(s->children(), [&](const clang::Stmt* part) { return may_change(part); });
}

void LaunchNames::hand(const clang::Expr* argument, const std::string& parameter) {
  if (!may_change(argument)) handed_.emplace(form_of(argument), parameter);
}

std::optional<std::string> LaunchNames::of(const clang::Expr* expr) const {
  const auto name = context_ != nullptr ? handed_.find(form_of(expr)) : handed_.end();
  return name != handed_.end() ? std::optional(name->second) : std::nullopt;
}

void LaunchNames::divide(const clang::VarDecl* v, std::string quotient) {
  if (!may_be_changed(v, launch_)) quotients_.emplace(v, std::move(quotient));
}

std::optional<std::string> LaunchNames::of_launch_alone(const clang::VarDecl* v) const {
  if (const auto quotient = quotients_.find(v); quotient != quotients_.end()) return quotient->second;
  const std::string name = v->getNameAsString();
  const bool is_new = context_ != nullptr && !may_be_changed(v, launch_) && v->getType()->isIntegerType() &&
                      !parameters_.contains(name);
  return is_new ? std::optional(name) : std::nullopt;
}

llvm::FoldingSetNodeID LaunchNames::form_of(const clang::Expr* expr) const {
  llvm::FoldingSetNodeID form;
  // Not canonical: there, parameters of all functions that stand at one place are one.
  expr->IgnoreParenImpCasts()->Profile(form, *context_, false);
  return form;
}

std::optional<std::string> LaunchText::integer(const clang::Expr* expr, int depth) {
  if (depth > kDeepest || expr->getType().isNull() || expr->containsErrors()) return std::nullopt;
  const clang::Expr* plain = expr->IgnoreParenImpCasts();
  if (is_narrowed(expr) && !constant(plain)) return std::nullopt;
  if (const auto handed = names_.of(plain)) return handed;
  if (plain->getType()->isRealFloatingType()) {
    const auto number = real(plain, depth + 1);
    if (!number) return std::nullopt;
    return number->divisor == 1 ? number->dividend : quotient_of(number->dividend, std::to_string(number->divisor));
  }
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(plain)) return integer(cast->getSubExpr(), depth + 1);
  if (const auto structured = of_parts(plain, depth)) return structured;
  const auto known = constant(plain);
  return known ? std::optional(std::to_string(*known)) : std::nullopt;
}

// By what it is made of, which may be handed over.
std::optional<std::string> LaunchText::of_parts(const clang::Expr* plain, int depth) {
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(plain)) return integer(given->getExpr(), depth + 1);
  if (const clang::VarDecl* v = variable_in(plain)) {
    const auto known = constant(plain);
    return known ? std::optional(std::to_string(*known)) : of_variable(v, plain->getBeginLoc(), depth);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain)) return operation(binary, depth);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(plain)) return conditional(choice, depth);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(plain)) return called(call, depth);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain);  // block.x
  if (member == nullptr) return std::nullopt;
  const auto shape = dimensions(member->getBase(), depth + 1);
  const std::string field = member->getMemberDecl()->getNameAsString();
  const std::size_t index = field.size() == 1 ? static_cast<std::size_t>(field[0] - 'x') : 3;
  if (!shape || index >= 3) return std::nullopt;
  return index < shape->size() ? (*shape)[index] : "1";
}

std::optional<std::string> LaunchText::of_variable(const clang::VarDecl* v, clang::SourceLocation use, int depth) {
  if (bound_)
    if (const auto given = bound_->find(v); given != bound_->end()) return given->second;
  if (const clang::Expr* value = only_value_of(v, names_.launch())) return integer(value, depth + 1);
  if (const auto change = one_change_of(v, use, names_.launch())) {
    if (change->value != nullptr && change->condition != nullptr)
      return clamped(v, change->condition, change->value, depth);
    if (change->value != nullptr) return integer(change->value, depth + 1);
    const auto first = integer(v->getInit(), depth + 1);
    const auto more = rest(change->condition, depth + 1);
    return first && more ? with_rest(*first, *more) : std::nullopt;
  }
  return bound_ ? std::nullopt : names_.of_launch_alone(v);
}

// `if (g > 256) g = 256;`, `if (g < 1) g = 1;`, `if (g == 0) g = 1;` behind what initializes it.
std::optional<std::string> LaunchText::clamped(const clang::VarDecl* v, const clang::Expr* condition,
                                               const clang::Expr* value, int depth) {
  const auto first = integer(v->getInit(), depth + 1), limit = integer(value, depth + 1);
  const clang::Expr* plain = condition->IgnoreParenImpCasts();
  if (!first || !limit) return std::nullopt;
  const bool is_one = *limit == "1" && !may_be_below_0(*first);
  const std::string least = fmt::format("max({}, {})", *first, *limit);
  if (const auto* none = llvm::dyn_cast<clang::UnaryOperator>(plain))
    return is_one && none->getOpcode() == clang::UO_LNot && variable_in(none->getSubExpr()) == v ? std::optional(least)
                                                                                                 : std::nullopt;
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(plain);
  if (compared == nullptr || !compared->isComparisonOp()) return std::nullopt;
  const bool is_left = variable_in(compared->getLHS()) == v;
  if (!is_left && variable_in(compared->getRHS()) != v) return std::nullopt;
  const auto bound = integer(is_left ? compared->getRHS() : compared->getLHS(), depth + 1);
  const clang::BinaryOperatorKind op =
      is_left ? compared->getOpcode() : clang::BinaryOperator::reverseComparisonOp(compared->getOpcode());
  if (is_one && bound == "0" && (op == clang::BO_EQ || op == clang::BO_LE)) return least;
  if (bound != limit || !compared->isRelationalOp()) return std::nullopt;
  return is_below(op) ? least : fmt::format("min({}, {})", *first, *limit);
}

std::optional<std::string> LaunchText::operation(const clang::BinaryOperator* binary, int depth) {
  const auto a = integer(binary->getLHS(), depth + 1);
  if (!a) return std::nullopt;
  const clang::Expr* added = binary->getRHS()->IgnoreParenImpCasts();
  const bool is_one_or_none = binary->getOpcode() == clang::BO_Add &&
                              (added->getType()->isBooleanType() || llvm::isa<clang::ConditionalOperator>(added));
  if (const auto more = is_one_or_none ? rest(added, depth + 1) : std::nullopt) return with_rest(*a, *more);
  const auto b = integer(binary->getRHS(), depth + 1);
  if (!b) return std::nullopt;
  const auto right = number_in(*b);
  if (const auto left = number_in(*a); left && right) {
    const auto known = computed(binary->getOpcode(), HostValue::of(*left), HostValue::of(*right)).integer;
    return known ? std::optional(std::to_string(*known)) : std::nullopt;
  }
  const bool is_shift = right && *right >= 0 && *right < 31 && !may_be_below_0(*a);
  switch (binary->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Sub:
    case clang::BO_Mul:
    case clang::BO_Div:
    case clang::BO_Rem: return fmt::format("({} {} {})", *a, binary->getOpcodeStr().str(), *b);
    case clang::BO_Shl: return is_shift ? std::optional(fmt::format("({} * {})", *a, 1 << *right)) : std::nullopt;
    case clang::BO_Shr: return is_shift ? std::optional(fmt::format("({} / {})", *a, 1 << *right)) : std::nullopt;
    default: return std::nullopt;
  }
}

// `n % 64 ? n / 64 + 1 : n / 64`, or the smaller or larger of two.
std::optional<std::string> LaunchText::conditional(const clang::ConditionalOperator* choice, int depth) {
  const auto yes = integer(choice->getTrueExpr(), depth + 1), no = integer(choice->getFalseExpr(), depth + 1);
  if (!yes || !no) return std::nullopt;
  if (const auto of = rest(choice->getCond(), depth + 1)) {
    const std::string &more = of->is_left ? *yes : *no, &same = of->is_left ? *no : *yes;
    return more == fmt::format("({} + 1)", same) ? with_rest(same, {of->dividend, of->divisor}) : std::nullopt;
  }
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
  if (compared == nullptr || !compared->isRelationalOp()) return std::nullopt;
  const auto a = integer(compared->getLHS(), depth + 1), b = integer(compared->getRHS(), depth + 1);
  const bool is_same = a == yes && b == no, is_other = a == no && b == yes;
  if (!is_same && !is_other) return std::nullopt;
  return fmt::format("{}({}, {})", is_below(compared->getOpcode()) == is_same ? "min" : "max", *yes, *no);
}

// One more than the quotient, where a rest is left.
std::optional<std::string> LaunchText::with_rest(const std::string& quotient, const Rest& rest) {
  const bool rounds_up = rest.is_left && quotient == quotient_of(rest.dividend, rest.divisor);
  return rounds_up ? std::optional(rounded_up(rest.dividend, rest.divisor)) : std::nullopt;
}

std::optional<LaunchText::Rest> LaunchText::rest(const clang::Expr* expr, int depth) {
  const clang::Expr* plain = expr->IgnoreParenImpCasts();
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(plain)) {
    auto of = rest(choice->getCond(), depth + 1);
    const auto yes = constant(choice->getTrueExpr()), no = constant(choice->getFalseExpr());
    if (!of || !yes || !no || *yes + *no != 1 || *yes * *no != 0) return std::nullopt;
    of->is_left = of->is_left == (*yes == 1);
    return of;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain);
  if (binary == nullptr) return std::nullopt;
  if (binary->isEqualityOp() || binary->getOpcode() == clang::BO_GT) {
    auto of = rest(binary->getLHS(), depth + 1);
    if (!of || constant(binary->getRHS()) != 0) return std::nullopt;
    of->is_left = of->is_left == (binary->getOpcode() != clang::BO_EQ);
    return of;
  }
  if (binary->getOpcode() != clang::BO_Rem || !expr->getType()->isIntegerType()) return std::nullopt;
  const auto a = integer(binary->getLHS(), depth + 1), b = integer(binary->getRHS(), depth + 1);
  return a && b && !may_be_below_0(*a) ? std::optional(Rest{*a, *b}) : std::nullopt;
}

std::optional<std::string> LaunchText::called(const clang::CallExpr* call, int depth) {
  const std::string name = called_name(call);
  if ((name == "min" || name == "max") && call->getNumArgs() == 2) {
    const auto a = integer(call->getArg(0), depth + 1), b = integer(call->getArg(1), depth + 1);
    return a && b ? std::optional(fmt::format("{}({}, {})", name, *a, *b)) : std::nullopt;
  }
  return returned(call, depth, [&](const clang::Expr* value) { return integer(value, depth + 1); });
}

template <typename Of>
auto LaunchText::returned(const clang::CallExpr* call, int depth, Of of) -> decltype(of(call)) {
  const clang::FunctionDecl* f = call->getDirectCallee();
  if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {  // a lambda, which has what it captured when it was made
    const clang::Expr* object = call->getArg(0)->IgnoreParenImpCasts();
    const clang::VarDecl* v = variable_in(object);
    if (!llvm::isa<clang::LambdaExpr>(object) && (v == nullptr || only_value_of(v, names_.launch()) == nullptr))
      return std::nullopt;
  }
  const auto* body = f != nullptr && f->isDefined(f) ? llvm::dyn_cast<clang::CompoundStmt>(f->getBody()) : nullptr;
  if (body == nullptr || body->body_empty()) return std::nullopt;
  const auto* last = llvm::dyn_cast<clang::ReturnStmt>(body->body_back());
  const bool only_declares = std::all_of(body->body_begin(), body->body_end() - 1,
                                         [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt>(s); });
  if (last == nullptr || last->getRetValue() == nullptr || !only_declares) return std::nullopt;
  Bound bound;
  const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;  // behind the lambda
  for (unsigned i = 0; i < f->getNumParams() && first + i < call->getNumArgs(); ++i) {
    const clang::ParmVarDecl* p = f->getParamDecl(i);
    const clang::QualType type = p->getType().getNonReferenceType();
    const bool may_differ = (p->getType()->isReferenceType() && !type.isConstQualified()) ||
                            changed_in(f->getBody()).contains(p) || !type->isIntegerType() ||
                            context_.getTypeSize(type) < context_.getTypeSize(context_.IntTy);
    if (const auto given = integer(call->getArg(first + i), depth + 1); given && !may_differ) bound[p] = *given;
  }
  auto around = std::exchange(bound_, std::move(bound));
  auto value = of(last->getRetValue());
  bound_ = std::move(around);
  return value;
}

std::optional<LaunchText::Quotient> LaunchText::real(const clang::Expr* expr, int depth) {
  if (depth > kDeepest || expr->containsErrors()) return std::nullopt;
  const clang::Expr* plain = expr->IgnoreParens();
  if (plain->getType()->isIntegerType()) {
    const auto whole = integer(plain, depth + 1);
    return whole ? std::optional(Quotient{*whole, 1}) : std::nullopt;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(plain)) {
    auto number = real(cast->getSubExpr(), depth + 1);
    const bool is_float = context_.getTypeSize(plain->getType()) < context_.getTypeSize(context_.DoubleTy);
    if (number && is_float && !number_in(number->dividend)) through_float_.insert(number->dividend);
    return number;
  }
  if (const auto known = constant_real(plain)) return Quotient{std::to_string(*known)};
  if (const clang::VarDecl* v = variable_in(plain)) {
    const clang::Expr* value = only_value_of(v, names_.launch());
    return value != nullptr ? real(value, depth + 1) : std::nullopt;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain)) return real_operation(binary, depth);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(plain);
  const std::string name = call != nullptr ? called_name(call) : "";
  const bool is_up = name == "ceil" || name == "ceilf", is_down = name == "floor" || name == "floorf";
  const auto number = (is_up || is_down) && call->getNumArgs() == 1 ? real(call->getArg(0), depth + 1) : std::nullopt;
  if (!number || number->divisor == 1 || may_be_below_0(number->dividend)) return number;
  const std::string divisor = std::to_string(number->divisor);
  return Quotient{is_up ? rounded_up(number->dividend, divisor) : quotient_of(number->dividend, divisor)};
}

std::optional<LaunchText::Quotient> LaunchText::real_operation(const clang::BinaryOperator* binary, int depth) {
  const auto a = real(binary->getLHS(), depth + 1), b = real(binary->getRHS(), depth + 1);
  if (!a || !b || b->divisor != 1) return std::nullopt;
  const auto by = number_in(b->dividend);
  if (binary->getOpcode() == clang::BO_Div && by && *by > 0 && a->divisor < INT32_MAX / *by)
    return Quotient{a->dividend, a->divisor * *by};
  if (binary->getOpcode() != clang::BO_Mul) return std::nullopt;
  if (by == 1) return a;
  return a->divisor == 1 && number_in(a->dividend) == 1 ? b : std::nullopt;
}

std::optional<std::vector<std::string>> LaunchText::dimensions(const clang::Expr* expr, int depth) {
  if (depth > kDeepest || expr->getType().isNull() || expr->containsErrors()) return std::nullopt;
  const clang::Expr* plain = expr->IgnoreUnlessSpelledInSource();
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(plain); list != nullptr && list->getNumInits() == 1)
    return dimensions(list->getInit(0), depth + 1);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(plain)) return constructed(made, depth);
  if (plain->getType()->isRecordType()) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(plain))
      return returned(call, depth, [&](const clang::Expr* value) { return dimensions(value, depth + 1); });
    const clang::VarDecl* v = variable_in(plain);
    const clang::Expr* value = v != nullptr ? only_value_of(v, names_.launch()) : nullptr;
    return value != nullptr ? dimensions(value, depth + 1) : std::nullopt;
  }
  const auto one = integer(plain, depth + 1);
  return one ? std::optional(std::vector{*one}) : std::nullopt;
}

std::optional<std::vector<std::string>> LaunchText::constructed(const clang::CXXConstructExpr* made, int depth) {
  if (made->getNumArgs() == 1 && made->getArg(0)->getType()->isRecordType())
    return dimensions(made->getArg(0), depth + 1);
  std::vector<std::string> all;
  for (unsigned i = 0; i < made->getNumArgs() && i < 3; ++i) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(i))) continue;
    const auto one = integer(made->getArg(i), depth + 1);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  if (all.empty()) all.push_back("1");
  return all;
}

// To fewer bits than an int has, on the way to where it is used.
bool LaunchText::is_narrowed(const clang::Expr* expr) const {
  while (true) {
    const clang::QualType type = expr->getType();
    if (type->isIntegerType() && context_.getTypeSize(type) < context_.getTypeSize(context_.IntTy)) return true;
    const clang::Expr* inner = expr->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner)) inner = cast->getSubExpr();
    if (inner == expr) return false;
    expr = inner;
  }
}

// An integer that a constant with a point is: 64.0f.
std::optional<std::int64_t> LaunchText::constant_real(const clang::Expr* expr) const {
  llvm::APFloat known(0.0);
  if (expr->isValueDependent() || !expr->EvaluateAsFloat(known, context_) || !known.isInteger()) return std::nullopt;
  llvm::APSInt whole(32, false);
  bool is_exact = false;
  const auto status = known.convertToInteger(whole, llvm::APFloat::rmTowardZero, &is_exact);
  return status == llvm::APFloat::opOK && is_exact ? std::optional(whole.getExtValue()) : std::nullopt;
}

// What Clang's evaluator makes of it.
std::optional<std::int64_t> LaunchText::constant(const clang::Expr* expr) const {
  clang::Expr::EvalResult known;
  const bool is_integer = !expr->isValueDependent() && !expr->isTypeDependent() &&
                          expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(known, context_);
  return is_integer ? std::optional(known.Val.getInt().getExtValue()) : std::nullopt;
}

}  // namespace swizzle
