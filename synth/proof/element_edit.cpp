#include "synth/proof/element_edit.h"

#include <algorithm>
#include <utility>

#include "synth/program/intrinsics.h"
#include "synth/proof/assigned_variables.h"

namespace swizzle {

bool is_of_its_operands(Intrinsic intrinsic) {
  const LaneBehavior b = lane_behavior(intrinsic);
  return b == LaneBehavior::kOfWords || b == LaneBehavior::kAlgebraic || b == LaneBehavior::kUninterpreted ||
         b == LaneBehavior::kSameBits;
}

bool is_of_its_operands(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntrinsic: return is_of_its_operands(e.intrinsic);
    case ExprKind::kIntLiteral:
    case ExprKind::kRealLiteral:
    case ExprKind::kBuiltin:
    case ExprKind::kUnary:
    case ExprKind::kBinary:
    case ExprKind::kConditional:
    case ExprKind::kSubscript:
    case ExprKind::kCast: return true;
    default: return false;
  }
}

bool ElementEdit::is_fixed(ExprId id, const std::set<VariableId>& changed) const {
  return !any_in(id, [&](const Expr& e) {
    switch (e.kind) {
      case ExprKind::kVariable: return !keeps(e.variable, changed);
      case ExprKind::kIntLiteral:
      case ExprKind::kBuiltin:
      case ExprKind::kUnary:
      case ExprKind::kBinary:
      case ExprKind::kCast: return false;
      default: return true;
    }
  });
}

bool ElementEdit::tells_apart(ExprId index, VariableId v) const {
  index = value_of(index);
  const Expr& e = expr(index);
  if (is_of(index, v)) return true;
  if (widens(index)) return tells_apart(e.operands[0], v);
  if (e.kind != ExprKind::kBinary || e.op != Operator::kAdd) return false;
  const bool first = is_within(e.operands[0], v), second = is_within(e.operands[1], v);
  return first != second && tells_apart(e.operands[first ? 0 : 1], v);
}

bool ElementEdit::is_within(ExprId id, VariableId v) const {
  id = value_of(id);
  return is_of(id, v) || std::ranges::any_of(expr(id).operands, [&](ExprId o) { return is_within(o, v); });
}

bool ElementEdit::stays(ExprId value, const std::set<VariableId>& changed, const std::set<VariableId>& own) const {
  const Expr& e = expr(value);
  if (e.kind == ExprKind::kVariable && own.contains(e.variable)) {
    const ExprId known = value_of(value);
    return known != value && stays(known, changed, own);
  }
  if (e.kind == ExprKind::kVariable)
    return is_pointer(e.variable) ? is_read_alone(e.variable)
                                  : !changed.contains(e.variable) && !has_other_names(e.variable);
  return is_of_its_operands(e) && std::ranges::all_of(e.operands, [&](ExprId o) { return stays(o, changed, own); });
}

bool ElementEdit::has_other_names(VariableId v) const {
  const auto leads_to = [&](const Expr& e) {
    if (e.kind == ExprKind::kAddressOf) return names(e.operands[0], v);
    return e.kind == ExprKind::kCast && is_of(e.operands[0], v) && program_.type(e.type).form == Type::Form::kPointer;
  };
  return program_.variable(v).is_reference || any_anywhere(leads_to);
}

std::optional<VariableId> ElementEdit::root_of(VariableId pointer) const {
  if (is_parameter(pointer) || program_.type(program_.variable(pointer).type).form == Type::Form::kArray)
    return pointer;
  const auto declared = std::ranges::find_if(program_.stmts, [&](const Stmt& s) {
    return s.kind == StmtKind::kDeclare && s.variable == pointer && s.expr.valid();
  });
  if (declared == program_.stmts.end() || program_.variable(pointer).is_reference || moves_of(pointer) > 0)
    return std::nullopt;
  std::optional<VariableId> of;
  const bool is_part = !any_in(declared->expr, [&](const Expr& e) {
    if (e.kind == ExprKind::kCall || e.kind == ExprKind::kAssign) return true;
    const bool is_address = program_.type(e.type).form == Type::Form::kPointer;
    if (e.kind == ExprKind::kSubscript || e.kind == ExprKind::kMember || e.kind == ExprKind::kDereference)
      return is_address;  // that some memory has
    if (e.kind != ExprKind::kVariable) return is_address && e.operands.empty();
    const bool is_array = program_.type(program_.variable(e.variable).type).form == Type::Form::kArray;
    if (!is_pointer(e.variable) && !is_array) return false;
    return std::exchange(of, root_of(e.variable)).has_value() || !of;
  });
  return is_part ? of : std::nullopt;
}

std::optional<VariableId> ElementEdit::parameter_of(VariableId pointer) const {
  const auto root = root_of(pointer);
  return root && is_parameter(*root) ? root : std::nullopt;
}

bool ElementEdit::is_read_alone(VariableId pointer) const {
  const auto of = parameter_of(pointer);
  const std::set<VariableId> changed =
      AssignedVariables::in(program_, program_.function(program_.entry).body).variables;
  return of && !changed.contains(pointer) && std::ranges::all_of(changed, [&](VariableId v) {
           const auto stored = is_pointer(v) ? root_of(v) : std::nullopt;
           return !is_pointer(v) || (stored && *stored != *of);
         });
}

}  // namespace swizzle
