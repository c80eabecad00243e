// Expressions: values of all threads at once.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/places.h"

namespace swizzle {

Lanes Interpreter::eval(ExprId id) {
  const Expr& e = program_.expr(id);
  run_.charge(e.range);
  if (run_.failed()) return run_.blank(run_.slots_of(e.type));
  if (const Object* variable = scalar_variable(e)) {
    if (run_.mask.all() && variable->arm_writes.empty()) return variable->cells;
    Lanes values = run_.blank();
    run_.for_active([&](int t) { values.entry(at(t)) = cells_.seen(*variable, t, at(t)); });
    return values;
  }
  if (is_lvalue(program_, e)) {
    const Lanes where = place(id);
    return run_.failed() ? run_.blank(run_.slots_of(e.type)) : memory_.read(where, e.type, e.range);
  }
  Lanes result = eval_scalarwise(e);
  if (run_.failed()) return run_.blank(run_.slots_of(e.type));
  return result;
}

static std::optional<Scalar> type_of_sums(const Type& type) {
  return type.form == Type::Form::kScalar ? std::optional(type.scalar) : std::nullopt;
}

Lanes Interpreter::eval_scalarwise(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntLiteral:
    case ExprKind::kRealLiteral: return eval_literal(e);
    case ExprKind::kBuiltin: return eval_builtin(e);
    case ExprKind::kUnary: return eval_unary(e);
    case ExprKind::kBinary: return eval_binary(e);
    case ExprKind::kAssign: return eval_assign(e);
    case ExprKind::kIncDec: return eval_inc_dec(e);
    case ExprKind::kConditional:
      return eval_conditional(
          e.operands[0], [&] { return eval(e.operands[1]); }, [&] { return eval(e.operands[2]); },
          run_.slots_of(e.type), type_of_sums(program_.type(e.type)), &e);
    case ExprKind::kComma: eval(e.operands[0]); return eval(e.operands[1]);
    case ExprKind::kAddressOf: return place(e.operands[0]);
    case ExprKind::kCast: return eval_cast(e);
    case ExprKind::kConstruct: return eval_construct(e);
    case ExprKind::kCall: return eval_call(e);
    case ExprKind::kIntrinsic: return eval_intrinsic(e);
    case ExprKind::kHole: return holes_.eval_hole(e);
    case ExprKind::kMember: {
      const Lanes whole = eval(e.operands[0]);
      const int slots = run_.slots_of(e.type), all = run_.slots_of(program_.expr(e.operands[0]).type);
      Lanes part = run_.blank(slots);
      run_.for_active([&](int t) {
        for (int s = 0; s < slots; ++s) part.entry(at(t, slots, s)) = whole[at(t, all, e.member_slot + s)];
      });
      return part;
    }
    default: return run_.blank(run_.slots_of(e.type));
  }
}

Lanes Interpreter::eval_literal(const Expr& e) {
  const bool real = e.kind == ExprKind::kRealLiteral || is_real(run_.scalar_of(e.type));
  if (!real) return run_.splat(Value::integer(e.int_value));
  return run_.splat(Value::real(e.kind == ExprKind::kRealLiteral ? e.real_value : static_cast<double>(e.int_value)));
}

Lanes Interpreter::eval_builtin(const Expr& e) {
  const int bx = run_.shape.block[0], by = run_.shape.block[1], gx = run_.shape.grid[0], gy = run_.shape.grid[1];
  const bool by_warps =
      run_.box != nullptr && run_.box->by_warps;  // then threads are numbered from the warp's first on
  const int wx = by_warps ? std::min(bx, kWarpSize) : bx, wy = by_warps ? kWarpSize / wx : by;
  Lanes result = run_.blank();
  run_.for_active([&](int t) {
    std::int64_t v = 0;
    switch (e.builtin) {
      case Builtin::kThreadIdxX: v = t % wx; break;
      case Builtin::kThreadIdxY: v = t / wx % wy; break;
      case Builtin::kThreadIdxZ: v = t / wx / wy; break;
      case Builtin::kBlockIdxX: v = run_.block % gx; break;
      case Builtin::kBlockIdxY: v = run_.block / gx % gy; break;
      case Builtin::kBlockIdxZ: v = run_.block / gx / gy; break;
      case Builtin::kBlockDimX: v = bx; break;
      case Builtin::kBlockDimY: v = by; break;
      case Builtin::kBlockDimZ: v = run_.shape.block[2]; break;
      case Builtin::kGridDimX: v = gx; break;
      case Builtin::kGridDimY: v = gy; break;
      case Builtin::kGridDimZ: v = run_.shape.grid[2]; break;
      case Builtin::kWarpSize: v = kWarpSize; break;
      case Builtin::kLaneId: v = t % kWarpSize; break;
    }
    result.entry(at(t, 1, 0)) = run_.box != nullptr ? run_.box->coordinate(e.builtin, v) : Value::integer(v);
  });
  result.join_alike();
  return result;
}

