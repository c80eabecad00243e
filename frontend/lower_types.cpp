#include "frontend/lower_types.h"

#include <utility>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include <fmt/format.h>

#include "synth/program/places.h"

namespace swizzle {
namespace {

const clang::ClassTemplateSpecializationDecl* specialization(clang::QualType type) {
  return llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
}

}  // namespace

bool is_opaque(clang::QualType type) {
  if (type.isNull() || type->isDependentType() || type->isUndeducedType() || type->isPlaceholderType()) return true;
  const clang::QualType pointee = type->isAnyPointerType() || type->isReferenceType() ? type->getPointeeType() : type;
  return pointee->isFunctionType() || pointee->isDependentType() || pointee->isNullPtrType() ||
         pointee->isMemberPointerType() || pointee->isVectorType();
}

bool is_prelude_object(clang::QualType type) {
  const auto* record = specialization(type);
  return record != nullptr && (record->getName() == "acc" || record->getName() == "$registers");
}

const clang::TemplateArgument* registers_element(clang::QualType type) {
  const auto* record = specialization(type);
  return record != nullptr && record->getName() == "$registers" ? &record->getTemplateArgs()[0] : nullptr;
}

std::optional<Scalar> TypeLowering::scalar_of(clang::QualType type) {
  type = type.getCanonicalType();
  if (const auto* e = type->getAs<clang::EnumType>()) {
    if (e->getDecl()->getIntegerType().isNull()) return Scalar::kI32;  // it is not defined here
    type = e->getDecl()->getIntegerType().getCanonicalType();
  }
  const auto* b = type->getAs<clang::BuiltinType>();
  if (b == nullptr || b->isDependentType() || b->isPlaceholderType()) return std::nullopt;  // of what has errors
  if (type->isBooleanType()) return Scalar::kBool;
  const auto bits = ast_.getTypeSize(type);
  if (type->isIntegerType()) {
    const bool is_signed = type->isSignedIntegerType();
    switch (bits) {
      case 8: return is_signed ? Scalar::kI8 : Scalar::kU8;
      case 16: return is_signed ? Scalar::kI16 : Scalar::kU16;
      case 32: return is_signed ? Scalar::kI32 : Scalar::kU32;
      case 64: return is_signed ? Scalar::kI64 : Scalar::kU64;
      default: return std::nullopt;
    }
  }
  if (b->getKind() == clang::BuiltinType::Float16) return Scalar::kF16;
  if (b->getKind() == clang::BuiltinType::BFloat16) return Scalar::kBF16;
  if (b->getKind() == clang::BuiltinType::Float) return Scalar::kF32;
  if (b->getKind() == clang::BuiltinType::Double) return Scalar::kF64;
  return std::nullopt;
}

TypeId TypeLowering::of(clang::QualType qualified) {
  if (checks_ && is_opaque(qualified)) return tree_.scalar_type(Scalar::kI32);
  const clang::QualType canonical = qualified.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto it = types_.find(canonical.getAsOpaquePtr()); it != types_.end()) return it->second;
  const TypeId id = make(canonical);
  types_[canonical.getAsOpaquePtr()] = id;
  return id;
}

// It may hold pointers to itself: it is known before its members are.
TypeId TypeLowering::record(const clang::RecordDecl* record, clang::QualType t, Type out) {
  out.form = Type::Form::kRecord;
  const TypeId id(program_.types.size());
  types_[t.getAsOpaquePtr()] = id;
  program_.types.push_back(out);
  record_layout(record, out);
  program_.types[id.value] = std::move(out);
  return id;
}

TypeId TypeLowering::make(clang::QualType t) {
  Type out;
  out.spelling = t.getAsString(ast_.getPrintingPolicy());
  if (const auto scalar = scalar_of(t)) {
    const TypeId usual = tree_.scalar_type(*scalar);
    if (t->isEnumeralType() || t->isFloatingType() || program_.type(usual).spelling == out.spelling) return usual;
    Type other = program_.type(usual);  // char, long long
    other.spelling = out.spelling;
    program_.types.push_back(other);
    return TypeId(program_.types.size() - 1);
  }
  if (const auto* element = registers_element(t)) {
    out.form = Type::Form::kPointer;
    out.element = of(element->getAsType());
    out.slots = 1;
  } else if (t->isVoidType()) {
    out.form = Type::Form::kVoid;
  } else if (t->isNullPtrType() || (t->isPointerType() && t->getPointeeType()->isFunctionType())) {
    source_.error(source_.use(), fmt::format("the type '{}' is not supported in a sketch", out.spelling));
  } else if (t->isPointerType()) {
    out.form = Type::Form::kPointer;
    out.element = of(t->getPointeeType());
    out.pointee_is_const = t->getPointeeType().isConstQualified();
    out.slots = 1;
    out.size_bytes = out.alignment_bytes = 8;
  } else if (const auto* array = ast_.getAsArrayType(t)) {
    array_layout(array, out);
  } else if (const auto* record = t->getAsRecordDecl()) {
    return this->record(record, t, std::move(out));
  } else {
    source_.error(source_.use(), fmt::format("the type '{}' is not supported in a sketch", out.spelling));
  }
  program_.types.push_back(out);
  return TypeId(program_.types.size() - 1);
}

