#include "synth/trials/doubles.h"

#include <algorithm>

#include "synth/provenance/casts.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/real_functions.h"

namespace swizzle {
namespace {

bool is_operator(std::uint32_t code) { return code < kOpaqueCast; }
bool is_intrinsic(std::uint32_t code) { return code >= kOpaqueIntrinsic && code < kOpaqueJoin; }
Intrinsic intrinsic(std::uint32_t code) { return static_cast<Intrinsic>(code - kOpaqueIntrinsic); }

std::optional<double> value_of(Intrinsic kind, double x) {
  const auto growing = growing_function(kind, x);
  return growing ? growing : other_function(kind, x);
}

std::optional<Approximate> compared(Operator op, Approximate a, Approximate b) {
  if (a.is_none() || b.is_none() || !are_apart(a, b)) return std::nullopt;
  const bool is_less = a.value < b.value;
  switch (op) {
    case Operator::kLt:
    case Operator::kLe: return Approximate{is_less ? 1.0 : 0.0};
    case Operator::kGt:
    case Operator::kGe: return Approximate{is_less ? 0.0 : 1.0};
    default: return Approximate{op == Operator::kNe ? 1.0 : 0.0};
  }
}

// Of a value that is rounded to the nearest.
double rounding(double value) { return std::abs(value) * std::numeric_limits<double>::epsilon(); }

std::optional<Approximate> quotient(Approximate a, Approximate b) {
  if (b.value == 0 && b.error == 0) return Approximate::none();
  const double least = std::abs(b.value) - b.error;  // of the divisor
  if (!(least > 0)) return std::nullopt;
  const double value = a.value / b.value;
  return Approximate{value, (a.error + std::abs(value) * b.error) / least + rounding(value)};
}

// Between two arguments that are near, each lies between its values there, or is no steeper than they are apart.
std::optional<Approximate> function(Intrinsic kind, Approximate x) {
  constexpr double kOfLibrary = 8;  // times what rounding its result comes to
  const auto value = value_of(kind, x.value), below = value_of(kind, x.value - x.error),
             above = value_of(kind, x.value + x.error);
  if (!value || !below || !above) return std::nullopt;
  const bool may_overflow = kind == Intrinsic::kExp || kind == Intrinsic::kExp2;
  const int finite = std::isfinite(*value) + std::isfinite(*below) + std::isfinite(*above);
  if (finite == 0 && !may_overflow) return Approximate::none();
  if (finite < 3) return std::nullopt;
  const bool has_turns = kind == Intrinsic::kSin || kind == Intrinsic::kCos || kind == Intrinsic::kAbs;
  const double error = has_turns ? x.error : std::max(std::abs(*above - *value), std::abs(*value - *below));
  return Approximate{*value, error + kOfLibrary * rounding(*value)};
}

}  // namespace

// What is rounded away is exact in a double (D. Knuth, The Art of Computer Programming 2, 4.2.2).
Approximate operator+(Approximate a, Approximate b) {
  const double sum = a.value + b.value, of_b = sum - a.value;
  return {sum, a.error + b.error + std::abs((a.value - (sum - of_b)) + (b.value - of_b))};
}

Approximate operator*(Approximate a, Approximate b) {
  const double product = a.value * b.value;
  return {product, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error +
                       std::abs(std::fma(a.value, b.value, -product))};
}

bool are_apart(Approximate a, Approximate b) {
  constexpr double kMargin = 4, kRelative = 1e-12;
  if (a.is_none() || b.is_none()) return a.is_none() != b.is_none();
  const double least = kMargin * (a.error + b.error) + kRelative * (std::abs(a.value) + std::abs(b.value));
  return std::abs(a.value - b.value) > least;
}

bool has_doubles(std::uint32_t code, Scalar s, std::size_t operands) {
  if (const auto cast = cast_of(code)) return is_real(cast->to) && size_bytes(cast->to) >= size_bytes(cast->from);
  if (is_operator(code)) {
    const auto op = static_cast<Operator>(code);
    return operands == 2 && is_real(s) && (op == Operator::kDiv || is_comparison(op));
  }
  constexpr double kAnywhere = 0.75;
  return is_intrinsic(code) && operands == 1 && is_real(s) && value_of(intrinsic(code), kAnywhere);
}

std::optional<Approximate> function_on_doubles(std::uint32_t code, std::span<const Approximate> operands) {
  const Approximate x = operands[0];
  if (std::ranges::any_of(operands, &Approximate::is_none)) return std::nullopt;
  if (const auto cast = cast_of(code)) {
    constexpr double kExact = 1 << 24;  // of integers, also in a float
    const double least = is_unsigned(cast->from) ? 0 : -kExact;
    return is_real(cast->from) || (x.value >= least && x.value <= kExact) ? std::optional(x) : std::nullopt;
  }
  if (!is_operator(code)) return function(intrinsic(code), x);
  const auto op = static_cast<Operator>(code);
  return is_comparison(op) ? compared(op, x, operands[1]) : quotient(x, operands[1]);
}

}  // namespace swizzle
