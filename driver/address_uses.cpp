#include "driver/address_uses.h"

#include <algorithm>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr int kNothing = 1;  // accessed: the neutral element of max

// Joins what one use says to what the others said.
bool join(std::optional<int> one, int& widest) {
  if (!one) return false;
  widest = std::max(widest, *one);
  return true;
}

}  // namespace

AddressUses::AddressUses(const Program& program)
    : program_(program),
      parents_(program.exprs.size()),
      statements_(program.exprs.size()) {
  for (std::uint32_t e = 0; e < program.exprs.size(); ++e)
    for (const ExprId operand : program.exprs[e].operands) parents_[operand.value].push_back(ExprId(e));
  for (std::uint32_t s = 0; s < program.stmts.size(); ++s)
    if (program.stmts[s].expr.valid()) statements_[program.stmts[s].expr.value].push_back(StmtId(s));
}

std::optional<int> AddressUses::accessed_bytes(ExprId e) const {
  Seen seen;
  return of_value(e, seen);
}

AddressUses::Widest AddressUses::of_value(ExprId e, Seen& seen) const {
  int widest = kNothing;
  for (const ExprId up : parents_[e.value])
    if (!join(of_use(e, up, seen), widest)) return std::nullopt;
  for (const StmtId s : statements_[e.value]) {
    const Stmt& statement = program_.stmt(s);
    if (statement.kind == StmtKind::kReturn) return std::nullopt;
    if (statement.kind == StmtKind::kDeclare && !join(of_variable(statement.variable, seen), widest))
      return std::nullopt;
  }
  return widest;
}

AddressUses::Widest AddressUses::of_use(ExprId e, ExprId up, Seen& seen) const {
  const Expr& use = program_.expr(up);
  switch (use.kind) {
    case ExprKind::kCast: return of_value(up, seen);
    case ExprKind::kDereference: return of_item(up);
    case ExprKind::kSubscript: return use.operands[0] == e && is_zero(use.operands[1]) ? of_item(up) : std::nullopt;
    case ExprKind::kBinary:
      if (use.op == Operator::kEq || use.op == Operator::kNe) return kNothing;
      return use.op == Operator::kAdd && is_zero(use.operands[use.operands[0] == e ? 1 : 0]) ? of_value(up, seen)
                                                                                             : std::nullopt;
    case ExprKind::kAssign: {
      const Expr& to = program_.expr(use.operands[0]);
      if (use.compound || to.kind != ExprKind::kVariable) return std::nullopt;
      if (use.operands[0] == e) return kNothing;  // something else is stored there
      int widest = kNothing;
      const bool is_known = join(of_variable(to.variable, seen), widest) && join(of_value(up, seen), widest);
      return is_known ? Widest(widest) : std::nullopt;
    }
    case ExprKind::kCall: return of_call(e, use, seen);
    case ExprKind::kTouch: return of_touch(e, use);
    default: return std::nullopt;
  }
}

AddressUses::Widest AddressUses::of_variable(VariableId v, Seen& seen) const {
  if (!seen.insert(v).second) return kNothing;
  const Variable& variable = program_.variable(v);
  const Type::Form form = program_.type(variable.type).form;
  if (variable.is_reference || variable.is_shared || variable.is_global ||
      (form != Type::Form::kPointer && form != Type::Form::kScalar))
    return std::nullopt;
  int widest = kNothing;
  for (std::uint32_t e = 0; e < program_.exprs.size(); ++e) {
    const Expr& use = program_.exprs[e];
    const bool is_its = use.kind == ExprKind::kVariable && use.variable == v;
    if (is_its && !join(of_value(ExprId(e), seen), widest)) return std::nullopt;
  }
  return widest;
}

AddressUses::Widest AddressUses::of_call(ExprId e, const Expr& call, Seen& seen) const {
  const std::vector<VariableId>& parameters = program_.function(call.callee).parameters;
  int widest = kNothing;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (call.operands[i] != e) continue;
    if (i >= parameters.size() || !join(of_variable(parameters[i], seen), widest)) return std::nullopt;
  }
  return widest;
}

// Where the hardware asks for accesses aligned to their size.
AddressUses::Widest AddressUses::of_item(ExprId item) const {
  const Type& type = program_.type(program_.expr(item).type);
  const bool is_aligned = is_power_of_two(type.size_bytes) && type.alignment_bytes == type.size_bytes;
  const bool is_item = type.form == Type::Form::kScalar || type.form == Type::Form::kRecord;
  return is_aligned && is_item && stays_inside(item) ? Widest(type.size_bytes) : std::nullopt;
}

bool AddressUses::stays_inside(ExprId item) const {
  return std::ranges::all_of(parents_[item.value], [&](ExprId up) {
    const Expr& use = program_.expr(up);
    const bool is_part = use.kind == ExprKind::kMember || (use.kind == ExprKind::kSubscript && use.operands[0] == item);
    const bool is_decay = use.kind == ExprKind::kCast && program_.type(use.type).form == Type::Form::kPointer;
    if (is_part) return stays_inside(up);
    if (is_decay && program_.type(program_.expr(item).type).form == Type::Form::kArray)
      return std::ranges::all_of(parents_[up.value], [&](ExprId element) {
        return program_.expr(element).kind == ExprKind::kSubscript && stays_inside(element);
      });
    return use.kind != ExprKind::kAddressOf && use.kind != ExprKind::kTouch && use.kind != ExprKind::kUnknown;
  });
}

AddressUses::Widest AddressUses::of_touch(ExprId e, const Expr& touch) const {
  const Expr& bytes = program_.expr(touch.operands[1]);
  if (touch.operands[0] != e || bytes.kind != ExprKind::kIntLiteral || !is_power_of_two(bytes.int_value))
    return std::nullopt;
  // PTX asks for alignment; of other functions, memcpy does not.
  const Type& address = program_.type(program_.expr(e).type);
  const bool is_aligned =
      touch.touch.in_shared_window ||
      (address.form == Type::Form::kPointer && program_.type(address.element).alignment_bytes >= bytes.int_value);
  return is_aligned ? Widest(static_cast<int>(bytes.int_value)) : std::nullopt;
}

bool AddressUses::is_zero(ExprId e) const {
  const Expr& value = program_.expr(e);
  if (value.kind == ExprKind::kCast) return is_zero(value.operands[0]);
  return value.kind == ExprKind::kIntLiteral && value.int_value == 0;
}

}  // namespace swizzle
