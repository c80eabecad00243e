#include "frontend/host_values.h"

#include <algorithm>
#include <cmath>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace swizzle {
namespace {

std::optional<std::int64_t> integer_of(clang::BinaryOperatorKind op, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  const bool divides = b != 0 && !(a == INT64_MIN && b == -1), shifts = b >= 0 && b < 63;
  switch (op) {
    case clang::BO_Add: return __builtin_add_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Sub: return __builtin_sub_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Mul: return __builtin_mul_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Div: return divides ? std::optional(a / b) : std::nullopt;
    case clang::BO_Rem: return divides ? std::optional(a % b) : std::nullopt;
    case clang::BO_Shl: return shifts && a >= 0 && a <= (INT64_MAX >> b) ? std::optional(a << b) : std::nullopt;
    case clang::BO_Shr: return shifts ? std::optional(a >> b) : std::nullopt;
    case clang::BO_And: return a & b;
    case clang::BO_Or: return a | b;
    case clang::BO_Xor: return a ^ b;
    case clang::BO_LT: return a < b;
    case clang::BO_GT: return a > b;
    case clang::BO_LE: return a <= b;
    case clang::BO_GE: return a >= b;
    case clang::BO_EQ: return a == b;
    case clang::BO_NE: return a != b;
    case clang::BO_LAnd: return a != 0 && b != 0;
    case clang::BO_LOr: return a != 0 || b != 0;
    default: return std::nullopt;
  }
}

HostValue real_of(clang::BinaryOperatorKind op, double a, double b) {
  switch (op) {
    case clang::BO_Add: return HostValue::of_real(a + b);
    case clang::BO_Sub: return HostValue::of_real(a - b);
    case clang::BO_Mul: return HostValue::of_real(a * b);
    case clang::BO_Div: return b != 0 ? HostValue::of_real(a / b) : HostValue{};
    case clang::BO_LT: return HostValue::of(a < b);
    case clang::BO_GT: return HostValue::of(a > b);
    case clang::BO_LE: return HostValue::of(a <= b);
    case clang::BO_GE: return HostValue::of(a >= b);
    default: return {};
  }
}

}  // namespace

HostValue HostValue::of(std::int64_t value) {
  HostValue v;
  v.integer = value;
  return v;
}

HostValue HostValue::of_real(double value) {
  HostValue v;
  v.real = value;
  return v;
}

HostValue common(const HostValue& a, const HostValue& b) {
  if (a == b) return a;
  HostValue out;
  for (const auto& [name, value] : a.members)
    if (const auto other = b.members.find(name); other != b.members.end())
      out.members[name] = common(value, other->second);
  return out;
}

HostValue host_value(const clang::APValue& value, clang::QualType type) {
  if (value.isInt() && value.getInt().isRepresentableByInt64()) return HostValue::of(value.getInt().getExtValue());
  if (value.isFloat()) return HostValue::of_real(value.getFloat().convertToDouble());
  HostValue out;
  if (const auto* array = type->getAsArrayTypeUnsafe(); value.isArray() && array != nullptr) {
    constexpr unsigned kMost = 64;
    for (unsigned i = 0; i < std::min(value.getArraySize(), kMost); ++i)
      if (i < value.getArrayInitializedElts() || value.hasArrayFiller())
        out.members[std::to_string(i)] =
            host_value(i < value.getArrayInitializedElts() ? value.getArrayInitializedElt(i) : value.getArrayFiller(),
                       array->getElementType());
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (!value.isStruct() || record == nullptr) return out;
  unsigned base = 0;
  for (const clang::CXXBaseSpecifier& b : record->bases())
    for (auto& [name, part] : host_value(value.getStructBase(base++), b.getType()).members) out.members[name] = part;
  for (const clang::FieldDecl* field : record->fields())
    out.members[field->getNameAsString()] = host_value(value.getStructField(field->getFieldIndex()), field->getType());
  return out;
}

HostVariables common(const HostVariables& a, const HostVariables& b) {
  HostVariables out;
  for (const auto& [variable, value] : a)
    if (const auto other = b.find(variable); other != b.end()) out[variable] = common(value, other->second);
  return out;
}

std::optional<std::array<int, 3>> dimensions_of(const HostValue& value) {
  std::array<int, 3> out{1, 1, 1};
  const auto take = [&](std::size_t i, const std::optional<std::int64_t>& n) {
    if (!n || *n < 1 || *n > INT32_MAX) return false;
    out[i] = static_cast<int>(*n);
    return true;
  };
  if (value.integer) return take(0, value.integer) ? std::optional(out) : std::nullopt;
  constexpr const char* kNames[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto member = value.members.find(kNames[i]);
    if (member == value.members.end() || !take(i, member->second.integer)) return std::nullopt;
  }
  return out;
}

HostValue computed(clang::BinaryOperatorKind op, const HostValue& a, const HostValue& b) {
  if (a.real && b.real) return real_of(op, *a.real, *b.real);
  HostValue out;
  if (a.integer && b.integer) out.integer = integer_of(op, *a.integer, *b.integer);
  return out;
}

std::int64_t low_bits(std::int64_t value, unsigned bits, bool is_signed) {
  const llvm::APInt cut = llvm::APInt(64, static_cast<std::uint64_t>(value)).trunc(std::min(bits, 64u));
  return is_signed ? cut.getSExtValue() : static_cast<std::int64_t>(cut.getZExtValue());
}

bool is_dim3(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "dim3";
}

std::optional<HostValue> library_call(const std::string& name, const HostValue* arguments, std::size_t count) {
  if ((name == "min" || name == "max") && count == 2) {
    const HostValue &a = arguments[0], &b = arguments[1];
    if (a.integer && b.integer)
      return HostValue::of(name == "min" ? std::min(*a.integer, *b.integer) : std::max(*a.integer, *b.integer));
    return a.real && b.real
               ? HostValue::of_real(name == "min" ? std::min(*a.real, *b.real) : std::max(*a.real, *b.real))
               : HostValue{};
  }
  static const std::map<std::string, double (*)(double)> kFunctions = {
      {"ceil", [](double x) { return std::ceil(x); }},   {"ceilf", [](double x) { return std::ceil(x); }},
      {"floor", [](double x) { return std::floor(x); }}, {"floorf", [](double x) { return std::floor(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},   {"sqrtf", [](double x) { return std::sqrt(x); }}};
  const auto known = kFunctions.find(name);
  if (known == kFunctions.end() || count != 1) return std::nullopt;
  const HostValue& x = arguments[0];
  if (!x.real && !x.integer) return HostValue{};
  return HostValue::of_real(known->second(x.real ? *x.real : static_cast<double>(*x.integer)));
}

}  // namespace swizzle