Lanes Interpreter::eval_unary(const Expr& e) {
  Lanes v = eval(e.operands[0]);
  const bool has_data = issues_.meets_data(v);
  run_.change(v, [&](Value operand) {
    const Value result = provenance_.unary(e.op, run_.scalar_of(e.type), operand);
    if (arithmetic_.loses_bits(result, {&operand, 1}))
      arithmetic_.refuse_bits(e.range, fmt::format("'{}'", spelling(e.op)), result);
    return result;
  });
  if (e.op == Operator::kBitNot) issues_.count_data(e, e.op, has_data, v);
  return v;
}

Lanes Interpreter::eval_binary(const Expr& e) {
  if (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr) {
    const auto right = [&] { return eval(e.operands[1]); };
    const bool is_and = e.op == Operator::kLogicalAnd;
    const auto constant = [&] { return run_.splat(Value::integer(is_and ? 0 : 1)); };
    return is_and ? eval_conditional(e.operands[0], right, constant, 1, Scalar::kBool)
                  : eval_conditional(e.operands[0], constant, right, 1, Scalar::kBool);
  }
  Lanes a = eval(e.operands[0]);
  if (run_.failed()) return a;
  Lanes b = eval(e.operands[1]);
  if (run_.failed()) return a;
  const TypeId left = program_.expr(e.operands[0]).type, right = program_.expr(e.operands[1]).type;
  const bool left_pointer = program_.type(left).form == Type::Form::kPointer;
  const bool right_pointer = program_.type(right).form == Type::Form::kPointer;
  const bool pointers = left_pointer && right_pointer;
  // Comparisons are computed in the type of their operands.
  const TypeId type = is_comparison(e.op) || pointers ? left : e.type;
  const bool has_data = issues_.meets_data(a) || issues_.meets_data(b);
  arithmetic_.reject_undefined_operations(e.op, type, b, e.range);
  const bool moves = !pointers && (left_pointer || right_pointer);
  const auto is_data = [&](const Value& v) { return !provenance_.is_index(v); };
  if (moves && std::ranges::any_of((left_pointer ? b : a).values(), is_data)) {
    Lanes moved = left_pointer ? moved_by_data(e, std::move(a), b) : moved_by_data(e, std::move(b), a);
    issues_.count_data(e, e.op, has_data, moved);
    return moved;
  }
  run_.combine(a, b, [&](Value own, Value other) {
    if (!pointers) return arithmetic_.compute(e.op, type, own, other, e.range);
    Value v = provenance_.binary(e.op, Scalar::kI64, own, other);
    if (e.op == Operator::kSub && run_.without_stride(v).is_int()) v.bits /= run_.slots_of(program_.type(left).element);
    return v;
  });
  issues_.count_data(e, e.op, has_data, a);
  return a;
}

// Pointers, and what data decide to add or subtract.
Lanes Interpreter::moved_by_data(const Expr& e, Lanes pointers, const Lanes& index) {
  const bool is_left = program_.type(program_.expr(e.operands[0]).type).form == Type::Form::kPointer;
  const Scalar s = run_.scalar_of(program_.expr(e.operands[is_left ? 1 : 0]).type);
  run_.for_active([&](int t) {
    Value& pointer = pointers.entry(at(t));
    const Value by = index[at(t)];
    if (provenance_.is_index(by)) {
      pointer = arithmetic_.compute(e.op, e.type, is_left ? pointer : by, is_left ? by : pointer, e.range);
      return;
    }
    const std::int64_t slots = objects_.item_slots(pointer, program_.type(e.type).element);
    pointer =
        objects_.at_data(pointer, by, s, e.op == Operator::kSub ? -slots : slots, run_.mask.guard[at(t)], e.range);
  });
  return pointers;
}

// Of integers, `a < b ? a : b` is one instruction, which was counted as the comparison.
bool Interpreter::is_extremum(const Expr& e) const {
  const Expr& condition = program_.expr(e.operands[0]);
  if (is_real(run_.scalar_of(e.type)) || condition.kind != ExprKind::kBinary) return false;
  if (!is_comparison(condition.op) || condition.op == Operator::kEq || condition.op == Operator::kNe) return false;
  const auto text = [&](ExprId id) { return program_.source.slice(program_.expr(id).range); };
  const auto a = text(condition.operands[0]), b = text(condition.operands[1]);
  const auto then = text(e.operands[1]), other = text(e.operands[2]);
  return (a == then && b == other) || (a == other && b == then);
}

