// A group of threads, or an iteration, that stands for others: what it is told of them, and what it must not do.
#include <algorithm>
#include <numeric>
#include <utility>

#include "synth/execution/interpreter.h"

namespace swizzle {
namespace {

bool is_thread_coordinate(Builtin b) {
  return b == Builtin::kThreadIdxX || b == Builtin::kThreadIdxY || b == Builtin::kThreadIdxZ;
}

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

StmtId sole_statement(const Program& program, StmtId id) {
  while (program.stmt(id).kind == StmtKind::kBlock && program.stmt(id).body.size() == 1) id = program.stmt(id).body[0];
  return id;
}

}  // namespace

std::vector<StmtId> nested_loops(const Program& program) {
  StmtId outermost;
  const Stmt& body = program.stmt(program.function(program.entry).body);
  for (StmtId id : body.body) {
    if (program.stmt(id).kind == StmtKind::kDeclare) continue;
    if (program.stmt(id).kind != StmtKind::kFor || outermost.valid()) return {};
    outermost = id;
  }
  std::vector<StmtId> loops;
  for (StmtId id = outermost; id.valid() && program.stmt(id).kind == StmtKind::kFor;
       id = sole_statement(program, program.stmt(id).body[2]))
    loops.push_back(id);
  return loops;
}

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
  if (failed() || !is_bound(first[0]) || !is_bound(end[0])) return std::nullopt;
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
  return box_ != nullptr && iteration_level_ < box_->axes.size() && box_->axes[iteration_level_].loop.valid() &&
         &program_.stmt(box_->axes[iteration_level_].loop) == &stmt;
}

// The loop's bounds must be what they were when the axes were found, whatever the loops around it are at.
void Interpreter::exec_iteration(const Stmt& stmt) {
  const std::size_t level = iteration_level_++;
  const GroupAxis& axis = box_->axes[level];
  const auto bounds = bounds_of(stmt);
  if (!bounds || bounds->first != axis.first || bounds->count != axis.count) {
    box_->strides.lose();
    return;
  }
  Steps steps(box_->axes.size(), 0);
  steps[level] = axis.step;
  const Value first = Value::integer(axis.first + axis.step * box_->begin[level]);
  const std::uint32_t variable = object_of(program_.stmt(stmt.body[0]).variable);
  make_fresh(objects_[variable], splat(box_->strides.growing(first, std::move(steps))), stmt.range);
  if (level + 1 < box_->axes.size()) return exec_iteration(program_.stmt(box_->axes[level + 1].loop));
  exec_in_iteration(program_.stmt(stmt.body[2]));
}

void Interpreter::exec_in_iteration(const Stmt& body) {
  outer_objects_ = objects_.size();
  const Mask outer = mask_;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Lanes* const outer_continue = std::exchange(continue_guard_, &outer.guard);
  exec(StmtId(static_cast<std::size_t>(&body - program_.stmts.data())));
  break_guard_ = outer_break;
  continue_guard_ = outer_continue;
  if (broken_[0] || returned_[0]) box_->strides.lose();  // no later iteration would come to be
  continued_[0] = 0;
  mask_ = outer;
}

std::vector<GroupAxis> Interpreter::axes_of(const std::vector<StmtId>& loops) {
  bind_parameters();
  pass_arguments();
  start_threads();
  for (StmtId global : program_.globals)
    if (!failed()) exec(global);
  const Lanes entered = mask_.guard;
  call_guard_ = &entered;
  for (StmtId id : program_.stmt(program_.function(program_.entry).body).body) {
    if (id == loops[0] || failed()) break;
    exec(id);
  }
  std::vector<GroupAxis> axes;
  for (StmtId id : loops) {
    const Stmt& stmt = program_.stmt(id);
    const auto bounds = failed() ? std::nullopt : bounds_of(stmt);
    if (!bounds) break;
    axes.push_back(*bounds);
    exec(stmt.body[0]);
  }
  return axes;
}

std::int64_t Interpreter::begin_of(Builtin builtin) const {
  for (std::size_t a = 0; a < box_->axes.size(); ++a)
    if (box_->axes[a].coordinate == builtin) return box_->axes[a].step * box_->begin[a];
  return 0;
}

