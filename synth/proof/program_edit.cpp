#include "synth/proof/program_edit.h"

#include <tuple>

#include "synth/proof/assigned_variables.h"

namespace swizzle {

ProgramEdit::ProgramEdit(const Program& program) : program_(program) {
  for (const Function& f : program.functions) assigned_.merge(AssignedVariables::in(program, f.body).variables);
  for (std::size_t i = 0; i < program.stmts.size(); ++i)
    if (const Stmt& s = program.stmts[i]; s.kind == StmtKind::kDeclare && s.expr.valid())
      declared_[s.variable] = StmtId(i);
}

bool ProgramEdit::is_own_integer(VariableId id) const {
  const Variable& v = program_.variable(id);
  const Type& type = program_.type(v.type);
  return type.form == Type::Form::kScalar && !is_real(type.scalar) && !v.is_reference && !v.is_shared && !v.is_global &&
         v.symbol.empty();
}

bool ProgramEdit::is_same(ExprId a, ExprId b) const {
  const Expr &x = expr(a), &y = expr(b);
  const auto parts = [](const Expr& e) {
    return std::tuple(e.kind, e.type, e.op, e.compound, e.prefix, e.int_value, e.real_value, e.variable, e.builtin,
                      e.member_slot, e.callee, e.intrinsic);
  };
  return parts(x) == parts(y) &&
         std::ranges::equal(x.operands, y.operands, [&](ExprId p, ExprId q) { return is_same(p, q); });
}

bool ProgramEdit::is_integer(ExprId id) const {
  const Type& type = program_.type(expr(id).type);
  return type.form == Type::Form::kScalar && !is_real(type.scalar);
}

bool ProgramEdit::widens(ExprId id) const {
  const Expr& e = expr(id);
  return e.kind == ExprKind::kCast && is_integer(id) && is_integer(e.operands[0]) &&
         program_.type(e.type).size_bytes >= program_.type(expr(e.operands[0]).type).size_bytes;
}

bool ProgramEdit::leaves_by(StmtKind how, StmtId body) const {
  if (!body.valid()) return false;
  const StmtKind kind = stmt(body).kind;
  if (is_loop(kind)) return false;
  if (kind == StmtKind::kSwitch && how == StmtKind::kBreak) return false;
  return kind == how || std::ranges::any_of(stmt(body).body, [&](StmtId part) { return leaves_by(how, part); });
}

bool ProgramEdit::is_named_only_in(StmtId id, VariableId v) const {
  const auto is_named = [&](StmtId part, const auto& self) -> bool {
    if (!part.valid() || part == id) return false;
    const Stmt& s = stmt(part);
    return (s.expr.valid() && names(s.expr, v)) ||
           std::ranges::any_of(s.body, [&](StmtId inner) { return self(inner, self); });
  };
  return std::ranges::none_of(program_.functions, [&](const Function& f) { return is_named(f.body, is_named); });
}

void ProgramEdit::declared_in(StmtId id, std::set<VariableId>& all) const {
  if (!id.valid()) return;
  if (stmt(id).kind == StmtKind::kDeclare) all.insert(stmt(id).variable);
  for (StmtId part : stmt(id).body) declared_in(part, all);
}

bool ProgramEdit::hands_on_memory_alone(StmtId id) const {
  std::set<VariableId> own;
  declared_in(id, own);
  for (const VariableId v : AssignedVariables::in(program_, id).variables)
    if (!own.contains(v) && !(is_pointer(v) && is_parameter(v))) return false;
  return !any_in(id, [&](const Expr& e) {
    if (e.kind == ExprKind::kVariable) return is_pointer(e.variable) && !is_parameter(e.variable);
    const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
    const Expr* of = changes ? &expr(e.operands[0]) : nullptr;
    return of != nullptr && of->kind == ExprKind::kVariable && is_pointer(of->variable);
  });
}

bool ProgramEdit::returns(StmtId id) const {
  return id.valid() && (stmt(id).kind == StmtKind::kReturn ||
                        std::ranges::any_of(stmt(id).body, [&](StmtId part) { return returns(part); }));
}

ExprId ProgramEdit::value_of(ExprId id) const {
  const Expr& e = expr(id);
  if (e.kind != ExprKind::kVariable || assigned_.contains(e.variable)) return id;
  const auto declared = declared_.find(e.variable);
  if (declared == declared_.end()) return id;
  const ExprId first = stmt(declared->second).expr;
  return first.valid() && expr(first).type == e.type ? value_of(first) : id;
}

void ProgramEdit::replace_unread(VariableId v, Stmt by) {
  const auto declared = declared_.find(v);
  const bool is_read = std::ranges::any_of(program_.functions, [&](const Function& f) { return names(f.body, v); });
  if (declared != declared_.end() && !is_read) program_.stmts[declared->second.value] = std::move(by);
}

std::optional<std::int64_t> ProgramEdit::number(ExprId id) const {
  id = value_of(id);
  const Expr& e = expr(id);
  if (e.kind == ExprKind::kIntLiteral) return e.int_value;
  if (e.kind != ExprKind::kCast || !is_integer(id) || program_.type(e.type).size_bytes < 4) return std::nullopt;
  const auto inner = number(e.operands[0]);
  return inner && *inner >= 0 && *inner <= INT32_MAX ? inner : std::nullopt;
}

ExprId ProgramEdit::as(TypeId type, ExprId id) { return TreeBuilder(program_).converted(id, type); }

ExprId ProgramEdit::read_of(VariableId v, SourceRange range) { return TreeBuilder(program_).variable_use(v, range); }

ExprId ProgramEdit::binary(Operator op, ExprId a, ExprId b) {
  return TreeBuilder(program_).binary(op, a, b, expr(a).type, expr(a).range);
}

ExprId ProgramEdit::literal(std::int64_t value, TypeId type, SourceRange range) {
  return TreeBuilder(program_).integer(value, type, range);
}

ExprId ProgramEdit::copy_of(ExprId id) {
  Expr e = expr(id);
  for (ExprId& o : e.operands) o = copy_of(o);
  return made(std::move(e));
}

ExprId ProgramEdit::read_with(ExprId element, ExprId value) {
  if (!program_.directives.launch) return value;
  return TreeBuilder(program_).both(copy_of(element), value, expr(value).range);
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
