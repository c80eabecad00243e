#include "synth/proof/compared_assignments.h"

#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class ComparedAssignments : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return replace(id); });
  }

 private:
  // The assignment that is all of a statement.
  std::optional<ExprId> assignment_in(StmtId id) const {
    while (stmt(id).kind == StmtKind::kBlock && stmt(id).body.size() == 1) id = stmt(id).body[0];
    if (stmt(id).kind != StmtKind::kExpr) return std::nullopt;
    const Expr& e = expr(stmt(id).expr);
    return e.kind == ExprKind::kAssign && !e.compound ? std::optional(stmt(id).expr) : std::nullopt;
  }

  static bool is_order(Operator op) {
    return op == Operator::kLt || op == Operator::kLe || op == Operator::kGt || op == Operator::kGe;
  }

  bool replace(StmtId id) {
    if (stmt(id).kind != StmtKind::kIf) return false;
    const std::vector<StmtId>& body = stmt(id).body;
    if (body.empty() || (body.size() > 1 && body[1].valid())) return false;
    const auto assignment = assignment_in(body[0]);
    const Expr test = expr(stmt(id).expr);
    if (!assignment || test.kind != ExprKind::kBinary || !is_order(test.op)) return false;
    const ExprId to = expr(*assignment).operands[0], value = expr(*assignment).operands[1];
    const Expr& kept = expr(to);
    if (kept.kind != ExprKind::kVariable || program_.variable(kept.variable).is_reference ||
        program_.type(kept.type).form != Type::Form::kScalar || names(value, kept.variable))
      return false;
    const bool is_compared = (is_same(test.operands[0], value) && is_of(test.operands[1], kept.variable)) ||
                             (is_same(test.operands[1], value) && is_of(test.operands[0], kept.variable));
    if (!is_compared) return false;
    Expr chosen = expr(value);
    chosen.kind = ExprKind::kConditional;
    chosen.operands = {stmt(id).expr, value, read_of(kept.variable, kept.range)};
    const ExprId choice = made(std::move(chosen));
    program_.stmts[id.value] = expression(TreeBuilder(program_).assigned(to, choice, stmt(id).range));
    return true;
  }
};

}  // namespace

std::optional<Program> with_compared_assignments(const Program& program) { return ComparedAssignments(program).run(); }

}  // namespace swizzle
