// A group of threads, or an iteration, that stands for others.
#include <algorithm>
#include <array>
#include <utility>

#include "synth/execution/interpreter.h"

namespace swizzle {
namespace {

// `i` of `(int)i`, as a condition has it.
const Expr& without_casts(const Program& program, ExprId id) {
  const Expr* e = &program.expr(id);
  while (e->kind == ExprKind::kCast) e = &program.expr(e->operands[0]);
  return *e;
}

// Each of these values stays what it is as `i`, and through all casts of `(long)(int)i`.
bool survives_casts(const Program& program, ExprId id, std::initializer_list<std::int64_t> values) {
  for (const Expr* e = &program.expr(id);; e = &program.expr(e->operands[0])) {
    const Type& type = program.type(e->type);
    if (type.form != Type::Form::kScalar || is_real(type.scalar)) return false;
    for (const std::int64_t v : values)
      if (wrap(type.scalar, v) != v) return false;
    if (e->kind != ExprKind::kCast) return true;
  }
}

// Evaluated once, or again and again: nothing else is changed by it.
bool has_no_effect(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  const bool acts = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kCall ||
                    e.kind == ExprKind::kIntrinsic || e.kind == ExprKind::kHole;
  return !acts && std::ranges::all_of(e.operands, [&](ExprId part) { return has_no_effect(program, part); });
}

// What i += 2 and its like add to the variable.
std::optional<std::int64_t> step_of(const Program& program, StmtId id, VariableId variable) {
  if (!id.valid() || program.stmt(id).kind != StmtKind::kExpr) return std::nullopt;
  const Expr& e = program.expr(program.stmt(id).expr);
  const bool adds = e.op == Operator::kAdd || e.op == Operator::kSub;
  if (e.operands.empty() || program.expr(e.operands[0]).kind != ExprKind::kVariable ||
      program.expr(e.operands[0]).variable != variable || !adds)
    return std::nullopt;
  const int sign = e.op == Operator::kAdd ? 1 : -1;
  if (e.kind == ExprKind::kIncDec) return sign;
  if (e.kind != ExprKind::kAssign || !e.compound) return std::nullopt;
  const Expr& by = without_casts(program, e.operands[1]);
  return by.kind == ExprKind::kIntLiteral && by.int_value > 0 ? std::optional(sign * by.int_value) : std::nullopt;
}

}  // namespace

// How many iterations `for (int i = first; i < end; i += step)` has; nothing: it is no such loop, or it has none.
std::optional<GroupAxis> Interpreter::bounds_of(const Stmt& stmt) {
  const Stmt* const declared = stmt.body[0].valid() ? &program_.stmt(stmt.body[0]) : nullptr;
  if (declared == nullptr || declared->kind != StmtKind::kDeclare || !declared->expr.valid() || !stmt.expr.valid())
    return std::nullopt;
  const Expr& condition = program_.expr(stmt.expr);
  if (condition.kind != ExprKind::kBinary || !is_comparison(condition.op)) return std::nullopt;
  const Expr& left = without_casts(program_, condition.operands[0]);
  const auto step = step_of(program_, stmt.body[1], declared->variable);
  if (left.kind != ExprKind::kVariable || left.variable != declared->variable || !step) return std::nullopt;
  if (!has_no_effect(program_, declared->expr) || !has_no_effect(program_, condition.operands[1])) return std::nullopt;
  const Lanes first = eval(declared->expr), end = eval(condition.operands[1]);
  constexpr std::int64_t kMost = 1 << 30;
  const auto is_bound = [](Value v) { return v.is_int() && v.bits >= 0 && v.bits < kMost; };
  if (run_.failed() || !is_bound(first[0]) || !is_bound(end[0])) return std::nullopt;
  std::int64_t distance = *step > 0 ? end[0].bits - first[0].bits : first[0].bits - end[0].bits;
  const bool is_up = condition.op == Operator::kLt || condition.op == Operator::kLe;
  const bool is_down = condition.op == Operator::kGt || condition.op == Operator::kGe;
  if (!(*step > 0 ? is_up : is_down)) return std::nullopt;
  if (condition.op == Operator::kLe || condition.op == Operator::kGe) ++distance;
  if (distance <= 0) return std::nullopt;
  const std::int64_t by = std::abs(*step), count = (distance + by - 1) / by;
  // i >= 0 of an unsigned i has no end, nor i < 300 of a byte.
  if (!survives_casts(program_, condition.operands[0], {first[0].bits, first[0].bits + *step * count}))
    return std::nullopt;
  const StmtId loop(static_cast<std::size_t>(&stmt - program_.stmts.data()));
  return GroupAxis{{}, loop, first[0].bits, *step, count};
}

bool Interpreter::meets_group(const Stmt& stmt) const {
  return run_.box != nullptr && iteration_level_ < run_.box->axes.size() &&
         run_.box->axes[iteration_level_].loop.valid() &&
         &program_.stmt(run_.box->axes[iteration_level_].loop) == &stmt;
}

// The loop's bounds must be what they were when the axes were found, whatever the loops around it are at.
void Interpreter::exec_iteration(const Stmt& stmt) {
  const std::size_t level = iteration_level_++;
  const GroupAxis& axis = run_.box->axes[level];
  const auto bounds = bounds_of(stmt);
  if (!bounds || bounds->first != axis.first || bounds->count != axis.count) {
    run_.box->strides.lose();
    return;
  }
  Steps steps(run_.box->axes.size(), 0);
  steps[level] = axis.step;
  const Value first = Value::integer(axis.first + axis.step * run_.box->begin[level]);
  const std::uint32_t variable = objects_.object_of(program_.stmt(stmt.body[0]).variable);
  cells_.make_fresh(objects_[variable], run_.splat(run_.box->strides.growing(first, std::move(steps))), stmt.range);
  if (level + 1 < run_.box->axes.size()) return exec_iteration(program_.stmt(run_.box->axes[level + 1].loop));
  exec_in_iteration(program_.stmt(stmt.body[2]));
}

void Interpreter::exec_in_iteration(const Stmt& body) {
  objects_.start_iteration();
  const ThreadMask outer = run_.mask;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Lanes* const outer_continue = std::exchange(continue_guard_, &outer.guard);
  exec(StmtId(static_cast<std::size_t>(&body - program_.stmts.data())));
  break_guard_ = outer_break;
  continue_guard_ = outer_continue;
  if (broken_[0] || returned_[0]) run_.box->strides.lose();  // no later iteration would come to be
  continued_[0] = 0;
  run_.mask = outer;
}

std::vector<GroupAxis> Interpreter::axes_of(const std::vector<StmtId>& loops) {
  bind_parameters();
  pass_arguments();
  start_threads();
  for (StmtId global : program_.globals)
    if (!run_.failed()) exec(global);
  const Lanes entered = run_.mask.guard;
  call_guard_ = &entered;
  for (StmtId id : program_.stmt(program_.function(program_.entry).body).body) {
    if (id == loops[0] || run_.failed()) break;
    exec(id);
  }
  std::vector<GroupAxis> axes;
  for (StmtId id : loops) {
    const Stmt& stmt = program_.stmt(id);
    const auto bounds = run_.failed() ? std::nullopt : bounds_of(stmt);
    if (!bounds) break;
    axes.push_back(*bounds);
    exec(stmt.body[0]);
  }
  return axes;
}

Result<Trace> Interpreter::run_group() {
  bind_parameters();
  run_.box->read_steps.assign(run_.trace.buffers.size(), std::nullopt);
  run_.box->is_written.assign(run_.trace.buffers.size(), 0);
  start_threads();
  for (StmtId global : program_.globals)
    if (!run_.failed()) exec(global);
  const auto linear = [&](Builtin x, Builtin y, Builtin z, const std::array<int, 3>& shape) {
    return static_cast<int>(run_.box->begin_of(x) +
                            shape[0] * (run_.box->begin_of(y) + shape[1] * run_.box->begin_of(z)));
  };
  run_.first_thread = linear(Builtin::kThreadIdxX, Builtin::kThreadIdxY, Builtin::kThreadIdxZ, run_.shape.block);
  if (!run_.failed()) run_block(linear(Builtin::kBlockIdxX, Builtin::kBlockIdxY, Builtin::kBlockIdxZ, run_.shape.grid));
  if (!run_.errors.empty()) return run_.errors;
  if (run_.box->strides.is_lost()) return make_error("the groups are not alike");
  issues_.finish();
  cells_.settle_unwritten();
  return std::move(run_.trace);
}

}  // namespace swizzle
