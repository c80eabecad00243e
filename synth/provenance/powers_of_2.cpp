#include "synth/provenance/powers_of_2.h"

#include <bit>
#include <cmath>

#include "synth/provenance/data_places.h"

namespace swizzle {
namespace {

bool is_never_negative(Provenance& p, Scalar s, Value v) {
  if (is_unsigned(s)) return true;
  const auto values = values_by_type(p, v, s);
  return values && values->low >= 0;
}

}  // namespace

bool is_power_of_2(double d) {
  int exponent = 0;
  return std::abs(std::frexp(d, &exponent)) == 0.5 && std::isfinite(1 / d);
}

std::optional<Value> divided_by_power_of_2(Provenance& p, Operator op, Scalar s, Value dividend, Value divisor) {
  if (op != Operator::kDiv && op != Operator::kRem) return std::nullopt;
  if (is_real(s)) {
    if (op != Operator::kDiv || !divisor.is_real() || !is_power_of_2(divisor.as_real())) return std::nullopt;
    return p.multiply(Ring::kSum, s, dividend, Value::real(1 / divisor.as_real()));
  }
  const auto bits = static_cast<std::uint64_t>(divisor.bits);
  if (!divisor.is_int() || !std::has_single_bit(bits) || !is_never_negative(p, s, dividend)) return std::nullopt;
  return op == Operator::kDiv ? p.binary(Operator::kShr, s, dividend, Value::integer(std::countr_zero(bits)))
                              : p.binary(Operator::kAnd, s, dividend, Value::integer(divisor.bits - 1));
}

}  // namespace swizzle
