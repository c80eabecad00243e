#include "synth/proof/pointer_names.h"

#include <algorithm>
#include <vector>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/element_edit.h"

namespace swizzle {
namespace {

class OwnPointers : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return stmt(id).kind == StmtKind::kBlock && split_in(id); });
  }

 private:
  // Of the pointers that a block declares.
  bool split_in(StmtId block) {
    bool is_other = false;
    const std::vector<StmtId> parts = stmt(block).body;
    for (const StmtId part : parts)
      if (stmt(part).kind == StmtKind::kDeclare && is_pointer(stmt(part).variable))
        is_other = split(parts, stmt(part).variable) || is_other;
    return is_other;
  }

  bool split(const std::vector<StmtId>& parts, VariableId v) {
    const auto move = std::ranges::find_if(parts, [&](StmtId part) {
      const Stmt& s = stmt(part);
      return s.kind == StmtKind::kExpr && moves(expr(s.expr), v) && expr(s.expr).kind == ExprKind::kAssign &&
             !expr(s.expr).compound;
    });
    if (move == parts.end() || moves_of(v) != 1 || has_other_names(v)) return false;
    const VariableId own = copy_of(v);
    Stmt& declared = program_.stmts[move->value];
    declared.expr = expr(declared.expr).operands[1];
    declared.kind = StmtKind::kDeclare, declared.variable = own;
    for (auto part = move + 1; part != parts.end(); ++part) rename(*part, v, own);
    return true;
  }

  void rename(StmtId id, VariableId v, VariableId own) {
    any_in(id, [&](const Expr& e) {
      if (e.kind == ExprKind::kVariable && e.variable == v) program_.exprs[index_of(e)].variable = own;
      return false;
    });
  }
};

class NamedElements : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  std::optional<Program> run() {
    changed_ = AssignedVariables::in(program_, program_.function(program_.entry).body).variables;
    bool is_other = false;
    for (const VariableId buffer : program_.function(program_.entry).parameters)
      if (is_pointer(buffer)) is_other = name_elements_of(buffer) || is_other;
    return is_other ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  // buffer + offset, for as long as it is there.
  struct Part {
    StmtId declared;
    VariableId pointer;
    ExprId offset;  // none: 0
  };

  bool name_elements_of(VariableId buffer) {
    std::vector<Part> parts;
    const std::size_t stmts = program_.stmts.size();
    for (std::size_t s = 0; s < stmts; ++s) {
      if (const auto part = part_declared(StmtId(s), buffer)) parts.push_back(*part);
    }
    const bool is_stored_to = changed_.contains(buffer) ||
                              std::ranges::any_of(parts, [&](const Part& p) { return changed_.contains(p.pointer); });
    const std::size_t own = uses_of(buffer) - parts.size();
    if (!is_stored_to || parts.size() + (own > 0 ? 1 : 0) < 2) return false;
    bool is_other = false;
    for (const Part& part : parts) is_other = name_elements_by(part, buffer) || is_other;
    return is_other;
  }

  std::optional<Part> part_declared(StmtId id, VariableId buffer) const {
    const Stmt& s = stmt(id);
    if (s.kind != StmtKind::kDeclare || !s.expr.valid() || !is_pointer(s.variable) || has_other_names(s.variable) ||
        moves_of(s.variable) > 0)
      return std::nullopt;
    ExprId value = s.expr;
    while (expr(value).kind == ExprKind::kCast && has_one_type(value, expr(value).operands[0]))
      value = expr(value).operands[0];
    if (is_of(value, buffer)) return Part{id, s.variable, {}};
    const Expr& e = expr(value);
    const bool is_sum = e.kind == ExprKind::kBinary && e.op == Operator::kAdd && is_of(e.operands[0], buffer) &&
                        is_integer(e.operands[1]) && is_fixed(e.operands[1], changed_);
    return is_sum ? std::optional(Part{id, s.variable, e.operands[1]}) : std::nullopt;
  }
  // But for `const`.
  bool has_one_type(ExprId a, ExprId b) const {
    const Type &x = program_.type(expr(a).type), &y = program_.type(expr(b).type);
    return x.form == Type::Form::kPointer && y.form == Type::Form::kPointer && x.element == y.element;
  }

  // x[c]: buffer[offset + c]
  bool name_elements_by(const Part& part, VariableId buffer) {
    std::vector<ExprId> places;
    for (const Function& f : program_.functions)
      any_in(f.body, [&](const Expr& e) {
        if (e.kind == ExprKind::kSubscript && is_of(e.operands[0], part.pointer)) places.push_back(ExprId(index_of(e)));
        return false;
      });
    if (places.empty() || places.size() != uses_of(part.pointer)) return false;
    for (const ExprId place : places) {
      const ExprId index = expr(place).operands[1];
      const ExprId base = read_of(buffer, expr(place).range);
      const ExprId whole = part.offset.valid() ? sum_of(part.offset, index) : index;
      program_.exprs[place.value].operands = {base, whole};
    }
    program_.stmts[part.declared.value] = Stmt();
    return true;
  }
  ExprId sum_of(ExprId offset, ExprId index) {
    const bool is_wider = program_.type(expr(offset).type).size_bytes > program_.type(expr(index).type).size_bytes;
    const TypeId type = expr(is_wider ? offset : index).type;
    return binary(Operator::kAdd, as(type, copy_of(offset)), as(type, index));
  }

  std::set<VariableId> changed_;
};

}  // namespace

std::optional<Program> with_own_pointers(const Program& program) { return OwnPointers(program).run(); }

std::optional<Program> with_named_elements(const Program& program) { return NamedElements(program).run(); }

}  // namespace swizzle
