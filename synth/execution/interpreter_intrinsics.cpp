// Intrinsics: bit and math functions, accumulators, load and store.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostRegisters = 1024;  // of one load() or store()

bool are_register_counts(Value slice, Value iterations) {
  const auto fits = [](Value v) { return v.is_int() && v.bits >= 1 && v.bits <= kMostRegisters; };
  return fits(slice) && fits(iterations) && slice.bits * iterations.bits <= kMostRegisters;
}

}  // namespace

Lanes Interpreter::eval_intrinsic(const Expr& e) {
  switch (lane_behavior(e.intrinsic)) {
    case LaneBehavior::kShuffle: return collectives_.eval_shuffle(e);
    case LaneBehavior::kVote: return collectives_.eval_vote(e);
    case LaneBehavior::kMatch: return collectives_.eval_match(e);
    case LaneBehavior::kReduction: return collectives_.eval_reduction(e);
    case LaneBehavior::kBarrier: collectives_.barrier(e); return run_.blank();
    case LaneBehavior::kRead: {
      const Lanes pointers = eval(e.operands[0]);
      return run_.failed() ? run_.blank(run_.slots_of(e.type)) : memory_.read(pointers, e.type, e.range);
    }
    case LaneBehavior::kAtomic: return atomics_.eval_atomic(e);
    case LaneBehavior::kCopies: return copies_.eval_copies(e);
    case LaneBehavior::kOfWords:
    case LaneBehavior::kAlgebraic:
    case LaneBehavior::kUninterpreted:
    case LaneBehavior::kSameBits: return eval_arithmetic(e);
    case LaneBehavior::kUnrepeatable: return eval_unrepeatable(e);
    case LaneBehavior::kWrite:
    case LaneBehavior::kNoEffect: return run_.blank();
    case LaneBehavior::kEnd:
      run_.for_active([&](int t) { run_.fail(e.range, fmt::format("thread {} ends the launch here", t)); });
      return run_.blank();
    case LaneBehavior::kOfSketches: return eval_of_sketches(e);
    case LaneBehavior::kMatrix: return matrices_.eval_matrices(e);
  }
  return run_.blank();
}

// A function of what is never asked again: how many nodes there were before this one.
Lanes Interpreter::eval_unrepeatable(const Expr& e) {
  const auto code = kOpaqueIntrinsic + static_cast<std::uint32_t>(e.intrinsic);
  Lanes result = run_.blank();
  run_.for_active([&](int t) {
    const auto moment = static_cast<std::int64_t>(provenance_.size());
    result.entry(at(t)) = provenance_.opaque(code, run_.scalar_of(e.type), {Value::integer(moment)});
  });
  return result;
}

Lanes Interpreter::eval_of_sketches(const Expr& e) {
  switch (e.intrinsic) {
    case Intrinsic::kCreateAccumulator:
    case Intrinsic::kEvalAccumulator: return eval(e.operands[0]);
    case Intrinsic::kAccumulate: eval(e.operands[2]); return run_.blank();
    case Intrinsic::kLoad: return eval_load(e);
    default: return eval_store(e);
  }
}

Lanes Interpreter::eval_arithmetic(const Expr& e) {
  std::vector<Lanes> operands;
  for (ExprId o : e.operands) {
    operands.push_back(eval(o));
    if (run_.failed()) return run_.blank();
  }
  Lanes result = run_.blank();
  const Scalar s = e.operands.empty() ? run_.scalar_of(e.type) : run_.scalar_of(program_.expr(e.operands[0]).type);
  const auto of_thread = [&](int t) {
    std::vector<Value> v;
    for (const Lanes& o : operands) v.push_back(o[at(t)]);
    const Value computed = arithmetic_.call(e, s, v);
    if (arithmetic_.loses_bits(computed, v)) arithmetic_.refuse_bits(e.range, "function", computed);
    return computed;
  };
  if (run_.mask.all() && std::ranges::all_of(operands, &Lanes::are_alike)) result = Lanes(result.size(), of_thread(0));
  else run_.for_active([&](int t) { result.entry(at(t)) = of_thread(t); });
  const bool has_data = std::ranges::any_of(operands, [&](const Lanes& o) { return issues_.meets_data(o); });
  issues_.count_data(e, Operator::kAdd, has_data || issues_.meets_data(result), result);
  return result;
}

