#include "synth/proof/plain_references.h"

#include <set>
#include <vector>

#include "synth/program/places.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/element_edit.h"

namespace swizzle {
namespace {

class PlainReferences : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  // One that is handed on as a reference is a value once that one is.
  std::optional<Program> run() {
    for (std::size_t f = 0; f < program_.functions.size(); ++f)
      if (FunctionId(f) != program_.entry && changes_its_own_alone(program_.functions[f]))
        harmless_.insert(FunctionId(f));
    bool is_other = false;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const FunctionId f : harmless_)
        for (std::size_t i = 0; i < program_.function(f).parameters.size(); ++i)
          goes_on = take_parameter(program_.function(f).parameters[i], i) || goes_on;
      for (std::size_t s = 0; s < program_.stmts.size(); ++s) goes_on = take_name(StmtId(s)) || goes_on;
      is_other = is_other || goes_on;
    }
    return is_other ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  // Nor do other threads change anything meanwhile.
  bool changes_its_own_alone(const Function& f) const {
    if (!f.body.valid() || waits(f.body)) return false;
    const AssignedVariables changed = AssignedVariables::in(program_, f.body);
    return changed.through.empty() && std::ranges::none_of(changed.variables, [&](VariableId v) {
             return program_.variable(v).is_global || program_.variable(v).is_shared;
           });
  }

  bool is_read_as_value(VariableId v) const {
    const Type::Form form = program_.type(program_.variable(v).type).form;
    if (!program_.variable(v).is_reference || (form != Type::Form::kScalar && form != Type::Form::kRecord))
      return false;
    return !any_anywhere([&](const Expr& e) {
      const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
      return changes && names(e.operands[0], v);
    });
  }

  // Of each function that has it: one of a header is there once for each call.
  bool take_parameter(VariableId parameter, std::size_t i) {
    if (!is_read_as_value(parameter)) return false;
    std::vector<std::size_t> calls;
    for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
      const Expr& call = program_.exprs[n];
      if (call.kind != ExprKind::kCall || !is_at(parameter, i, program_.function(call.callee))) continue;
      if (!harmless_.contains(call.callee) || i >= call.operands.size() ||
          !referred(call.operands[i], parameter).valid())
        return false;
      calls.push_back(n);
    }
    for (const std::size_t n : calls) {
      ExprId& operand = program_.exprs[n].operands[i];
      operand = referred(operand, parameter);
    }
    program_.variables[parameter.value].is_reference = calls.empty();
    return !calls.empty();
  }
  static bool is_at(VariableId parameter, std::size_t i, const Function& f) {
    return i < f.parameters.size() && f.parameters[i] == parameter;
  }

  bool take_name(StmtId id) {
    const Stmt& s = stmt(id);
    if (s.kind != StmtKind::kDeclare || !s.expr.valid() || !is_read_as_value(s.variable)) return false;
    const ExprId value = referred(s.expr, s.variable);
    if (!value.valid() || is_lvalue(program_, expr(value))) return false;
    program_.stmts[id.value].expr = value;
    program_.variables[s.variable.value].is_reference = false;
    return true;
  }

  // Invalid: it is no address of something of the reference's type.
  ExprId referred(ExprId address, VariableId reference) const {
    const Expr& e = expr(address);
    const bool is_address = e.kind == ExprKind::kAddressOf;
    return is_address && expr(e.operands[0]).type == program_.variable(reference).type ? e.operands[0] : ExprId();
  }

  std::set<FunctionId> harmless_;
};

}  // namespace

std::optional<Program> with_plain_references(const Program& program) { return PlainReferences(program).run(); }

}  // namespace swizzle
