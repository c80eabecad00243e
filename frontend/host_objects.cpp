// Objects of host code: what constructors, lists and methods make of their members.
//
//   struct Shape { int warps = 8; dim3 block; explicit Shape(int rows) : block(32, rows) { block.x *= warps; } };
//   Shape shape(2);                              warps = 8, block = (256, 2, 1)
//
// While a method is under way, its object is the variable `this`; behind it, it is put back where it was taken from.
#include <algorithm>

#include "frontend/host_walk.h"

namespace swizzle {

// Of a class, what `this` has been; nothing: there was none.
std::optional<HostValue> HostWalk::exchange_this(const clang::Decl* record, std::optional<HostValue> value) {
  if (!variables_) return std::nullopt;
  std::optional<HostValue> old;
  if (const auto known = variables_->find(record); known != variables_->end()) old = std::move(known->second);
  if (value) (*variables_)[record] = std::move(*value);
  else variables_->erase(record);
  return old;
}

HostValue HostWalk::construct(const clang::CXXConstructExpr* e) {
  const clang::CXXConstructorDecl* constructor = e->getConstructor();
  const auto* array = context_.getAsConstantArrayType(e->getType());
  const clang::QualType type = array != nullptr ? array->getElementType() : e->getType();
  const bool is_of_object = e->getNumArgs() == 1 && e->getArg(0)->getType()->isRecordType();
  if (is_of_object && is_dim3(type)) return evaluate(e->getArg(0));
  if (is_of_object && constructor->isCopyOrMoveConstructor() && !constructor->isUserProvided())
    return copied(evaluate(e->getArg(0)), type);
  HostValue made;
  if (is_dim3(type)) {
    constexpr const char* kNames[] = {"x", "y", "z"};
    for (unsigned i = 0; i < e->getNumArgs() && i < 3; ++i)
      made.members[kNames[i]] = fitting(evaluate(e->getArg(i)), context_.UnsignedIntTy);
  } else if (!type->isRecordType() || !may_enter(constructor)) {
    return parts_of(e);
  } else {
    std::vector<HostValue> arguments;
    for (const clang::Expr* a : e->arguments()) arguments.push_back(evaluate(a));
    const clang::Decl* record = constructor->getParent()->getCanonicalDecl();
    auto outer = exchange_this(record, HostValue{});
    enter(constructor, std::move(arguments), {e->arg_begin(), e->arg_end()});
    made = exchange_this(record, std::move(outer)).value_or(HostValue{});
  }
  if (array == nullptr) return made;
  constexpr std::uint64_t kMost = 64;
  HostValue all;
  for (std::uint64_t i = 0; i < std::min(array->getSize().getZExtValue(), kMost); ++i)
    all.members[std::to_string(i)] = made;
  return all;
}

// What bases and fields make of it that have constructors of their own is not followed.
HostValue HostWalk::copied(HostValue value, clang::QualType type) const {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !has_own_copies(type)) return value;
  if (std::ranges::any_of(record->bases(), [](const auto& base) { return has_own_copies(base.getType()); })) return {};
  for (const clang::FieldDecl* field : record->fields())
    if (has_own_copies(field->getType())) value.members.erase(field->getNameAsString());
  return value;
}

void HostWalk::exec_initializers(const clang::CXXConstructorDecl* constructor) {
  const clang::Decl* record = constructor->getParent()->getCanonicalDecl();
  for (const clang::CXXCtorInitializer* init : constructor->inits()) {
    const HostValue value = evaluate(init->getInit());
    if (!variables_) return;
    HostValue& object = (*variables_)[record];
    if (init->getMember() != nullptr && init->getMember()->getType()->isReferenceType())
      escape(named_in(init->getInit()));
    else if (const clang::FieldDecl* field = init->getMember())
      object.members[field->getNameAsString()] = fitting(value, field);
    else
      for (const auto& [name, part] : value.members) object.members[name] = part;
  }
}

HostValue HostWalk::list(const clang::InitListExpr* e) {
  const auto* record = e->getType()->getAsRecordDecl();
  if (record != nullptr) return record_list(e, record);
  if (!e->getType()->isArrayType()) return e->getNumInits() == 1 ? evaluate(e->getInit(0)) : parts_of(e);
  HostValue out;
  for (unsigned i = 0; i < e->getNumInits(); ++i) out.members[std::to_string(i)] = initialized(e->getInit(i));
  return out;
}

HostValue HostWalk::initialized(const clang::Expr* init) {
  const bool is_zero = llvm::isa<clang::ImplicitValueInitExpr>(init) && init->getType()->isIntegerType();
  return is_zero ? HostValue::of(0) : evaluate(init);
}

// A member's own initializer may name those before it.
HostValue HostWalk::record_list(const clang::InitListExpr* e, const clang::RecordDecl* record) {
  const auto* own = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (own != nullptr && own->hasDefinition() && own->getNumBases() > 0) return parts_of(e);
  const clang::Decl* key = record->getCanonicalDecl();
  HostValue out;
  auto outer = exchange_this(key, out);
  auto field = record->field_begin();
  for (unsigned i = 0; i < e->getNumInits() && field != record->field_end(); ++i, ++field) {
    const HostValue value = initialized(e->getInit(i));
    if (field->getType()->isReferenceType()) escape(named_in(e->getInit(i)));
    else out.members[field->getNameAsString()] = fitting(value, *field);
    exchange_this(key, out);
  }
  exchange_this(key, std::move(outer));
  return out;
}

HostValue HostWalk::enter_method(const clang::CXXMethodDecl* method, const clang::Expr* object,
                                 std::vector<HostValue> arguments, const std::vector<const clang::Expr*>& written) {
  if (method->isStatic() || object == nullptr) return enter(method, std::move(arguments), written);
  const bool is_pointer = object->getType()->isPointerType();
  const auto place = is_pointer ? pointee(object) : place_of(object);
  const HostValue* known = place ? find(*place) : nullptr;
  const HostValue before = known != nullptr ? *known : place || is_pointer ? HostValue{} : evaluate(object);
  const clang::Decl* record = method->getParent()->getCanonicalDecl();
  auto outer = exchange_this(record, before);
  const HostValue result = enter(method, std::move(arguments), written);
  const HostValue after = exchange_this(record, std::move(outer)).value_or(HostValue{});
  if (!method->isConst() && place && !escaped_.contains(place->variable)) put(*place, after);
  return result;
}

}  // namespace swizzle
