// Intrinsics: bit and math functions, accumulators, load and store.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/intrinsics.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostRegisters = 1024;  // of one load() or store()

bool are_register_counts(Value slice, Value iterations) {
  const auto fits = [](Value v) { return v.is_int() && v.bits >= 1 && v.bits <= kMostRegisters; };
  return fits(slice) && fits(iterations) && slice.bits * iterations.bits <= kMostRegisters;
}

bool is_dot_product(Intrinsic kind) {
  return kind == Intrinsic::kDp4a || kind == Intrinsic::kDp2aLo || kind == Intrinsic::kDp2aHi;
}

}  // namespace

Lanes Interpreter::eval_intrinsic(const Expr& e) {
  switch (lane_behavior(e.intrinsic)) {
    case LaneBehavior::kShuffle: return eval_shuffle(e);
    case LaneBehavior::kVote: return eval_vote(e);
    case LaneBehavior::kReduction: return eval_reduction(e);
    case LaneBehavior::kBarrier: barrier(e); return blank();
    case LaneBehavior::kRead: {
      const Lanes pointers = eval(e.operands[0]);
      return failed() ? blank(slots_of(e.type)) : read(pointers, e.type, e.range);
    }
    case LaneBehavior::kCopies: return eval_copies(e);
    case LaneBehavior::kOfWords:
    case LaneBehavior::kAlgebraic:
    case LaneBehavior::kUninterpreted: return eval_arithmetic(e);
    case LaneBehavior::kWrite:
    case LaneBehavior::kNoEffect: return blank();
    case LaneBehavior::kEnd:
      for_active([&](int t) { fail(e.range, fmt::format("thread {} ends the launch here", t)); });
      return blank();
    case LaneBehavior::kOfSketches: return eval_of_sketches(e);
    case LaneBehavior::kMatrix: return eval_matrices(e);
  }
  return blank();
}

Lanes Interpreter::eval_of_sketches(const Expr& e) {
  switch (e.intrinsic) {
    case Intrinsic::kCreateAccumulator:
    case Intrinsic::kEvalAccumulator: return eval(e.operands[0]);
    case Intrinsic::kAccumulate: eval(e.operands[2]); return blank();
    case Intrinsic::kLoad: return eval_load(e);
    default: return eval_store(e);
  }
}

Lanes Interpreter::eval_arithmetic(const Expr& e) {
  std::vector<Lanes> operands;
  for (ExprId o : e.operands) {
    operands.push_back(eval(o));
    if (failed()) return blank();
  }
  Lanes result = blank();
  const Scalar s = e.operands.empty() ? scalar_of(e.type) : scalar_of(program_.expr(e.operands[0]).type);
  const auto of_thread = [&](int t) {
    std::vector<Value> v;
    for (const Lanes& o : operands) v.push_back(o[at(t)]);
    const Value computed = arithmetic(e, s, v);
    if (loses_bits(computed, v)) refuse_bits(e.range, "function", computed);
    return computed;
  };
  if (mask_.all() && std::ranges::all_of(operands, &Lanes::are_alike)) result = Lanes(result.size(), of_thread(0));
  else for_active([&](int t) { result.entry(at(t)) = of_thread(t); });
  const bool has_data = std::ranges::any_of(operands, [&](const Lanes& o) { return meets_data(o); });
  count_data(e, Operator::kAdd, has_data || meets_data(result), result);
  return result;
}

Value Interpreter::extremum(Ring ring, Scalar s, Value a, Value b) {
  if (!provenance_.is_index(a) || !provenance_.is_index(b)) return provenance_.combine(ring, s, a, b);
  return provenance_.select(provenance_.binary(ring == Ring::kMin ? Operator::kLt : Operator::kGt, s, a, b), a, b);
}

bool Interpreter::has_constant_leaf(Value v) const {
  const std::vector<Value> leaves = provenance_.leaves(v);
  return std::any_of(leaves.begin(), leaves.end(), [](const Value& leaf) { return leaf.is_int(); });
}

Value Interpreter::arithmetic(const Expr& e, Scalar s, const std::vector<Value>& v) {
  const bool compares = e.intrinsic == Intrinsic::kMin || e.intrinsic == Intrinsic::kMax;
  for (const Value& x : v)
    if (x.is_undefined() || (!compares && without_stride(x).is_undefined())) return {};
  if (std::all_of(v.begin(), v.end(), [](Value x) { return x.is_int(); })) {
    std::vector<std::int64_t> integers;
    for (const Value& x : v) integers.push_back(x.bits);
    if (const auto known = evaluate(e.intrinsic, s, integers)) return Value::integer(*known);
  }
  if (std::ranges::any_of(v, [&](Value x) { return is_word(provenance_, x); }))
    return word_intrinsic(provenance_, e.intrinsic, s, v);
  if (e.intrinsic == Intrinsic::kMin) return extremum(Ring::kMin, s, v[0], v[1]);
  if (e.intrinsic == Intrinsic::kMax) return extremum(Ring::kMax, s, v[0], v[1]);
  if (is_dot_product(e.intrinsic) && !(v[2] == Value::integer(0)))  // it adds to its last operand
    return provenance_.binary(Operator::kAdd, s, arithmetic(e, s, {v[0], v[1], Value::integer(0)}), v[2]);
  if (e.intrinsic == Intrinsic::kFma)
    return provenance_.binary(Operator::kAdd, s, provenance_.binary(Operator::kMul, s, v[0], v[1]), v[2]);
  const bool index = std::all_of(v.begin(), v.end(), [&](Value x) { return provenance_.is_index(x); });
  if (e.intrinsic == Intrinsic::kAbs && index) {
    const Value zero = is_real(s) ? Value::real(0) : Value::integer(0);
    return provenance_.select(provenance_.binary(Operator::kLt, s, v[0], zero),
                              provenance_.binary(Operator::kSub, s, zero, v[0]), v[0]);
  }
  if (v.size() == 1 && !v[0].is_int() && !is_real(s) && (index || has_constant_leaf(v[0])))
    return provenance_.map_leaves(v[0], [&](Value x) { return arithmetic(e, s, {x}); });
  const auto code = kOpaqueIntrinsic + static_cast<std::uint32_t>(e.intrinsic);
  return provenance_.opaque(code, scalar_of(e.type), v);
}

