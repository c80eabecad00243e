// C's operators and CUDA's functions on words that have no bit-by-bit rule: carries, comparisons, quotients. Those that
// have one are in deferred_words.cpp.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Bits = std::vector<Value>;

constexpr std::size_t kFewBits = 8;  // all of whose disjunctions have room

Value zero() { return Value::integer(0); }

Value inverted(Provenance& p, Value bit) { return gate(p, Operator::kXor, Value::integer(1), bit); }

// `by` may be negative; what comes in is 0.
Bits moved_down(const Bits& bits, std::int64_t by) {
  Bits result(bits.size(), zero());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::int64_t from = static_cast<std::int64_t>(i) + by;
    if (from >= 0 && from < static_cast<std::int64_t>(bits.size())) result[i] = bits[static_cast<std::size_t>(from)];
  }
  return result;
}

bool has_rule(Operator op) {
  return op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor || op == Operator::kShl ||
         op == Operator::kShr;
}

// Where no carry can arise: of two bits in a place, one is 0.
Value sum_without_carry(Provenance& p, Scalar s, const Bits& a, const Bits& b) {
  Bits bits;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(gate(p, Operator::kAnd, a[i], b[i]) == zero())) return {};
    bits.push_back(gate(p, Operator::kXor, a[i], b[i]));
  }
  return word_of(p, s, bits);
}

// How many bits may be 1 of which it is not known.
std::size_t unknown_bits(const Bits& bits) {
  return static_cast<std::size_t>(std::ranges::count_if(bits, [](const Value& v) { return !v.is_int(); }));
}

// ~v + 1: a bit is inverted where some lower one is 1.
Value negated(Provenance& p, Scalar s, Bits bits) {
  if (unknown_bits(bits) > kFewBits) return {};
  Value any = zero();
  for (Value& bit : bits) {
    const Value before = std::exchange(any, gate(p, Operator::kOr, any, bit));
    bit = gate(p, Operator::kXor, before, bit);
  }
  return word_of(p, s, bits);
}

// Where no borrow can arise: each bit of b is 1 only where that of a is.
Value difference_without_borrow(Provenance& p, Scalar s, const Bits& a, const Bits& b) {
  Bits bits;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(gate(p, Operator::kAnd, a[i], b[i]) == b[i])) return {};
    bits.push_back(gate(p, Operator::kXor, a[i], b[i]));
  }
  return word_of(p, s, bits);
}

// The place of the only bit that may be 1, if it is one.
std::optional<std::size_t> only_place(const Bits& bits) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == zero()) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

// Of one bit and anything.
std::optional<Value> product_by_bit(Provenance& p, Scalar s, const Bits& a, const Bits& b) {
  const auto place = only_place(a);
  if (!place) return std::nullopt;
  Bits bits = moved_down(b, -static_cast<std::int64_t>(*place));
  for (Value& bit : bits) bit = gate(p, Operator::kAnd, bit, a[*place]);
  return word_of(p, s, bits);
}

// Of copies that do not overlap.
Value multiple(Provenance& p, Scalar s, const Bits& bits, Value factor) {
  if (!factor.is_int()) return {};
  Value sum = zero();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if ((static_cast<std::uint64_t>(factor.bits) >> i & 1) == 0) continue;
    const Value copy = word_of(p, s, moved_down(bits, -static_cast<std::int64_t>(i)));
    sum = sum_without_carry(p, s, bits_of(p, sum, bits.size()), bits_of(p, copy, bits.size()));
    if (sum.is_undefined()) return {};
  }
  return sum;
}

Value product(Provenance& p, Scalar s, Value lhs, Value rhs) {
  const auto width = static_cast<std::size_t>(bit_width(s));
  const Bits a = bits_of(p, lhs, width), b = bits_of(p, rhs, width);
  if (const auto known = product_by_bit(p, s, a, b)) return *known;
  if (const auto known = product_by_bit(p, s, b, a)) return *known;
  return is_word(p, lhs) ? multiple(p, s, a, rhs) : multiple(p, s, b, lhs);
}

Value quotient(Provenance& p, bool remainder, Scalar s, const Bits& bits, Value divisor) {
  const bool has_sign = !is_unsigned(s) && !(bits.back() == zero());
  if (!divisor.is_int() || divisor.bits < 1 || has_sign ||
      !std::has_single_bit(static_cast<std::uint64_t>(divisor.bits)))
    return {};
  const int by = std::countr_zero(static_cast<std::uint64_t>(divisor.bits));
  if (!remainder) return word_of(p, s, moved_down(bits, by));
  Bits low = bits;
  std::fill(low.begin() + std::min<std::ptrdiff_t>(by, static_cast<std::ptrdiff_t>(low.size())), low.end(), zero());
  return word_of(p, s, low);
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

}  // namespace

Value word_binary(Provenance& p, Operator op, Scalar s, Value lhs, Value rhs) {
  if (is_real(s)) return {};
  if (op == Operator::kLogicalAnd || op == Operator::kLogicalOr)
    return word_of(
        p, Scalar::kBool,
        {gate(p, op == Operator::kLogicalAnd ? Operator::kAnd : Operator::kOr, truth_bit(p, lhs), truth_bit(p, rhs))});
  const auto width = static_cast<std::size_t>(bit_width(s));
  if (has_rule(op)) return word_operation(p, static_cast<std::uint32_t>(op), s, {lhs, rhs});
  const Bits a = bits_of(p, lhs, width), b = bits_of(p, rhs, width);
  if (a.empty() || b.empty()) return {};
  if (is_comparison(op)) return compared(p, op, s, a, b);
  switch (op) {
    case Operator::kAdd: return sum_without_carry(p, s, a, b);
    case Operator::kSub: return lhs == zero() ? negated(p, s, b) : difference_without_borrow(p, s, a, b);
    case Operator::kMul: return product(p, s, lhs, rhs);
    case Operator::kDiv:
    case Operator::kRem: return quotient(p, op == Operator::kRem, s, a, rhs);
    default: return {};
  }
}

Value word_unary(Provenance& p, Operator op, Scalar s, Value v) {
  if (op == Operator::kLogicalNot) return word_of(p, Scalar::kBool, {inverted(p, truth_bit(p, v))});
  if (op == Operator::kNegate) return negated(p, s, bits_of(p, v, static_cast<std::size_t>(bit_width(s))));
  return op == Operator::kBitNot ? word_operation(p, static_cast<std::uint32_t>(op), s, {v}) : Value{};
}

// Added up bit by bit, with all carries.
Value word_count(Provenance& p, Scalar s, Value v) {
  const Bits bits = bits_of(p, v, static_cast<std::size_t>(bit_width(s)));
  if (bits.empty() || unknown_bits(bits) > kFewBits) return {};
  Bits sum(static_cast<std::size_t>(bit_width(Scalar::kI32)), zero());
  for (Value carry : bits)
    for (std::size_t i = 0; i < sum.size() && !(carry == zero()); ++i) {
      const Value former = sum[i];
      sum[i] = gate(p, Operator::kXor, former, carry);
      carry = gate(p, Operator::kAnd, former, carry);
    }
  return word_of(p, Scalar::kI32, sum);
}

Value word_combine(Provenance& p, Ring ring, Scalar s, Value lhs, Value rhs) {
  switch (ring) {
    case Ring::kXor: return word_binary(p, Operator::kXor, s, lhs, rhs);
    case Ring::kOr: return word_binary(p, Operator::kOr, s, lhs, rhs);
    case Ring::kSum: return word_binary(p, Operator::kAdd, s, lhs, rhs);
    default: return {};
  }
}

}  // namespace swizzle
