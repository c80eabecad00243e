#include "synth/proof/recomputed_elements.h"

#include <algorithm>
#include <vector>

#include "synth/program/intrinsics.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class RecomputedElements : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

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
    if (!is_pointer(buffer)) return false;
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
    if (!store || is_moved_over_barriers || !stays(stored_by(*store), loops, block)) return false;
    const std::vector<Loop> all = std::move(loops);
    for (auto loop = all.rbegin(); loop != all.rend(); ++loop) rewrite(*loop, all, *store);  // the first is read of
    return true;
  }

  std::optional<Loop> loop_over_elements(StmtId id, VariableId buffer) const {
    if (stmt(id).kind != StmtKind::kFor) return std::nullopt;
    const StmtId body = stmt(id).body[2];
    const auto head = counted_loop(program_, stmt(id));
    if (!head || !goes_on(body) || AssignedVariables::in(program_, body).variables.contains(head->variable) ||
        !is_fixed(head->first) || !is_fixed(head->end) || (head->step.valid() && !is_fixed(head->step)))
      return std::nullopt;
    Loop loop{id, *head, {}, changes_in(body, buffer)};
    const bool is_handed_on = any_in(body, [&](const Expr& e) {
      if (is_element(e, buffer)) loop.places.push_back(ExprId(index_of(e)));
      return e.kind == ExprKind::kAddressOf && names(e.operands[0], buffer);
    });
    return is_handed_on || loop.places.empty() ? std::nullopt : std::optional(std::move(loop));
  }

  // Of numbers, and of variables and threads that stay what they are.
  bool is_fixed(ExprId id) const {
    return !any_in(id, [&](const Expr& e) {
      switch (e.kind) {
        case ExprKind::kVariable: return !is_never_changed(e.variable);
        case ExprKind::kIntLiteral:
        case ExprKind::kBuiltin:
        case ExprKind::kUnary:
        case ExprKind::kBinary:
        case ExprKind::kCast: return false;
        default: return true;
      }
    });
  }

  std::vector<StmtId> parts_of(StmtId body) const {
    return stmt(body).kind == StmtKind::kBlock ? stmt(body).body : std::vector{body};
  }

  bool is_element(const Expr& e, VariableId buffer) const {
    return e.kind == ExprKind::kSubscript && is_of(e.operands[0], buffer) && !names(e.operands[1], buffer) &&
           program_.type(e.type).form == Type::Form::kScalar;
  }
  std::size_t changes_in(StmtId id, VariableId buffer) const {
    return count_in(id, [&](const Expr& e) {
      return (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec) && names(e.operands[0], buffer);
    });
  }
  std::size_t uses_of(VariableId v) const {
    std::size_t count = 0;
    for (const Function& f : program_.functions)
      count += count_in(f.body, [&](const Expr& e) { return e.kind == ExprKind::kVariable && e.variable == v; });
    return count;
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
                                              : x.variable == y.variable && is_never_changed(x.variable);
    if (x.operands.empty()) return is_same(a, b);
    return x.kind == y.kind && x.op == y.op && x.type == y.type && x.operands.size() == y.operands.size() &&
           (x.kind == ExprKind::kUnary || x.kind == ExprKind::kBinary || x.kind == ExprKind::kCast) &&
           std::ranges::equal(x.operands, y.operands, [&](ExprId p, ExprId q) { return is_same_in(p, of_a, q, of_b); });
  }

  // No other value of the variable gives the same index: it is one summand.
  bool tells_apart(ExprId index, VariableId v) const {
    index = value_of(index);
    const Expr& e = expr(index);
    if (is_of(index, v)) return true;
    if (widens(index)) return tells_apart(e.operands[0], v);
    if (e.kind != ExprKind::kBinary || e.op != Operator::kAdd) return false;
    const bool first = is_within(e.operands[0], v), second = is_within(e.operands[1], v);
    return first != second && tells_apart(e.operands[first ? 0 : 1], v);
  }
  bool is_within(ExprId id, VariableId v) const {
    id = value_of(id);
    return is_of(id, v) || std::ranges::any_of(expr(id).operands, [&](ExprId o) { return is_within(o, v); });
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
  bool stays(ExprId value, const std::vector<Loop>& loops, StmtId block) const {
    const std::vector<StmtId>& parts = stmt(block).body;
    const auto from = std::ranges::find(parts, loops.front().id), to = std::ranges::find(parts, loops.back().id) + 1;
    std::set<VariableId> changed;
    for (const StmtId part : std::vector(from, to)) changed.merge(AssignedVariables::in(program_, part).variables);
    changed.erase(loops.front().head.variable);
    return std::all_of(from, to, [&](StmtId part) { return goes_on(part); }) &&
           stays(value, changed, declared_by(loops.front()));
  }
  bool stays(ExprId value, const std::set<VariableId>& changed, const std::set<VariableId>& own) const {
    const Expr& e = expr(value);
    if (e.kind == ExprKind::kVariable && own.contains(e.variable)) {
      const ExprId known = value_of(value);
      return known != value && stays(known, changed, own);
    }
    switch (e.kind) {
      case ExprKind::kVariable:
        return is_pointer(e.variable) ? is_read_alone(e.variable)
                                      : !changed.contains(e.variable) && !has_other_names(e.variable);
      case ExprKind::kIntrinsic:
        if (const LaneBehavior b = lane_behavior(e.intrinsic);
            b != LaneBehavior::kOfWords && b != LaneBehavior::kAlgebraic && b != LaneBehavior::kUninterpreted &&
            b != LaneBehavior::kSameBits)
          return false;
        break;
      case ExprKind::kIntLiteral:
      case ExprKind::kRealLiteral:
      case ExprKind::kBuiltin:
      case ExprKind::kUnary:
      case ExprKind::kBinary:
      case ExprKind::kConditional:
      case ExprKind::kSubscript:
      case ExprKind::kCast: break;
      default: return false;
    }
    return std::ranges::all_of(e.operands, [&](ExprId o) { return stays(o, changed, own); });
  }

  bool reads_arrays(ExprId id) const {
    return any_in(id, [&](const Expr& e) {
      return e.kind == ExprKind::kVariable &&
             (program_.variable(e.variable).is_shared || program_.type(e.type).form == Type::Form::kArray);
    });
  }

  // References and pointers may lead to it.
  bool has_other_names(VariableId v) const {
    const auto leads_to = [&](const Expr& e) {
      if (e.kind == ExprKind::kAddressOf) return names(e.operands[0], v);
      return e.kind == ExprKind::kCast && is_of(e.operands[0], v) && program_.type(e.type).form == Type::Form::kPointer;
    };
    return program_.variable(v).is_reference || any_anywhere(leads_to);
  }
  template <typename Of>
  bool any_anywhere(Of&& of) const {
    return std::ranges::any_of(program_.functions, [&](const Function& f) { return any_in(f.body, of); });
  }

  // The parameter that a pointer is, or is a part of for as long as it is there. Nothing: it may be another one.
  std::optional<VariableId> parameter_of(VariableId pointer) const {
    if (is_parameter(pointer)) return pointer;
    const auto moves = [&](const Expr& e) {
      return (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec) && is_of(e.operands[0], pointer);
    };
    const auto declared = std::ranges::find_if(program_.stmts, [&](const Stmt& s) {
      return s.kind == StmtKind::kDeclare && s.variable == pointer && s.expr.valid();
    });
    if (declared == program_.stmts.end() || program_.variable(pointer).is_reference || any_anywhere(moves))
      return std::nullopt;
    std::optional<VariableId> of;
    const bool is_part = !any_in(declared->expr, [&](const Expr& e) {
      if (e.kind == ExprKind::kCall || e.kind == ExprKind::kAssign) return true;
      if (e.kind != ExprKind::kVariable)
        return program_.type(e.type).form == Type::Form::kPointer && e.operands.empty();
      if (!is_pointer(e.variable)) return program_.type(program_.variable(e.variable).type).form == Type::Form::kArray;
      return std::exchange(of, parameter_of(e.variable)).has_value() || !of;
    });
    return is_part ? of : std::nullopt;
  }

  // Nothing stores through it, nor through another pointer that may lead there.
  bool is_read_alone(VariableId pointer) const {
    const auto of = parameter_of(pointer);
    const std::set<VariableId> changed =
        AssignedVariables::in(program_, program_.function(program_.entry).body).variables;
    return of && !changed.contains(pointer) && std::ranges::all_of(changed, [&](VariableId v) {
             const auto stored = is_pointer(v) ? parameter_of(v) : std::nullopt;
             return !is_pointer(v) || (stored && *stored != *of);
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

  std::set<VariableId> declared_by(const Loop& loop) const {
    std::set<VariableId> own;
    declared_in(stmt(loop.id).body[2], own);
    return own;
  }

  // Each loop has the element in a variable, from where the first one stores it; the last that changes it stores it.
  void rewrite(const Loop& loop, const std::vector<Loop>& all, StmtId store) {
    const Loop& first = all.front();
    const bool is_first = loop.id == first.id, is_last = loop.id == all.back().id;
    const bool stores = is_first ? all.back().changes == 0 : is_last && loop.changes > 0;
    const ExprId place = computed_in(loop, loop, made(Expr(expr(loop.places[0]))), declared_by(loop));
    const SourceRange range = expr(place).range;
    Variable element;
    element.name = "element", element.type = expr(place).type, element.range = range;
    const VariableId own = TreeBuilder(program_).make(std::move(element));
    const ExprId stored = stored_by(store);
    ExprId value = as(expr(place).type, is_first ? stored : computed_in(loop, first, stored, declared_by(first)));
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
};

}  // namespace

std::optional<Program> with_recomputed_elements(const Program& program) { return RecomputedElements(program).run(); }

}  // namespace swizzle
