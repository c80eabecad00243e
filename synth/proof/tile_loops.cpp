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

  struct Tiles {
    Sum dividend;
    ExprId rounded;  // n + 15, where it is computed
    std::int64_t unit = 1;
    bool is_of_positive = false;  // where n >= 1
  };
  // (n + 15) / 16, (n - 1) / 16 + 1, or a variable that is nothing else.
  std::optional<Tiles> tiles(ExprId id) const {
    ExprId quotient = value_of(id);
    const Expr& more = expr(quotient);
    const bool is_less_1 = more.kind == ExprKind::kBinary && more.op == Operator::kAdd && number(more.operands[1]) == 1;
    if (is_less_1) quotient = value_of(more.operands[0]);
    const Expr& e = expr(quotient);
    if (e.kind != ExprKind::kBinary || e.op != Operator::kDiv) return std::nullopt;
    const auto unit = number(e.operands[1]);
    const auto dividend = unit && *unit > 1 ? sum(e.operands[0]) : std::nullopt;
    const bool rounds_up =
        dividend && dividend->by == (is_less_1 ? -1 : *unit - 1) && expr(e.operands[0]).type == e.type;
    return rounds_up ? std::optional(Tiles{*dividend, e.operands[0], *unit, is_less_1}) : std::nullopt;
  }

  struct TileLoop {
    CountedLoop loop;
    Tiles tiles;
  };
  // t < (n + 15) / 16
  std::optional<TileLoop> by_number(const Stmt& s) const {
    const auto loop = counted_loop(program_, s);
    const auto of = loop ? tiles(loop->end) : std::nullopt;
    return of ? std::optional(TileLoop{*loop, *of}) : std::nullopt;
  }
  // t * 16 < n
  std::optional<TileLoop> by_first_element(const Stmt& s) {
    if (!s.expr.valid() || expr(s.expr).kind != ExprKind::kBinary) return std::nullopt;
    const Expr& product = expr(expr(s.expr).operands[0]);
    if (product.kind != ExprKind::kBinary || product.op != Operator::kMul) return std::nullopt;
    const std::size_t factor = number(product.operands[0]) ? 0 : 1;
    const auto unit = number(product.operands[factor]);
    const ExprId counter = product.operands[1 - factor];
    if (!unit || *unit <= 1 || expr(counter).kind != ExprKind::kVariable || product.type != expr(counter).type)
      return std::nullopt;
    Stmt by_counter = s;
    Expr test = expr(s.expr);
    test.operands[0] = counter;
    by_counter.expr = made(std::move(test));
    const auto loop = counted_loop(program_, by_counter);
    const auto elements = loop ? sum(loop->end) : std::nullopt;
    return elements && elements->by == 0 ? std::optional(TileLoop{*loop, {*elements, {}, *unit}}) : std::nullopt;
  }

  bool go_over_elements(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor) return false;
    auto found = by_number(stmt(id));
    const bool is_by_number = found.has_value();
    if (!found) found = by_first_element(Stmt(stmt(id)));
    if (!found || !is_followed(id, *found, is_by_number)) return false;
    const auto& [loop, of] = *found;
    const Stmt outer = stmt(id);
    Stmt whole;
    whole.range = outer.range;
    if (is_by_number) whole.body.push_back(made(expression(of.rounded)));
    whole.body.push_back(over_elements(outer, *found));
    if (of.is_of_positive) {
      Stmt either;
      Expr is_positive = expr(outer.expr);
      is_positive.operands = {literal(0, expr(of.dividend.elements).type, outer.range), of.dividend.elements};
      either.kind = StmtKind::kIf, either.range = outer.range, either.expr = made(std::move(is_positive));
      either.body = {made(std::move(whole)), made(Stmt(outer))};
      whole = std::move(either);
    }
    program_.stmts[id.value] = std::move(whole);
    if (const Expr& end = expr(loop.end); is_by_number && end.kind == ExprKind::kVariable)
      replace_unread(end.variable, Stmt{});
    return true;
  }

  // Of one type throughout, and counted by its head alone.
  bool is_followed(StmtId id, const TileLoop& tiled, bool is_by_number) const {
    const auto& [loop, of] = tiled;
    if (loop.is_inclusive || loop.ahead != 0 || !is_own_integer(loop.variable)) return false;
    const TypeId type = program_.variable(loop.variable).type;
    const bool has_one_type = expr(of.dividend.elements).type == type && expr(loop.end).type == type &&
                              (!is_by_number || is_of(expr(stmt(id).expr).operands[0], loop.variable)) &&
                              expr(loop.first).type == type && (!loop.step.valid() || is_integer(loop.step));
    return has_one_type && is_named_only_in(id, loop.variable) &&
           !AssignedVariables::in(program_, stmt(id).body[2]).variables.contains(loop.variable);
  }

  // for (int u = first * 16; u < n; u += 16) { const int t = u / 16; … }
  StmtId over_elements(const Stmt& outer, const TileLoop& tiled) {
    const auto& [loop, of] = tiled;
    const TypeId type = program_.variable(loop.variable).type;
    const ExprId unit = literal(of.unit, type, outer.range);
    const VariableId element = copy_of(loop.variable);
    Stmt body, counting = outer;
    body.body = {declaration(loop.variable, binary(Operator::kDiv, read_of(element, outer.range), unit), outer.range),
                 outer.body[2]};
    Expr test = expr(outer.expr), step;
    test.operands = {read_of(element, outer.range), of.dividend.elements};
    step.kind = ExprKind::kAssign, step.compound = true, step.op = Operator::kAdd;
    step.type = step.computation = type, step.range = outer.range;
    const ExprId one = loop.step.valid() ? as(type, loop.step) : literal(1, type, outer.range);
    const ExprId to = read_of(element, outer.range), by = binary(Operator::kMul, one, unit);
    step.operands = {to, by};
    counting.expr = made(std::move(test));
    const StmtId first = declaration(element, binary(Operator::kMul, loop.first, unit), outer.range),
                 advance = made(expression(made(std::move(step)))), inner = made(std::move(body));
    counting.body = {first, advance, inner};
    return made(std::move(counting));
  }
};

}  // namespace

std::optional<Program> with_loops_over_elements(const Program& program) { return TileLoops(program).run(); }

}  // namespace swizzle
