// Expressions: values of the warp, and the places that lvalues name.
#include <algorithm>
#include <utility>

#include "synth/program/places.h"
#include "synth/timing/warp_tracer.h"

namespace swizzle {

WarpValue WarpTracer::eval_one(ExprId id) {
  const WarpValues values = eval(id);
  return values.empty() ? WarpValue{} : values[0];
}

WarpValues WarpTracer::eval(ExprId id) {
  const Expr& e = program_.expr(id);
  if (!charge()) return blank(slots_of(e.type));
  if (!is_lvalue(program_, e)) return eval_kind(e);
  const WarpValue where = place(id);
  return stopped() ? blank(slots_of(e.type)) : read(where, e.type);
}

WarpValues WarpTracer::eval_kind(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntLiteral:
    case ExprKind::kRealLiteral: return eval_literal(e);
    case ExprKind::kBuiltin: return {builtin(e.builtin)};
    case ExprKind::kUnary: {
      const WarpValue v = eval_one(e.operands[0]);
      if (e.op == Operator::kLogicalNot)
        return {{graph_.unary(e.op, Scalar::kBool, truth_of(v, program_.expr(e.operands[0]).type)), -1}};
      return {{graph_.unary(e.op, scalar_of(e.type), v.node), -1}};
    }
    case ExprKind::kBinary: return eval_binary(e);
    case ExprKind::kAssign: return eval_assign(e);
    case ExprKind::kIncDec: return eval_inc_dec(e);
    case ExprKind::kConditional: return eval_conditional(e, false);
    case ExprKind::kComma: eval(e.operands[0]); return eval(e.operands[1]);
    case ExprKind::kAddressOf: return {place(e.operands[0])};
    case ExprKind::kCast: return eval_cast(e);
    case ExprKind::kConstruct: return eval_construct(e);
    case ExprKind::kCall: return eval_call(e);
    case ExprKind::kIntrinsic: return eval_intrinsic(e);
    case ExprKind::kMember: {
      const WarpValues whole = eval(e.operands[0]);
      WarpValues part = blank(slots_of(e.type));
      for (std::size_t s = 0; s < part.size() && s + static_cast<std::size_t>(e.member_slot) < whole.size(); ++s)
        part[s] = whole[s + static_cast<std::size_t>(e.member_slot)];
      return part;
    }
    default: give_up("it has a hole, or what is not followed"); return blank(slots_of(e.type));
  }
}

WarpValues WarpTracer::eval_literal(const Expr& e) {
  const Scalar s = scalar_of(e.type);
  if (!is_real(s)) return {{graph_.constant(s, e.int_value), -1}};
  const double value = e.kind == ExprKind::kRealLiteral ? e.real_value : static_cast<double>(e.int_value);
  return {{graph_.real(s, value), -1}};
}

WarpValue WarpTracer::builtin(Builtin which) {
  const auto& block = warp_.shape.block;
  const auto& grid = warp_.shape.grid;
  const auto of_lanes = [&](auto f) {
    WarpNode node{.kind = WarpOp::kRegister, .scalar = Scalar::kU32, .tag = static_cast<std::int64_t>(which)};
    node.lanes.emplace();
    for (int t = 0; t < kTimedLanes; ++t) (*node.lanes)[static_cast<std::size_t>(t)] = f(kTimedLanes * warp_.warp + t);
    return WarpValue{graph_.add(std::move(node)), -1};
  };
  switch (which) {
    case Builtin::kThreadIdxX: return of_lanes([&](int t) { return t % block[0]; });
    case Builtin::kThreadIdxY: return of_lanes([&](int t) { return t / block[0] % block[1]; });
    case Builtin::kThreadIdxZ: return of_lanes([&](int t) { return t / block[0] / block[1]; });
    case Builtin::kBlockIdxX: return of_lanes([&](int) { return warp_.block[0]; });
    case Builtin::kBlockIdxY: return of_lanes([&](int) { return warp_.block[1]; });
    case Builtin::kBlockIdxZ: return of_lanes([&](int) { return warp_.block[2]; });
    case Builtin::kBlockDimX: return of_lanes([&](int) { return block[0]; });
    case Builtin::kBlockDimY: return of_lanes([&](int) { return block[1]; });
    case Builtin::kBlockDimZ: return of_lanes([&](int) { return block[2]; });
    case Builtin::kGridDimX: return of_lanes([&](int) { return grid[0]; });
    case Builtin::kGridDimY: return of_lanes([&](int) { return grid[1]; });
    case Builtin::kGridDimZ: return of_lanes([&](int) { return grid[2]; });
    case Builtin::kWarpSize: return {graph_.constant(Scalar::kI32, kTimedLanes), -1};
    case Builtin::kLaneId: return of_lanes([&](int t) { return t % kTimedLanes; });
  }
  return {};
}

