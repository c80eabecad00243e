// Operators on data: sums and products of their rings, and what is of none a function of its own.
#include <algorithm>
#include <optional>
#include <utility>

#include "synth/provenance/comparisons.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/flags.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/powers_of_2.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"

namespace swizzle {

// x >> 0, x / 1
static bool changes_nothing(Operator op, Value rhs) {
  if (op == Operator::kShl || op == Operator::kShr) return rhs.is_int() && rhs.bits == 0;
  return op == Operator::kDiv && !rhs.is_node() && !rhs.is_pointer() && !rhs.is_undefined() && rhs.as_real() == 1;
}

// An integer with a sign, and sums of such, whose type does not tell.
static bool has_sign(const Provenance& p, Value v) {
  const auto is_input = [&](const Node& n) { return n.kind == Node::Kind::kInput && n.scalar == Scalar::kI32; };
  const Node& n = p.node(v);
  if (n.kind != Node::Kind::kRing || n.ring != Ring::kSum || n.scalar != Scalar::kU32) return is_input(n);
  return std::ranges::all_of(n.terms(), [&](const Term& term) {
    return std::ranges::all_of(term.factors, [&](NodeId factor) { return is_input(p.node(factor)); });
  });
}

// (unsigned)k < n, of an int k: 0 <= k && k < n. Nothing: another comparison, or of what has no sign.
static std::optional<Value> compared_without_sign(Provenance& p, Operator op, Scalar s, Value lhs, Value rhs) {
  if (s != Scalar::kU32 || lhs.is_int() == rhs.is_int()) return std::nullopt;
  const Value number = lhs.is_int() ? lhs : rhs, k = p.normalize(lhs.is_int() ? rhs : lhs);
  const std::int64_t n = wrap(Scalar::kU32, number.bits);
  if (n < 1 || n >= INT32_MAX || !k.is_node() || !has_sign(p, k)) return std::nullopt;
  const bool is_within = rhs.is_int(), is_strict = (op == Operator::kLt) == is_within;
  const auto holds = [&](Operator of, Value a, Value b) { return p.binary(of, Scalar::kI32, a, b); };
  const Value within = p.binary(Operator::kLogicalAnd, Scalar::kBool, holds(Operator::kLe, Value::integer(0), k),
                                holds(is_strict ? Operator::kLt : Operator::kLe, k, Value::integer(n)));
  return is_within ? within : p.unary(Operator::kLogicalNot, Scalar::kBool, within);
}

// By <, <=, == or !=.
static Value compared(Provenance& p, Operator op, Scalar s, Value lhs, Value rhs) {
  const bool asks_order = op == Operator::kLt || op == Operator::kLe;
  if (!asks_order) {
    lhs = p.normalize(lhs);
    rhs = p.normalize(rhs);
  }
  if (lhs == rhs && !definedness(p, Ring::kXor, Scalar::kBool, lhs).is_node())
    return Value::integer(op == Operator::kLe || op == Operator::kEq);
  if (asks_order)
    if (const auto with_sign = compared_without_sign(p, op, s, lhs, rhs)) return *with_sign;
  if (!asks_order) {
    if (comes_after(p, lhs, rhs)) std::swap(lhs, rhs);
    if (!is_real(s)) s = algebra_of(Ring::kSum, s);
  }
  return p.opaque(static_cast<std::uint32_t>(op), s, {lhs, rhs});
}

Value Provenance::binary_data(Operator op, Scalar s, Value lhs, Value rhs) {
  if (const auto truth = operate_on_indicators(*this, op, s, lhs, rhs)) return *truth;
  if (const auto word = operate_on_flags(*this, op, s, lhs, rhs)) return *word;
  if (const auto simpler = divided_by_power_of_2(*this, op, s, lhs, rhs)) return *simpler;
  if (changes_nothing(op, rhs)) return lhs;
  switch (op) {
    case Operator::kAdd: return combine(Ring::kSum, s, lhs, rhs);
    case Operator::kSub:
      return combine(Ring::kSum, s, lhs,
                     multiply(Ring::kSum, s, rhs, is_real(s) ? Value::real(-1) : Value::integer(-1)));
    case Operator::kMul:
      for (const auto& [indicator, factor] : {std::pair{lhs, rhs}, std::pair{rhs, lhs}})
        if (const auto clipped = times_indicator(*this, s, indicator, normalize(factor))) return *clipped;
      return multiply(Ring::kSum, s, lhs, rhs);
    case Operator::kXor: return combine(Ring::kXor, s, lhs, rhs);
    case Operator::kAnd: return multiply(Ring::kXor, s, lhs, rhs);
    case Operator::kOr: return combine(Ring::kOr, s, lhs, rhs);
    case Operator::kShl:
      if (rhs.is_int() && rhs.bits >= 0 && rhs.bits < bit_width(s))
        return multiply(Ring::kSum, s, lhs, Value::integer(static_cast<std::int64_t>(1ull << rhs.bits)));
      break;
    case Operator::kGt: return binary_data(Operator::kLt, s, rhs, lhs);
    case Operator::kGe: return binary_data(Operator::kLe, s, rhs, lhs);
    case Operator::kLt:
    case Operator::kLe:
    case Operator::kEq:
    case Operator::kNe: return compared(*this, op, s, lhs, rhs);
    case Operator::kLogicalAnd:
    case Operator::kLogicalOr:
      if (const auto simpler = joined_conditions(*this, op == Operator::kLogicalAnd, lhs, rhs)) return *simpler;
      break;
    default: break;
  }
  return opaque(static_cast<std::uint32_t>(op), s, {lhs, rhs});
}

}  // namespace swizzle
