// The launch, and statements: masks, guards, and the ways out of a block.
#include "synth/timing/warp_tracer.h"

#include <algorithm>
#include <utility>

#include "synth/program/places.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostSelected = 2;  // values that an `if` changes: SimplifyCFG of LLVM makes selects of no more

// The variable that is written to: r of r[i].x.
void collect_target(const Program& program, ExprId id, std::set<std::uint32_t>& variables) {
  const Expr* e = &program.expr(id);
  while (e->kind == ExprKind::kSubscript || e->kind == ExprKind::kMember || e->kind == ExprKind::kCast)
    e = &program.expr(e->operands[0]);
  if (e->kind == ExprKind::kVariable) variables.insert(e->variable.value);
}

void collect_written(const Program& program, ExprId id, std::set<std::uint32_t>& variables) {
  if (!id.valid()) return;
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf)
    collect_target(program, e.operands[0], variables);
  for (const ExprId operand : e.operands) collect_written(program, operand, variables);
}

void collect_written(const Program& program, StmtId id, std::set<std::uint32_t>& variables) {
  if (!id.valid()) return;
  const Stmt& stmt = program.stmt(id);
  collect_written(program, stmt.expr, variables);
  for (const StmtId s : stmt.body) collect_written(program, s, variables);
}

// How many values an expression or a statement changes; a loop and a function any number.
std::size_t changes_in(const Program& program, ExprId id) {
  if (!id.valid()) return 0;
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kCall) return kMostSelected + 1;
  std::size_t changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec ? 1 : 0;
  for (const ExprId operand : e.operands) changes += changes_in(program, operand);
  return changes;
}

std::size_t changes_in(const Program& program, StmtId id) {
  if (!id.valid()) return 0;
  const Stmt& stmt = program.stmt(id);
  if (is_loop(stmt.kind)) return kMostSelected + 1;
  std::size_t changes = changes_in(program, stmt.expr);
  for (const StmtId s : stmt.body) changes += changes_in(program, s);
  return changes;
}

}  // namespace

WarpTracer::WarpTracer(const Program& program, const WarpToTrace& warp) : program_(program), warp_(warp) {
  variable_object_.assign(program.variables.size(), -1);
}

void WarpTracer::give_up(std::string why) {
  if (why_.empty()) why_ = std::move(why);
}

bool WarpTracer::charge() {
  if (++steps_ > warp_.step_limit) give_up("it takes too many steps");
  return !stopped();
}

Scalar WarpTracer::scalar_of(TypeId type) const {
  const Type& t = innermost(program_, type);
  return t.form == Type::Form::kPointer ? Scalar::kI64 : t.scalar;
}

int WarpTracer::leaf_bytes(TypeId type) const {
  const Type& t = innermost(program_, type);
  if (t.form == Type::Form::kPointer) return size_bytes(Scalar::kI64);
  if (t.form == Type::Form::kVoid) return 1;
  const int bytes = size_bytes(t.scalar);
  return t.is_mixed || t.size_bytes != bytes * std::max(1, t.slots) ? 0 : bytes;  // mixed, or padded
}

void WarpTracer::bind_parameters() {
  const Function& entry = program_.function(program_.entry);
  for (std::size_t i = 0; i < entry.parameters.size() && !stopped(); ++i) {
    const Variable& variable = program_.variable(entry.parameters[i]);
    const Type& type = program_.type(variable.type);
    WarpValue value;
    if (type.form == Type::Form::kPointer) {
      objects_.push_back(
          {.space = Space::kGlobal, .is_read_only = type.pointee_is_const, .parameter = static_cast<int>(i)});
      value = {integer(0), static_cast<int>(objects_.size() - 1)};
    } else if (type.form == Type::Form::kScalar) {
      WarpNode node{.kind = WarpOp::kParameter, .scalar = type.scalar, .tag = names_++};
      if (const auto it = warp_.sizes.find(variable.name); it != warp_.sizes.end())
        node.lanes.emplace().fill(wrap(type.scalar, it->second));
      value = {graph_.add(std::move(node)), -1};
    } else {
      return give_up("a parameter is a record");
    }
    TimedObject& object = objects_[static_cast<std::size_t>(object_of(entry.parameters[i]))];
    if (!stopped()) object.cells[0] = {value, static_cast<int>(object.cells.size())};
  }
}

TracedWarp WarpTracer::run() {
  const int threads = warp_.shape.threads_per_block();
  const int lanes = std::clamp(threads - kTimedLanes * warp_.warp, 0, kTimedLanes);
  mask_ = lanes == kTimedLanes ? ~0u : (1u << lanes) - 1;
  bind_parameters();
  for (const StmtId global : program_.globals) exec(global);
  exec(program_.function(program_.entry).body);
  if (stopped()) return why_;
  return std::move(trace_);
}