void TypeLowering::array_layout(const clang::ArrayType* array, Type& out) {
  out.form = Type::Form::kArray;
  out.element = of(array->getElementType());
  if (const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(array)) {
    if (!layouts_.sizes(sized, out)) out.count = static_cast<std::int64_t>(sized->getSize().getZExtValue());
  } else if (const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(array)) {
    out.extent = array_extent(variable);
  }
  const Type& element = program_.type(out.element);
  const std::int64_t kMostSlots = checks_ ? 1 << 24 : 1 << 16;
  if (out.count > kMostSlots || out.count * element.slots > kMostSlots) {
    source_.error(source_.use(),
                  fmt::format("an array of {} elements is too large: the limit is {}", out.count, kMostSlots));
    out.count = 1;
  }
  out.slots = static_cast<int>(out.count) * element.slots;
  out.size_bytes = static_cast<int>(out.count) * element.size_bytes;
  out.alignment_bytes = element.alignment_bytes;
  out.scalar = element.scalar;
  out.is_mixed = element.is_mixed || element.form == Type::Form::kPointer;
}

ExprId TypeLowering::array_extent(const clang::VariableArrayType* array) {
  const ExprId size = nodes_.expression(array->getSizeExpr());
  if (tree_.is_constant(size)) return size;
  source_.error(source_.use(), "an array of variable length is not supported in a sketch");
  return {};
}

void TypeLowering::record_layout(const clang::RecordDecl* record, Type& out) {
  out.form = Type::Form::kRecord;
  const auto refuse = [&](const char* why) {
    if (!checks_) source_.error(source_.use(), fmt::format("{} is not supported in a sketch", why));
  };
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record); cxx != nullptr && cxx->hasDefinition()) {
    if (cxx->isUnion() && !checks_) return union_layout(record, out);
    if (cxx->isLambda() && !checks_) {  // its captures are the variables themselves: see lambda()
      out.slots = out.size_bytes = 1;
      return;
    }
    if (cxx->getNumBases() > 0) refuse("a class with a base");
    else if (cxx->isPolymorphic()) refuse("a class with virtual functions");
    else if (cxx->hasNonTrivialDestructor()) refuse("a class with a destructor");
  }
  if (record->isInvalidDecl()) return refuse("a class that is not understood as a whole");
  if (checks_ && !record->isCompleteDefinition()) return;
  bool first = true, has_pointer = false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField()) refuse("a bit-field");
    if (field->getType()->isReferenceType()) refuse("a member that is a reference");
    const TypeId inner = of(field->getType());
    const Type t = program_.type(inner);
    if (!checks_) {
      const std::vector<SlotPlace> slots = item_layout(program_, inner).slots;
      has_pointer |= slots.empty() && t.slots > 0;
      for (const SlotPlace& slot : slots) out.places.push_back({slot.scalar, offset_bytes(field) + slot.offset_bytes});
    }
    if (first) out.scalar = t.scalar;
    out.is_mixed |= t.is_mixed || t.form == Type::Form::kPointer || t.scalar != out.scalar;
    first = false;
    out.slots += t.slots;
    if (checks_) out.fields.push_back({field->getNameAsString(), of_field(field), offset_bytes(field)});
  }
  if (has_pointer) out.places.clear();
  if (!record->isCompleteDefinition()) return;
  set_size(record, out);
}

TypeId TypeLowering::of_field(const clang::FieldDecl* field) {
  const TypeId type = of(field->getType().getNonReferenceType());
  return checks_ && field->getType()->isReferenceType() ? tree_.pointer_to(type) : type;
}

// As many of its narrowest scalars as fill it; a member is what they make together, as if a pointer to it had been
// cast.
void TypeLowering::union_layout(const clang::RecordDecl* record, Type& out) {
  std::optional<Scalar> narrowest;
  for (const clang::FieldDecl* field : record->fields()) {
    const auto scalar = packed_scalar(program_.type(of(field->getType())));
    if (field->isBitField() || !scalar || *scalar == Scalar::kBool) {
      narrowest.reset();
      break;
    }
    if (!narrowest || size_bytes(*scalar) < size_bytes(*narrowest)) narrowest = scalar;
  }
  if (!narrowest)
    return source_.error(source_.use(), "a union of anything but numbers side by side is not supported in a sketch");
  set_size(record, out);
  out.scalar = *narrowest;
  out.slots = out.size_bytes / size_bytes(*narrowest);
  out.places = packed_item(*narrowest, out.slots).slots;
}

void TypeLowering::set_size(const clang::RecordDecl* record, Type& out) const {
  const clang::QualType type = ast_.getRecordType(record);
  out.size_bytes = static_cast<int>(ast_.getTypeSizeInChars(type).getQuantity());
  out.alignment_bytes = static_cast<int>(ast_.getTypeAlignInChars(type).getQuantity());
}

int TypeLowering::offset_bytes(const clang::FieldDecl* field) const {
  return static_cast<int>(
      ast_.toCharUnitsFromBits(static_cast<std::int64_t>(ast_.getFieldOffset(field))).getQuantity());
}

Expr TypeLowering::node(ExprKind kind, const clang::Expr* expr) {
  Expr e;
  e.kind = kind;
  e.range = source_.range_of(expr);
  e.type = of(expr->getType());
  return e;
}

int TypeLowering::field_slot(const clang::FieldDecl* field) {
  int slot = 0;
  for (const clang::FieldDecl* f : field->getParent()->fields()) {
    if (f == field) break;
    slot += program_.type(of(f->getType())).slots;
  }
  return slot;
}

}  // namespace swizzle
