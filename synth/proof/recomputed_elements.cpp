#include "synth/proof/recomputed_elements.h"

#include <algorithm>
#include <vector>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/element_edit.h"

namespace swizzle {
namespace {

class RecomputedElements : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) {
      if (stmt(id).kind != StmtKind::kBlock) return false;
      bool is_other = false;
      for (std::size_t v = 0; v < variables_; ++v) is_other = recompute_in(id, VariableId(v)) || is_other;
      return is_other;
    });
  }

 private:
  // Of a block, all statements that name the buffer.
  struct Loop {
    StmtId id;
    CountedLoop head;
    std::vector<ExprId> places;  // its elements
    std::size_t changes = 0;     // of it
  };

  bool recompute_in(StmtId block, VariableId buffer) {
    if (!is_pointer(buffer) || !names(block, buffer)) return false;
    changed_ = AssignedVariables::in(program_, block).variables;
    std::vector<Loop> loops;
    for (const StmtId part : stmt(block).body) {
      if (!names(part, buffer) || stmt(part).kind == StmtKind::kDeclare) continue;
      auto loop = loop_over_elements(part, buffer);
      if (!loop) return false;
      loops.push_back(*std::move(loop));
    }
    if (loops.size() < 2 || !are_all_uses(loops, buffer) || !are_alike(loops)) return false;
    const bool are_changed_apart =
        loops.front().changes == 1 &&
        std::all_of(loops.begin() + 1, loops.end() - 1, [](const Loop& l) { return l.changes == 0; });
    const auto store = are_changed_apart ? first_store(loops.front(), buffer) : std::nullopt;
    const bool is_moved_over_barriers = program_.directives.launch && std::ranges::any_of(loops, [&](const Loop& l) {
                                          return waits(stmt(l.id).body[2]);
                                        });
    if (!store || is_moved_over_barriers || !stays_until(stored_by(*store), loops, block)) return false;
    const std::vector<Loop> all = std::move(loops);
    for (auto loop = all.rbegin(); loop != all.rend(); ++loop) rewrite(*loop, all, *store);  // the first is read of
    return true;
  }

  std::optional<Loop> loop_over_elements(StmtId id, VariableId buffer) const {
    if (stmt(id).kind != StmtKind::kFor) return std::nullopt;
    const StmtId body = stmt(id).body[2];
    const auto head = counted_loop(program_, stmt(id));
    if (!head || !goes_on(body) || AssignedVariables::in(program_, body).variables.contains(head->variable) ||
        !is_fixed(head->first, changed_) || !is_fixed(head->end, changed_) ||
        (head->step.valid() && !is_fixed(head->step, changed_)))
      return std::nullopt;
    Loop loop{id, *head, {}, changes_in(body, buffer)};
    const bool is_handed_on = any_in(body, [&](const Expr& e) {
      if (is_element(e, buffer)) loop.places.push_back(ExprId(index_of(e)));
      return e.kind == ExprKind::kAddressOf && names(e.operands[0], buffer);
    });
    return is_handed_on || loop.places.empty() ? std::nullopt : std::optional(std::move(loop));
  }

  // Nothing else is meant by the buffer than elements, nor is a parameter that it is a part of named elsewhere.
  bool are_all_uses(const std::vector<Loop>& loops, VariableId buffer) const {
    std::size_t count = 0;
    for (const Loop& loop : loops) count += loop.places.size();
    if (uses_of(buffer) != count) return false;
    if (is_parameter(buffer)) return true;
    const auto of = parameter_of(buffer);
    return of && uses_of(*of) == 1;
  }

  // One element for each iteration, the same in all loops.
  bool are_alike(const std::vector<Loop>& loops) const {
    const Loop& first = loops.front();
    return std::ranges::all_of(
               loops,
               [&](const Loop& l) {
                 const bool has_step = l.head.step.valid();
                 const bool is_head =
                     is_same_in(l.head.first, l, first.head.first, first) &&
                     is_same_in(l.head.end, l, first.head.end, first) && has_step == first.head.step.valid() &&
                     (!has_step || is_same_in(l.head.step, l, first.head.step, first)) &&
                     l.head.is_inclusive == first.head.is_inclusive && l.head.ahead == first.head.ahead;
                 return is_head && std::ranges::all_of(l.places, [&](ExprId place) {
                          return is_same_in(expr(place).operands[1], l, expr(first.places[0]).operands[1], first);
                        });
               }) &&
           tells_apart(expr(first.places[0]).operands[1], first.head.variable);
  }

  // Of variables that are nothing else, what they are.
  bool is_same_in(ExprId a, const Loop& of_a, ExprId b, const Loop& of_b) const {
    a = value_of(a), b = value_of(b);
    const Expr &x = expr(a), &y = expr(b);
    if (x.kind == ExprKind::kVariable && y.kind == ExprKind::kVariable)
      return x.variable == of_a.head.variable ? y.variable == of_b.head.variable
                                              : x.variable == y.variable && keeps(x.variable, changed_);
    if (x.operands.empty()) return is_same(a, b);
    return x.kind == y.kind && x.op == y.op && x.type == y.type && x.operands.size() == y.operands.size() &&
           (x.kind == ExprKind::kUnary || x.kind == ExprKind::kBinary || x.kind == ExprKind::kCast) &&
           std::ranges::equal(x.operands, y.operands, [&](ExprId p, ExprId q) { return is_same_in(p, of_a, q, of_b); });
  }

  // y[i] = value, which is the first that names the buffer, whatever else is so.
  std::optional<StmtId> first_store(const Loop& loop, VariableId buffer) const {
    const std::vector<StmtId> parts = parts_of(stmt(loop.id).body[2]);
    const auto first = std::ranges::find_if(parts, [&](StmtId part) { return names(part, buffer); });
    if (first == parts.end() || stmt(*first).kind != StmtKind::kExpr) return std::nullopt;
    const Expr& e = expr(stmt(*first).expr);
    const bool is_store = e.kind == ExprKind::kAssign && !e.compound && is_element(expr(e.operands[0]), buffer) &&
                          !names(e.operands[1], buffer);
    return is_store ? std::optional(*first) : std::nullopt;
  }
  ExprId stored_by(StmtId store) const { return expr(stmt(store).expr).operands[1]; }

  // Whether it is the same where the last loop computes it.
  bool stays_until(ExprId value, const std::vector<Loop>& loops, StmtId block) const {
    const std::vector<StmtId>& parts = stmt(block).body;
    const auto from = std::ranges::find(parts, loops.front().id), to = std::ranges::find(parts, loops.back().id) + 1;
    std::set<VariableId> changed;
    for (const StmtId part : std::vector(from, to)) changed.merge(AssignedVariables::in(program_, part).variables);
    changed.erase(loops.front().head.variable);
    return std::all_of(from, to, [&](StmtId part) { return goes_on(part); }) &&
           stays(value, changed, declared_by(stmt(loops.front().id).body[2]));
  }
  bool reads_arrays(ExprId id) const {
    return any_in(id, [&](const Expr& e) {
      return e.kind == ExprKind::kVariable &&
             (program_.variable(e.variable).is_shared || program_.type(e.type).form == Type::Form::kArray);
    });
  }

  // What the first loop computes, in another one; `own`: variables of the first one's body.
  ExprId computed_in(const Loop& loop, const Loop& first, ExprId value, const std::set<VariableId>& own) {
    if (is_of(value, first.head.variable)) return read_of(loop.head.variable, expr(value).range);
    if (expr(value).kind == ExprKind::kVariable && own.contains(expr(value).variable))
      return computed_in(loop, first, value_of(value), own);
    Expr e = expr(value);
    for (ExprId& o : e.operands) o = computed_in(loop, first, o, own);
    return made(std::move(e));
  }

  // Each loop has the element in a variable, from where the first one stores it; the last that changes it stores it.
  void rewrite(const Loop& loop, const std::vector<Loop>& all, StmtId store) {
    const Loop& first = all.front();
    const bool is_first = loop.id == first.id, is_last = loop.id == all.back().id;
    const bool stores = is_first ? all.back().changes == 0 : is_last && loop.changes > 0;
    const ExprId place = computed_in(loop, loop, made(Expr(expr(loop.places[0]))), declared_by(stmt(loop.id).body[2]));
    const SourceRange range = expr(place).range;
    Variable element;
    element.name = "element", element.type = expr(place).type, element.range = range;
    const VariableId own = TreeBuilder(program_).make(std::move(element));
    const ExprId stored = stored_by(store);
    ExprId value =
        as(expr(place).type, is_first ? stored : computed_in(loop, first, stored, declared_by(stmt(first.id).body[2])));
    if (stores) value = read_with(place, value);
    const StmtId begin = declaration(own, value, range);
    for (const ExprId other : loop.places) program_.exprs[other.value] = Expr(expr(read_of(own, range)));
    std::vector<StmtId> parts = parts_of(stmt(loop.id).body[2]);
    if (is_first) std::ranges::replace(parts, store, begin);
    else parts.insert(parts.begin(), begin);
    if (stores) parts.push_back(made(expression(TreeBuilder(program_).assigned(place, read_of(own, range), range))));
    // What is read of memory that the block shares is to be there by then.
    const bool has_effect = !is_first || parts.size() > 1 || reads_arrays(stored);
    Stmt body;
    body.range = stmt(loop.id).range;
    body.body = std::move(parts);
    if (has_effect) program_.stmts[loop.id.value].body[2] = made(std::move(body));
    else program_.stmts[loop.id.value] = Stmt();
  }

  const std::size_t variables_ = program_.variables.size();
  std::set<VariableId> changed_;  // in the block that is looked at
};

}  // namespace

std::optional<Program> with_recomputed_elements(const Program& program) { return RecomputedElements(program).run(); }

}  // namespace swizzle
