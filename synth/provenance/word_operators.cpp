// C's operators and CUDA's functions on words.
#include <algorithm>
#include <bit>
#include <optional>

#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Bits = std::vector<Value>;

Value zero() { return Value::integer(0); }

Value inverted(Provenance& p, Value bit) { return gate(p, Operator::kXor, Value::integer(1), bit); }

Value bitwise(Provenance& p, Operator op, Scalar s, const Bits& a, const Bits& b) {
  Bits bits;
  for (std::size_t i = 0; i < a.size(); ++i) bits.push_back(gate(p, op, a[i], b[i]));
  return word_of(p, s, std::move(bits));
}

// `filled`: what comes in from above.
Bits shifted_right(const Bits& bits, std::int64_t by, Value filled) {
  Bits result(bits.size(), filled);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::int64_t from = static_cast<std::int64_t>(i) + by;
    if (from < 0) result[i] = zero();
    else if (from < static_cast<std::int64_t>(bits.size())) result[i] = bits[static_cast<std::size_t>(from)];
  }
  return result;
}

Value shifted(Provenance& p, bool left, Scalar s, const Bits& bits, Value by) {
  if (!p.is_index(by)) return {};
  const Value filled = left || is_unsigned(s) ? zero() : bits.back();
  const auto width = static_cast<std::int64_t>(bits.size());
  Bits result;
  for (std::size_t i = 0; i < bits.size(); ++i)
    result.push_back(chosen_bit(p, by, [&](Value amount) -> Value {
      if (!amount.is_int() || amount.bits < 0 || amount.bits >= width) return {};
      const std::int64_t from = static_cast<std::int64_t>(i) + (left ? -amount.bits : amount.bits);
      return from < 0 ? zero() : from >= width ? filled : bits[static_cast<std::size_t>(from)];
    }));
  return word_of(p, s, std::move(result));
}

// Where no carry can arise: of two bits in a place, one is 0.
Value sum_without_carry(Provenance& p, Scalar s, const Bits& a, const Bits& b) {
  Bits bits;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(gate(p, Operator::kAnd, a[i], b[i]) == zero())) return {};
    bits.push_back(gate(p, Operator::kXor, a[i], b[i]));
  }
  return word_of(p, s, std::move(bits));
}

// Of copies that do not overlap.
Value multiple(Provenance& p, Scalar s, const Bits& bits, Value factor) {
  if (!factor.is_int()) return {};
  Value sum = zero();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if ((static_cast<std::uint64_t>(factor.bits) >> i & 1) == 0) continue;
    const Value copy = word_of(p, s, shifted_right(bits, -static_cast<std::int64_t>(i), zero()));
    sum = sum_without_carry(p, s, bits_of(p, sum, bits.size()), bits_of(p, copy, bits.size()));
    if (sum.is_undefined()) return {};
  }
  return sum;
}

Value quotient(Provenance& p, bool remainder, Scalar s, const Bits& bits, Value divisor) {
  const bool has_sign = !is_unsigned(s) && !(bits.back() == zero());
  if (!divisor.is_int() || divisor.bits < 1 || has_sign ||
      !std::has_single_bit(static_cast<std::uint64_t>(divisor.bits)))
    return {};
  const int by = std::countr_zero(static_cast<std::uint64_t>(divisor.bits));
  if (!remainder) return word_of(p, s, shifted_right(bits, by, zero()));
  Bits low = bits;
  std::fill(low.begin() + std::min<std::ptrdiff_t>(by, static_cast<std::ptrdiff_t>(low.size())), low.end(), zero());
  return word_of(p, s, std::move(low));
}

// Some bit differs.
Value differs(Provenance& p, const Bits& a, const Bits& b) {
  Value any = zero();
  for (std::size_t i = 0; i < a.size(); ++i) any = gate(p, Operator::kOr, any, gate(p, Operator::kXor, a[i], b[i]));
  return any;
}

// a < b, where one is 0.
std::optional<Value> less(Provenance& p, Scalar s, const Bits& a, const Bits& b) {
  const auto is_zero = [](const Bits& bits) { return std::ranges::all_of(bits, [](Value v) { return v == zero(); }); };
  if (is_zero(b)) return is_unsigned(s) ? zero() : a.back();
  if (!is_zero(a)) return std::nullopt;
  const Value any = differs(p, a, b);
  return is_unsigned(s) ? any : gate(p, Operator::kAnd, any, inverted(p, b.back()));
}

Value compared(Provenance& p, Operator op, Scalar s, const Bits& a, const Bits& b) {
  std::optional<Value> result;
  switch (op) {
    case Operator::kEq: result = inverted(p, differs(p, a, b)); break;
    case Operator::kNe: result = differs(p, a, b); break;
    case Operator::kLt: result = less(p, s, a, b); break;
    case Operator::kGt: result = less(p, s, b, a); break;
    case Operator::kGe: result = less(p, s, a, b); break;
    case Operator::kLe: result = less(p, s, b, a); break;
    default: break;
  }
  if (!result) return {};
  const bool is_negated = op == Operator::kGe || op == Operator::kLe;
  return word_of(p, Scalar::kBool, {is_negated ? inverted(p, *result) : *result});
}

