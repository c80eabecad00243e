#include "frontend/narrow_storage.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "synth/program/places.h"

namespace swizzle {
namespace {

class Narrowing {
 public:
  explicit Narrowing(Program& program) : program_(program) {}

  Diagnostics run() && {
    for (std::size_t n = 0; n < program_.exprs.size(); ++n)
      if (is_view(program_.exprs[n])) note_view(ExprId(n));
    if (errors_.empty()) apply();
    return std::move(errors_);
  }

 private:
  bool is_view(const Expr& e) const {
    const bool is_cast = e.kind == ExprKind::kCast, is_address = e.kind == ExprKind::kAddressOf;
    if ((!is_cast && !is_address) || program_.type(e.type).form != Type::Form::kPointer) return false;
    const Type& operand = program_.type(program_.expr(e.operands[0]).type);
    if (is_cast && operand.form != Type::Form::kPointer) return false;
    return looks_inside(is_cast ? program_.type(operand.element) : operand,
                        program_.type(program_.type(e.type).element));
  }

  void note_view(ExprId view) {
    const Expr& e = program_.expr(view);
    const Scalar narrow = *packed_scalar(program_.type(program_.type(e.type).element));
    const std::optional<VariableId> root = root_of(e.operands[0]);
    if (!root || !can_be_narrow(*root)) {
      errors_.push_back(
          make_error(program_.source, e.range,
                     "only a variable of the kernel's can be looked at as narrower values; copy what this "
                     "points to into one first"));
      return;
    }
    const auto [known, fresh] = narrowest_.try_emplace(*root, narrow);
    if (size_bytes(narrow) < size_bytes(known->second)) known->second = narrow;
    else if (size_bytes(narrow) == size_bytes(known->second) && narrow != known->second)
      errors_.push_back(make_error(program_.source, e.range,
                                   fmt::format("'{}' is looked at as values of {} bits with a sign, and without one",
                                               program_.variable(*root).name, bit_width(narrow))));
  }

  bool can_be_narrow(VariableId id) const {
    const Variable& v = program_.variable(id);
    const Type& type = program_.type(v.type);
    const bool is_parameter = std::ranges::any_of(program_.functions, [&](const Function& f) {
      return std::ranges::find(f.parameters, id) != f.parameters.end();
    });
    return !is_parameter && !v.is_global && !v.is_reference && packed_scalar(type) && !type.extent.valid() &&
           !type.sized_by.valid();
  }

  // The variable that a place is a part of, or that a pointer points into.
  std::optional<VariableId> root_of(ExprId id, int depth = 0) const {
    constexpr int kDeepest = 64;
    const Expr& e = program_.expr(id);
    if (depth > kDeepest) return std::nullopt;
    const bool is_pointer = program_.type(e.type).form == Type::Form::kPointer;
    switch (e.kind) {
      case ExprKind::kVariable: {
        const bool refers = is_pointer || program_.variable(e.variable).is_reference;
        if (!refers) return e.variable;
        const std::optional<ExprId> initial = only_value(e.variable);
        return initial ? root_of(*initial, depth + 1) : std::nullopt;
      }
      case ExprKind::kBinary: {
        for (const ExprId operand : e.operands)
          if (is_pointer && program_.type(program_.expr(operand).type).form == Type::Form::kPointer)
            return root_of(operand, depth + 1);
        return std::nullopt;
      }
      case ExprKind::kCast:
      case ExprKind::kAddressOf:
      case ExprKind::kSubscript:
      case ExprKind::kMember:
      case ExprKind::kDereference: return root_of(e.operands[0], depth + 1);
      default: return std::nullopt;
    }
  }

  // What a pointer or a reference is set to where it is declared, if nothing else changes it.
  std::optional<ExprId> only_value(VariableId id) const {
    std::optional<ExprId> value;
    for (const Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kDeclare && s.variable == id && s.expr.valid()) value = s.expr;
    const auto is_itself = [&](ExprId e) {
      return program_.expr(e).kind == ExprKind::kVariable && program_.expr(e).variable == id;
    };
    const bool changes = !program_.variable(id).is_reference && std::ranges::any_of(program_.exprs, [&](const Expr& e) {
      const bool sets = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
      return sets && is_itself(e.operands[0]);
    });
    return changes ? std::nullopt : value;
  }