NodeIndex WarpTracer::truth_of(const WarpValue& v, TypeId type) {
  if (v.is_place()) return graph_.constant(Scalar::kBool, 1);
  const Scalar s = scalar_of(type);
  if (v.node == kNoNode || graph_.node(v.node).scalar == Scalar::kBool) return v.node;
  const NodeIndex zero = is_real(s) ? graph_.real(s, 0) : graph_.constant(s, 0);
  return graph_.binary(Operator::kNe, s, v.node, zero);
}

WarpValue WarpTracer::moved(WarpValue place, NodeIndex bytes) {
  return {graph_.binary(Operator::kAdd, Scalar::kI64, place.node, bytes), place.object};
}

// `type`: what is computed in; a place and a number are a place.
WarpValue WarpTracer::compute(Operator op, TypeId type, TypeId result, WarpValue a, WarpValue b) {
  if (a.is_place() && b.is_place()) {
    if (a.object != b.object || (op != Operator::kSub && !is_comparison(op)))
      return give_up("places in several arrays are compared"), WarpValue{};
    const NodeIndex bytes = graph_.binary(op, Scalar::kI64, a.node, b.node);
    const Type& t = program_.type(type);
    if (op != Operator::kSub || t.form != Type::Form::kPointer) return {bytes, -1};
    return {
        graph_.binary(Operator::kDiv, Scalar::kI64, bytes, integer(std::max(1, program_.type(t.element).size_bytes))),
        -1};
  }
  if (a.is_place() || b.is_place()) {
    const Type& t = program_.type(result);
    const std::int64_t stride = t.form == Type::Form::kPointer ? std::max(1, program_.type(t.element).size_bytes) : 1;
    const WarpValue base = a.is_place() ? a : b, index = a.is_place() ? b : a;
    if (index.node == kNoNode) return {};
    const Scalar s = graph_.node(index.node).scalar;
    const NodeIndex bytes =
        graph_.binary(Operator::kMul, Scalar::kI64, graph_.convert(index.node, s, Scalar::kI64), integer(stride));
    return {graph_.binary(op, Scalar::kI64, base.node, bytes), base.object};
  }
  return {graph_.binary(op, scalar_of(type), a.node, b.node), -1};
}

WarpValues WarpTracer::eval_logical(const Expr& e) {
  const bool is_and = e.op == Operator::kLogicalAnd;
  const NodeIndex left = truth_of(eval_one(e.operands[0]), program_.expr(e.operands[0]).type);
  if (stopped()) return blank();
  if (const auto known = graph_.integer(left); known && (*known != 0) != is_and) return {{left, -1}};
  const std::uint32_t mask = lanes_where(left, is_and);
  if (mask == 0) return {{left, -1}};
  NodeIndex right = kNoNode;
  const NodeIndex guard = is_and ? left : graph_.unary(Operator::kLogicalNot, Scalar::kBool, left);
  run_under(mask, guard, [&] { right = truth_of(eval_one(e.operands[1]), program_.expr(e.operands[1]).type); });
  return {{graph_.binary(e.op, Scalar::kBool, left, right), -1}};
}

WarpValues WarpTracer::eval_binary(const Expr& e) {
  if (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr) return eval_logical(e);
  const WarpValue a = eval_one(e.operands[0]), b = eval_one(e.operands[1]);
  if (stopped()) return blank();
  const TypeId left = program_.expr(e.operands[0]).type, right = program_.expr(e.operands[1]).type;
  const bool pointers =
      program_.type(left).form == Type::Form::kPointer && program_.type(right).form == Type::Form::kPointer;
  return {compute(e.op, is_comparison(e.op) || pointers ? left : e.type, e.type, a, b)};
}

