#include "synth/program/data_flow.h"

#include <algorithm>

namespace swizzle {
namespace {

class DataFlow {
 public:
  explicit DataFlow(const Program& program)
      : program_(program),
        exprs_(program.exprs.size()),
        variables_(program.variables.size()) {
    for (const VariableId id : program.function(program.entry).parameters) {
      const Type& type = program.type(program.variable(id).type);
      const bool is_size = type.form == Type::Form::kScalar && !is_real(type.scalar);
      if (!is_size) variables_[id.value] = true;
    }
  }

  std::vector<bool> run() && {
    do {
      has_changed_ = false;
      for (std::size_t n = 0; n < exprs_.size(); ++n) look_at(n);
      for (const Stmt& s : program_.stmts)
        if (s.kind == StmtKind::kDeclare && s.expr.valid() && exprs_[s.expr.value]) mark(variables_, s.variable.value);
    } while (has_changed_);
    return std::move(exprs_);
  }

 private:
  void mark(std::vector<bool>& of, std::size_t at) {
    has_changed_ |= !of[at];
    of[at] = true;
  }

  void look_at(std::size_t n) {
    const Expr& e = program_.exprs[n];
    const auto has_data = [&](ExprId id) { return id.valid() && exprs_[id.value]; };
    if (e.kind == ExprKind::kVariable ? variables_[e.variable.value] : std::ranges::any_of(e.operands, has_data))
      mark(exprs_, n);
    const bool is_written = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIntrinsic;
    if (is_written && !e.operands.empty() && std::any_of(e.operands.begin() + 1, e.operands.end(), has_data))
      if (const VariableId written = variable_at(e.operands[0]); written.valid()) mark(variables_, written.value);
    if (e.kind != ExprKind::kCall) return;
    const std::vector<VariableId>& parameters = program_.function(e.callee).parameters;
    for (std::size_t i = 0; i < std::min(e.operands.size(), parameters.size()); ++i)
      if (has_data(e.operands[i])) mark(variables_, parameters[i].value);
  }

  // Whose place an expression names.
  VariableId variable_at(ExprId id) const {
    while (id.valid() && program_.expr(id).kind != ExprKind::kVariable && !program_.expr(id).operands.empty())
      id = program_.expr(id).operands[0];
    return id.valid() ? program_.expr(id).variable : VariableId();
  }

  const Program& program_;
  std::vector<bool> exprs_, variables_;
  bool has_changed_ = false;
};

}  // namespace

std::vector<bool> with_data(const Program& program) { return DataFlow(program).run(); }

}  // namespace swizzle
