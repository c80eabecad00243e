#include "frontend/narrow_storage.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "synth/program/places.h"

namespace swizzle {
namespace {

// As wide as each other.
bool sees_other_scalars(const Type& from, const Type& to) {
  const auto own = packed_scalar(from), other = packed_scalar(to);
  return own && other && *own != *other && size_bytes(*own) == size_bytes(*other);
}

bool holds_narrower(const Type& item, const Type& other) {
  const auto own = packed_scalar(item), narrow = packed_scalar(other);
  return own && narrow && !is_real(*own) && !is_real(*narrow) && size_bytes(*narrow) < size_bytes(*own);
}

// `uint4` of `signed char`, `unsigned` of `unsigned char`; while of `int` and `char`, one was not meant.
bool is_made_of(const Type& item, const Type& other) {
  return holds_narrower(item, other) && other.scalar != Scalar::kBool &&
         (item.form == Type::Form::kRecord || other.scalar == Scalar::kU8);
}

class Narrowing {
 public:
  explicit Narrowing(Program& program) : program_(program) {}

  Diagnostics run() && {
    for (std::size_t n = 0; n < program_.exprs.size(); ++n)
      if (const auto [from, to] = view_of(program_.exprs[n]); from == nullptr) continue;
      else if (looks_inside(*from, *to)) note_view(ExprId(n));
      else if (sees_other_scalars(*from, *to)) check_roots(ExprId(n));
    if (errors_.empty()) apply();
    return std::move(errors_);
  }

  void keep(const std::map<VariableId, Scalar>& narrow) && {
    narrowest_ = narrow;
    apply();
  }

 private:
  // What a pointer led to, and what it leads to now.
  std::pair<const Type*, const Type*> view_of(const Expr& e) const {
    const bool is_cast = e.kind == ExprKind::kCast, is_address = e.kind == ExprKind::kAddressOf;
    if ((!is_cast && !is_address) || program_.type(e.type).form != Type::Form::kPointer) return {};
    const Type& operand = program_.type(program_.expr(e.operands[0]).type);
    if (is_cast && operand.form != Type::Form::kPointer) return {};
    return {is_cast ? &program_.type(operand.element) : &operand, &program_.type(program_.type(e.type).element)};
  }

  // Whatever it is a part of has to be made of one kind of scalars, too.
  void check_roots(ExprId view) {
    const Expr& e = program_.expr(view);
    Roots roots;
    find_roots(e.operands[0], roots);
    const auto is_packed = [&](VariableId id) {
      const Type& type = program_.type(program_.variable(id).type);
      const bool is_buffer = is_entry_parameter(id) && type.form == Type::Form::kPointer;
      return packed_scalar(is_buffer ? program_.type(type.element) : type).has_value();
    };
    if (roots.are_known && std::ranges::all_of(roots.found, is_packed)) return;
    errors_.push_back(
        make_error(program_.source, e.range,
                   "only what is made of one kind of scalars can be looked at as others; copy what this points to into "
                   "a variable first"));
  }

  void note_view(ExprId view) {
    const Expr& e = program_.expr(view);
    const Scalar narrow = *packed_scalar(*view_of(e).second);
    Roots roots;
    find_roots(e.operands[0], roots);
    if (!roots.are_known || !std::ranges::all_of(roots.found, [&](VariableId id) { return can_be_narrow(id); })) {
      errors_.push_back(
          make_error(program_.source, e.range,
                     "only integers can be looked at as narrower values, and those of variables and buffers; copy what "
                     "this points to into a variable first"));
      return;
    }
    for (const VariableId root : roots.found) {
      const auto [known, fresh] = narrowest_.try_emplace(root, narrow);
      if (size_bytes(narrow) < size_bytes(known->second)) known->second = narrow;
    }
  }

  bool is_entry_parameter(VariableId id) const {
    const std::vector<VariableId>& parameters = program_.function(program_.entry).parameters;
    return std::ranges::find(parameters, id) != parameters.end();
  }

  bool can_be_narrow(VariableId id) const {
    const Variable& v = program_.variable(id);
    const Type& type = program_.type(v.type);
    const auto holds_integers = [&](const Type& held) { return packed_scalar(held) && !is_real(*packed_scalar(held)); };
    if (is_entry_parameter(id)) return type.form == Type::Form::kPointer && holds_integers(program_.type(type.element));
    return !v.is_global && !v.is_reference && holds_integers(type) && !type.extent.valid() && !type.sized_by.valid();
  }

  // The variables that a place may be a part of, or that a pointer may point into.
  struct Roots {
    std::set<VariableId> found;
    std::set<VariableId> followed;  // pointers and references
    bool are_known = true;
  };

