#include "synth/execution/value_arithmetic.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/comparisons.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/flags.h"
#include "synth/provenance/word_products.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

bool divides(Operator op) { return op == Operator::kDiv || op == Operator::kRem; }
bool shifts(Operator op) { return op == Operator::kShl || op == Operator::kShr; }

// What C++ leaves undefined of an operation on integers with this operand on its right; empty: nothing.
std::string undefined_operation(Operator op, Scalar s, Value right) {
  if (is_real(s) || !right.is_int()) return "";
  if (divides(op) && right.bits == 0) return "division by zero";
  if (!shifts(op) || (right.bits >= 0 && right.bits < bit_width(s))) return "";
  return fmt::format("a shift by {} in a type of {} bits is undefined", right.bits, bit_width(s));
}

}  // namespace

Value ValueArithmetic::compute(Operator op, TypeId type, Value a, Value b, SourceRange range) {
  const Type& t = program_.type(type);
  if (t.form == Type::Form::kPointer) {
    const Value pointer = provenance_.leaves(a)[0].is_pointer() ? a : b;
    const std::int64_t stride = objects_.item_slots(pointer, t.element);
    if (!provenance_.is_index(a) || !provenance_.is_index(b)) {
      run_.refuse(range, "data decide an address, which is not supported");
      return {};
    }
    for (const Value& v : {a, b}) objects_.refuse_arithmetic(v, range);
    return provenance_.binary(op, Scalar::kI64, objects_.scaled(a, stride), objects_.scaled(b, stride));
  }
  const Scalar s = run_.scalar_of(type);
  if (objects_.is_address(a) || objects_.is_address(b)) return shared_offset(op, a, b, range);
  if (std::string what = undefined_operation(op, s, b); !what.empty()) run_.break_rule(range, std::move(what));
  const Value result = provenance_.binary(op, s, a, b);
  if (loses_bits(result, std::array{a, b})) refuse_bits(range, fmt::format("'{}'", spelling(op)), result);
  return result;
}

Value ValueArithmetic::compound(Operator op, TypeId held, TypeId computed, Value before, Value given,
                                SourceRange range) {
  if (program_.type(held).form == Type::Form::kPointer) return compute(op, held, before, given, range);
  const Scalar from = run_.scalar_of(held), to = run_.scalar_of(computed);
  return provenance_.convert(compute(op, computed, provenance_.convert(before, from, to), given, range), to, from);
}

// Of sums, by a summand that is 0 elsewhere; what else is combined is chosen, as a spec has it.
Value ValueArithmetic::compound_under(Value guard, Operator op, TypeId held, TypeId computed, Value before, Value given,
                                      SourceRange range) {
  const bool adds = op == Operator::kAdd || op == Operator::kSub;
  const Scalar s = run_.scalar_of(computed);
  if (!adds || provenance_.is_index(guard) || is_word(provenance_, before) || is_word(provenance_, given))
    return provenance_.select(guard, compound(op, held, computed, before, given, range), before, run_.scalar_of(held));
  const Value zero = is_real(s) ? Value::real(0) : Value::integer(0);
  return compound(op, held, computed, before, provenance_.select(guard, given, zero, s), range);
}

void ValueArithmetic::reject_undefined_operations(Operator op, TypeId type, Lanes& right, SourceRange range) {
  if (!divides(op) && !shifts(op)) return;
  run_.for_active([&](int t) {
    const Value guard = run_.mask.guard[at(t)];
    if (!provenance_.has_choice(guard)) return;
    std::string what = undefined_operation(op, run_.scalar_of(type), right[at(t)]);
    if (what.empty()) return;
    run_.violate(guard, std::move(what), range);
    right.entry(at(t)) = Value::integer(1);  // whatever: no completion comes here
  });
}

// An address in an integer, plus or minus bytes.
Value ValueArithmetic::shared_offset(Operator op, Value a, Value b, SourceRange range) {
  const bool sums = op == Operator::kAdd || (op == Operator::kSub && objects_.is_address(a));
  const Value address = objects_.is_address(a) ? a : b, bytes = objects_.is_address(a) ? b : a;
  if (!sums || objects_.is_address(bytes) || !provenance_.is_index(bytes) || bytes.is_undefined()) {
    run_.refuse(
        range,
        "of an address in shared memory, only sums with bytes are followed; ask for the address of the element: &tile[i]");
    return {};
  }
  objects_.refuse_arithmetic(address, range);
  if (run_.failed()) return {};
  const int slot_bytes = objects_[provenance_.leaves(address)[0].aux].slot_bytes;
  const Value slots = provenance_.map_leaves(bytes, [&](Value x) -> Value {
    if (!run_.without_stride(x).is_int()) return {};
    if (x.bits % slot_bytes == 0) return Value::integer(x.bits / slot_bytes);
    run_.fail(range,
              fmt::format("this is {} bytes from an element, and elements have {}", x.bits % slot_bytes, slot_bytes));
    return {};
  });
  return provenance_.binary(op, Scalar::kI64, address, slots);
}

Value ValueArithmetic::extremum(Ring ring, Scalar s, Value a, Value b) {
  if (!provenance_.is_index(a) || !provenance_.is_index(b)) return provenance_.combine(ring, s, a, b);
  return provenance_.select(provenance_.binary(ring == Ring::kMin ? Operator::kLt : Operator::kGt, s, a, b), a, b);
}

bool ValueArithmetic::has_constant_leaf(Value v) const {
  const std::vector<Value> leaves = provenance_.leaves(v);
  return std::any_of(leaves.begin(), leaves.end(), [](const Value& leaf) { return leaf.is_int(); });
}

