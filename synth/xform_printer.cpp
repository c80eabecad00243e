#include "synth/xform_printer.h"

#include <algorithm>

namespace swizzle {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
bool is_power_of_two(int v) { return (v & (v - 1)) == 0; }

}  // namespace

XformPrinter::XformPrinter(const HoleSpace& space) : space_(space), negative_(space.arguments[0].size() - 1, false) {
  for (const auto& a : space.arguments) leaves_range_ = leaves_range_ || a[0] < 0 || a[0] >= space.domain;
  for (const auto& a : space.arguments)
    for (std::size_t j = 0; j < negative_.size(); ++j) negative_[j] = negative_[j] || a[j + 1] < 0;
}

std::int64_t XformPrinter::least_rotation(const XformParameters& parameters) const {
  std::int64_t least = 0;
  for (const auto& a : space_.arguments) {
    std::int64_t r = parameters.constant;
    for (std::size_t j = 0; j < negative_.size(); ++j) {
      const auto [factor, divisor] = parameters.rotations[j];
      r += factor * a[j + 1] + (divisor > 0 ? floor_div(a[j + 1], divisor) : 0);
    }
    least = std::min(least, r);
  }
  return least;
}

// plus - minus + R(k) + c. Where `& (m - 1)` takes negatives in its stride, a factor of m - 1 is a subtraction.
IndexExpr XformPrinter::rotated(std::vector<IndexExpr> plus, std::vector<IndexExpr> minus, const XformParameters& parameters) const {
  const int m = parameters.modulus();
  const bool power_of_two = is_power_of_two(m);
  int c = parameters.constant;
  bool may_be_negative = false;
  for (std::size_t j = 0; j < negative_.size(); ++j) {
    const auto [factor, divisor] = parameters.rotations[j];
    const IndexExpr k = IndexExpr::argument(space_.first_argument + j);
    const bool subtract = power_of_two && factor > m / 2;
    if (subtract) minus.push_back(IndexExpr::mul(k, m - factor));
    else plus.push_back(IndexExpr::mul(k, factor));
    if (divisor > 0) plus.push_back(IndexExpr::div(k, divisor));
    may_be_negative = may_be_negative || (negative_[j] && (factor != 0 || divisor > 0));
  }
  IndexExpr sum = IndexExpr::constant(0);
  for (IndexExpr& term : plus) sum = IndexExpr::add(std::move(sum), std::move(term));
  if (sum.is_constant() && !minus.empty()) {
    sum = IndexExpr::constant(sum.value + c == 0 ? m : sum.value + c);  // c - k, not 0 - k + c
    c = 0;
  }
  for (IndexExpr& term : minus) sum = IndexExpr::sub(std::move(sum), std::move(term));
  sum = IndexExpr::add(std::move(sum), IndexExpr::constant(power_of_two && c > m / 2 ? c - m : c));
  if (power_of_two || !may_be_negative) return sum;
  // C's % keeps the sign of the dividend: lift the sum above zero.
  return IndexExpr::add(std::move(sum), IndexExpr::constant((-least_rotation(parameters) + m - 1) / m * m));
}

// n - 1 - i needs no reduction: the reversal of [0, n).
bool XformPrinter::is_reversal(const XformParameters& p) const {
  const int n = space_.domain;
  return p.group == n && !p.wrapped && p.period == n && p.fan == n - 1 && p.constant == n - 1 && n > 2 && !leaves_range_ &&
         std::all_of(p.rotations.begin(), p.rotations.end(), [](const XformParameters::Rotation& r) { return r.factor == 0 && r.divisor == 0; });
}

IndexExpr XformPrinter::print(const XformParameters& parameters) const {
  const IndexExpr i = IndexExpr::argument(0);
  const int n = space_.domain, g = parameters.group, fan = parameters.fan;
  if (g == 1) return i;
  if (is_reversal(parameters)) return IndexExpr::sub(IndexExpr::constant(n - 1), i);
  const IndexExpr inner = g == n ? i : IndexExpr::mod(i, g);
  const IndexExpr quotient = parameters.period == g ? IndexExpr::constant(0) : IndexExpr::div(inner, parameters.period);
  IndexExpr swizzled;
  if (parameters.wrapped) swizzled = IndexExpr::add(IndexExpr::mul(inner, fan), IndexExpr::mod(rotated({quotient}, {}, parameters), parameters.modulus()));
  else if (is_power_of_two(g) && fan > g / 2) swizzled = rotated({quotient}, {IndexExpr::mul(inner, g - fan)}, parameters);
  else swizzled = rotated({IndexExpr::mul(inner, fan), quotient}, {}, parameters);
  const bool identity = swizzled.op == IndexExpr::Op::kArgument && swizzled.value == 0;
  const bool in_group = swizzled.op == IndexExpr::Op::kAnd && swizzled.operands[1].value == g - 1;
  if (!identity && !in_group) swizzled = IndexExpr::mod(std::move(swizzled), g);
  if (g == n) return swizzled;
  if (in_group && swizzled.operands[0].op == IndexExpr::Op::kArgument && swizzled.operands[0].value == 0) return i;  // nothing but i mod g
  IndexExpr base = is_power_of_two(g) ? IndexExpr::mask(i, -static_cast<std::int64_t>(g)) : IndexExpr::mul(IndexExpr::div(i, g), g);
  return IndexExpr::add(std::move(base), std::move(swizzled));
}

}  // namespace swizzle
