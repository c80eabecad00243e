#include <algorithm>
#include <cmath>

#include "frontend/host_walk.h"

namespace swizzle {
namespace {

const clang::Expr* wrapped_by(const clang::Expr* e) {
  if (const auto* s = llvm::dyn_cast<clang::ParenExpr>(e)) return s->getSubExpr();
  if (const auto* s = llvm::dyn_cast<clang::FullExpr>(e)) return s->getSubExpr();
  if (const auto* s = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) return s->getSubExpr();
  if (const auto* s = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e)) return s->getSubExpr();
  if (const auto* s = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e)) return s->getReplacement();
  if (const auto* s = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) return s->getExpr();
  if (const auto* s = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e)) return s->getExpr();
  return nullptr;
}

// One of its parts, by name or by index.
HostValue member_of(const HostValue& whole, const std::string& name) {
  const auto known = whole.members.find(name);
  return known != whole.members.end() ? known->second : HostValue{};
}

}  // namespace

HostValue HostWalk::evaluate(const clang::Expr* e) {
  if (e == nullptr || !variables_ || depth_ > kDeepestExpression || is_spent()) return {};
  ++depth_;
  HostValue value = compute(e);
  --depth_;
  return assumed_ ? assumed(e, std::move(value)) : value;
}

bool HostWalk::comes_from_elsewhere(const clang::Expr* e) {
  const clang::Expr* base = e->IgnoreParenImpCasts();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base)) base = member->getBase()->IgnoreParenImpCasts();
  if (llvm::isa<clang::CallExpr>(base)) return true;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(base);
  if (ref != nullptr && llvm::isa<clang::NonTypeTemplateParmDecl>(ref->getDecl())) return true;
  const auto* v = ref != nullptr ? llvm::dyn_cast_or_null<clang::VarDecl>(variable_named(ref)) : nullptr;
  const clang::Decl* named = v != nullptr ? v : class_of_this(base);
  if (named == nullptr || stack_.empty()) return false;
  if (llvm::isa<clang::ParmVarDecl>(named) && stack_.back()->isMain()) return false;  // argc is none of the sizes
  const auto [changes, is_new] = changed_.try_emplace(stack_.back());
  const clang::FunctionDecl* definition = stack_.back();
  const clang::Stmt* body = definition->getBody(definition);
  if (is_new) changes->second = changes_in(body);
  const bool is_here = v != nullptr && (v->isLocalVarDecl() || shared_.contains(v));  // what it is, the file tells
  return changes->second.filled.contains(named) || (!is_here && !changes->second.all.contains(named));
}

HostValue HostWalk::assumed(const clang::Expr* e, HostValue value) {
  const bool is_asked = llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::CallExpr>(e);
  return value != HostValue{} || !is_asked || !comes_from_elsewhere(e) ? value : assumed_of(e->getType());
}

// Flags are left open: they are none of the sizes.
HostValue HostWalk::assumed_of(clang::QualType type) const {
  constexpr unsigned kNarrowest = 16;
  if (type.isNull() || type->isDependentType() || !type->isIntegerType() || context_.getTypeSize(type) < kNarrowest)
    return {};
  return fitting(HostValue::of(*assumed_), type);
}

HostValue HostWalk::compute(const clang::Expr* e) {
  if (const auto syntax = launch_syntax(e)) {
    launch(*syntax, e->getSourceRange());
    return {};
  }
  if (HostValue known = constant(e); known.integer || known.real) return known;
  if (const auto* s = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e); s && writes_at_its_end(s->getType())) {
    HostValue made = evaluate(s->getSubExpr());
    expect_end();
    return made;
  }
  if (const clang::Expr* other = wrapped_by(e)) return evaluate(other);
  if (const auto* s = llvm::dyn_cast<clang::CastExpr>(e)) return cast(s);
  if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(e)) return read(e);
  if (const auto* s = llvm::dyn_cast<clang::BinaryOperator>(e)) return binary(s);
  if (const auto* s = llvm::dyn_cast<clang::UnaryOperator>(e)) return unary(s);
  if (const auto* s = llvm::dyn_cast<clang::ConditionalOperator>(e)) return conditional(s);
  if (const auto* s = llvm::dyn_cast<clang::CXXConstructExpr>(e)) return construct(s);
  if (const auto* s = llvm::dyn_cast<clang::InitListExpr>(e)) return list(s);
  if (const auto* s = llvm::dyn_cast<clang::LambdaExpr>(e)) return lambda(s);
  if (const auto* s = llvm::dyn_cast<clang::CallExpr>(e)) return call(s);
  if (const auto* s = llvm::dyn_cast<clang::StmtExpr>(e)) return exec(s->getSubStmt()), HostValue{};
  return parts_of(e);
}

