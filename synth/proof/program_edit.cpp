#include "synth/proof/program_edit.h"

namespace swizzle {

bool ProgramEdit::is_own_integer(VariableId id) const {
  const Variable& v = program_.variable(id);
  const Type& type = program_.type(v.type);
  return type.form == Type::Form::kScalar && !is_real(type.scalar) && !v.is_reference && !v.is_shared && !v.is_global &&
         v.symbol.empty();
}

ExprId ProgramEdit::read_of(VariableId v, SourceRange range) {
  Expr e;
  e.kind = ExprKind::kVariable, e.variable = v, e.type = program_.variable(v).type, e.range = range;
  return made(std::move(e));
}

ExprId ProgramEdit::binary(Operator op, ExprId a, ExprId b) {
  Expr e;
  e.kind = ExprKind::kBinary, e.op = op, e.type = expr(a).type, e.range = expr(a).range, e.operands = {a, b};
  return made(std::move(e));
}

ExprId ProgramEdit::literal(std::int64_t value, TypeId type, SourceRange range) {
  Expr e;
  e.kind = ExprKind::kIntLiteral, e.int_value = value, e.type = type, e.range = range;
  return made(std::move(e));
}

Stmt ProgramEdit::expression(ExprId id) const {
  Stmt s;
  s.kind = StmtKind::kExpr, s.expr = id, s.range = expr(id).range;
  return s;
}

StmtId ProgramEdit::declaration(VariableId v, ExprId first, SourceRange range) {
  Stmt s;
  s.kind = StmtKind::kDeclare, s.variable = v, s.expr = first, s.range = range;
  return made(std::move(s));
}

VariableId ProgramEdit::copy_of(VariableId v) {
  program_.variables.push_back(Variable(program_.variable(v)));
  return VariableId(program_.variables.size() - 1);
}

}  // namespace swizzle
