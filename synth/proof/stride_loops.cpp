#include "synth/proof/stride_loops.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "synth/program/size_tree.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class StrideLoops : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<StrideLaunch> run() {
    if (std::ranges::any_of(program_.variables, &Variable::is_shared)) return std::nullopt;
    bool is_other = false;
    const std::size_t axes = program_.directives.launch->grid.size(), before = program_.stmts.size();
    for (std::size_t axis = 0; axis < axes; ++axis)
      for (std::size_t s = 0; s < before; ++s)
        if (share_out(StmtId(s), axis)) {
          is_other = true;
          break;
        }
    return is_other ? std::optional(StrideLaunch{std::move(program_), std::move(most_)}) : std::nullopt;
  }

 private:
  StmtId body() const { return program_.function(program_.entry).body; }

  std::optional<std::int64_t> known_count(const SizeExpr& count) const {
    const auto tree = parse_size(count, program_.source);
    const auto value = tree.ok() ? swizzle::value_of(*tree, {}) : std::nullopt;
    return value && *value > 0 ? value : std::nullopt;
  }
  const Expr& uncast(ExprId id) const {
    id = value_of(id);
    while (widens(id)) id = value_of(expr(id).operands[0]);
    return expr(id);
  }
  bool is_builtin(ExprId id, Builtin builtin) const {
    const Expr& e = uncast(id);
    return e.kind == ExprKind::kBuiltin && e.builtin == builtin;
  }
  // Of two operands in either order; `a` and `b` tell whether they are these.
  template <typename A, typename B>
  bool is_of_both(ExprId id, Operator op, A&& a, B&& b) const {
    const Expr& e = uncast(id);
    return e.kind == ExprKind::kBinary && e.op == op &&
           ((a(e.operands[0]) && b(e.operands[1])) || (a(e.operands[1]) && b(e.operands[0])));
  }
  // Along the axis, times as many as a block has threads.
  bool is_of_threads(ExprId id, const std::array<Builtin, 3>& of, std::size_t axis, std::int64_t threads) const {
    return is_of_both(
        id, Operator::kMul, [&](ExprId o) { return is_builtin(o, of[axis]); },
        [&](ExprId o) { return is_builtin(o, kBlockDim[axis]) || number(o) == threads; });
  }
  bool begins_at_thread(ExprId first, std::size_t axis, std::int64_t threads) const {
    return is_of_both(
        first, Operator::kAdd, [&](ExprId o) { return is_of_threads(o, kBlockIdx, axis, threads); },
        [&](ExprId o) { return is_builtin(o, kThreadIdx[axis]); });
  }

  // As a launch says it, of a size or a product of some; empty: it says more.
  std::string size_text(ExprId id) const {
    const Expr& e = uncast(id);
    if (e.kind == ExprKind::kBinary && e.op == Operator::kMul) {
      const std::string a = size_text(e.operands[0]), b = size_text(e.operands[1]);
      return a.empty() || b.empty() ? "" : a + " * " + b;
    }
    const bool is_size = e.kind == ExprKind::kVariable && is_never_changed(e.variable) && is_parameter(e.variable);
    return is_size ? program_.variable(e.variable).name : "";
  }

  // Up to where the counter stays below 2^31, which goes a stride beyond its end; nothing: the launch may have no block
  // where there is something to do.
  std::optional<std::int64_t> most_of(const std::string& end, const SizeExpr& count, std::int64_t threads) const {
    const auto tree = parse_size(count, program_.source);
    if (!tree.ok()) return std::nullopt;
    const auto whole = parse_size({fmt::format("({} + {}) / {}", end, threads - 1, threads), {}}, program_.source);
    const auto is_whole = [&](const SizeTree& blocks) { return whole.ok() && text_of(blocks) == text_of(*whole); };
    std::optional<std::int64_t> blocks = known_count(count);
    if (is_whole(*tree)) return (INT32_MAX - threads) / 2;
    if (tree->op == '<')
      for (const auto& [one, other] : {std::pair{0, 1}, {1, 0}}) {
        const SizeTree& number = tree->operands[static_cast<std::size_t>(one)];
        if (number.op == '#' && number.value > 0 && is_whole(tree->operands[static_cast<std::size_t>(other)]))
          blocks = number.value;
      }
    if (!blocks || *blocks > INT32_MAX / threads) return std::nullopt;
    return INT32_MAX - threads * *blocks;
  }

  // The axis' blocks are asked about where the loop begins and goes on, and nowhere else; nor are variables that are
  // so.
  bool is_asked_elsewhere(ExprId first, ExprId step, std::size_t axis) const {
    std::set<const Expr*> known;
    std::set<VariableId> variables;
    for (const ExprId part : {first, step}) gather(part, known, variables);
    const auto asks = [&](const Expr& e) {
      const bool is_axis =
          e.kind == ExprKind::kBuiltin && (e.builtin == kBlockIdx[axis] || e.builtin == kGridDim[axis]);
      const bool is_variable = e.kind == ExprKind::kVariable && variables.contains(e.variable);
      return (is_axis || is_variable) && !known.contains(&e);
    };
    return std::ranges::any_of(program_.functions, [&](const Function& f) { return any_in(f.body, asks); });
  }
  void gather(ExprId id, std::set<const Expr*>& known, std::set<VariableId>& variables) const {
    known.insert(&expr(id));
    if (const ExprId value = value_of(id); value != id) {
      variables.insert(expr(id).variable);
      gather(value, known, variables);
    }
    for (ExprId operand : expr(id).operands) gather(operand, known, variables);
  }

  bool hands_on_nothing(StmtId loop) const {
    const StmtId inner = stmt(loop).body[2];
    return hands_on_memory_alone(inner) && !leaves_by(StmtKind::kBreak, inner) &&
           !leaves_by(StmtKind::kContinue, inner);
  }

  bool share_out(StmtId id, std::size_t axis) {
    if (stmt(id).kind != StmtKind::kFor) return false;
    const auto loop = counted_loop(program_, stmt(id));
    const auto& launch = *program_.directives.launch;
    if (!loop || !loop->step.valid() || loop->is_inclusive || loop->ahead != 0 || axis >= launch.block.size())
      return false;
    const std::string end = size_text(loop->end);
    const auto threads = known_count(launch.block[axis]);
    const auto most = end.empty() || !threads ? std::nullopt : most_of(end, launch.grid[axis], *threads);
    if (!most || !is_own_integer(loop->variable) || !begins_at_thread(loop->first, axis, *threads) ||
        !is_of_threads(loop->step, kGridDim, axis, *threads) || is_asked_elsewhere(loop->first, loop->step, axis) ||
        !hands_on_nothing(id) || returns(body()) || !is_named_only_in(id, loop->variable))
      return false;
    most_.emplace_back(end, *most);
    Stmt whole = stmt(id), guarded;
    guarded.kind = StmtKind::kIf, guarded.range = whole.range, guarded.expr = whole.expr,
    guarded.body = {whole.body[2]};
    const StmtId first = whole.body[0], inner = made(std::move(guarded));
    whole.kind = StmtKind::kBlock, whole.expr = {}, whole.body = {first, inner};
    program_.stmts[id.value] = std::move(whole);
    program_.directives.launch->grid[axis] = {fmt::format("({} + {}) / {}", end, *threads - 1, *threads), {}};
    return true;
  }

  std::vector<std::pair<std::string, std::int64_t>> most_;
};

}  // namespace

std::optional<StrideLaunch> with_turns_as_blocks(const Program& kernel) { return StrideLoops(kernel).run(); }

}  // namespace swizzle
