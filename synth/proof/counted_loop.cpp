#include "synth/proof/counted_loop.h"

#include <algorithm>
#include <cstdint>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

bool has_effect(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kCall) return true;
  if (e.kind == ExprKind::kIntrinsic && lane_behavior(e.intrinsic) == LaneBehavior::kOfSketches) return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](ExprId o) { return has_effect(program, o); });
}

// The variable, maybe as a wider integer.
bool names(const Program& program, ExprId id, VariableId variable) {
  while (program.expr(id).kind == ExprKind::kCast) {
    const Type &to = program.type(program.expr(id).type),
               &from = program.type(program.expr(program.expr(id).operands[0]).type);
    const bool are_scalars = to.form == Type::Form::kScalar && from.form == Type::Form::kScalar;
    if (!are_scalars || is_real(to.scalar) || to.size_bytes < from.size_bytes) return false;
    id = program.expr(id).operands[0];
  }
  return program.expr(id).kind == ExprKind::kVariable && program.expr(id).variable == variable;
}

// By how much the expression is ahead of the variable, as an int of its own type; nothing: it is another one.
std::optional<std::int64_t> names_ahead(const Program& program, ExprId id, VariableId variable) {
  if (names(program, id, variable)) return 0;
  const Expr& e = program.expr(id);
  if (e.kind != ExprKind::kBinary || e.op != Operator::kAdd) return std::nullopt;
  const Type& type = program.type(e.type);
  const Expr& more = program.expr(e.operands[1]);
  const bool is_int = type.form == Type::Form::kScalar && type.scalar == Scalar::kI32 &&
                      program.type(program.variable(variable).type).scalar == Scalar::kI32;
  if (!is_int || more.kind != ExprKind::kIntLiteral || more.int_value < 0 || more.int_value > INT16_MAX)
    return std::nullopt;
  return names(program, e.operands[0], variable) ? std::optional(more.int_value) : std::nullopt;
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Program& program, const Stmt& stmt) {
  if (!stmt.body[0].valid() || !stmt.body[1].valid() || !stmt.expr.valid()) return std::nullopt;
  const Stmt &init = program.stmt(stmt.body[0]), &step = program.stmt(stmt.body[1]);
  const Expr& test = program.expr(stmt.expr);
  if (init.kind != StmtKind::kDeclare || !init.expr.valid() || step.kind != StmtKind::kExpr ||
      test.kind != ExprKind::kBinary || (test.op != Operator::kLt && test.op != Operator::kLe))
    return std::nullopt;
  if (program.type(program.variable(init.variable).type).size_bytes < 4)
    return std::nullopt;  // may never reach the end
  CountedLoop loop{init.variable, init.expr, test.operands[1], {}, test.op == Operator::kLe, 0};
  const auto ahead = names_ahead(program, test.operands[0], loop.variable);
  loop.ahead = ahead.value_or(0);
  if (!ahead || has_effect(program, loop.first) || has_effect(program, loop.end)) return std::nullopt;
  const Expr& advance = program.expr(step.expr);
  if (advance.op != Operator::kAdd || !names(program, advance.operands[0], loop.variable)) return std::nullopt;
  if (advance.kind == ExprKind::kIncDec) return loop;
  if (advance.kind != ExprKind::kAssign || !advance.compound || has_effect(program, advance.operands[1]))
    return std::nullopt;
  loop.step = advance.operands[1];
  return loop;
}

}  // namespace swizzle
