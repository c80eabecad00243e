#include "synth/proof/guarded_loops.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "synth/program/intrinsics.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostIterations = 4096;

// Variables, and other expressions that nothing changes, with their coefficients.
struct LinearSum {
  std::map<std::pair<bool, std::uint32_t>, std::int64_t> terms;  // by whether it is a variable, and its number
  std::int64_t constant = 0;

  void add(const LinearSum& other, std::int64_t factor) {
    constant += other.constant * factor;
    for (const auto& [term, coefficient] : other.terms)
      if ((terms[term] += coefficient * factor) == 0) terms.erase(term);
  }
  std::int64_t of(VariableId v) const {
    const auto found = terms.find({true, v.value});
    return found == terms.end() ? 0 : found->second;
  }
  friend bool operator==(const LinearSum&, const LinearSum&) = default;
};

class GuardedLoops : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    for (std::size_t f = 0; f < program_.functions.size(); ++f) look_at(program_.functions[f].body);
    return is_other_ ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  void look_at(StmtId id) {
    if (!id.valid()) return;
    const VariableId counter = counter_of(id);
    if (counter.valid()) {
      guard(id, counter);
      stable_.insert(counter);
    }
    for (StmtId part : std::vector(stmt(id).body)) look_at(part);
    if (counter.valid()) stable_.erase(counter);
  }

  // Of a loop that counts upwards by a number, and whose body does not change its counter.
  VariableId counter_of(StmtId id) const {
    const Stmt& loop = stmt(id);
    if (loop.kind != StmtKind::kFor || !loop.expr.valid() || !loop.body[0].valid() || !loop.body[1].valid()) return {};
    const Stmt &first = stmt(loop.body[0]), &step = stmt(loop.body[1]);
    if (first.kind != StmtKind::kDeclare || !first.expr.valid() || step.kind != StmtKind::kExpr) return {};
    const Expr& advance = expr(step.expr);
    const bool is_step = advance.kind == ExprKind::kIncDec || (advance.kind == ExprKind::kAssign && advance.compound);
    if (!is_step || advance.op != Operator::kAdd || !is_of(advance.operands[0], first.variable)) return {};
    if (advance.kind == ExprKind::kAssign && number(advance.operands[1]).value_or(0) < 1) return {};
    const bool is_its_own = is_own_integer(first.variable) && is_named_only_in(id, first.variable) &&
                            !AssignedVariables::in(program_, loop.body[2]).variables.contains(first.variable) &&
                            !any_in(loop.expr, [](const Expr& e) { return has_effect(e); });
    return is_its_own ? first.variable : VariableId();
  }
  static bool has_effect(const Expr& e) {
    return e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kCall;
  }

  bool is_stable(VariableId v) const { return is_never_changed(v) || stable_.contains(v); }
  bool is_stable(ExprId id) const {
    return !any_in(id, [&](const Expr& e) {
      const bool is_value = e.kind == ExprKind::kIntLiteral || e.kind == ExprKind::kUnary ||
                            e.kind == ExprKind::kBinary || e.kind == ExprKind::kCast ||
                            e.kind == ExprKind::kConditional || is_minimum(e);
      return !is_value && !(e.kind == ExprKind::kVariable && is_stable(e.variable));
    });
  }
  static bool is_minimum(const Expr& e) { return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kMin; }

  // A cast that changes no value.
  bool keeps_value(ExprId id) const {
    if (!widens(id)) return false;
    const Type &to = program_.type(expr(id).type), &from = program_.type(expr(expr(id).operands[0]).type);
    return is_unsigned(to.scalar) == is_unsigned(from.scalar) ||
           (is_unsigned(from.scalar) && to.size_bytes > from.size_bytes);
  }

  std::optional<LinearSum> linear(ExprId id, VariableId counter) const {
    const Expr& e = expr(id);
    if (const auto known = number(id)) return LinearSum{{}, *known};
    if (e.kind == ExprKind::kVariable) {
      const ExprId value = value_of(id);
      if (value != id)
        if (auto of_value = linear(value, counter)) return of_value;
      if (e.variable != counter && !is_stable(e.variable)) return std::nullopt;
      return LinearSum{{{{true, e.variable.value}, 1}}, 0};
    }
    if (e.kind == ExprKind::kCast && keeps_value(id)) return linear(e.operands[0], counter);
    if (e.kind == ExprKind::kBinary && (e.op == Operator::kAdd || e.op == Operator::kSub))
      return sum(linear(e.operands[0], counter), linear(e.operands[1], counter), e.op == Operator::kAdd ? 1 : -1);
    if (e.kind == ExprKind::kBinary && e.op == Operator::kMul)
      for (const std::size_t factor : {0, 1})
        if (const auto by = number(e.operands[factor]))
          return sum(LinearSum(), linear(e.operands[1 - factor], counter), *by);
    return is_stable(id) ? std::optional(LinearSum{{{{false, id.value}, 1}}, 0}) : std::nullopt;
  }
  static std::optional<LinearSum> sum(std::optional<LinearSum> a, const std::optional<LinearSum>& b,
                                      std::int64_t factor) {
    if (!a || !b) return std::nullopt;
    a->add(*b, factor);
    return a;
  }

  // What must hold, or must not, taken apart: i < min(a, b) is i < a and i < b.
  std::vector<ExprId> conjuncts(ExprId id, bool must_hold, VariableId counter) {
    const Expr e = expr(id);
    if (e.kind == ExprKind::kUnary && e.op == Operator::kLogicalNot)
      return conjuncts(e.operands[0], !must_hold, counter);
    if (e.kind != ExprKind::kBinary) return {must_hold ? id : TreeBuilder(program_).logical_not(id, e.range)};
    if (e.op == (must_hold ? Operator::kLogicalAnd : Operator::kLogicalOr)) {
      std::vector<ExprId> all = conjuncts(e.operands[0], must_hold, counter);
      std::ranges::copy(conjuncts(e.operands[1], must_hold, counter), std::back_inserter(all));
      return all;
    }
    if (!must_hold && !is_order(e.op)) return {TreeBuilder(program_).logical_not(id, e.range)};
    Expr test = e;
    if (!must_hold) test.op = inverse(e.op);
    if (test.op == Operator::kGt || test.op == Operator::kGe) {
      test.op = test.op == Operator::kGt ? Operator::kLt : Operator::kLe;
      std::swap(test.operands[0], test.operands[1]);
    }
    if (is_order(test.op)) return below_each(test, counter);
    return {id};
  }
  static bool is_order(Operator op) { return is_comparison(op) && op != Operator::kEq && op != Operator::kNe; }
  static Operator inverse(Operator op) {
    return op == Operator::kLt   ? Operator::kGe
           : op == Operator::kLe ? Operator::kGt
           : op == Operator::kGt ? Operator::kLe
                                 : Operator::kLt;
  }
  std::vector<ExprId> below_each(const Expr& test, VariableId counter) {
    std::vector<ExprId> all;
    for (ExprId bound : least_of(test.operands[1], counter)) {
      Expr one = test;
      one.operands[1] = as(expr(test.operands[1]).type, bound);
      all.push_back(made(std::move(one)));
    }
    return all;
  }

  // What an expression is the least of.
  std::vector<ExprId> least_of(ExprId id, VariableId counter) const {
    const ExprId value = value_of(id);
    const Expr& e = expr(value);
    if (!linear(value, counter) || !is_integer(value)) return {id};
    if (e.kind == ExprKind::kCast && keeps_value(value) && is_least(e.operands[0], counter))
      return least_of(e.operands[0], counter);
    if (!is_least(value, counter)) return {id};
    std::vector<ExprId> all;
    const std::size_t first = is_minimum(e) ? 0 : 1;
    for (std::size_t i = first; i < e.operands.size(); ++i)
      std::ranges::copy(least_of(e.operands[i], counter), std::back_inserter(all));
    return all;
  }
  // min(a, b), a < b ? a : b, a > b ? b : a
  bool is_least(ExprId id, VariableId counter) const {
    const Expr& e = expr(id);
    if (is_minimum(e)) return true;
    if (e.kind != ExprKind::kConditional || expr(e.operands[0]).kind != ExprKind::kBinary) return false;
    const Expr& test = expr(e.operands[0]);
    if (!is_order(test.op)) return false;
    const bool is_below = test.op == Operator::kLt || test.op == Operator::kLe;
    const auto is_same = [&](ExprId a, ExprId b) {
      const auto of_a = linear(a, counter), of_b = linear(b, counter);
      return of_a && of_a == of_b;
    };
    return is_same(test.operands[is_below ? 0 : 1], e.operands[1]) &&
           is_same(test.operands[is_below ? 1 : 0], e.operands[2]);
  }

  // Of a comparison of what grows with the counter; nothing: it is something else.
  std::optional<LinearSum> room_below(ExprId test, VariableId counter) const {
    const Expr& e = expr(test);
    if (e.kind != ExprKind::kBinary || (e.op != Operator::kLt && e.op != Operator::kLe)) return std::nullopt;
    if (!is_integer(e.operands[0]) || !is_integer(e.operands[1])) return std::nullopt;
    auto room = sum(linear(e.operands[1], counter), linear(e.operands[0], counter), -1);
    return room && room->of(counter) < 0 ? room : std::nullopt;
  }
  bool is_of_few_iterations(ExprId test, const LinearSum& first, VariableId counter) const {
    auto room = room_below(test, counter);
    if (!room || room->of(counter) != -1) return false;
    room->terms.erase({true, counter.value});
    room->add(first, -1);
    return room->terms.empty() && room->constant >= 0 && room->constant <= kMostIterations;
  }

  // A `break` where the body begins, behind declarations: the condition under which the rest of it is left.
  struct Leaving {
    std::size_t at = 0;
    std::vector<ExprId> goes_on;
  };
  std::optional<Leaving> leaving(StmtId body, VariableId counter) {
    if (!body.valid() || stmt(body).kind != StmtKind::kBlock) return std::nullopt;
    const std::vector<StmtId> parts = stmt(body).body;
    std::size_t at = 0;
    const auto reads_nothing = [&](const Stmt& s) {
      return s.kind == StmtKind::kDeclare && (!s.expr.valid() || linear(s.expr, counter));
    };
    while (at < parts.size() && reads_nothing(stmt(parts[at]))) ++at;
    if (at == parts.size() || stmt(parts[at]).kind != StmtKind::kIf || stmt(parts[at]).body.size() > 1)
      return std::nullopt;
    StmtId then = stmt(parts[at]).body[0];
    while (stmt(then).kind == StmtKind::kBlock && stmt(then).body.size() == 1) then = stmt(then).body[0];
    if (stmt(then).kind != StmtKind::kBreak) return std::nullopt;
    const bool leaves_elsewhere = std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1, parts.end(),
                                              [&](StmtId part) { return leaves_by(StmtKind::kBreak, part); });
    if (leaves_elsewhere) return std::nullopt;
    return Leaving{at, conjuncts(stmt(parts[at]).expr, false, counter)};
  }

  void guard(StmtId id, VariableId counter) {
    const StmtId body = stmt(id).body[2];
    const auto first = linear(stmt(stmt(id).body[0]).expr, counter);
    auto leaves = leaving(body, counter);
    if (!first || (!leaves && leaves_by(StmtKind::kBreak, body))) return;
    std::vector<ExprId> rest = conjuncts(stmt(id).expr, true, counter);
    const auto bound =
        std::ranges::find_if(rest, [&](ExprId test) { return is_of_few_iterations(test, *first, counter); });
    if (bound == rest.end() || (rest.size() == 1 && !leaves)) return;
    const ExprId own = *bound;
    rest.erase(bound);
    const auto is_guard = [&](ExprId test) { return room_below(test, counter).has_value(); };
    if (!std::ranges::all_of(rest, is_guard) || (leaves && !std::ranges::all_of(leaves->goes_on, is_guard))) return;
    if (leaves) leave_out_rest(body, *leaves);
    Stmt loop = stmt(id);
    loop.expr = own;
    if (!rest.empty()) loop.body[2] = under(rest, body);
    program_.stmts[id.value] = std::move(loop);
    is_other_ = true;
  }

  StmtId under(const std::vector<ExprId>& guards, StmtId body) {
    Stmt guarded;
    guarded.kind = StmtKind::kIf, guarded.range = stmt(body).range, guarded.expr = guards[0], guarded.body = {body};
    for (std::size_t i = 1; i < guards.size(); ++i)
      guarded.expr = binary(Operator::kLogicalAnd, guarded.expr, guards[i]);
    return made(std::move(guarded));
  }
  void leave_out_rest(StmtId body, const Leaving& leaves) {
    Stmt whole = stmt(body), rest = whole;
    rest.body.erase(rest.body.begin(), rest.body.begin() + static_cast<std::ptrdiff_t>(leaves.at) + 1);
    whole.body.resize(leaves.at);
    const StmtId block = made(std::move(rest));
    whole.body.push_back(under(leaves.goes_on, block));
    program_.stmts[body.value] = std::move(whole);
  }

  std::set<VariableId> stable_;  // counters of the loops around
  bool is_other_ = false;
};

}  // namespace

std::optional<Program> with_guards_for_bounds(const Program& program) { return GuardedLoops(program).run(); }

}  // namespace swizzle
