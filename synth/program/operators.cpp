#include "synth/program/operators.h"

#include <algorithm>
#include <cmath>

namespace swizzle {
namespace {

// Types narrower than int are computed in int, where nothing overflows.
bool can_divide(Scalar s, std::int64_t a, std::int64_t b) {
  return b != 0 && (b != -1 || !((s == Scalar::kI32 && a == INT32_MIN) || (s == Scalar::kI64 && a == INT64_MIN)));
}

}  // namespace

int bit_width(Scalar s) {
  static constexpr int kBits[] = {1, 8, 8, 16, 16, 32, 32, 64, 64, 16, 16, 32, 64};
  return kBits[static_cast<int>(s)];
}

int size_bytes(Scalar s) { return s == Scalar::kBool ? 1 : bit_width(s) / 8; }

double nearest(Scalar s, Scalar from, std::int64_t integer) {
  const auto in = [&](auto real) {
    return from == Scalar::kU64 ? real(static_cast<std::uint64_t>(integer)) : real(integer);
  };
  if (s == Scalar::kF32) return in([](auto i) { return static_cast<double>(static_cast<float>(i)); });
  return nearest(s, in([](auto i) { return static_cast<double>(i); }));
}

double nearest(Scalar s, double value) {
  if (s == Scalar::kF32) return static_cast<double>(static_cast<float>(value));
  if (s == Scalar::kF64 || !std::isfinite(value)) return value;
  struct Format {
    int digits, lowest_exponent;
    double largest;
  };
  const Format format = s == Scalar::kF16 ? Format{11, -14, 65504} : Format{8, -126, 3.3895313892515355e38};
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent - format.digits, format.lowest_exponent - format.digits + 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::fabs(rounded) > format.largest ? std::copysign(HUGE_VAL, value) : rounded;
}

std::int64_t wrap(Scalar s, std::int64_t value) {
  const int bits = bit_width(s);
  if (bits == 64) return value;
  if (s == Scalar::kBool) return value != 0;
  const auto low = static_cast<std::uint64_t>(value) & ((1ull << bits) - 1);
  if (is_unsigned(s) || (low >> (bits - 1)) == 0) return static_cast<std::int64_t>(low);
  return static_cast<std::int64_t>(low | ~((1ull << bits) - 1));
}

std::string_view spelling(Scalar s) {
  static constexpr std::string_view kSpellings[] = {
      "bool", "signed char",   "unsigned char", "short",         "unsigned short", "int",   "unsigned",
      "long", "unsigned long", "half",          "__nv_bfloat16", "float",          "double"};
  return kSpellings[static_cast<std::size_t>(s)];
}

std::string_view spelling(Operator op) {
  static constexpr std::string_view kText[] = {"+",  "-", "*",  "/",  "%",  "<<", ">>", "&", "|", "^", "<",
                                               "<=", ">", ">=", "==", "!=", "&&", "||", "-", "~", "!"};
  return kText[static_cast<int>(op)];
}

std::int64_t apply(Operator op, Scalar s, std::int64_t lhs, std::int64_t rhs, bool& defined) {
  const bool no_sign = is_unsigned(s);
  const std::int64_t a = wrap(s, lhs), b = wrap(s, rhs);
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const auto result = [&](std::uint64_t v) { return wrap(s, static_cast<std::int64_t>(v)); };
  const bool less = no_sign ? ua < ub : a < b;
  defined = true;
  switch (op) {
    case Operator::kAdd: return result(ua + ub);
    case Operator::kSub: return result(ua - ub);
    case Operator::kMul: return result(ua * ub);
    case Operator::kDiv:
    case Operator::kRem:
      defined = can_divide(s, a, b);
      if (!defined) return 0;
      if (op == Operator::kDiv) return no_sign ? result(ua / ub) : wrap(s, a / b);
      return no_sign ? result(ua % ub) : wrap(s, a % b);
    case Operator::kShl:
    case Operator::kShr:
      defined = rhs >= 0 && rhs < bit_width(s);
      if (!defined) return 0;
      if (op == Operator::kShl) return result(ua << rhs);
      return no_sign ? result(ua >> rhs) : wrap(s, a >> rhs);
    case Operator::kAnd: return result(ua & ub);
    case Operator::kOr: return result(ua | ub);
    case Operator::kXor: return result(ua ^ ub);
    case Operator::kLt: return less;
    case Operator::kLe: return less || a == b;
    case Operator::kGt: return !less && a != b;
    case Operator::kGe: return !less;
    case Operator::kEq: return a == b;
    case Operator::kNe: return a != b;
    case Operator::kLogicalAnd: return a != 0 && b != 0;
    case Operator::kLogicalOr: return a != 0 || b != 0;
    case Operator::kNegate: return result(0 - ua);
    case Operator::kBitNot: return result(~ua);
    case Operator::kLogicalNot: return a == 0;
  }
  return 0;
}

}  // namespace swizzle
