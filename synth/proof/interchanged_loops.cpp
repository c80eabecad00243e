#include "synth/proof/interchanged_loops.h"

#include <algorithm>
#include <vector>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/element_edit.h"

namespace swizzle {
namespace {

class InterchangedLoops : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  std::optional<Program> run() {
    const std::size_t before = program_.stmts.size();
    bool is_other = false;
    for (bool is_more = true; is_more;) {  // an inner loop may be what one around it is interchanged with
      is_more = false;
      for (std::size_t s = 0; s < before; ++s) is_more = interchange(StmtId(s)) || is_more;
      is_other |= is_more;
    }
    return is_other ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  std::set<VariableId> changed_in(StmtId id) const { return AssignedVariables::in(program_, id).variables; }
  static std::set<VariableId> without(std::set<VariableId> all, VariableId v) {
    all.erase(v);
    return all;
  }

  // The loop's body: variables that stay what they begin with, and a loop. Nothing: it is another one.
  std::optional<CountedLoop> counted(StmtId id) const {
    if (!id.valid() || stmt(id).kind != StmtKind::kFor) return std::nullopt;
    const auto loop = counted_loop(program_, stmt(id));
    const StmtId body = stmt(id).body[2];
    if (!loop || !goes_on(body) || waits(body) || changed_in(body).contains(loop->variable)) return std::nullopt;
    return loop;
  }

  bool is_head_fixed(const CountedLoop& loop, const std::set<VariableId>& changed) const {
    return std::ranges::all_of(std::vector{loop.first, loop.end, loop.step},
                               [&](ExprId part) { return !part.valid() || stays(part, changed, {}); });
  }

  bool interchange(StmtId id) {
    const auto outer = counted(id);
    if (!outer) return false;
    const std::vector<StmtId> parts = parts_of(stmt(id).body[2]);
    const auto inner = parts.empty() ? std::nullopt : counted(parts.back());
    if (!inner || !is_named_only_in(parts.back(), inner->variable) || !is_named_only_in(id, outer->variable))
      return false;
    std::set<VariableId> changed = changed_in(id);
    const auto begins = [&](StmtId part) {
      return stmt(part).kind == StmtKind::kDeclare && stmt(part).expr.valid() &&
             !changed.contains(stmt(part).variable) && !program_.variable(stmt(part).variable).is_reference &&
             stays(stmt(part).expr, without(changed, outer->variable), {});
    };
    if (!std::all_of(parts.begin(), parts.end() - 1, begins)) return false;
    changed.merge(declared_by(stmt(id).body[2]));
    if (!is_head_fixed(*outer, changed) || !is_head_fixed(*inner, changed) ||
        !sums_elements(parts.back(), *inner, changed))
      return false;
    replace(id, parts, *inner);
    return true;
  }

  // What the body changes are elements that its index tells apart, the same one in each iteration of the outer loop,
  // and variables of its own.
  bool sums_elements(StmtId id, const CountedLoop& inner, const std::set<VariableId>& changed) const {
    const StmtId body = stmt(id).body[2];
    const std::set<VariableId> own = declared_by(body);
    std::set<VariableId> buffers;
    for (const VariableId v : changed_in(body))
      if (!own.contains(v)) buffers.insert(v);
    const auto is_summed = [&](VariableId v) {
      return is_pointer(v) && parameter_of(v) && has_one_place(body, v, inner, without(changed, inner.variable), own);
    };
    return !buffers.empty() && std::ranges::all_of(buffers, is_summed) && computes_alone(body, buffers);
  }

  bool has_one_place(StmtId body, VariableId buffer, const CountedLoop& inner, std::set<VariableId> changed,
                     const std::set<VariableId>& own) const {
    std::vector<ExprId> places;
    any_in(body, [&](const Expr& e) {
      if (is_element(e, buffer)) places.push_back(ExprId(index_of(e)));
      return false;
    });
    const std::size_t uses =
        count_in(body, [&](const Expr& e) { return e.kind == ExprKind::kVariable && e.variable == buffer; });
    if (places.empty() || uses != places.size()) return false;
    const ExprId index = expr(places[0]).operands[1];
    for (const VariableId v : own) changed.erase(v);
    return tells_apart(index, inner.variable) && stays(index, changed, own) &&
           std::ranges::all_of(places, [&](ExprId p) { return is_same(p, places[0]); });
  }

  // From what nothing stores to, and from these.
  bool computes_alone(StmtId body, const std::set<VariableId>& buffers) const {
    return !any_in(body, [&](const Expr& e) {
      switch (e.kind) {
        case ExprKind::kVariable:
          return is_pointer(e.variable) ? !buffers.contains(e.variable) && !is_read_alone(e.variable)
                                        : program_.variable(e.variable).is_reference;
        case ExprKind::kIntrinsic: return !is_of_its_operands(e.intrinsic);
        case ExprKind::kCall:
        case ExprKind::kAddressOf:
        case ExprKind::kDereference: return true;
        default: return false;
      }
    });
  }

  // 0 <= j < n of a size, which is at least 1.
  bool has_iterations(const CountedLoop& loop) const {
    ExprId end = value_of(loop.end);
    while (widens(end)) end = value_of(expr(end).operands[0]);
    return number(loop.first) == 0 && loop.beyond() == 0 && expr(end).kind == ExprKind::kVariable &&
           is_parameter(expr(end).variable);
  }

  // What a kernel's outer loop reads by itself is read where the inner one has no iteration, too.
  void replace(StmtId id, const std::vector<StmtId>& parts, const CountedLoop& loop) {
    Stmt outer = stmt(id), inner = stmt(parts.back()), body, reads;
    body.range = reads.range = outer.range;
    body.body = reads.body = parts;
    body.body.back() = inner.body[2];
    reads.body.pop_back();
    const bool has_reads =
        program_.directives.launch && !has_iterations(loop) && std::ranges::any_of(reads.body, [&](StmtId part) {
          return any_in(part, [](const Expr& e) { return e.kind == ExprKind::kSubscript; });
        });
    Stmt alone = outer;
    outer.body[2] = made(std::move(body));
    inner.body[2] = made(std::move(outer));
    program_.stmts[id.value] = std::move(inner);
    if (!has_reads) return;
    alone.body[2] = made(std::move(reads));
    put_before(id, made(std::move(alone)));
  }
  void put_before(StmtId id, StmtId first) {
    const auto around = std::ranges::find_if(program_.stmts, [&](const Stmt& s) {
      return s.kind == StmtKind::kBlock && std::ranges::find(s.body, id) != s.body.end();
    });
    if (around != program_.stmts.end()) {
      around->body.insert(std::ranges::find(around->body, id), first);
      return;
    }
    Stmt both;
    both.range = stmt(id).range;
    const StmtId then = made(Stmt(stmt(id)));
    both.body = {first, then};
    program_.stmts[id.value] = std::move(both);
  }
};

}  // namespace

std::optional<Program> with_interchanged_loops(const Program& program) { return InterchangedLoops(program).run(); }

}  // namespace swizzle
