#include "synth/proof/reversed_loops.h"

#include <algorithm>
#include <set>
#include <utility>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class LoopReversal : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::vector<StmtId> loops() const {
    std::vector<StmtId> all;
    for (std::size_t s = 0; s < program_.stmts.size(); ++s)
      if (may_be_reversed(StmtId(s))) all.push_back(StmtId(s));
    return all;
  }

  void reverse(StmtId id) {
    const CountedLoop loop = *counted_loop(program_, stmt(id));
    Stmt counting = stmt(id), body;
    const SourceRange range = counting.range;
    const TypeId type = program_.variable(loop.variable).type;
    const VariableId from_end = copy_of(loop.variable);
    const ExprId last =
        loop.is_inclusive ? as(type, loop.end) : binary(Operator::kSub, as(type, loop.end), literal(1, type, range));
    const ExprId value = binary(Operator::kSub, last, read_of(from_end, range));
    body.range = range;
    body.body = {declaration(loop.variable, value, range), counting.body[2]};
    Expr test = expr(counting.expr), step = expr(stmt(counting.body[1]).expr);
    test.operands[0] = as(expr(test.operands[0]).type, read_of(from_end, range));
    step.operands[0] = read_of(from_end, range);
    counting.expr = made(std::move(test));
    const StmtId first = declaration(from_end, literal(0, type, range), range),
                 advance = made(expression(made(std::move(step)))), inner = made(std::move(body));
    counting.body = {first, advance, inner};
    program_.stmts[id.value] = std::move(counting);
  }

  Program program() && { return std::move(program_); }

 private:
  bool may_be_reversed(StmtId id) const {
    if (stmt(id).kind != StmtKind::kFor) return false;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->step.valid() || loop->ahead != 0 || !is_own_integer(loop->variable) || number(loop->end))
      return false;
    const StmtId body = stmt(id).body[2];
    const auto changed = AssignedVariables::in(program_, body).variables;
    const auto is_changed = [&](const Expr& e) {
      return e.kind == ExprKind::kVariable && (changed.contains(e.variable) || e.variable == loop->variable);
    };
    return number(loop->first) == 0 && is_integer(loop->end) && !any_in(loop->end, is_changed) &&
           !changed.contains(loop->variable) && is_named_only_in(id, loop->variable) && hands_on_nothing(body, changed);
  }

  // Nor does it read memory that it changes.
  bool hands_on_nothing(StmtId body, const std::set<VariableId>& changed) const {
    std::set<ExprId> targets;
    collect_targets(body, targets);
    const auto may_hand_on = [&](const Expr& e) {
      const bool is_moved = e.kind == ExprKind::kVariable && is_pointer(e.variable) && changed.contains(e.variable);
      return e.kind == ExprKind::kCall || (is_moved && !targets.contains(ExprId(index_of(e))));
    };
    return hands_on_memory_alone(body) && !any_in(body, may_hand_on) && !leaves_by(StmtKind::kBreak, body) &&
           !returns(body);
  }
  // y in y[i] = v.
  void collect_targets(StmtId body, std::set<ExprId>& targets) const {
    any_in(body, [&](const Expr& e) {
      if (e.kind != ExprKind::kAssign || e.compound) return false;
      const Expr& to = expr(e.operands[0]);
      if (to.kind == ExprKind::kSubscript || to.kind == ExprKind::kDereference) targets.insert(to.operands[0]);
      return false;
    });
  }
};

}  // namespace

std::vector<Program> with_reversed_loops(const Program& spec) {
  const std::vector<StmtId> loops = LoopReversal(spec).loops();
  std::vector<Program> out;
  for (StmtId loop : loops) {
    LoopReversal one(spec);
    one.reverse(loop);
    out.push_back(std::move(one).program());
  }
  if (loops.size() < 2) return out;
  LoopReversal all(spec);
  for (StmtId loop : loops) all.reverse(loop);
  out.push_back(std::move(all).program());
  return out;
}

}  // namespace swizzle