// Register i·slice + j of lane l is element offset + (i · 32 + l) · slice + j, added up in the type of the offset as it
// is written: from an unsigned `base - 1`, lane 1 reads element base.
Value Interpreter::chunk_pointer(const Expr& chunk, Value base, Value offset, int thread, std::int64_t slice,
                                 std::int64_t r, int slots) {
  const std::int64_t element = (r / slice * kWarpSize + thread % kWarpSize) * slice + r % slice;
  const Expr& written = program_.expr(chunk.operands[1]);
  const bool is_widened =
      written.kind == ExprKind::kCast && run_.scalar_of(program_.expr(written.operands[0]).type) == Scalar::kU32;
  const Scalar computed = is_widened ? Scalar::kU32 : Scalar::kI64;
  const Value shift = provenance_.map_leaves(offset, [&](Value o) {
    if (o.stride != 0)
      return objects_.scaled(run_.box->strides.binary(Operator::kAdd, computed, o, Value::integer(element)), slots);
    return o.is_int() ? Value::integer(wrap(computed, o.bits + element) * slots) : Value{};
  });
  return provenance_.binary(Operator::kAdd, Scalar::kI64, base, shift);
}

Lanes Interpreter::eval_load(const Expr& e) {
  std::vector<Lanes> v;
  for (ExprId o : e.operands) v.push_back(eval(o));
  if (run_.failed()) return run_.blank();
  const int slots = run_.slots_of(program_.type(e.type).element);
  std::int64_t slice = 0, iterations = 0;
  run_.for_active([&](int t) {
    const Value s = v[2][at(t, 1, 0)], n = v[3][at(t, 1, 0)];
    if (!are_register_counts(s, n) || (slice != 0 && (slice != s.bits || iterations != n.bits)))
      return run_.fail(
          e.range,
          fmt::format(
              "load() takes a slice and a number of iterations that are constants of 1 or more, for {} registers at most",
              kMostRegisters));
    slice = s.bits;
    iterations = n.bits;
  });
  if (run_.failed() || slice == 0) return run_.blank();
  Object registers;
  registers.name = "registers of load()";
  registers.slots = slice * iterations * slots;
  registers.cells = run_.blank(static_cast<int>(registers.slots));
  run_.for_active([&](int t) {
    for (std::int64_t r = 0; r < slice * iterations && !run_.failed(); ++r) {
      const Value p = chunk_pointer(e, v[0][at(t, 1, 0)], v[1][at(t, 1, 0)], t, slice, r, slots);
      for (int k = 0; k < slots; ++k) {
        const Value slot = provenance_.binary(Operator::kAdd, Scalar::kI64, p, Value::integer(k));
        if (!objects_.is_outside(slot))
          registers.cells.entry(at(t, static_cast<int>(registers.slots), static_cast<int>(r * slots) + k)) =
              cells_.read_slot(t, slot, e.range);
      }
    }
  });
  const double issued =
      static_cast<double>(slice * iterations) * load_instructions(program_.type(program_.type(e.type).element));
  issues_.count_guarded(&Counts::loads, issued);
  return run_.splat(Value::pointer(objects_.add(std::move(registers)), 0));
}

Lanes Interpreter::eval_store(const Expr& e) {
  std::vector<Lanes> v;
  for (std::size_t i = 0; i < 4; ++i) v.push_back(eval(e.operands[i]));
  if (run_.failed()) return run_.blank();
  const Expr& given = program_.expr(e.operands[4]);
  const Type& held = program_.type(given.type);
  if (held.form != Type::Form::kPointer && held.form != Type::Form::kArray) {
    run_.fail(given.range, "store() takes an array of registers: float r[1] = {v};");
    return run_.blank();
  }
  const Lanes registers = held.form == Type::Form::kPointer ? eval(e.operands[4]) : place(e.operands[4]);
  if (run_.failed()) return run_.blank();
  const int slots = run_.slots_of(held.element);
  run_.for_active([&](int t) {
    const Value slice = v[2][at(t, 1, 0)], iterations = v[3][at(t, 1, 0)];
    if (!are_register_counts(slice, iterations))
      return run_.fail(
          e.range,
          fmt::format(
              "store() takes a slice and a number of iterations that are constants of 1 or more, for {} registers at most",
              kMostRegisters));
    for (std::int64_t r = 0; r < slice.bits * iterations.bits && !run_.failed(); ++r) {
      const Value p = chunk_pointer(e, v[0][at(t, 1, 0)], v[1][at(t, 1, 0)], t, slice.bits, r, slots);
      for (int k = 0; k < slots; ++k) {
        const Value slot = provenance_.binary(Operator::kAdd, Scalar::kI64, p, Value::integer(k));
        const Value from =
            provenance_.binary(Operator::kAdd, Scalar::kI64, registers[at(t, 1, 0)], Value::integer(r * slots + k));
        if (objects_.is_outside(slot)) continue;
        cells_.write_slot(t, slot, cells_.read_slot(t, from, e.range), e.range);
      }
    }
  });
  return run_.blank();
}

}  // namespace swizzle