Value ValueArithmetic::call(const Expr& e, Scalar s, const std::vector<Value>& v) {
  const bool compares = e.intrinsic == Intrinsic::kMin || e.intrinsic == Intrinsic::kMax;
  for (const Value& x : v)
    if (x.is_undefined() || (!compares && run_.without_stride(x).is_undefined())) return {};
  if (std::all_of(v.begin(), v.end(), [](Value x) { return x.is_int(); })) {
    std::vector<std::int64_t> integers;
    for (const Value& x : v) integers.push_back(x.bits);
    if (const auto known = evaluate(e.intrinsic, s, integers)) return Value::integer(*known);
  }
  if (v.size() == 1 && v[0].is_real())
    if (const auto known = evaluate_real(e.intrinsic, run_.scalar_of(e.type), v[0].as_real()))
      return Value::real(*known);
  if (std::ranges::any_of(v, [&](Value x) { return is_word(provenance_, x); }))
    return word_intrinsic(provenance_, e.intrinsic, s, v);
  if (lane_behavior(e.intrinsic) == LaneBehavior::kSameBits)
    return provenance_.same_bits(v[0], s, run_.scalar_of(e.type));
  if (e.intrinsic == Intrinsic::kPopc)
    if (const auto count = count_flags(provenance_, s, v[0])) return *count;
  if (e.intrinsic == Intrinsic::kMin) return extremum(Ring::kMin, s, v[0], v[1]);
  if (e.intrinsic == Intrinsic::kMax) return extremum(Ring::kMax, s, v[0], v[1]);
  if (e.intrinsic == Intrinsic::kFma)
    return provenance_.binary(Operator::kAdd, s, provenance_.binary(Operator::kMul, s, v[0], v[1]), v[2]);
  const bool index = std::all_of(v.begin(), v.end(), [&](Value x) { return provenance_.is_index(x); });
  if (e.intrinsic == Intrinsic::kAbs && index) {
    const Value zero = is_real(s) ? Value::real(0) : Value::integer(0);
    return provenance_.select(provenance_.binary(Operator::kLt, s, v[0], zero),
                              provenance_.binary(Operator::kSub, s, zero, v[0]), v[0]);
  }
  if (v.size() == 1 && !v[0].is_int() && !is_real(s) && (index || has_constant_leaf(v[0])))
    return provenance_.map_leaves(v[0], [&](Value x) { return call(e, s, {x}); });
  if (index && lane_behavior(e.intrinsic) == LaneBehavior::kOfWords) return of_each_leaf(e, s, v);
  if (e.intrinsic == Intrinsic::kAbs) return absolute_value(provenance_, run_.scalar_of(e.type), v[0]);
  if (const auto product = word_product(provenance_, e.intrinsic, s, v)) return *product;
  const auto code = kOpaqueIntrinsic + static_cast<std::uint32_t>(e.intrinsic);
  return provenance_.opaque(code, run_.scalar_of(e.type), v);
}

// A function of choices of integers is a choice of its values.
Value ValueArithmetic::of_each_leaf(const Expr& e, Scalar s, const std::vector<Value>& v) {
  const auto open = std::find_if(v.begin(), v.end(), [](Value x) { return !x.is_int(); });
  if (open == v.end()) return {};
  return provenance_.map_leaves(*open, [&](Value leaf) -> Value {
    if (!run_.without_stride(leaf).is_int()) return {};
    std::vector<Value> known = v;
    known[static_cast<std::size_t>(open - v.begin())] = leaf;
    return call(e, s, known);
  });
}

// A word is true where some bit is 1.
Value ValueArithmetic::as_condition(Value v) {
  if (v.stride != 0) return run_.box->strides.binary(Operator::kNe, Scalar::kI64, v, Value::integer(0));
  return is_word(provenance_, v) ? word_of(provenance_, Scalar::kBool, {truth_bit(provenance_, v)}) : v;
}

// What holes leave undefined decides nothing, also where both ways lead to the same.
void ValueArithmetic::reject_undefined(Value condition, Value guard, SourceRange range) {
  if (!provenance_.has_choice(condition)) return;
  const Value left = definedness(provenance_, Ring::kXor, Scalar::kBool, condition);
  if (!left.is_node()) return;
  for (const Term& term : provenance_.terms(Ring::kXor, Scalar::kBool, left)) {
    const Value undefined = provenance_.map_leaves(Value::node(term.factors[0]),
                                                   [](Value leaf) { return Value::integer(leaf.is_undefined()); });
    const Value violation = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, undefined);
    if (provenance_.is_index(violation)) run_.violate(violation, "the condition is undefined", range);
  }
}

// What becomes of bits must have a place among them: see words.h.
bool ValueArithmetic::loses_bits(Value result, std::span<const Value> operands) const {
  bool has_word = false;
  for (const Value& v : operands) {
    if (v.is_undefined()) return false;
    has_word = has_word || is_word(provenance_, v);
  }
  return has_word && (result.is_undefined() || !is_followed(provenance_, result));
}

// What has a rule has too many terms.
void ValueArithmetic::refuse_bits(SourceRange range, std::string_view what, Value result) {
  const char* const why =
      result.is_undefined()
          ? "; '#pragma swizzle bits' follows what moves, masks and combines bits, not arithmetic on them"
          : ": too many bits of the input decide one of them together";
  run_.refuse(range, fmt::format("the bits of this {} cannot be followed{}", what, why));
}

}  // namespace swizzle