std::uint32_t WarpTracer::lanes_where(NodeIndex condition, bool wanted) const {
  const LaneIntegers* known = graph_.lanes(condition);
  if (known == nullptr) return mask_;
  std::uint32_t lanes = 0;
  for (std::size_t t = 0; t < kTimedLanes; ++t)
    if (((*known)[t] != 0) == wanted) lanes |= 1u << t;
  return lanes & mask_;
}

void WarpTracer::control(NodeIndex condition) {
  WarpNode node{.kind = WarpOp::kControl, .scalar = Scalar::kBool, .tag = names_++};
  if (condition != kNoNode) node.operands = {condition};
  trace_.roots.push_back(graph_.add(std::move(node)));
}

void WarpTracer::run_under(std::uint32_t mask, NodeIndex guard, const std::function<void()>& body) {
  if (mask == 0 || stopped()) return;
  const std::uint32_t outer = std::exchange(mask_, mask);
  guards_.push_back(guard);
  body();
  guards_.pop_back();
  mask_ = outer & ~(returned_ | broken_ | continued_);
}

void WarpTracer::exec(StmtId id) {
  if (!id.valid() || mask_ == 0 || !charge()) return;
  const Stmt& stmt = program_.stmt(id);
  switch (stmt.kind) {
    case StmtKind::kExpr: eval(stmt.expr); return;
    case StmtKind::kDeclare: return exec_declare(stmt);
    case StmtKind::kBlock:
      for (const StmtId s : stmt.body) exec(s);
      return;
    case StmtKind::kIf: return exec_if(stmt);
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile: return exec_loop(stmt);
    case StmtKind::kReturn: return exec_return(stmt);
    case StmtKind::kBreak: broken_ |= std::exchange(mask_, 0); return;
    case StmtKind::kContinue: continued_ |= std::exchange(mask_, 0); return;
    case StmtKind::kSwitch: return exec_switch(stmt);
    case StmtKind::kCase: return;
  }
}

void WarpTracer::exec_declare(const Stmt& stmt) {
  const int object = object_of(stmt.variable);
  if (stopped() || program_.variable(stmt.variable).is_shared) return;
  const WarpValues values = stmt.expr.valid() ? eval(stmt.expr) : WarpValues{};
  if (stopped()) return;
  TimedObject& declared = objects_[static_cast<std::size_t>(object)];
  std::fill(declared.cells.begin(), declared.cells.end(), TimedObject::Cell{});
  declared.depth = guards_.size();
  if (values.empty()) return;
  const TypeId type = program_.variable(stmt.variable).type;
  const int bytes = program_.variable(stmt.variable).is_reference ? size_bytes(Scalar::kI64) : leaf_bytes(type);
  for (std::size_t s = 0; s < values.size(); ++s)
    write_cells(declared, static_cast<std::int64_t>(s) * bytes, bytes, values[s], scalar_of(type));
}

// A compiler makes selects of what an `if` changes, where that is little, and predicates it where it is more.
void WarpTracer::exec_if(const Stmt& stmt) {
  const NodeIndex condition = truth_of(eval_one(stmt.expr), program_.expr(stmt.expr).type);
  if (stopped()) return;
  if (condition == kNoNode) return give_up("a condition is undefined");
  if (const auto known = graph_.integer(condition)) {
    if (*known != 0) exec(stmt.body[0]);
    else if (stmt.body.size() > 1) exec(stmt.body[1]);
    return;
  }
  control(condition);
  const std::uint32_t yes = lanes_where(condition, true), no = lanes_where(condition, false);
  std::size_t changes = 0;
  for (const StmtId side : stmt.body) changes += changes_in(program_, side);
  const bool outer = std::exchange(is_predicated_, changes > kMostSelected);
  run_under(yes, condition, [&] { exec(stmt.body[0]); });
  if (stmt.body.size() > 1) {
    const NodeIndex otherwise = graph_.unary(Operator::kLogicalNot, Scalar::kBool, condition);
    run_under(no & ~(returned_ | broken_ | continued_), otherwise, [&] { exec(stmt.body[1]); });
  }
  is_predicated_ = outer;
}

std::vector<std::uint32_t> WarpTracer::changed_in(const Stmt& loop) const {
  std::set<std::uint32_t> variables;
  collect_written(program_, loop.expr, variables);
  for (std::size_t i = loop.kind == StmtKind::kFor ? 1 : 0; i < loop.body.size(); ++i)
    collect_written(program_, loop.body[i], variables);
  std::vector<std::uint32_t> objects;
  for (const std::uint32_t v : variables)
    if (variable_object_[v] >= 0) objects.push_back(static_cast<std::uint32_t>(variable_object_[v]));
  return objects;
}

