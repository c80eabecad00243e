#include "synth/proof/periodic_loops.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostPeriod = 8;
constexpr std::int64_t kMostDivisor = 16;  // of the size: as many classes are looked at

class PeriodicLoops : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return unroll(id); });
  }

 private:
  ExprId uncast(ExprId id) const {
    while (expr(id).kind == ExprKind::kCast) id = expr(id).operands[0];
    return id;
  }

  // x % 3, x & 3: 3 and 4.
  std::optional<std::int64_t> modulus_of(const Expr& e) const {
    if (e.kind != ExprKind::kBinary || (e.op != Operator::kRem && e.op != Operator::kAnd)) return std::nullopt;
    const auto by = number(uncast(e.operands[1]));
    if (!by || *by < 1) return std::nullopt;
    if (e.op == Operator::kRem) return by;
    return (*by & (*by + 1)) == 0 ? std::optional(*by + 1) : std::nullopt;
  }

  // After how many assignments a variable is what it was: of v ^ 1, 1 - v, (v + 1) % 3.
  std::optional<std::int64_t> turns_of(ExprId value, VariableId v) const {
    const Expr& e = expr(uncast(value));
    if (e.kind == ExprKind::kUnary && e.op == Operator::kLogicalNot && is_of(uncast(e.operands[0]), v)) return 2;
    if (e.kind != ExprKind::kBinary) return std::nullopt;
    const ExprId a = uncast(e.operands[0]), b = uncast(e.operands[1]);
    if (e.op == Operator::kXor && is_of(a, v) && number(b)) return 2;
    if (e.op == Operator::kSub && number(a) && is_of(b, v)) return 2;
    const auto modulus = modulus_of(e);
    const bool goes_on = modulus && expr(a).kind == ExprKind::kBinary && expr(a).op == Operator::kAdd &&
                         is_of(uncast(expr(a).operands[0]), v) && number(uncast(expr(a).operands[1])) == 1;
    return goes_on ? modulus : std::nullopt;
  }

  // Of rounds that go on by `step`, after how many all is as it was; 1: nothing takes turns.
  std::int64_t period_of(StmtId body, const CountedLoop& loop, std::int64_t step) const {
    std::int64_t period = 1;
    const auto take = [&](std::int64_t rounds) { period = std::min(std::lcm(period, rounds), kMostPeriod + 1); };
    any_in(body, [&](const Expr& e) {
      const auto modulus = modulus_of(e);
      if (modulus && names(e.operands[0], loop.variable)) take(*modulus / std::gcd(*modulus, step));
      if (e.kind == ExprKind::kAssign && expr(e.operands[0]).kind == ExprKind::kVariable) {
        const VariableId v = expr(e.operands[0]).variable;
        const bool toggles = e.compound && e.op == Operator::kXor && number(uncast(e.operands[1]));
        const auto turns = toggles ? std::optional<std::int64_t>(2) : turns_of(e.operands[1], v);
        if (turns && is_own_integer(v)) take(*turns);
      }
      return false;
    });
    return period;
  }

  bool unroll(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor || !goes_on(stmt(id).body[2])) return false;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->beyond() != 0 || number(loop->first) != 0 || number(loop->end)) return false;
    const auto step = loop->step.valid() ? number(loop->step) : std::optional<std::int64_t>(1);
    const ExprId end = uncast(loop->end);
    const bool is_over_size = expr(end).kind == ExprKind::kVariable && is_never_changed(expr(end).variable);
    if (!step || *step < 1 || !is_over_size ||
        AssignedVariables::in(program_, stmt(id).body[2]).variables.contains(loop->variable))
      return false;
    const std::int64_t period = period_of(stmt(id).body[2], *loop, *step);
    if (period < 2 || period > kMostPeriod || period * *step > kMostDivisor) return false;
    replace(id, *loop, *step, period);
    return true;
  }

  void replace(StmtId id, const CountedLoop& loop, std::int64_t step, std::int64_t period) {
    const Stmt whole = stmt(id);
    const TypeId type = program_.variable(loop.variable).type;
    const auto of_counter = [&](std::int64_t value) { return literal(value, type, whole.range); };
    const auto limit = [&] {
      const ExprId by = literal(period * step, expr(loop.end).type, whole.range);
      return as(type, binary(Operator::kMul, binary(Operator::kDiv, loop.end, by), by));
    };
    const VariableId all = copy_of(loop.variable);
    Stmt rounds, first = whole, rest = whole, both;
    rounds.range = both.range = whole.range;
    for (std::int64_t turn = 0; turn < period; ++turn) {
      Stmt round;
      round.range = whole.range;
      const ExprId at = binary(Operator::kAdd, read_of(all, whole.range), of_counter(turn * step));
      round.body = {declaration(loop.variable, at, whole.range), whole.body[2]};
      rounds.body.push_back(made(std::move(round)));
    }
    TreeBuilder tree(program_);
    const ExprId counter = read_of(all, whole.range);
    first.expr = tree.binary(Operator::kLt, counter, limit(), tree.scalar_type(Scalar::kBool), whole.range);
    Expr next = expr(tree.assigned(read_of(all, whole.range), of_counter(period * step), whole.range));
    next.compound = true, next.op = Operator::kAdd, next.computation = type;
    first.body = {declaration(all, of_counter(0), whole.range), made(expression(made(std::move(next)))),
                  made(std::move(rounds))};
    rest.body[0] = declaration(loop.variable, limit(), whole.range);
    const StmtId most = made(std::move(first));
    both.body = {most, made(std::move(rest))};
    program_.stmts[id.value] = std::move(both);
  }
};

}  // namespace

std::optional<Program> with_periodic_loops(const Program& kernel) { return PeriodicLoops(kernel).run(); }

}  // namespace swizzle
