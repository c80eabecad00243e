#include "synth/proof/tile_loops.h"

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class TileLoops : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return go_over_elements(id); });
  }

 private:
  // elements + by
  struct Sum {
    ExprId elements;
    std::int64_t by = 0;
  };

  std::optional<Sum> sum(ExprId id) const {
    const Expr& e = expr(id);
    if (e.kind == ExprKind::kVariable) return is_never_changed(e.variable) ? std::optional(Sum{id}) : std::nullopt;
    const bool adds = e.kind == ExprKind::kBinary && (e.op == Operator::kAdd || e.op == Operator::kSub);
    const auto more = adds ? number(e.operands[1]) : std::nullopt;
    auto of = more && expr(e.operands[0]).type == e.type ? sum(e.operands[0]) : std::nullopt;
    if (of) of->by += e.op == Operator::kAdd ? *more : -*more;
    return of;
  }

  // (n + 15) / 16, or a variable that is nothing else.
  struct Tiles {
    Sum dividend;
    ExprId rounded;  // n + 15
    std::int64_t unit = 1;
  };
  std::optional<Tiles> tiles(ExprId id) const {
    const Expr& e = expr(value_of(id));
    if (e.kind != ExprKind::kBinary || e.op != Operator::kDiv) return std::nullopt;
    const auto unit = number(e.operands[1]);
    const auto dividend = unit && *unit > 1 ? sum(e.operands[0]) : std::nullopt;
    const bool rounds_up = dividend && dividend->by == *unit - 1 && expr(e.operands[0]).type == e.type;
    return rounds_up ? std::optional(Tiles{*dividend, e.operands[0], *unit}) : std::nullopt;
  }

  bool go_over_elements(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor) return false;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->is_inclusive || loop->ahead != 0 || !is_own_integer(loop->variable)) return false;
    const auto of = tiles(loop->end);
    const Stmt outer = stmt(id);
    const TypeId type = program_.variable(loop->variable).type;
    const bool has_one_type = of && expr(of->dividend.elements).type == type && expr(loop->end).type == type &&
                              is_of(expr(outer.expr).operands[0], loop->variable) && expr(loop->first).type == type &&
                              (!loop->step.valid() || is_integer(loop->step));
    if (!has_one_type || AssignedVariables::in(program_, outer.body[2]).variables.contains(loop->variable) ||
        !is_named_only_in(id, loop->variable))
      return false;
    const auto times_unit = [&](ExprId e) { return binary(Operator::kMul, e, literal(of->unit, type, outer.range)); };
    const VariableId element = copy_of(loop->variable);
    const ExprId one = loop->step.valid() ? as(type, loop->step) : literal(1, type, outer.range);
    Stmt body, whole, counting = outer;
    body.body = {
        declaration(loop->variable,
                    binary(Operator::kDiv, read_of(element, outer.range), literal(of->unit, type, outer.range)),
                    outer.range),
        outer.body[2]};
    Expr test = expr(outer.expr), step;
    test.operands = {read_of(element, outer.range), of->dividend.elements};
    step.kind = ExprKind::kAssign, step.compound = true, step.op = Operator::kAdd;
    step.type = step.computation = type, step.range = outer.range;
    const ExprId to = read_of(element, outer.range), by = times_unit(one);
    step.operands = {to, by};
    counting.expr = made(std::move(test));
    const StmtId first = declaration(element, times_unit(loop->first), outer.range),
                 advance = made(expression(made(std::move(step)))), inner = made(std::move(body));
    counting.body = {first, advance, inner};
    const StmtId rounded = made(expression(of->rounded)), elements = made(std::move(counting));
    whole.range = outer.range;
    whole.body = {rounded, elements};
    program_.stmts[id.value] = std::move(whole);
    if (const Expr& end = expr(loop->end); end.kind == ExprKind::kVariable) replace_unread(end.variable, Stmt{});
    return true;
  }
};

}  // namespace

std::optional<Program> with_loops_over_elements(const Program& program) { return TileLoops(program).run(); }

}  // namespace swizzle