// What four bits of a selector come to.
Value nibble(Provenance& p, const Bits& bits, std::size_t at) {
  Value sum = zero();
  for (std::size_t i = 0; i < 4; ++i) {
    if (!p.is_index(bits[at + i]) || bits[at + i].is_undefined()) return {};
    const Value scaled = p.binary(Operator::kShl, Scalar::kI32, bits[at + i], Value::integer(static_cast<int>(i)));
    sum = p.binary(Operator::kAdd, Scalar::kI32, sum, scaled);
  }
  return sum;
}

// PTX ISA, prmt: see chosen_bytes() in word_functions.h.
Value chosen_bytes(Provenance& p, const std::vector<Value>& operands) {
  Bits bytes = bits_of(p, operands[0], 32);
  const Bits high = bits_of(p, operands[1], 32), selector = bits_of(p, operands[2], 32);
  if (bytes.empty() || high.empty() || selector.empty()) return {};
  bytes.insert(bytes.end(), high.begin(), high.end());
  Bits result;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    const Value which = nibble(p, selector, 4 * byte);
    for (std::size_t b = 0; b < 8; ++b)
      result.push_back(chosen_bit(p, which, [&](Value leaf) {
        if (!leaf.is_int()) return Value{};
        return bytes[8 * static_cast<std::size_t>(leaf.bits & 7) + ((leaf.bits & 8) != 0 ? 7 : b)];
      }));
  }
  return word_of(p, Scalar::kU32, std::move(result));
}

Value funnel(Provenance& p, bool left, bool clamps, const std::vector<Value>& operands) {
  Bits both = bits_of(p, operands[0], 32);
  const Bits high = bits_of(p, operands[1], 32);
  if (both.empty() || high.empty() || !p.is_index(operands[2])) return {};
  both.insert(both.end(), high.begin(), high.end());
  Bits result;
  for (std::size_t i = 0; i < 32; ++i)
    result.push_back(chosen_bit(p, operands[2], [&](Value amount) {
      if (!amount.is_int()) return Value{};
      const auto asked = static_cast<std::uint32_t>(amount.bits);
      const std::uint32_t by = clamps ? std::min(asked, 32u) : asked & 31u;
      return both[left ? i + 32 - by : i + by];
    }));
  return word_of(p, Scalar::kU32, std::move(result));
}

}  // namespace

Value word_binary(Provenance& p, Operator op, Scalar s, Value lhs, Value rhs) {
  if (is_real(s)) return {};
  if (op == Operator::kLogicalAnd || op == Operator::kLogicalOr)
    return word_of(
        p, Scalar::kBool,
        {gate(p, op == Operator::kLogicalAnd ? Operator::kAnd : Operator::kOr, truth_bit(p, lhs), truth_bit(p, rhs))});
  const auto width = static_cast<std::size_t>(bit_width(s));
  const Bits a = bits_of(p, lhs, width);
  if (a.empty()) return {};
  if (op == Operator::kShl || op == Operator::kShr) return shifted(p, op == Operator::kShl, s, a, rhs);
  const Bits b = bits_of(p, rhs, width);
  if (b.empty()) return {};
  if (is_comparison(op)) return compared(p, op, s, a, b);
  switch (op) {
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kXor: return bitwise(p, op, s, a, b);
    case Operator::kAdd: return sum_without_carry(p, s, a, b);
    case Operator::kSub: return rhs == zero() ? word_of(p, s, a) : Value{};
    case Operator::kMul: return is_word(p, lhs) ? multiple(p, s, a, rhs) : multiple(p, s, b, lhs);
    case Operator::kDiv:
    case Operator::kRem: return quotient(p, op == Operator::kRem, s, a, rhs);
    default: return {};
  }
}

Value word_unary(Provenance& p, Operator op, Scalar s, Value v) {
  if (op == Operator::kLogicalNot) return word_of(p, Scalar::kBool, {inverted(p, truth_bit(p, v))});
  if (op != Operator::kBitNot) return {};
  Bits bits = bits_of(p, v, static_cast<std::size_t>(bit_width(s)));
  for (Value& b : bits) b = inverted(p, b);
  return word_of(p, s, std::move(bits));
}

Value word_combine(Provenance& p, Ring ring, Scalar s, Value lhs, Value rhs) {
  switch (ring) {
    case Ring::kXor: return word_binary(p, Operator::kXor, s, lhs, rhs);
    case Ring::kOr: return word_binary(p, Operator::kOr, s, lhs, rhs);
    case Ring::kSum: return word_binary(p, Operator::kAdd, s, lhs, rhs);
    default: return {};
  }
}

Value word_intrinsic(Provenance& p, Intrinsic kind, Scalar s, const std::vector<Value>& operands) {
  switch (kind) {
    case Intrinsic::kBrev: {
      Bits bits = bits_of(p, operands[0], static_cast<std::size_t>(bit_width(s)));
      std::ranges::reverse(bits);
      return word_of(p, s, std::move(bits));
    }
    case Intrinsic::kBytePerm: return chosen_bytes(p, operands);
    case Intrinsic::kFunnelShiftL: return funnel(p, true, false, operands);
    case Intrinsic::kFunnelShiftR: return funnel(p, false, false, operands);
    case Intrinsic::kFunnelShiftLC: return funnel(p, true, true, operands);
    case Intrinsic::kFunnelShiftRC: return funnel(p, false, true, operands);
    default: return {};
  }
}

}  // namespace swizzle
