// Expressions: values of all threads at once, and the places that lvalues name.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/places.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/words.h"

namespace swizzle {

bool Interpreter::names_place(const Expr& e) const {
  const auto operand = [&](std::size_t i) { return names_place(program_.expr(e.operands[i])); };
  switch (e.kind) {
    case ExprKind::kConditional: return operand(1) && operand(2);
    case ExprKind::kComma: return operand(1);
    case ExprKind::kAssign: return true;
    case ExprKind::kIncDec: return e.prefix;
    default: return is_lvalue(program_, e);
  }
}

// Reading it needs no address.
const Object* Interpreter::scalar_variable(const Expr& e) {
  if (e.kind != ExprKind::kVariable || program_.variable(e.variable).is_reference) return nullptr;
  const Object& object = objects_[object_of(e.variable)];
  return object.space == Space::kLocal && object.slots == 1 && e.type == program_.variable(e.variable).type ? &object
                                                                                                            : nullptr;
}

Lanes Interpreter::eval(ExprId id) {
  const Expr& e = program_.expr(id);
  charge(e.range);
  if (failed()) return blank(slots_of(e.type));
  if (const Object* variable = scalar_variable(e)) {
    if (mask_.all()) return variable->cells;
    Lanes values = blank();
    for_active([&](int t) { values.entry(at(t)) = variable->cells[at(t)]; });
    return values;
  }
  if (is_lvalue(program_, e)) {
    const Lanes where = place(id);
    return failed() ? blank(slots_of(e.type)) : read(where, e.type, e.range);
  }
  Lanes result = eval_scalarwise(e);
  if (failed()) return blank(slots_of(e.type));
  return result;
}

Lanes Interpreter::eval_scalarwise(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntLiteral:
    case ExprKind::kRealLiteral: return eval_literal(e);
    case ExprKind::kBuiltin: return eval_builtin(e);
    case ExprKind::kUnary: {
      Lanes v = eval(e.operands[0]);
      change(v, [&](Value operand) {
        const Value result = provenance_.unary(e.op, scalar_of(e.type), operand);
        if (loses_bits(result, {&operand, 1})) refuse_bits(e.range, fmt::format("'{}'", spelling(e.op)), result);
        return result;
      });
      return v;
    }
    case ExprKind::kBinary: return eval_binary(e);
    case ExprKind::kAssign: return eval_assign(e);
    case ExprKind::kIncDec: return eval_inc_dec(e);
    case ExprKind::kConditional:
      return eval_conditional(
          e.operands[0], [&] { return eval(e.operands[1]); }, [&] { return eval(e.operands[2]); }, slots_of(e.type));
    case ExprKind::kComma: eval(e.operands[0]); return eval(e.operands[1]);
    case ExprKind::kAddressOf: return place(e.operands[0]);
    case ExprKind::kCast: return eval_cast(e);
    case ExprKind::kConstruct: return eval_construct(e);
    case ExprKind::kCall: return eval_call(e);
    case ExprKind::kIntrinsic: return eval_intrinsic(e);
    case ExprKind::kHole: return eval_hole(e);
    case ExprKind::kMember: {
      const Lanes whole = eval(e.operands[0]);
      const int slots = slots_of(e.type), all = slots_of(program_.expr(e.operands[0]).type);
      Lanes part = blank(slots);
      for_active([&](int t) {
        for (int s = 0; s < slots; ++s) part.entry(at(t, slots, s)) = whole[at(t, all, e.member_slot + s)];
      });
      return part;
    }
    default: return blank(slots_of(e.type));
  }
}

Lanes Interpreter::eval_literal(const Expr& e) {
  const bool real = e.kind == ExprKind::kRealLiteral || is_real(scalar_of(e.type));
  if (!real) return splat(Value::integer(e.int_value));
  return splat(Value::real(e.kind == ExprKind::kRealLiteral ? e.real_value : static_cast<double>(e.int_value)));
}

