#include "synth/trials/residues.h"

#include <bit>
#include <cmath>
#include <limits>

#include "synth/provenance/casts.h"
#include "synth/provenance/provenance.h"

namespace swizzle {
namespace {

constexpr int kDigits = std::numeric_limits<double>::digits;

std::uint64_t hashed(std::uint32_t code, std::span<const std::uint64_t> operands) {
  std::uint64_t bits = code;
  for (std::uint64_t v : operands) bits = scrambled(bits ^ scrambled(v));
  return bits;
}

bool is_comparison_of_reals(std::uint32_t code, Scalar s) {
  return code < kOpaqueCast && is_real(s) && is_comparison(static_cast<Operator>(code));
}

std::int64_t operation(Operator op, Scalar s, std::span<const std::uint64_t> operands, bool& defined) {
  if (is_real(s)) return apply(op, Scalar::kI64, centered(operands[0]), centered(operands[1]), defined);
  const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(operands[i]); };
  if (op == Operator::kLogicalNot) return at(0) == 0;
  if (op == Operator::kLogicalAnd) return at(0) != 0 && at(1) != 0;
  if (op == Operator::kLogicalOr) return at(0) != 0 || at(1) != 0;
  return apply(op, s, wrap(s, at(0)), operands.size() > 1 ? wrap(s, at(1)) : 0, defined);
}

}  // namespace

std::optional<std::uint64_t> residue_of(double real) {
  if (!std::isfinite(real)) return std::nullopt;
  int exponent = 0;
  const double fraction = std::ldexp(std::frexp(real, &exponent), kDigits);  // digits before the point
  exponent -= kDigits;
  const std::uint64_t two = exponent < 0 ? (kPrime + 1) / 2 : 2;
  std::uint64_t residue = residue_of(static_cast<std::int64_t>(fraction));
  for (int i = 0; i < std::abs(exponent); ++i) residue = multiplied(residue, two);
  return residue;
}

std::uint64_t residue_of_extreme(double real) {
  constexpr int kLeftOut = kDigits - 1 - 28;
  constexpr auto kGreatest = static_cast<std::int64_t>(kPrime / 2);
  const auto order = [](double of) { return std::bit_cast<std::int64_t>(of) >> kLeftOut; };
  const std::int64_t to_infinity = order(std::numeric_limits<double>::infinity()) - order(std::abs(real));
  return residue_of(std::signbit(real) ? to_infinity - kGreatest : kGreatest - to_infinity);
}

bool is_hashed(std::uint32_t code, Scalar s) {
  return code >= kOpaqueIntrinsic || (code < kOpaqueCast && is_real(s) && !is_comparison_of_reals(code, s));
}

std::uint64_t value_of_function(std::uint32_t code, Scalar s, std::span<const std::uint64_t> operands) {
  if (is_hashed(code, s)) {
    const std::uint64_t hash = hashed(code, operands);
    return is_real(s) ? hash % kPrime : hash;  // sums of what is no residue would depend on their order
  }
  if (code == kOpaqueSelect) return operands[0] != 0 ? operands[1] : operands[2];
  if (const auto cast = cast_of(code)) {
    const auto [from, to] = *cast;
    const std::int64_t integer = wrap(from, static_cast<std::int64_t>(operands[0]));
    if (is_real(to)) return residue_of(integer);
    return static_cast<std::uint64_t>(to == Scalar::kBool ? integer != 0 : wrap(to, integer));
  }
  bool defined = true;
  const std::int64_t result = operation(static_cast<Operator>(code), s, operands, defined);
  return defined ? static_cast<std::uint64_t>(result) : hashed(code, operands);
}

}  // namespace swizzle