  void find_roots(ExprId id, Roots& roots) const {
    const Expr& e = program_.expr(id);
    const bool is_pointer = program_.type(e.type).form == Type::Form::kPointer;
    switch (e.kind) {
      case ExprKind::kVariable:
        return is_pointer || program_.variable(e.variable).is_reference ? follow(e.variable, roots)
                                                                        : void(roots.found.insert(e.variable));
      case ExprKind::kBinary: {
        for (const ExprId operand : e.operands)
          if (is_pointer && program_.type(program_.expr(operand).type).form == Type::Form::kPointer)
            return find_roots(operand, roots);
        roots.are_known = false;
        return;
      }
      case ExprKind::kConditional: find_roots(e.operands[1], roots); return find_roots(e.operands[2], roots);
      case ExprKind::kSubscript:
      case ExprKind::kMember:
      case ExprKind::kDereference:
        if (is_pointer) break;  // which lies in memory
        return find_roots(e.operands[0], roots);
      case ExprKind::kCast:
      case ExprKind::kAddressOf: return find_roots(e.operands[0], roots);
      default: break;
    }
    roots.are_known = false;
  }

  // What a pointer or a reference is ever set to.
  void follow(VariableId id, Roots& roots) const {
    if (is_entry_parameter(id)) roots.found.insert(id);
    else if (program_.variable(id).is_global) roots.are_known = false;
    if (!roots.followed.insert(id).second) return;
    for (const Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kDeclare && s.variable == id && s.expr.valid()) find_roots(s.expr, roots);
    const auto is_itself = [&](ExprId e) {
      return program_.expr(e).kind == ExprKind::kVariable && program_.expr(e).variable == id;
    };
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kCall) follow_argument(e, id, roots);
      if (program_.variable(id).is_reference || e.operands.empty() || !is_itself(e.operands[0])) continue;
      if (e.kind == ExprKind::kAddressOf) roots.are_known = false;
      if (e.kind == ExprKind::kAssign && !e.compound) find_roots(e.operands[1], roots);
    }
  }

  void follow_argument(const Expr& call, VariableId id, Roots& roots) const {
    const std::vector<VariableId>& parameters = program_.function(call.callee).parameters;
    for (std::size_t i = 0; i < parameters.size() && i < call.operands.size(); ++i)
      if (parameters[i] == id) find_roots(call.operands[i], roots);
  }

  void apply() {
    std::map<VariableId, TypeId> stored;
    for (const auto& [id, narrow] : narrowest_)
      if (is_entry_parameter(id)) keep_buffer(id, narrow);
      else stored.emplace(id, storage_of(program_.variable(id).type, narrow));
    const std::size_t count = program_.exprs.size();
    for (std::size_t n = 0; n < count; ++n) {
      if (program_.exprs[n].kind == ExprKind::kCall) pass_narrow(ExprId(n), stored);
      if (program_.exprs[n].kind != ExprKind::kVariable) continue;
      if (const auto it = stored.find(program_.exprs[n].variable); it != stored.end()) see_through(n, it->second);
    }
    for (Stmt& s : program_.stmts)
      if (const auto it = stored.find(s.variable); s.kind == StmtKind::kDeclare && it != stored.end() && s.expr.valid())
        s.expr = seen_as(s.expr, it->second);
    for (const auto& [id, type] : stored) program_.variables[id.value].type = type;
  }

  // Pointers into it lead to the same bytes, whatever they are declared to point to.
  void keep_buffer(VariableId id, Scalar narrow) {
    Variable& buffer = program_.variables[id.value];
    if (!buffer.declared.valid()) buffer.declared = buffer.type;
    Type pointer = program_.type(buffer.declared);
    pointer.element = storage_of(pointer.element, narrow);
    buffer.type = add(std::move(pointer));
  }

  void pass_narrow(ExprId call, const std::map<VariableId, TypeId>& stored) {
    const std::vector<VariableId>& parameters = program_.function(program_.expr(call).callee).parameters;
    for (std::size_t i = 0; i < parameters.size() && i < program_.expr(call).operands.size(); ++i)
      if (const auto it = stored.find(parameters[i]); it != stored.end()) {
        const ExprId argument = seen_as(program_.expr(call).operands[i], it->second);
        program_.exprs[call.value].operands[i] = argument;
      }
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

void keep_narrow_as(Program& program, const Program& other) {
  const auto &ours = program.function(program.entry).parameters, &theirs = other.function(other.entry).parameters;
  std::map<VariableId, Scalar> narrow;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const Variable &own = program.variable(ours[i]), &kept = other.variable(theirs[i]);
    const Type &pointer = program.type(own.type), &other_pointer = other.type(kept.type);
    if (pointer.form != Type::Form::kPointer || other_pointer.form != Type::Form::kPointer) continue;
    const Type &item = program.type(pointer.element), &other_item = other.type(other_pointer.element);
    if (kept.declared.valid() ? holds_narrower(item, other_item) : is_made_of(item, other_item))
      narrow.emplace(ours[i], other_item.scalar);
  }
  Narrowing(program).keep(narrow);
}

}  // namespace swizzle