Lanes Interpreter::eval_builtin(const Expr& e) {
  const int bx = shape_.block[0], by = shape_.block[1], gx = shape_.grid[0], gy = shape_.grid[1];
  const bool by_warps = box_ != nullptr && box_->by_warps;  // then threads are numbered from the warp's first on
  const int wx = by_warps ? std::min(bx, kWarpSize) : bx, wy = by_warps ? kWarpSize / wx : by;
  Lanes result = blank();
  for_active([&](int t) {
    std::int64_t v = 0;
    switch (e.builtin) {
      case Builtin::kThreadIdxX: v = t % wx; break;
      case Builtin::kThreadIdxY: v = t / wx % wy; break;
      case Builtin::kThreadIdxZ: v = t / wx / wy; break;
      case Builtin::kBlockIdxX: v = block_ % gx; break;
      case Builtin::kBlockIdxY: v = block_ / gx % gy; break;
      case Builtin::kBlockIdxZ: v = block_ / gx / gy; break;
      case Builtin::kBlockDimX: v = bx; break;
      case Builtin::kBlockDimY: v = by; break;
      case Builtin::kBlockDimZ: v = shape_.block[2]; break;
      case Builtin::kGridDimX: v = gx; break;
      case Builtin::kGridDimY: v = gy; break;
      case Builtin::kGridDimZ: v = shape_.grid[2]; break;
      case Builtin::kWarpSize: v = kWarpSize; break;
      case Builtin::kLaneId: v = t % kWarpSize; break;
    }
    result.entry(at(t, 1, 0)) = box_ != nullptr ? coordinate(e.builtin, v) : Value::integer(v);
  });
  result.join_alike();
  return result;
}

Value Interpreter::compute(Operator op, TypeId type, Value a, Value b, SourceRange range) {
  const Type& t = program_.type(type);
  if (t.form == Type::Form::kPointer) {
    const Value pointer = provenance_.leaves(a)[0].is_pointer() ? a : b;
    const std::int64_t stride = item_slots(pointer, t.element);
    if (!provenance_.is_index(a) || !provenance_.is_index(b)) {
      fail(range, "data decide an address, which is not supported");
      return {};
    }
    for (const Value& v : {a, b}) refuse_arithmetic(v, range);
    return provenance_.binary(op, Scalar::kI64, scaled(a, stride), scaled(b, stride));
  }
  const Scalar s = scalar_of(type);
  if (is_address(a) || is_address(b)) return shared_offset(op, a, b, range);
  if ((op == Operator::kDiv || op == Operator::kRem) && !is_real(s) && b.is_int() && b.bits == 0)
    fail(range, "division by zero");
  if ((op == Operator::kShl || op == Operator::kShr) && b.is_int() && (b.bits < 0 || b.bits >= bit_width(s)))
    fail(range, fmt::format("a shift by {} in a type of {} bits is undefined", b.bits, bit_width(s)));
  const Value result = provenance_.binary(op, s, a, b);
  if (loses_bits(result, std::array{a, b})) refuse_bits(range, fmt::format("'{}'", spelling(op)), result);
  return result;
}

// What becomes of bits must have a place among them: see words.h.
bool Interpreter::loses_bits(Value result, std::span<const Value> operands) const {
  bool has_word = false;
  for (const Value& v : operands) {
    if (v.is_undefined()) return false;
    has_word = has_word || is_word(provenance_, v);
  }
  return has_word && (result.is_undefined() || !is_followed(provenance_, result));
}

// What has a rule has too many terms.
void Interpreter::refuse_bits(SourceRange range, std::string_view what, Value result) {
  const char* const why =
      result.is_undefined()
          ? "; '#pragma swizzle bits' follows what moves, masks and combines bits, not arithmetic on them"
          : ": too many bits of the input decide one of them together";
  fail(range, fmt::format("the bits of this {} cannot be followed{}", what, why));
}

// A word is true where some bit is 1.
Value Interpreter::as_condition(Value v) {
  if (v.stride != 0) return box_->strides.binary(Operator::kNe, Scalar::kI64, v, Value::integer(0));
  return is_word(provenance_, v) ? word_of(provenance_, Scalar::kBool, {truth_bit(provenance_, v)}) : v;
}

