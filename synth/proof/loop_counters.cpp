#include "synth/proof/loop_counters.h"

#include <algorithm>
#include <set>
#include <vector>

#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

// A loop, taken apart. `others`: what its head does besides counting.
struct Loop {
  VariableId counter;
  std::optional<StmtId> declaration;  // of the counter, in the head
  std::optional<ExprId> first;        // … or what is assigned to it there
  std::vector<StmtId> others_before;
  ExprId step;
  std::vector<ExprId> others_after;
  std::vector<StmtId> body;
};

class CounterOwner : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    bool is_other = false;
    const std::size_t before = program_.stmts.size();
    for (std::size_t s = 0; s < before; ++s) {
      const auto loop = taken_apart(StmtId(s));
      if (!loop || !may_own(StmtId(s), *loop)) continue;
      give_counter(StmtId(s), *loop);
      is_other = true;
    }
    return is_other ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  std::vector<ExprId> listed(ExprId id) const {
    if (!id.valid()) return {};
    if (expr(id).kind != ExprKind::kComma) return {id};
    std::vector<ExprId> all = listed(expr(id).operands[0]);
    std::ranges::copy(listed(expr(id).operands[1]), std::back_inserter(all));
    return all;
  }

  // Of c += 32, c++, c = c + 32; none: it is another expression.
  VariableId stepped(ExprId id) const {
    const Expr& e = expr(id);
    const bool is_step = e.kind == ExprKind::kIncDec || (e.kind == ExprKind::kAssign && (e.compound || is_sum(e)));
    if (!is_step || expr(e.operands[0]).kind != ExprKind::kVariable) return {};
    return e.kind == ExprKind::kAssign && !e.compound ? expr(e.operands[0]).variable
           : e.op == Operator::kAdd                   ? expr(e.operands[0]).variable
                                                      : VariableId();
  }
  bool is_sum(const Expr& assign) const {
    const Expr &to = expr(assign.operands[0]), &sum = expr(assign.operands[1]);
    return to.kind == ExprKind::kVariable && sum.kind == ExprKind::kBinary && sum.op == Operator::kAdd &&
           sum.type == to.type && is_of(sum.operands[0], to.variable);
  }

  std::optional<Loop> taken_apart(StmtId id) const {
    const Stmt& s = stmt(id);
    if ((s.kind != StmtKind::kFor && s.kind != StmtKind::kWhile) || !s.expr.valid()) return std::nullopt;
    const bool is_for = s.kind == StmtKind::kFor;
    Loop loop;
    loop.body = {s.body[is_for ? 2 : 0]};
    std::vector<ExprId> steps;
    if (is_for && s.body[1].valid()) steps = listed(stmt(s.body[1]).expr);
    if (steps.empty()) {  // the last statement of the body
      if (!loop.body[0].valid() || stmt(loop.body[0]).kind != StmtKind::kBlock) return std::nullopt;
      loop.body = stmt(loop.body[0]).body;
      if (loop.body.empty() || stmt(loop.body.back()).kind != StmtKind::kExpr) return std::nullopt;
      steps = listed(stmt(loop.body.back()).expr);
      loop.body.pop_back();
    }
    for (ExprId step : steps) {
      const VariableId v = stepped(step);
      const bool counts = v.valid() && !loop.counter.valid() && names(s.expr, v);
      if (counts) loop.counter = v, loop.step = step;
      else loop.others_after.push_back(step);
    }
    if (!loop.counter.valid() || !is_own_integer(loop.counter)) return std::nullopt;
    if (is_for) take_head(s.body[0], loop);
    const bool has_plain_step = expr(loop.step).kind == ExprKind::kIncDec || expr(loop.step).compound;
    const bool is_as_it_is = is_for && loop.declaration && loop.others_before.empty() && loop.others_after.empty() &&
                             !moves_body(s, loop) && has_plain_step;
    return is_as_it_is ? std::nullopt : std::optional(std::move(loop));
  }

  // Something else follows the body than what did.
  bool moves_body(const Stmt& s, const Loop& loop) const {
    return s.kind == StmtKind::kWhile || !loop.others_after.empty() || loop.body.size() != 1 ||
           loop.body[0] != s.body[2];
  }

  void take_head(StmtId head, Loop& loop) const {
    if (!head.valid()) return;
    const Stmt& s = stmt(head);
    if (s.kind == StmtKind::kBlock)
      for (StmtId part : s.body) take_head(part, loop);
    else if (s.kind == StmtKind::kDeclare && s.variable == loop.counter && s.expr.valid()) loop.declaration = head;
    else if (const auto assigned = s.kind == StmtKind::kExpr ? assigned_first(s.expr, loop.counter) : std::nullopt)
      loop.first = *assigned;
    else loop.others_before.push_back(head);
  }
  std::optional<ExprId> assigned_first(ExprId id, VariableId v) const {
    const Expr& e = expr(id);
    const bool is_plain = e.kind == ExprKind::kAssign && !e.compound && is_of(e.operands[0], v);
    return is_plain ? std::optional(e.operands[1]) : std::nullopt;
  }

  // To move the others, and to rename the counter in the loop, changes nothing.
  bool may_own(StmtId id, const Loop& loop) const {
    const auto is_addressed = [&](const Expr& e) {
      return e.kind == ExprKind::kAddressOf && is_of(e.operands[0], loop.counter);
    };
    const auto is_bound = [&](const Stmt& s) {
      return s.kind == StmtKind::kDeclare && s.expr.valid() && program_.variable(s.variable).is_reference &&
             names(s.expr, loop.counter);
    };
    if (std::ranges::any_of(program_.exprs, is_addressed) || std::ranges::any_of(program_.stmts, is_bound))
      return false;
    if (std::ranges::any_of(loop.others_before, [&](StmtId other) { return names(other, loop.counter); })) return false;
    std::set<VariableId> own;
    for (StmtId part : loop.body) declared_in(part, own);
    const auto is_own = [&](const Expr& e) { return e.kind == ExprKind::kVariable && own.contains(e.variable); };
    for (ExprId other : loop.others_after)
      if (names(other, loop.counter) || any_in(other, is_own) || any_in(loop.step, [&](const Expr& e) {
            return e.kind == ExprKind::kVariable && e.variable != loop.counter && names(other, e.variable);
          }))
        return false;
    const bool goes_on =
        std::ranges::any_of(loop.body, [&](StmtId part) { return leaves_by(StmtKind::kContinue, part); });
    return !any_in(loop.step, is_own) && !(goes_on && moves_body(stmt(id), loop)) && is_a_tree(id);
  }
  // No expression of it stands elsewhere, too.
  bool is_a_tree(StmtId id) const {
    std::vector<int> uses(program_.exprs.size(), 0);
    const auto count = [&](const Expr& e) { return ++uses[index_of(e)], false; };
    for (const Function& f : program_.functions) any_in(f.body, count);
    for (StmtId global : program_.globals) any_in(global, count);
    return !any_in(id, [&](const Expr& e) { return uses[index_of(e)] > 1; });
  }

  void rename(ExprId id, VariableId from, VariableId to) {
    if (!id.valid()) return;
    Expr& e = program_.exprs[id.value];
    if (e.kind == ExprKind::kVariable && e.variable == from) e.variable = to;
    for (ExprId o : std::vector(e.operands)) rename(o, from, to);
  }
  void rename(StmtId id, VariableId from, VariableId to) {
    if (!id.valid()) return;
    rename(stmt(id).expr, from, to);
    for (StmtId part : std::vector(stmt(id).body)) rename(part, from, to);
  }

  // `c = c + 32` becomes `c += 32`.
  ExprId compound(ExprId step) {
    Expr e = expr(step);
    if (e.kind != ExprKind::kAssign || e.compound) return step;
    const Expr sum = expr(e.operands[1]);
    e.compound = true, e.op = Operator::kAdd, e.computation = sum.type, e.operands[1] = sum.operands[1];
    return made(std::move(e));
  }

  void give_counter(StmtId id, const Loop& loop) {
    const SourceRange range = stmt(id).range;
    Stmt whole, body;
    whole.range = body.range = range;
    whole.body = loop.others_before;
    body.body = loop.body;
    for (ExprId other : loop.others_after) body.body.push_back(made(expression(other)));
    Stmt counting = stmt(id);
    counting.kind = StmtKind::kFor;
    if (loop.declaration) {
      counting.body = {*loop.declaration, made(expression(compound(loop.step))), made(std::move(body))};
      whole.body.push_back(made(std::move(counting)));
    } else {
      const VariableId counter = copy_of(loop.counter);
      const ExprId first = loop.first ? *loop.first : read_of(loop.counter, range);
      const StmtId step = made(expression(compound(loop.step))), inner = made(std::move(body));
      for (StmtId part : {step, inner}) rename(part, loop.counter, counter);
      rename(counting.expr, loop.counter, counter);
      counting.body = {declaration(counter, first, range), step, inner};
      whole.body.push_back(made(std::move(counting)));
      if (is_read_outside(id, loop.counter)) whole.body.push_back(assignment(loop.counter, counter, range));
    }
    program_.stmts[id.value] = std::move(whole);
  }

  StmtId assignment(VariableId to, VariableId from, SourceRange range) {
    Expr e;
    e.kind = ExprKind::kAssign, e.type = program_.variable(to).type, e.range = range;
    const ExprId left = read_of(to, range), right = read_of(from, range);
    e.operands = {left, right};
    return made(expression(made(std::move(e))));
  }

  // After its uses in the loop are renamed.
  bool is_read_outside(StmtId loop, VariableId v) const {
    std::vector<char> is_target(program_.exprs.size(), 0);
    for (const Expr& e : program_.exprs)
      if (e.kind == ExprKind::kAssign && !e.compound) is_target[e.operands[0].value] = 1;
    const auto reads = [&](StmtId id, auto& self) -> bool {
      if (!id.valid() || id == loop) return false;
      const auto is_read = [&](const Expr& e) {
        return e.kind == ExprKind::kVariable && e.variable == v && is_target[index_of(e)] == 0;
      };
      return any_in(stmt(id).expr, is_read) ||
             std::ranges::any_of(stmt(id).body, [&](StmtId part) { return self(part, self); });
    };
    return std::ranges::any_of(program_.functions, [&](const Function& f) { return reads(f.body, reads); });
  }
};

}  // namespace

std::optional<Program> with_own_counters(const Program& program) { return CounterOwner(program).run(); }

}  // namespace swizzle
