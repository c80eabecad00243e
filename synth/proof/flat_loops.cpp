#include "synth/proof/flat_loops.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostNestedLoops = 4;

class FlatLoops : public ProgramEdit {
 public:
  // `order`: of the factors, from the outermost loop on.
  FlatLoops(const Program& program, std::vector<std::size_t> order) : ProgramEdit(program), order_(std::move(order)) {}

  std::optional<NestedLoops> run() {
    const std::size_t before = program_.stmts.size();
    for (std::size_t s = 0; s < before; ++s) nest(StmtId(s));
    return sizes_.empty() ? std::nullopt : std::optional(NestedLoops{std::move(program_), std::move(sizes_)});
  }
  bool leaves_divisions() const { return leaves_divisions_; }

 private:
  ExprId narrow(ExprId id) const {
    id = value_of(id);
    while (widens(id)) id = value_of(expr(id).operands[0]);
    return id;
  }
  bool is_size(ExprId id) const {
    const Expr& e = expr(id);
    return e.kind == ExprKind::kVariable && is_parameter(e.variable) && is_never_changed(e.variable);
  }

  // Of w * h * 3, also (size_t)w * h: parameters that stay as they are, what numbers divide them to, and numbers.
  // Empty: it is something else.
  std::vector<ExprId> factors(ExprId id) const {
    id = narrow(id);
    const Expr& e = expr(id);
    if (is_size(id) || number(id).value_or(0) > 1) return {id};
    if (e.kind != ExprKind::kBinary) return {};
    if (e.op == Operator::kDiv && is_size(narrow(e.operands[0])) && number(e.operands[1]).value_or(0) > 0) return {id};
    if (e.op != Operator::kMul) return {};
    std::vector<ExprId> all = factors(e.operands[0]);
    const std::vector<ExprId> more = factors(e.operands[1]);
    if (all.empty() || more.empty()) return {};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  bool is_same_factor(ExprId a, ExprId b) const {
    const Expr &x = expr(narrow(a)), &y = expr(narrow(b));
    if (const auto known = number(narrow(a))) return known == number(narrow(b));
    if (x.kind != y.kind || x.operands.size() != y.operands.size()) return false;
    if (x.kind == ExprKind::kVariable) return x.variable == y.variable;
    return x.op == y.op &&
           std::ranges::equal(x.operands, y.operands, [&](ExprId p, ExprId q) { return is_same_factor(p, q); });
  }
  void nest(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor) return;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->is_inclusive || loop->ahead != 0 || number(loop->first) != 0 ||
        (loop->step.valid() && number(loop->step) != 1) || !is_own_integer(loop->variable))
      return;
    const std::vector<ExprId> sizes = factors(loop->end);
    if (sizes.size() != order_.size() ||
        std::ranges::all_of(sizes, [&](ExprId size) { return number(size).has_value(); }) ||
        leaves_by(StmtKind::kBreak, stmt(id).body[2]) ||
        AssignedVariables::in(program_, stmt(id).body[2]).variables.contains(loop->variable))
      return;
    const Stmt flat = stmt(id);
    const TypeId type = program_.variable(loop->variable).type;
    Digits digits{loop->variable, {}, {}};
    for (std::size_t k : order_) {
      any_in(sizes[k], [&](const Expr& e) {
        if (e.kind == ExprKind::kVariable) sizes_.insert(program_.variable(e.variable).name);
        return false;
      });
      digits.sizes.push_back(sizes[k]);
      digits.indices.push_back(copy_of(loop->variable));
    }
    const ExprId index = number_of({0, order_.size()}, digits, type, flat.range);
    take_digits(flat.body[2], digits);
    Stmt body, whole;
    body.body = {declaration(loop->variable, index, flat.range), flat.body[2]};
    StmtId inner = made(std::move(body));
    for (std::size_t k = order_.size(); k-- > 0;) inner = counting(digits.indices[k], digits.sizes[k], inner, flat);
    const StmtId product = made(expression(loop->end));  // which is to be computed, too
    whole.range = flat.range;
    whole.body = {product, inner};
    program_.stmts[id.value] = std::move(whole);
  }

  // Of (y * w + x), the outer ones first.
  struct Digits {
    VariableId number;
    std::vector<VariableId> indices;
    std::vector<ExprId> sizes;
  };
  struct DigitRange {
    std::size_t first = 0, end = 0;
  };

  // Which of the digits an expression is: i / w is y, and i % w is x. Nothing: it is something else.
  std::optional<DigitRange> range_of(ExprId id, const Digits& digits) const {
    if (is_of(id, digits.number)) return DigitRange{0, digits.indices.size()};
    id = value_of(id);
    const Expr& e = expr(id);
    if (widens(id)) return range_of(e.operands[0], digits);
    if (e.kind != ExprKind::kBinary || (e.op != Operator::kDiv && e.op != Operator::kRem)) return std::nullopt;
    const auto of = range_of(e.operands[0], digits);
    std::vector<ExprId> by = of ? factors(e.operands[1]) : std::vector<ExprId>();
    if (by.empty() || by.size() >= of->end - of->first) return std::nullopt;
    const std::size_t cut = of->end - by.size();
    const auto last = digits.sizes.begin();
    const auto is_same = [&](ExprId a, ExprId b) { return is_same_factor(a, b); };
    if (!std::is_permutation(by.begin(), by.end(), last + static_cast<std::ptrdiff_t>(cut), is_same))
      return std::nullopt;
    return e.op == Operator::kDiv ? DigitRange{of->first, cut} : DigitRange{cut, of->end};
  }

  ExprId number_of(const DigitRange& range, const Digits& digits, TypeId type, SourceRange at) {
    ExprId number = as(type, read_of(digits.indices[range.first], at));
    for (std::size_t k = range.first + 1; k < range.end; ++k)
      number = binary(Operator::kAdd, binary(Operator::kMul, number, as(type, copy_of(digits.sizes[k]))),
                      as(type, read_of(digits.indices[k], at)));
    return number;
  }

  // A product of some of the digits' sizes, in whatever order they are.
  bool are_of(ExprId divisor, const Digits& digits) const {
    const std::vector<ExprId> by = factors(divisor);
    return !by.empty() && std::ranges::all_of(by, [&](ExprId factor) {
      return std::ranges::any_of(digits.sizes, [&](ExprId size) { return is_same_factor(factor, size); });
    });
  }

  void take_digits(StmtId id, const Digits& digits) {
    if (!id.valid()) return;
    if (stmt(id).expr.valid()) take_digits(stmt(id).expr, digits);
    for (StmtId part : std::vector(stmt(id).body)) take_digits(part, digits);
  }
  void take_digits(ExprId id, const Digits& digits) {
    const Expr& e = expr(id);
    const bool is_division = e.kind == ExprKind::kBinary && (e.op == Operator::kDiv || e.op == Operator::kRem);
    const auto range = is_division ? range_of(id, digits) : std::nullopt;
    leaves_divisions_ |= is_division && !range && range_of(e.operands[0], digits) && are_of(e.operands[1], digits);
    if (range) {
      const ExprId number = number_of(*range, digits, expr(id).type, expr(id).range);
      program_.exprs[id.value] = Expr(expr(number));
      return;
    }
    for (ExprId operand : std::vector(expr(id).operands)) take_digits(operand, digits);
  }

  // for (int i = 0; i < size; ++i) body
  StmtId counting(VariableId i, ExprId size, StmtId body, const Stmt& flat) {
    const TypeId type = program_.variable(i).type;
    Expr test = expr(flat.expr), step;
    test.operands = {read_of(i, flat.range), as(type, copy_of(size))};
    step.kind = ExprKind::kIncDec, step.op = Operator::kAdd, step.type = type, step.range = flat.range;
    step.operands = {read_of(i, flat.range)};
    Stmt loop = flat;
    loop.expr = made(std::move(test));
    const StmtId first = declaration(i, literal(0, type, flat.range), flat.range),
                 advance = made(expression(made(std::move(step))));
    loop.body = {first, advance, body};
    return made(std::move(loop));
  }

  std::vector<std::size_t> order_;
  std::set<std::string> sizes_;
  bool leaves_divisions_ = false;  // by sizes, of what another order would take apart
};

}  // namespace

std::vector<NestedLoops> with_nested_loops(const Program& spec) {
  std::vector<NestedLoops> all;
  for (std::size_t factors = 2; factors <= kMostNestedLoops; ++factors) {
    std::vector<std::size_t> order(factors);
    std::iota(order.begin(), order.end(), 0);
    std::vector<NestedLoops> others;  // than those whose loops are all that is divided by
    const std::size_t before = all.size();
    do {
      FlatLoops flat(spec, order);
      if (auto nested = flat.run()) (flat.leaves_divisions() ? others : all).push_back(*std::move(nested));
    } while (std::ranges::next_permutation(order).found);
    if (all.size() == before) std::ranges::move(others, std::back_inserter(all));
  }
  return all;
}

}  // namespace swizzle