Lanes Interpreter::eval_binary(const Expr& e) {
  if (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr) {
    const auto right = [&] { return eval(e.operands[1]); };
    const bool is_and = e.op == Operator::kLogicalAnd;
    const auto constant = [&] { return splat(Value::integer(is_and ? 0 : 1)); };
    return is_and ? eval_conditional(e.operands[0], right, constant, 1)
                  : eval_conditional(e.operands[0], constant, right, 1);
  }
  Lanes a = eval(e.operands[0]);
  if (failed()) return a;
  const Lanes b = eval(e.operands[1]);
  if (failed()) return a;
  const TypeId left = program_.expr(e.operands[0]).type, right = program_.expr(e.operands[1]).type;
  const bool left_pointer = program_.type(left).form == Type::Form::kPointer;
  const bool right_pointer = program_.type(right).form == Type::Form::kPointer;
  const bool pointers = left_pointer && right_pointer;
  // Comparisons are computed in the type of their operands.
  const TypeId type = is_comparison(e.op) || pointers ? left : e.type;
  const bool has_data = !is_comparison(e.op) && (meets_data(a) || meets_data(b));
  combine(a, b, [&](Value own, Value other) {
    if (!pointers) return compute(e.op, type, own, other, e.range);
    Value v = provenance_.binary(e.op, Scalar::kI64, own, other);
    if (e.op == Operator::kSub && without_stride(v).is_int()) v.bits /= slots_of(program_.type(left).element);
    return v;
  });
  count_data(e, e.op, has_data, a);
  return a;
}

// Only counts ask.
bool Interpreter::meets_data(const Lanes& values) {
  if (!execution_.counts_issues) return false;
  if (values.are_alike()) return mask_.any() && !provenance_.is_index(values[0]);
  bool data = false;
  for_active([&](int t) { data |= !provenance_.is_index(values[at(t, 1, 0)]); });
  return data;
}

void Interpreter::count_data(const Expr& e, Operator op, bool has_data, const Lanes& results) {
  if (is_comparison(op)) return;
  if (!logic_.empty() && count_words(e, results)) return;
  if (box_ != nullptr) note_issue({true, static_cast<std::uint32_t>(&e - program_.exprs.data())}, has_data);
  if (has_data)
    count_guarded(op == Operator::kMul || op == Operator::kDiv ? &Counts::multiplies : &Counts::accumulates);
}

// What holes leave undefined decides nothing, also where both ways lead to the same.
void Interpreter::reject_undefined(Value condition, Value guard, SourceRange range) {
  if (!provenance_.has_choice(condition)) return;
  const Value left = definedness(provenance_, Ring::kXor, Scalar::kBool, condition);
  if (!left.is_node()) return;
  for (const Term& term : provenance_.terms(Ring::kXor, Scalar::kBool, left)) {
    const Value undefined = provenance_.map_leaves(Value::node(term.factors[0]),
                                                   [](Value leaf) { return Value::integer(leaf.is_undefined()); });
    const Value violation = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, undefined);
    if (provenance_.is_index(violation)) violate(violation, "the condition is undefined", range);
  }
}

Lanes Interpreter::eval_conditional(ExprId condition_id, const std::function<Lanes()>& then,
                                    const std::function<Lanes()>& other, int slots) {
  Lanes condition = eval(condition_id);
  change(condition, [&](Value c) { return as_condition(c); });
  Lanes result = blank(slots);
  if (failed()) return result;
  if (condition.are_alike() && truth(condition[0])) {
    result = *truth(condition[0]) ? then() : other();
    return failed() ? blank(slots) : result;
  }
  Mask yes = mask_, no = mask_;
  for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (condition[i].is_undefined()) return fail(program_.expr(condition_id).range, "the condition is undefined");
    if (const auto known = truth(condition[i])) {
      (*known ? no : yes).on[i] = 0;
      return;
    }
    reject_undefined(condition[i], mask_.guard[i], program_.expr(condition_id).range);
    yes.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, mask_.guard[i], condition[i]);
    no.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, mask_.guard[i],
                                           provenance_.unary(Operator::kLogicalNot, Scalar::kBool, condition[i]));
  });
  Lanes a = blank(slots), b = blank(slots);
  run_under(yes, [&] { a = then(); });
  run_under(no, [&] { b = other(); });
  if (failed()) return result;
  for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    for (int s = 0; s < slots; ++s) {
      const std::size_t k = at(t, slots, s);
      result.entry(k) = !no.on[i] ? a[k] : !yes.on[i] ? b[k] : provenance_.select(condition[i], a[k], b[k]);
      follow(result[k], {condition[i], a[k], b[k]}, program_.expr(condition_id).range, "condition");
    }
  });
  return result;
}