// What a loop changes is no constant in it, though it is known here.
void WarpTracer::blur(const std::vector<std::uint32_t>& objects) {
  for (const std::uint32_t o : objects)
    for (TimedObject::Cell& cell : objects_[o].cells) {
      if (cell.bytes == 0 || cell.value.is_place() || graph_.lanes(cell.value.node) == nullptr) continue;
      const NodeIndex node = cell.value.node;
      if (!graph_.is_constant(node)) trace_.roots.push_back(node);
      WarpNode start{.kind = WarpOp::kParameter, .scalar = graph_.node(node).scalar, .tag = names_++};
      start.lanes = graph_.node(node).lanes;
      cell.value.node = graph_.add(std::move(start));
    }
}

// Tests the condition: whether any lane goes on. A loop is unrolled as long as its condition is known.
bool WarpTracer::goes_on(const Stmt& stmt, bool& is_unrolled) {
  if (!stmt.expr.valid()) return mask_ != 0;
  const NodeIndex condition = truth_of(eval_one(stmt.expr), program_.expr(stmt.expr).type);
  if (stopped()) return false;
  if (const auto known = graph_.integer(condition)) return *known != 0;
  is_unrolled = false;
  if (graph_.lanes(condition) == nullptr) return give_up("data decide how often a loop runs"), false;
  control(condition);
  mask_ = lanes_where(condition, true);
  return mask_ != 0;
}

void WarpTracer::exec_loop(const Stmt& stmt) {
  const bool is_for = stmt.kind == StmtKind::kFor;
  if (is_for) exec(stmt.body[0]);
  const std::uint32_t outer = mask_, outer_broken = std::exchange(broken_, 0);
  const std::uint32_t outer_continued = std::exchange(continued_, 0);
  const std::vector<std::uint32_t> changed = changed_in(stmt);
  bool is_unrolled = true, is_first = true;
  while (!stopped() && mask_ != 0) {
    if (!charge()) return;
    if ((stmt.kind != StmtKind::kDoWhile || !is_first) && !goes_on(stmt, is_unrolled)) break;
    is_first = false;
    if (!is_unrolled) blur(changed);
    exec(is_for ? stmt.body[2] : stmt.body[0]);
    mask_ |= std::exchange(continued_, 0) & ~returned_;
    if (is_for) exec(stmt.body[1]);
  }
  broken_ = outer_broken;
  continued_ = outer_continued;
  mask_ = outer & ~returned_;
}

void WarpTracer::exec_switch(const Stmt& stmt) {
  const WarpValue value = eval_one(stmt.expr);
  if (stopped()) return;
  const LaneIntegers* known = graph_.lanes(value.node);
  if (known == nullptr || value.is_place()) return give_up("data decide a switch");
  for (std::size_t t = 0; t < kTimedLanes; ++t)
    if ((mask_ >> t & 1) != 0 && (*known)[t] != known->front()) return give_up("lanes take different ways in a switch");
  const std::int64_t chosen = known->front();
  if (!graph_.is_constant(value.node)) control(value.node);
  const std::vector<StmtId>& body = program_.stmt(stmt.body[0]).body;
  const auto labelled = [&](bool by_default) {
    return std::find_if(body.begin(), body.end(), [&](StmtId s) {
      const Stmt& label = program_.stmt(s);
      const auto& values = label.case_values;
      return label.kind == StmtKind::kCase &&
             (by_default ? values.empty() : std::find(values.begin(), values.end(), chosen) != values.end());
    });
  };
  auto from = labelled(false);
  if (from == body.end()) from = labelled(true);
  const std::uint32_t outer = mask_, outer_broken = std::exchange(broken_, 0);
  for (; from != body.end(); ++from) exec(*from);
  broken_ = outer_broken;
  mask_ = outer & ~(returned_ | continued_);
}

void WarpTracer::exec_return(const Stmt& stmt) {
  if (stmt.expr.valid()) {
    WarpValues value = eval(stmt.expr);
    const Scalar s = scalar_of(program_.expr(stmt.expr).type);
    for (std::size_t k = 0; k < value.size() && k < return_value_.size(); ++k) {
      if (value[k].object != return_value_[k].object) return give_up("a condition chooses among arrays");
      value[k].node = graph_.select(return_guard_, return_value_[k].node, value[k].node, s);
    }
    return_value_ = std::move(value);
    NodeIndex guard = graph_.constant(Scalar::kBool, 1);
    for (std::size_t g = call_depth_; g < guards_.size(); ++g)
      guard = graph_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, guards_[g]);
    return_guard_ =
        return_guard_ == kNoNode ? guard : graph_.binary(Operator::kLogicalOr, Scalar::kBool, return_guard_, guard);
  }
  if (calls_ == 0 && !guards_.empty()) control(kNoNode);
  returned_ |= std::exchange(mask_, 0);
}

TracedWarp trace_warp(const Program& kernel, const WarpToTrace& warp) { return WarpTracer(kernel, warp).run(); }

}  // namespace swizzle