HostValue HostWalk::parts_of(const clang::Stmt* e) {
  for (const clang::Stmt* part : e->children()) exec(part);
  if (!llvm::isa<clang::RecoveryExpr>(e)) return {};
  const auto is_whole = [&](const clang::Decl* v) {  // where sizes are assumed, parts go by value
    return std::any_of(e->child_begin(), e->child_end(), [&](const clang::Stmt* part) {
      const auto* ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(part);
      return ref != nullptr && variable_named(ref) == v;
    });
  };
  for (const clang::Decl* v : changed(e))
    if (!assumed_ || is_whole(v)) forget(aliased(v));
  forget_addressed();
  return {};
}

// What clang's evaluator makes of it: constants alone.
HostValue HostWalk::constant(const clang::Expr* e) const {
  const clang::QualType type = e->getType();
  if (type.isNull() || e->isValueDependent() || e->isTypeDependent() || e->containsErrors()) return {};
  HostValue out;
  clang::Expr::EvalResult known;
  if (type->isIntegralOrEnumerationType() && e->EvaluateAsInt(known, context_)) {
    if (known.Val.getInt().isRepresentableByInt64()) out.integer = known.Val.getInt().getExtValue();
  } else if (type->isRealFloatingType() && e->EvaluateAsRValue(known, context_) && known.Val.isFloat()) {
    out.real = known.Val.getFloat().convertToDouble();
  }
  return (out.integer || out.real) && may_be_hidden(e) ? HostValue{} : out;
}

// As a variable of this type holds it.
HostValue HostWalk::fitting(const HostValue& value, clang::QualType type) const {
  if (type.isNull() || type->isDependentType()) return value;
  HostValue out = value;
  if (type->isRealFloatingType()) {
    if (value.integer) out = HostValue::of_real(static_cast<double>(*value.integer));
    if (out.real && context_.getTypeSize(type) == 32) out.real = static_cast<double>(static_cast<float>(*out.real));
  } else if (type->isIntegralOrEnumerationType()) {
    const unsigned bits = type->isBooleanType() ? 1 : static_cast<unsigned>(context_.getTypeSize(type));
    constexpr double kBeyond = 9.2e18;
    if (value.real)
      out = std::fabs(*value.real) < kBeyond ? HostValue::of(static_cast<std::int64_t>(*value.real)) : HostValue{};
    if (!out.integer) return out;
    const bool is_signed = type->isSignedIntegerOrEnumerationType();
    if (type->isBooleanType()) out.integer = *out.integer != 0;
    else if (!is_signed && bits >= 64 && *out.integer < 0) out.integer.reset();
    else out.integer = low_bits(*out.integer, bits, is_signed);
  }
  return out;
}

HostValue HostWalk::fitting(const HostValue& value, const clang::FieldDecl* field) const {
  HostValue out = fitting(value, field->getType());
  if (!field->isBitField() || !out.integer) return out;
  const clang::Expr* width = field->getBitWidth();
  if (width->isValueDependent()) return {};
  if (const unsigned bits = field->getBitWidthValue(context_); bits > 0)
    out.integer = low_bits(*out.integer, bits, field->getType()->isSignedIntegerOrEnumerationType());
  return out;
}

HostValue HostWalk::cast(const clang::CastExpr* e) {
  const HostValue value = evaluate(e->getSubExpr());
  if (e->getCastKind() == clang::CK_ArrayToPointerDecay)
    if (const auto place = place_of(e->getSubExpr())) take_address(place->variable);
  switch (e->getCastKind()) {
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingCast: return fitting(value, e->getType());
    case clang::CK_IntegralToBoolean: return value.integer ? HostValue::of(*value.integer != 0) : HostValue{};
    case clang::CK_ToVoid: return {};
    case clang::CK_Dependent:
      return e->getType()->isArithmeticType() || e->getType()->isEnumeralType() ? fitting(value, e->getType()) : value;
    default: return value;
  }
}

const clang::Decl* HostWalk::aliased(const clang::Decl* v) const {
  for (auto known = aliases_.find(v); known != aliases_.end(); known = aliases_.find(v)) v = known->second;
  return v;
}

std::optional<HostWalk::Place> HostWalk::pointee(const clang::Expr* pointer) {
  if (const clang::Decl* self = class_of_this(pointer)) return Place{self, {}};
  const HostValue value = evaluate(pointer);
  return value.address != nullptr ? std::optional(Place{value.address, {}}) : std::nullopt;
}