Lanes Interpreter::eval_assign(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  Lanes value = eval(e.operands[1]);  // before the left side, as C++17 has it
  if (failed()) return value;
  const Lanes where = place(e.operands[0]);
  if (failed()) return where;
  if (e.compound) {
    const Lanes old = read(where, target.type, target.range);
    if (failed()) return old;
    const bool pointer = program_.type(target.type).form == Type::Form::kPointer;
    const TypeId computation = pointer ? target.type : e.computation;
    const bool has_data = meets_data(old) || meets_data(value);
    const Scalar held = scalar_of(target.type), computed = scalar_of(computation);
    combine(value, old, [&](Value v, Value before) {
      if (pointer) return compute(e.op, computation, before, v, e.range);
      const Value sum = compute(e.op, computation, provenance_.convert(before, held, computed), v, e.range);
      return provenance_.convert(sum, computed, held);
    });
    count_data(e, e.op, has_data, value);
  }
  write(where, value, target.type, target.range);
  return value;
}

Lanes Interpreter::eval_inc_dec(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  const Lanes where = place(e.operands[0]);
  if (failed()) return where;
  const Lanes old = read(where, target.type, target.range);
  Lanes changed = old;
  const Value one = is_real(scalar_of(target.type)) ? Value::real(1) : Value::integer(1);
  change(changed, [&](Value before) { return compute(e.op, target.type, before, one, e.range); });
  write(where, changed, target.type, target.range);
  return e.prefix ? changed : old;
}

Lanes Interpreter::eval_cast(const Expr& e) {
  const Expr& operand = program_.expr(e.operands[0]);
  const Type& from = program_.type(operand.type);
  const Type& to = program_.type(e.type);
  if (from.form == Type::Form::kArray && to.form == Type::Form::kPointer) return place(e.operands[0]);
  Lanes v = eval(e.operands[0]);
  if (to.form == Type::Form::kVoid) return blank();
  if (to.form == Type::Form::kScalar && to.scalar != Scalar::kBool && !failed())
    change(v, [&](Value operand) {
      const bool fits = !is_real(to.scalar) && bit_width(to.scalar) >= 32;
      if (is_address(operand) && (!fits || !(meets(v, Space::kShared) || bit_width(to.scalar) == 64)))
        fail(e.range, fits ? "this is no address in shared memory" : "an address does not fit here");
      return operand;
    });
  if (from.form != Type::Form::kScalar || to.form != Type::Form::kScalar) {
    if (to.form == Type::Form::kScalar && from.form == Type::Form::kPointer && to.scalar == Scalar::kBool)
      for_active([&](int t) { v.entry(at(t, 1, 0)) = Value::integer(1); });
    return v;
  }
  change(v, [&](Value operand) {
    const Value result = provenance_.convert(operand, from.scalar, to.scalar);
    follow(result, {operand}, e.range, "conversion");
    return result;
  });
  return v;
}

Lanes Interpreter::eval_construct(const Expr& e) {
  const int slots = slots_of(e.type);
  Lanes result = blank(slots);
  const Value zero = is_real(innermost(program_, e.type).scalar) ? Value::real(0) : Value::integer(0);
  if (mask_.all()) result = Lanes(result.size(), zero);
  else
    for_active([&](int t) {
      for (int s = 0; s < slots; ++s) result.entry(at(t, slots, s)) = zero;
    });
  int next = 0;
  for (ExprId part : e.operands) {
    const int count = slots_of(program_.expr(part).type);
    const Lanes v = eval(part);
    if (failed()) return result;
    if (next + count > slots) break;
    for_active([&](int t) {
      for (int s = 0; s < count; ++s) result.entry(at(t, slots, next + s)) = v[at(t, count, s)];
    });
    next += count;
  }
  return result;
}

Lanes Interpreter::eval_call(const Expr& e) {
  const Function& callee = program_.function(e.callee);
  if (calling_[e.callee.value]) {
    fail(e.range, fmt::format("'{}' calls itself, which is not supported", callee.name));
    return blank(slots_of(e.type));
  }
  std::vector<Lanes> arguments;
  for (ExprId a : e.operands) {
    arguments.push_back(eval(a));
    if (failed()) return blank(slots_of(e.type));
  }
  for (std::size_t i = 0; i < arguments.size() && i < callee.parameters.size(); ++i)
    make_fresh(objects_[object_of(callee.parameters[i])], arguments[i], e.range);
  const Mask mask = mask_;
  calling_[e.callee.value] = 1;
  ++call_depth_;
  std::vector<char> returned(static_cast<std::size_t>(threads_), 0), broken = returned, continued = returned;
  Lanes value = blank(slots_of(e.type));
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
  mask_ = mask;
  --call_depth_;
  calling_[e.callee.value] = 0;
  return value.size() == at(threads_ * slots_of(e.type)) ? value : blank(slots_of(e.type));
}

}  // namespace swizzle
