#include "synth/program/initial_values.h"

namespace swizzle {

std::map<VariableId, ExprId> initial_values(const Program& program) {
  std::map<VariableId, ExprId> values;
  for (const Stmt& s : program.stmts)
    if (s.kind == StmtKind::kDeclare && s.expr.valid() && !program.variable(s.variable).is_reference)
      values.emplace(s.variable, s.expr);
  return values;
}

std::map<VariableId, ExprId> fixed_values(const Program& program) {
  std::map<VariableId, ExprId> values = initial_values(program);
  for (const Expr& e : program.exprs)
    if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf)
      if (const Expr& changed = program.expr(e.operands[0]); changed.kind == ExprKind::kVariable)
        values.erase(changed.variable);
  return values;
}

}  // namespace swizzle