// `of_thread`: in the group's own block; of a thread's number, from the group's first thread on.
Value Interpreter::coordinate(Builtin builtin, std::int64_t of_thread) {
  Steps steps(box_->axes.size(), 0);
  for (std::size_t a = 0; a < steps.size(); ++a)
    if (box_->axes[a].coordinate == builtin) steps[a] = box_->axes[a].step;
  const std::int64_t v = of_thread + (is_thread_coordinate(builtin) ? begin_of(builtin) : 0);
  return box_->strides.growing(Value::integer(v), std::move(steps));
}

Value Interpreter::without_stride(Value v) { return v.stride == 0 ? v : box_->strides.lose(); }

// A block issues an operation on data for each of its warps once one of them has data there, and likewise a load. Where
// several boxes meet an operation, that can only be told if it is always issued, or never.
void Interpreter::note_issue(std::pair<bool, std::uint32_t> what, bool is_issued) {
  if (!box_->by_warps || !execution_.counts_issues) return;
  IssuesOfPlace& issues = box_->issues[what];
  (is_issued ? issues.counts : issues.counts_not) = true;
  if (issues.is_shared && issues.counts && issues.counts_not) box_->strides.lose();
}

// All that is read of a buffer moves alike, or what is read twice by one group might not be by another.
void Interpreter::read_repeatedly(const Object& object, Value pointer) {
  const std::size_t buffer = object.buffer.value;
  const Steps& steps = box_->strides.steps_of(pointer);
  const std::int64_t item = trace_.buffers[buffer].slots_per_item();
  const bool keeps_type = std::ranges::all_of(steps, [&](std::int64_t step) { return step % item == 0; });
  std::optional<Steps>& known = box_->read_steps[buffer];
  if (!known) known = steps;
  if (*known != steps || !keeps_type || box_->is_written[buffer]) box_->strides.lose();
}

void Interpreter::write_repeatedly(const Object& object, int thread, Value pointer, Value value, const Access& here,
                                   SourceRange range) {
  const std::size_t buffer = object.buffer.value;
  trace_.touched[buffer] = std::max(trace_.touched[buffer], end_of(pointer));
  box_->is_written[buffer] = 1;
  const bool is_open = here.pointer.is_node() || truth(here.guard) != true;
  Cell& cell = trace_.cells[buffer][pointer.bits];
  const Steps& steps = box_->strides.steps_of(pointer);
  const bool is_first = cell.steps.empty();
  const bool grows = value.stride != 0 || (value.is_node() && provenance_.node(value).grows);
  if (is_open || box_->read_steps[buffer] || grows ||
      (!is_first && (cell.steps != steps || cell.thread != number_of(thread)))) {
    box_->strides.lose();
    return;
  }
  cell = {value, Value::integer(1), Value::integer(0), number_of(thread), static_cast<std::uint32_t>(block_), range};
  cell.steps = steps;
}

std::uint32_t Interpreter::number_of(int thread) const {
  return static_cast<std::uint32_t>(block_ * shape_.threads_per_block() + first_thread_ + thread);
}

Result<Trace> Interpreter::run_group() {
  bind_parameters();
  box_->read_steps.assign(trace_.buffers.size(), std::nullopt);
  box_->is_written.assign(trace_.buffers.size(), 0);
  start_threads();
  for (StmtId global : program_.globals)
    if (!failed()) exec(global);
  const auto linear = [&](Builtin x, Builtin y, Builtin z, const std::array<int, 3>& shape) {
    return static_cast<int>(begin_of(x) + shape[0] * (begin_of(y) + shape[1] * begin_of(z)));
  };
  first_thread_ = linear(Builtin::kThreadIdxX, Builtin::kThreadIdxY, Builtin::kThreadIdxZ, shape_.block);
  if (!failed()) run_block(linear(Builtin::kBlockIdxX, Builtin::kBlockIdxY, Builtin::kBlockIdxZ, shape_.grid));
  if (!errors_.empty()) return errors_;
  if (box_->strides.is_lost()) return make_error("the groups are not alike");
  finish_counts();
  return std::move(trace_);
}

}  // namespace swizzle