// Where holes leave the condition to data.
void Interpreter::count_select(const Expr& e, const Lanes& condition, const Lanes& result, int slots) {
  if (!issues_.meets_data(condition) || is_extremum(e)) return;
  ThreadMask open = run_.mask;
  run_.for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (truth(condition[i])) open.on[i] = 0;
    else
      open.guard.entry(i) =
          provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, run_.mask.guard[i], issues_.undecided(condition[i]));
  });
  run_under(open, [&] {
    for (int s = 0; s < slots; ++s) issues_.count_data(e, Operator::kAdd, true, result);
  });
}

Lanes Interpreter::eval_conditional(ExprId condition_id, const std::function<Lanes()>& then,
                                    const std::function<Lanes()>& other, int slots, std::optional<Scalar> type,
                                    const Expr* selects) {
  Lanes condition = eval(condition_id);
  run_.change(condition, [&](Value c) { return arithmetic_.as_condition(c); });
  Lanes result = run_.blank(slots);
  if (run_.failed()) return result;
  if (condition.are_alike() && truth(condition[0])) {
    result = *truth(condition[0]) ? then() : other();
    return run_.failed() ? run_.blank(slots) : result;
  }
  ThreadMask yes = run_.mask, no = run_.mask;
  run_.for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (condition[i].is_undefined())
      return run_.break_rule(program_.expr(condition_id).range, "the condition is undefined");
    if (const auto known = truth(condition[i])) {
      (*known ? no : yes).on[i] = 0;
      return;
    }
    arithmetic_.reject_undefined(condition[i], run_.mask.guard[i], program_.expr(condition_id).range);
    yes.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, run_.mask.guard[i], condition[i]);
    no.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, run_.mask.guard[i],
                                           provenance_.unary(Operator::kLogicalNot, Scalar::kBool, condition[i]));
  });
  Lanes a = run_.blank(slots), b = run_.blank(slots);
  run_under(yes, [&] { a = then(); });
  run_under(no, [&] { b = other(); });
  if (run_.failed()) return result;
  run_.for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    for (int s = 0; s < slots; ++s) {
      const std::size_t k = at(t, slots, s);
      result.entry(k) = !no.on[i] ? a[k] : !yes.on[i] ? b[k] : provenance_.select(condition[i], a[k], b[k], type);
      arithmetic_.follow(result[k], {condition[i], a[k], b[k]}, program_.expr(condition_id).range, "condition");
    }
  });
  if (selects != nullptr) count_select(*selects, condition, result, slots);
  return result;
}

Lanes Interpreter::eval_assign(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  Lanes value = eval(e.operands[1]);  // before the left side, as C++17 has it
  if (run_.failed()) return value;
  const Lanes where = place(e.operands[0]);
  if (run_.failed()) return where;
  if (e.compound && is_statement(e) && memory_.has_cases(where)) return update_by_cases(e, where, value, e.computation);
  if (e.compound) {
    const Lanes old = memory_.read(where, target.type, target.range);
    if (run_.failed()) return old;
    const bool has_data = issues_.meets_data(old) || issues_.meets_data(value);
    arithmetic_.reject_undefined_operations(
        e.op, program_.type(target.type).form == Type::Form::kPointer ? target.type : e.computation, value, e.range);
    run_.combine(value, old, [&](Value v, Value before) {
      return arithmetic_.compound(e.op, target.type, e.computation, before, v, e.range);
    });
    issues_.count_data(e, e.op, has_data, value);
  }
  memory_.write(where, value, target.type, target.range);
  return value;
}

Lanes Interpreter::eval_inc_dec(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  const Lanes where = place(e.operands[0]);
  if (run_.failed()) return where;
  const Value one = is_real(run_.scalar_of(target.type)) ? Value::real(1) : Value::integer(1);
  if (is_statement(e) && memory_.has_cases(where)) return update_by_cases(e, where, run_.splat(one), target.type);
  const Lanes old = memory_.read(where, target.type, target.range);
  Lanes changed = old;
  run_.change(changed, [&](Value before) { return arithmetic_.compute(e.op, target.type, before, one, e.range); });
  memory_.write(where, changed, target.type, target.range);
  return e.prefix ? changed : old;
}