std::optional<HostWalk::Place> HostWalk::place_of(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* s = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) e = s->getSubExpr()->IgnoreParenImpCasts();
  std::optional<Place> out;
  if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto* v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl())) out = Place{aliased(v->getCanonicalDecl()), {}};
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field != nullptr && field->getParent()->isUnion()) return std::nullopt;  // with it others change
    out = member->isArrow() ? pointee(member->getBase()) : place_of(member->getBase());
    if (out) out->path.push_back(member->getMemberDecl()->getNameAsString());
  } else if (const auto* item = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const HostValue index = evaluate(item->getIdx());
    const clang::Expr* base = item->getBase()->IgnoreParenImpCasts();
    const bool is_array = base->getType()->isArrayType();
    if (!index.integer || (!is_array && *index.integer != 0)) return std::nullopt;
    out = is_array ? place_of(base) : pointee(base);
    if (out && is_array) out->path.push_back(std::to_string(*index.integer));
  } else if (const auto* star = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (star->getOpcode() == clang::UO_Deref) out = pointee(star->getSubExpr());
  }
  return out;
}

const HostValue* HostWalk::find(const Place& place) const {
  if (!variables_ || shared_.contains(place.variable) || escaped_.contains(place.variable)) return nullptr;
  const auto known = variables_->find(place.variable);
  if (known == variables_->end()) return nullptr;
  const HostValue* value = &known->second;
  for (const std::string& name : place.path) {
    const auto member = value->members.find(name);
    if (member == value->members.end()) return nullptr;
    value = &member->second;
  }
  return value;
}

// A variable of the file that nothing changes is what it is initialized with.
HostValue HostWalk::global(const clang::Decl* d) const {
  const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
  if (v == nullptr) return {};
  const clang::Expr* init = v->getAnyInitializer();
  if (hidden_.contains(v->getName().str())) return {};
  if (!v->hasGlobalStorage() || shared_.contains(v) || init == nullptr) return {};
  if (v->isConstexpr() && !init->isValueDependent())
    if (const clang::APValue* value = v->evaluateValue()) return host_value(*value, v->getType());
  if (const auto* object = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit())) {
    if (!is_dim3(object->getType())) return {};
    HostValue out;
    constexpr const char* kNames[] = {"x", "y", "z"};
    for (unsigned i = 0; i < object->getNumArgs() && i < 3; ++i) out.members[kNames[i]] = constant(object->getArg(i));
    return out;
  }
  return fitting(global_list(init), v->getType());
}

// Of an array that is all known: what all its elements are, whichever is meant.
std::optional<HostValue> HostWalk::any_element(const clang::Expr* e) {
  const auto* item = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
  const clang::Expr* base = item != nullptr ? item->getBase()->IgnoreParenImpCasts() : nullptr;
  const auto* array = base != nullptr ? context_.getAsConstantArrayType(base->getType()) : nullptr;
  if (array == nullptr) return std::nullopt;
  const HostValue whole = read(base);
  if (whole.members.empty() || array->getSize().getZExtValue() != whole.members.size()) return std::nullopt;
  HostValue all = whole.members.begin()->second;
  for (const auto& [name, element] : whole.members) all = common(all, element);
  return all;
}

// A list of constants and functions, and of such lists.
HostValue HostWalk::global_list(const clang::Expr* init) const {
  const clang::Expr* plain = init->IgnoreParenImpCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(plain);
      address && address->getOpcode() == clang::UO_AddrOf)
    plain = address->getSubExpr()->IgnoreParenImpCasts();
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(plain);
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(plain);
  HostValue out;
  if (named != nullptr) out.function = llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
  if (out.function != nullptr) return out;
  if (list == nullptr) return constant(init);
  if (!list->getType()->isArrayType()) return {};
  for (unsigned i = 0; i < list->getNumInits(); ++i) out.members[std::to_string(i)] = global_list(list->getInit(i));
  return out;
}

HostValue HostWalk::read(const clang::Expr* e) {
  if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    HostValue named;
    named.function = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl());
    if (named.function != nullptr) return named;
  }
  if (const auto place = place_of(e)) {
    if (const HostValue* value = find(*place)) return *value;
    if (variables_ && !variables_->contains(place->variable)) {
      HostValue whole = global(place->variable);
      for (const std::string& name : place->path) whole = member_of(whole, name);
      return whole;
    }
    return {};
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return member_of(evaluate(member->getBase()), member->getMemberDecl()->getNameAsString());
  if (const auto known = any_element(e)) return *known;
  return parts_of(e);
}

// What is there then.
HostValue HostWalk::assign(const clang::Expr* target, const HostValue& value) {
  const auto place = place_of(target);
  const clang::FieldDecl* field = target->getSourceBitField();
  const HostValue stored = field != nullptr ? fitting(value, field) : fitting(value, target->getType());
  if (!variables_) return stored;
  if (!place) {  // perhaps one of those whose address was taken, or what a call makes of those that it names
    forget_addressed();
    for (const clang::Decl* v : named_in(target)) forget(aliased(v));
    return stored;
  }
  put(*place, stored);
  return stored;
}