  void apply() {
    std::map<VariableId, TypeId> stored;
    for (const auto& [id, narrow] : narrowest_) stored.emplace(id, storage_of(program_.variable(id).type, narrow));
    const std::size_t count = program_.exprs.size();
    for (std::size_t n = 0; n < count; ++n)
      if (program_.exprs[n].kind == ExprKind::kVariable)
        if (const auto it = stored.find(program_.exprs[n].variable); it != stored.end()) see_through(n, it->second);
    for (Stmt& s : program_.stmts)
      if (const auto it = stored.find(s.variable); s.kind == StmtKind::kDeclare && it != stored.end() && s.expr.valid())
        s.expr = seen_as(s.expr, it->second);
    for (const auto& [id, type] : stored) program_.variables[id.value].type = type;
  }

  // The variable, kept as `stored`, seen as what it was declared to be.
  void see_through(std::size_t n, TypeId stored) {
    Expr use = program_.exprs[n];
    const TypeId declared = use.type;
    use.type = stored;
    const ExprId address = address_of(add(use), declared);
    Expr& seen = program_.exprs[n];
    seen.kind = ExprKind::kDereference;
    seen.operands = {address};
  }

  ExprId seen_as(ExprId value, TypeId type) {
    Expr e;
    e.kind = ExprKind::kDereference;
    e.range = program_.expr(value).range;
    e.type = type;
    e.operands = {address_of(value, type)};
    return add(std::move(e));
  }

  ExprId address_of(ExprId place, TypeId pointee) {
    Expr e;
    e.kind = ExprKind::kAddressOf;
    e.range = program_.expr(place).range;
    e.type = pointer_to(pointee);
    e.operands = {place};
    return add(std::move(e));
  }

  ExprId add(Expr e) {
    program_.exprs.push_back(std::move(e));
    return ExprId(program_.exprs.size() - 1);
  }

  TypeId storage_of(TypeId id, Scalar narrow) {
    const Type declared = program_.type(id);
    Type element;
    element.form = Type::Form::kScalar;
    element.scalar = narrow;
    element.slots = 1;
    element.size_bytes = element.alignment_bytes = size_bytes(narrow);
    element.spelling = spelling(narrow);
    Type array;
    array.form = Type::Form::kArray;
    array.scalar = narrow;
    array.element = add(element);
    array.count = array.slots = declared.size_bytes / size_bytes(narrow);
    array.size_bytes = declared.size_bytes;
    array.alignment_bytes = declared.alignment_bytes;
    array.spelling = declared.spelling;
    return add(std::move(array));
  }

  TypeId pointer_to(TypeId pointee) {
    for (std::size_t n = 0; n < program_.types.size(); ++n)
      if (program_.types[n].form == Type::Form::kPointer && program_.types[n].element == pointee) return TypeId(n);
    Type pointer;
    pointer.form = Type::Form::kPointer;
    pointer.element = pointee;
    pointer.slots = 1;
    pointer.size_bytes = pointer.alignment_bytes = 8;
    pointer.spelling = program_.type(pointee).spelling + " *";
    return add(std::move(pointer));
  }

  TypeId add(Type type) {
    program_.types.push_back(std::move(type));
    return TypeId(program_.types.size() - 1);
  }

  Program& program_;
  std::map<VariableId, Scalar> narrowest_;
  Diagnostics errors_;
};

}  // namespace

bool looks_inside(const Type& from, const Type& to) {
  const auto own = packed_scalar(from), other = packed_scalar(to);
  if (!own || !other || is_real(*own) || is_real(*other)) return false;
  if (*own == Scalar::kBool || *other == Scalar::kBool) return false;
  return size_bytes(*other) < size_bytes(*own) && to.size_bytes % size_bytes(*own) != 0;
}

Diagnostics keep_narrow(Program& program) { return Narrowing(program).run(); }

}  // namespace swizzle