// bins[x[t]] += 1, where nobody asks what came of it: each that it may be is changed by what it is.
Lanes Interpreter::update_by_cases(const Expr& e, const Lanes& where, const Lanes& given, TypeId computation) {
  const Expr& target = program_.expr(e.operands[0]);
  run_.for_active([&](int t) {
    const auto update = [&](Value there, Value guard) {
      return arithmetic_.compound_under(guard, e.op, target.type, computation, there, given[at(t)], e.range);
    };
    if (!run_.failed()) cells_.update_slot(t, where[at(t)], WordUse::kWrite, update, target.range);
  });
  wavefronts_.count_shared(where, target.type, SharedOperation::kLoad, target.range);
  wavefronts_.count_shared(where, target.type, SharedOperation::kStore, target.range);
  issues_.count_data(e, e.op, true, given);
  return run_.blank();
}

Lanes Interpreter::eval_cast(const Expr& e) {
  const Expr& operand = program_.expr(e.operands[0]);
  const Type& from = program_.type(operand.type);
  const Type& to = program_.type(e.type);
  if (from.form == Type::Form::kArray && to.form == Type::Form::kPointer) return place(e.operands[0]);
  Lanes v = eval(e.operands[0]);
  if (to.form == Type::Form::kVoid) return run_.blank();
  if (to.form == Type::Form::kScalar && to.scalar != Scalar::kBool && !run_.failed())
    run_.change(v, [&](Value operand) {
      const bool fits = !is_real(to.scalar) && bit_width(to.scalar) >= 32;
      if (objects_.is_address(operand) &&
          (!fits || !(objects_.meets(v, Object::Space::kShared) || bit_width(to.scalar) == 64)))
        run_.fail(e.range, fits ? "this is no address in shared memory" : "an address does not fit here");
      return operand;
    });
  if (from.form != Type::Form::kScalar || to.form != Type::Form::kScalar) {
    if (to.form == Type::Form::kScalar && from.form == Type::Form::kPointer && to.scalar == Scalar::kBool)
      run_.for_active([&](int t) { v.entry(at(t, 1, 0)) = Value::integer(1); });
    return v;
  }
  run_.change(v, [&](Value operand) {
    const Value result = provenance_.convert(operand, from.scalar, to.scalar);
    arithmetic_.follow(result, {operand}, e.range, "conversion");
    return result;
  });
  return v;
}

Lanes Interpreter::eval_construct(const Expr& e) {
  const int slots = run_.slots_of(e.type);
  Lanes result = run_.blank(slots);
  const Value zero = is_real(innermost(program_, e.type).scalar) ? Value::real(0) : Value::integer(0);
  if (run_.mask.all()) result = Lanes(result.size(), zero);
  else
    run_.for_active([&](int t) {
      for (int s = 0; s < slots; ++s) result.entry(at(t, slots, s)) = zero;
    });
  int next = 0;
  for (ExprId part : e.operands) {
    const int count = run_.slots_of(program_.expr(part).type);
    const Lanes v = eval(part);
    if (run_.failed()) return result;
    if (next + count > slots) break;
    run_.for_active([&](int t) {
      for (int s = 0; s < count; ++s) result.entry(at(t, slots, next + s)) = v[at(t, count, s)];
    });
    next += count;
  }
  return result;
}

Lanes Interpreter::eval_call(const Expr& e) {
  const Function& callee = program_.function(e.callee);
  if (calling_[e.callee.value]) {
    run_.refuse(e.range, fmt::format("'{}' calls itself, which is not supported", callee.name));
    return run_.blank(run_.slots_of(e.type));
  }
  std::vector<Lanes> arguments;
  for (ExprId a : e.operands) {
    arguments.push_back(eval(a));
    if (run_.failed()) return run_.blank(run_.slots_of(e.type));
  }
  for (std::size_t i = 0; i < arguments.size() && i < callee.parameters.size(); ++i)
    cells_.make_fresh(objects_[objects_.object_of(callee.parameters[i])], arguments[i], e.range);
  const ThreadMask mask = run_.mask;
  calling_[e.callee.value] = 1;
  ++call_depth_;
  std::vector<char> returned(static_cast<std::size_t>(run_.threads), 0), broken = returned, continued = returned;
  Lanes value = run_.blank(run_.slots_of(e.type));
  std::swap(returned, returned_);
  std::swap(broken, broken_);
  std::swap(continued, continued_);
  std::swap(value, return_value_);
  const Lanes* const outer = std::exchange(call_guard_, &mask.guard);
  exec(callee.body);
  call_guard_ = outer;
  std::swap(value, return_value_);
  returned_ = std::move(returned);
  broken_ = std::move(broken);
  continued_ = std::move(continued);
  run_.mask = mask;
  --call_depth_;
  calling_[e.callee.value] = 0;
  return value.size() == at(run_.threads * run_.slots_of(e.type)) ? value : run_.blank(run_.slots_of(e.type));
}

}  // namespace swizzle