void HostWalk::put(const Place& place, const HostValue& value) {
  if (!variables_ || shared_.contains(place.variable)) return;
  HostValue* into = &(*variables_)[place.variable];
  for (const std::string& name : place.path) into = &into->members[name];
  *into = value;
}

HostValue HostWalk::binary(const clang::BinaryOperator* e) {
  const clang::BinaryOperatorKind op = e->getOpcode();
  if (e->isAssignmentOp()) {
    HostValue value = evaluate(e->getRHS());
    if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(e)) {
      const clang::QualType type = compound->getComputationLHSType();
      const HostValue old = type.isNull() ? HostValue{} : fitting(read(e->getLHS()->IgnoreParens()), type);
      value = computed(clang::BinaryOperator::getOpForCompoundAssignment(op), old, value);
    }
    return assign(e->getLHS(), value);
  }
  const HostValue left = evaluate(e->getLHS());
  if (op == clang::BO_Comma) return evaluate(e->getRHS());
  if (e->isLogicalOp()) {
    const bool settles = left.integer && (*left.integer != 0) == (op == clang::BO_LOr);
    if (settles) return HostValue::of(op == clang::BO_LOr);
    const HostValue right = evaluate(e->getRHS());
    if (!left.integer) forget_changed_in(e->getRHS());
    const bool decides = right.integer && (*right.integer != 0) == (op == clang::BO_LOr);
    return decides ? HostValue::of(op == clang::BO_LOr) : fitting(computed(op, left, right), e->getType());
  }
  const HostValue right = evaluate(e->getRHS());
  return fitting(computed(op, left, right), e->getType());
}

HostValue HostWalk::unary(const clang::UnaryOperator* e) {
  const clang::Expr* sub = e->getSubExpr();
  if (e->isIncrementDecrementOp()) {
    const HostValue old = read(sub->IgnoreParens());
    const HostValue changed = computed(e->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, old, HostValue::of(1));
    assign(sub, changed);
    return e->isPrefix() ? changed : old;
  }
  if (e->getOpcode() == clang::UO_Deref) {
    const auto place = place_of(e);
    const HostValue* value = place ? find(*place) : nullptr;
    return value != nullptr ? *value : evaluate(sub).function != nullptr ? evaluate(sub) : HostValue{};
  }
  if (e->getOpcode() == clang::UO_AddrOf) {
    const auto place = place_of(sub);
    if (!place) return evaluate(sub);
    take_address(place->variable);
    HostValue out;
    if (place->path.empty()) out.address = place->variable;
    return out;
  }
  const HostValue value = evaluate(sub);
  switch (e->getOpcode()) {
    case clang::UO_Minus:
      return value.real ? HostValue::of_real(-*value.real) : computed(clang::BO_Sub, HostValue::of(0), value);
    case clang::UO_LNot: return value.integer ? HostValue::of(*value.integer == 0) : HostValue{};
    case clang::UO_Not: return value.integer ? fitting(HostValue::of(~*value.integer), e->getType()) : HostValue{};
    case clang::UO_Plus: return value;
    default: return {};
  }
}

HostValue HostWalk::conditional(const clang::ConditionalOperator* e) {
  const HostValue condition = evaluate(e->getCond());
  if (condition.integer) return evaluate(*condition.integer != 0 ? e->getTrueExpr() : e->getFalseExpr());
  const auto before = variables_;
  const HostValue a = evaluate(e->getTrueExpr());
  const auto after = std::exchange(variables_, before);
  const HostValue b = evaluate(e->getFalseExpr());
  meet(after);
  return common(a, b);
}

// Who gets it calls it, as often as they like.
HostValue HostWalk::lambda(const clang::LambdaExpr* e) {
  for (const clang::LambdaCapture& capture : e->captures())
    if (e->isInitCapture(&capture))
      if (const auto* v = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())) exec_declaration(v);
  forget_changed_in(e->getBody());
  forget_lost_in(e->getBody());
  escape(changed_by(e->getLambdaClass()));
  const auto before = variables_;
  forget_own_copies(e->getLambdaClass());
  const auto breaks = std::exchange(breaks_, {});
  const auto returns = std::exchange(returns_, std::nullopt);
  const auto returned = std::exchange(returned_, std::nullopt);
  exec(e->getBody());
  breaks_ = breaks;
  returns_ = returns;
  returned_ = returned;
  variables_ = before;
  return {};
}

}  // namespace swizzle