// Register i·slice + j of lane l is element offset + (i · 32 + l) · slice + j, added up in the type of the offset as it
// is written: from an unsigned `base - 1`, lane 1 reads element base.
Value Interpreter::chunk_pointer(const Expr& chunk, Value base, Value offset, int thread, std::int64_t slice,
                                 std::int64_t r, int slots) {
  const std::int64_t element = (r / slice * kWarpSize + thread % kWarpSize) * slice + r % slice;
  const Expr& written = program_.expr(chunk.operands[1]);
  const bool is_widened =
      written.kind == ExprKind::kCast && scalar_of(program_.expr(written.operands[0]).type) == Scalar::kU32;
  const Scalar computed = is_widened ? Scalar::kU32 : Scalar::kI64;
  const Value shift = provenance_.map_leaves(offset, [&](Value o) {
    if (o.stride != 0) return scaled(box_->strides.binary(Operator::kAdd, computed, o, Value::integer(element)), slots);
    return o.is_int() ? Value::integer(wrap(computed, o.bits + element) * slots) : Value{};
  });
  return provenance_.binary(Operator::kAdd, Scalar::kI64, base, shift);
}

// load() and store() guard themselves: outside of the buffer there is nothing to read, and nothing is stored.
bool Interpreter::is_outside(Value slot) const { return slot.is_pointer() && !in_range(objects_[slot.aux], slot); }

Lanes Interpreter::eval_load(const Expr& e) {
  std::vector<Lanes> v;
  for (ExprId o : e.operands) v.push_back(eval(o));
  if (failed()) return blank();
  const int slots = slots_of(program_.type(e.type).element);
  std::int64_t slice = 0, iterations = 0;
  for_active([&](int t) {
    const Value s = v[2][at(t, 1, 0)], n = v[3][at(t, 1, 0)];
    if (!are_register_counts(s, n) || (slice != 0 && (slice != s.bits || iterations != n.bits)))
      return fail(
          e.range,
          fmt::format(
              "load() takes a slice and a number of iterations that are constants of 1 or more, for {} registers at most",
              kMostRegisters));
    slice = s.bits;
    iterations = n.bits;
  });
  if (failed() || slice == 0) return blank();
  Object registers;
  registers.name = "registers of load()";
  registers.slots = slice * iterations * slots;
  registers.cells = blank(static_cast<int>(registers.slots));
  for_active([&](int t) {
    for (std::int64_t r = 0; r < slice * iterations && !failed(); ++r) {
      const Value p = chunk_pointer(e, v[0][at(t, 1, 0)], v[1][at(t, 1, 0)], t, slice, r, slots);
      for (int k = 0; k < slots; ++k) {
        const Value slot = provenance_.binary(Operator::kAdd, Scalar::kI64, p, Value::integer(k));
        if (!is_outside(slot))
          registers.cells.entry(at(t, static_cast<int>(registers.slots), static_cast<int>(r * slots) + k)) =
              read_slot(t, slot, e.range);
      }
    }
  });
  const double issued = static_cast<double>(slice * iterations) * load_instructions(program_.type(e.type).element);
  count_guarded(&Counts::loads, issued);
  objects_.push_back(std::move(registers));
  return splat(Value::pointer(static_cast<std::uint32_t>(objects_.size() - 1), 0));
}

Lanes Interpreter::eval_store(const Expr& e) {
  std::vector<Lanes> v;
  for (std::size_t i = 0; i < 4; ++i) v.push_back(eval(e.operands[i]));
  if (failed()) return blank();
  const Expr& given = program_.expr(e.operands[4]);
  const Type& held = program_.type(given.type);
  if (held.form != Type::Form::kPointer && held.form != Type::Form::kArray) {
    fail(given.range, "store() takes an array of registers: float r[1] = {v};");
    return blank();
  }
  const Lanes registers = held.form == Type::Form::kPointer ? eval(e.operands[4]) : place(e.operands[4]);
  if (failed()) return blank();
  const int slots = slots_of(held.element);
  for_active([&](int t) {
    const Value slice = v[2][at(t, 1, 0)], iterations = v[3][at(t, 1, 0)];
    if (!are_register_counts(slice, iterations))
      return fail(
          e.range,
          fmt::format(
              "store() takes a slice and a number of iterations that are constants of 1 or more, for {} registers at most",
              kMostRegisters));
    for (std::int64_t r = 0; r < slice.bits * iterations.bits && !failed(); ++r) {
      const Value p = chunk_pointer(e, v[0][at(t, 1, 0)], v[1][at(t, 1, 0)], t, slice.bits, r, slots);
      for (int k = 0; k < slots; ++k) {
        const Value slot = provenance_.binary(Operator::kAdd, Scalar::kI64, p, Value::integer(k));
        const Value from =
            provenance_.binary(Operator::kAdd, Scalar::kI64, registers[at(t, 1, 0)], Value::integer(r * slots + k));
        if (is_outside(slot)) continue;
        write_slot(t, slot, read_slot(t, from, e.range), e.range);
      }
    }
  });
  return blank();
}

}  // namespace swizzle