WarpValues WarpTracer::eval_assign(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  WarpValues value = eval(e.operands[1]);
  if (stopped()) return value;
  const WarpValue where = place(e.operands[0]);
  if (stopped()) return value;
  if (e.compound) {
    const WarpValues old = read(where, target.type);
    if (stopped() || old.empty() || value.empty()) return value;
    const bool pointer = program_.type(target.type).form == Type::Form::kPointer;
    const Scalar own = scalar_of(target.type), wide = pointer ? own : scalar_of(e.computation);
    const WarpValue before = pointer ? old[0] : WarpValue{graph_.convert(old[0].node, own, wide), old[0].object};
    value[0] =
        compute(e.op, pointer ? target.type : e.computation, pointer ? target.type : e.computation, before, value[0]);
    if (!value[0].is_place()) value[0].node = graph_.convert(value[0].node, wide, own);
  }
  if (!stopped()) write(where, value, target.type);
  return value;
}

WarpValues WarpTracer::eval_inc_dec(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  const WarpValue where = place(e.operands[0]);
  if (stopped()) return blank();
  const WarpValues old = read(where, target.type);
  if (stopped()) return blank();
  const Scalar s = scalar_of(target.type);
  const WarpValue one{is_real(s) ? graph_.real(s, 1) : graph_.constant(s, 1), -1};
  const WarpValues changed = {compute(e.op, target.type, target.type, old[0], one)};
  write(where, changed, target.type);
  return e.prefix ? changed : old;
}

WarpValues WarpTracer::eval_conditional(const Expr& e, bool of_places) {
  const int slots = of_places ? 1 : slots_of(e.type);
  const NodeIndex condition = truth_of(eval_one(e.operands[0]), program_.expr(e.operands[0]).type);
  if (stopped()) return blank(slots);
  if (condition == kNoNode) return give_up("a condition is undefined"), blank(slots);
  const auto way = [&](std::size_t k) { return of_places ? WarpValues{place(e.operands[k])} : eval(e.operands[k]); };
  if (const auto known = graph_.integer(condition)) return way(*known != 0 ? 1 : 2);
  WarpValues a = blank(slots), b = blank(slots);
  const NodeIndex otherwise = graph_.unary(Operator::kLogicalNot, Scalar::kBool, condition);
  const std::uint32_t yes = lanes_where(condition, true), no = lanes_where(condition, false);
  run_under(yes, condition, [&] { a = way(1); });
  run_under(no, otherwise, [&] { b = way(2); });
  if (yes == 0 || a == b) return b;
  if (no == 0) return a;
  for (std::size_t s = 0; s < a.size() && s < b.size(); ++s) {
    if (a[s].object != b[s].object) return give_up("a condition chooses among arrays"), a;
    a[s].node = graph_.select(condition, a[s].node, b[s].node, of_places ? Scalar::kI64 : scalar_of(e.type));
  }
  return a;
}

WarpValues WarpTracer::eval_cast(const Expr& e) {
  const Expr& operand = program_.expr(e.operands[0]);
  const Type& from = program_.type(operand.type);
  const Type& to = program_.type(e.type);
  if (from.form == Type::Form::kArray && to.form == Type::Form::kPointer) return {place(e.operands[0])};
  WarpValues v = eval(e.operands[0]);
  if (to.form == Type::Form::kVoid) return blank();
  if (stopped() || from.form != Type::Form::kScalar || to.form != Type::Form::kScalar || v[0].is_place()) return v;
  if (to.scalar == Scalar::kBool) return {{truth_of(v[0], operand.type), -1}};
  return {{graph_.convert(v[0].node, from.scalar, to.scalar), -1}};
}

WarpValues WarpTracer::eval_construct(const Expr& e) {
  const Scalar s = scalar_of(e.type);
  const NodeIndex zero = is_real(s) ? graph_.real(s, 0) : graph_.constant(s, 0);
  WarpValues result(static_cast<std::size_t>(slots_of(e.type)), WarpValue{zero, -1});
  std::size_t next = 0;
  for (const ExprId part : e.operands)
    for (const WarpValue& v : eval(part))
      if (next < result.size()) result[next++] = v;
  return result;
}

WarpValues WarpTracer::eval_call(const Expr& e) {
  constexpr int kDeepest = 64;
  const Function& callee = program_.function(e.callee);
  if (calls_ > kDeepest) give_up("functions call each other");
  std::vector<WarpValues> arguments;
  for (const ExprId a : e.operands) arguments.push_back(eval(a));
  if (stopped()) return blank(slots_of(e.type));
  for (std::size_t i = 0; i < arguments.size() && i < callee.parameters.size(); ++i) {
    TimedObject& object = objects_[static_cast<std::size_t>(object_of(callee.parameters[i]))];
    if (stopped()) return blank(slots_of(e.type));
    std::fill(object.cells.begin(), object.cells.end(), TimedObject::Cell{});
    object.depth = guards_.size();
    const int bytes = static_cast<int>(object.cells.size() / std::max<std::size_t>(1, arguments[i].size()));
    const Scalar s = scalar_of(program_.variable(callee.parameters[i]).type);
    for (std::size_t k = 0; k < arguments[i].size(); ++k)
      write_cells(object, static_cast<std::int64_t>(k) * bytes, bytes, arguments[i][k], s);
  }
  const std::uint32_t mask = mask_, returned = std::exchange(returned_, 0), broken = std::exchange(broken_, 0);
  const std::uint32_t continued = std::exchange(continued_, 0);
  WarpValues value;
  std::swap(value, return_value_);
  const NodeIndex return_guard = std::exchange(return_guard_, kNoNode);
  const std::size_t depth = std::exchange(call_depth_, guards_.size());
  ++calls_;
  exec(callee.body);
  --calls_;
  std::swap(value, return_value_);
  return_guard_ = return_guard, call_depth_ = depth;
  returned_ = returned, broken_ = broken, continued_ = continued, mask_ = mask;
  value.resize(static_cast<std::size_t>(slots_of(e.type)));
  return value;
}

WarpValue WarpTracer::place(ExprId id) {
  const Expr& e = program_.expr(id);
  if (!charge()) return {};
  switch (e.kind) {
    case ExprKind::kVariable: {
      const int object = object_of(e.variable);
      if (stopped()) return {};
      if (program_.variable(e.variable).is_reference) return objects_[static_cast<std::size_t>(object)].cells[0].value;
      return {integer(0), object};
    }
    case ExprKind::kDereference: return eval_one(e.operands[0]);
    case ExprKind::kSubscript:
    case ExprKind::kMember: return offset_place(e);
    case ExprKind::kComma: eval(e.operands[0]); return place(e.operands[1]);
    case ExprKind::kAssign: eval(id); return place(e.operands[0]);
    case ExprKind::kIncDec: eval(id); return place(e.operands[0]);
    case ExprKind::kConditional:
      if (is_lvalue(program_, program_.expr(e.operands[1])) && is_lvalue(program_, program_.expr(e.operands[2])))
        return eval_conditional(e, true)[0];
      break;
    default: break;
  }
  // A temporary.
  const WarpValues values = eval(id);
  const int leaf = leaf_bytes(e.type);
  if (leaf == 0) give_up("elements are of several types");
  if (stopped()) return {};
  const auto [known, is_new] = temporaries_.try_emplace(id, static_cast<int>(objects_.size()));
  if (is_new) objects_.emplace_back();
  TimedObject& object = objects_[static_cast<std::size_t>(known->second)];
  object.cells.assign(values.size() * static_cast<std::size_t>(leaf), {});
  object.depth = guards_.size();
  for (std::size_t s = 0; s < values.size(); ++s)
    write_cells(object, static_cast<std::int64_t>(s) * leaf, leaf, values[s], scalar_of(e.type));
  return {integer(0), known->second};
}

WarpValue WarpTracer::offset_place(const Expr& e) {
  const TypeId base_type = program_.expr(e.operands[0]).type;
  const bool through_pointer = program_.type(base_type).form == Type::Form::kPointer;
  const WarpValue base = through_pointer ? eval_one(e.operands[0]) : place(e.operands[0]);
  if (stopped()) return {};
  const int leaf = leaf_bytes(e.type);
  if (leaf == 0 || !base.is_place()) return give_up("data decide an address, or elements are of several types"), base;
  if (e.kind == ExprKind::kMember) return moved(base, integer(std::int64_t{e.member_slot} * leaf));
  const WarpValue index = eval_one(e.operands[1]);
  if (stopped() || index.node == kNoNode) return base;
  const std::int64_t stride = std::max(1, program_.type(e.type).size_bytes);
  const NodeIndex wide = graph_.convert(index.node, scalar_of(program_.expr(e.operands[1]).type), Scalar::kI64);
  return moved(base, graph_.binary(Operator::kMul, Scalar::kI64, wide, integer(stride)));
}

}  // namespace swizzle
