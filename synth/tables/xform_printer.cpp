#include "synth/tables/xform_printer.h"

#include <algorithm>
#include <array>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

bool is_argument(const IndexExpr& e, std::int64_t position) {
  return e.op == IndexExpr::Op::kArgument && e.value == position;
}

}  // namespace

XformPrinter::XformPrinter(const HoleSpace& space) : domain_(space.domain), first_argument_(space.first_argument) {
  for (const auto& a : space.arguments) {
    keys_.emplace(a.begin() + 1, a.end());
    leaves_range_ = leaves_range_ || a[0] < 0 || a[0] >= space.domain;
    values_.add(0, a[0]);
    for (std::size_t j = 0; j + 1 < a.size(); ++j) values_.add(first_argument_ + j, a[j + 1]);
  }
  for (const OpenArgument& open : space.open) values_.open(open.argument, open.bounds);
}

void XformPrinter::Sum::add(const XformParameters::Turn& turn) {
  for (std::size_t j = 0; j < turn.rotations.size(); ++j) {
    const auto [factor, divisor, quotient] = turn.rotations[j];
    if (factor != 0) terms[{j, 1}] = factor % modulus;
    if (divisor > 0) terms[{j, divisor}] = quotient % modulus;
  }
  constant = turn.constant;
}

bool XformPrinter::Sum::subtracts(int divisor, int coefficient) const {
  switch (signs) {
    case Signs::kFew: return divisor > 1 && coefficient == modulus - 1;
    case Signs::kOnes: return coefficient == modulus - 1;
    case Signs::kNearest: return coefficient > modulus / 2;
    case Signs::kKeys: return true;
  }
  return false;
}

bool XformPrinter::Sum::subtracts_index(int fan) const {
  return signs == Signs::kNearest ? fan > modulus / 2 : signs == Signs::kOnes && fan == modulus - 1;
}

// The least value of the sum as it is printed.
std::int64_t XformPrinter::least(const Sum& sum) const {
  std::int64_t least = 0;
  for (const auto& k : keys_) {
    std::int64_t r = sum.constant;
    for (const auto& [of, coefficient] : sum.terms)
      r += (sum.subtracts(of.second, coefficient) ? coefficient - sum.modulus : coefficient) *
           floor_div(k[of.first], of.second);
    least = std::min(least, r);
  }
  return least;
}

// ⌊k_j / d⌋, which C's / rounds towards zero: where k_j may be negative, ⌊(k_j + m·d) / d⌋ - m.
IndexExpr XformPrinter::quotient(std::size_t j, int divisor) const {
  const IndexExpr k = IndexExpr::argument(first_argument_ + j);
  std::int64_t least = 0;
  for (const auto& key : keys_) least = std::min(least, key[j]);
  if (divisor == 1 || least == 0 || is_power_of_two(divisor)) return IndexExpr::div(k, divisor);
  const std::int64_t lift = -floor_div(least, divisor);
  return IndexExpr::sub(IndexExpr::div(IndexExpr::add(k, IndexExpr::constant(lift * divisor)), divisor),
                        IndexExpr::constant(lift));
}

// fan·i + rest + sum
IndexExpr XformPrinter::rotated(const IndexExpr& i, int fan, const IndexExpr& rest, const Sum& sum) const {
  const int m = sum.modulus;
  const bool power_of_two = is_power_of_two(m);
  std::vector<IndexExpr> plus, minus;
  if (sum.subtracts_index(fan)) minus.push_back(IndexExpr::mul(i, m - fan));
  else plus.push_back(IndexExpr::mul(i, fan));
  plus.push_back(rest);
  for (const auto& [of, coefficient] : sum.terms) {
    const IndexExpr k = quotient(of.first, of.second);
    if (sum.subtracts(of.second, coefficient)) minus.push_back(IndexExpr::mul(k, m - coefficient));
    else plus.push_back(IndexExpr::mul(k, coefficient));
  }
  std::int64_t c = sum.constant;
  IndexExpr result = IndexExpr::constant(0);
  for (IndexExpr& term : plus) result = IndexExpr::add(std::move(result), std::move(term));
  // C's % keeps the sign of the dividend: lift the sum above zero.
  if (power_of_two) c = nearest_residue(c, m);
  else if (sum.signs == Signs::kFew) c += (-least(sum) + m - 1) / m * m;
  else c = lifted(result, minus, c, m);
  if (result.is_constant() && !minus.empty()) {
    c += result.value;
    result = IndexExpr::constant(c == 0 ? m : c);  // c - k, not 0 - k + c
    c = 0;
  }
  for (IndexExpr& term : minus) result = IndexExpr::sub(std::move(result), std::move(term));
  return IndexExpr::add(std::move(result), IndexExpr::constant(c));
}

// The least constant that is c modulo m and with which no value of the sum is negative; c, where that is out of reach.
std::int64_t XformPrinter::lifted(IndexExpr sum, const std::vector<IndexExpr>& minus, std::int64_t c, int m) const {
  for (const IndexExpr& term : minus) sum = IndexExpr::sub(std::move(sum), term);
  constexpr std::int64_t kFar = 1 << 20;
  const std::int64_t least = values_.bounds(sum).least;
  return least < -kFar ? c : c - floor_div(least + c, m) * m;
}

// n - 1 - i needs no reduction: the reversal of [0, n).
bool XformPrinter::is_reversal(const XformParameters& p) const {
  const int n = domain_;
  return !p.shape.swapped && p.shape.group == n && p.shape.run == n && p.shape.period == n && p.shape.fan == n - 1 &&
         p.turn.constant == n - 1 && n > 2 && !leaves_range_ && p.turn.is_constant();
}

// (i + g/2) mod g, (g - 1 - i) mod g and (g/2 - 1 - i) mod g for a power of two g, in each group of [0, n): some low
// bits of i are flipped. 0: none are.
int XformPrinter::flipped_bits(const XformParameters& p) const {
  const int g = p.shape.group, constant = p.turn.constant;
  if (p.shape.swapped || !is_power_of_two(g) || p.shape.run != g || p.shape.period != g || !p.turn.is_constant() ||
      leaves_range_)
    return 0;
  if (p.shape.fan == 1 && constant == g / 2) return g / 2;
  return p.shape.fan == g - 1 && (constant == g - 1 || constant == g / 2 - 1) ? constant : 0;
}

// What is reduced modulo the group, if the digits do not change places.
IndexExpr XformPrinter::grouped(const XformParameters& p, const IndexExpr& inner, Signs signs) const {
  const XformShape& s = p.shape;
  const IndexExpr quotient = s.period == s.group ? IndexExpr::constant(0) : IndexExpr::div(inner, s.period);
  Sum sum{s.run, signs};
  sum.add(p.turn);
  if (s.run == s.group) return rotated(inner, s.fan, quotient, sum);
  const IndexExpr wrapped = IndexExpr::mod(rotated(quotient, 1, IndexExpr::constant(0), sum), s.run);
  return rotated(inner, s.fan, wrapped, {s.group, signs});
}

// g/d · ((c·i + P) mod d) + (e·⌊i/d⌋ + R) mod g/d: no digit needs i mod g.
IndexExpr XformPrinter::swapped(const XformParameters& p, Signs signs) const {
  const XformShape& s = p.shape;
  const IndexExpr i = IndexExpr::argument(0), none = IndexExpr::constant(0);
  Sum high{s.period, signs}, low{s.run, signs};
  high.add(p.extra);
  low.add(p.turn);
  const IndexExpr digit = IndexExpr::mul(IndexExpr::mod(rotated(i, s.fan, none, high), s.period), s.run);
  const IndexExpr quotient = rotated(IndexExpr::div(i, s.period), s.stride, none, low);
  const bool in_range = s.group == domain_ && s.stride == 1 && quotient.op == IndexExpr::Op::kDiv &&
                        is_argument(quotient.operands[0], 0) && !leaves_range_;
  return IndexExpr::add(digit, in_range ? quotient : IndexExpr::mod(quotient, s.run));
}

// c·i + ⌊i / d⌋ modulo c·d, which is c·(i mod d) + ⌊i / d⌋: two digits that change places. Nothing: another form.
std::optional<IndexExpr> XformPrinter::as_digits(const XformParameters& p) const {
  const auto [group, fan, period, run, swapped, stride] = p.shape;
  const bool changes_places = run == group && period < group && fan * period == group;
  const bool is_turned = p.turn.constant != 0 || !p.turn.is_constant();
  if (!changes_places || is_turned || (group == domain_ && leaves_range_)) return std::nullopt;
  const IndexExpr i = IndexExpr::argument(0), inner = group == domain_ ? i : IndexExpr::mod(i, group);
  return IndexExpr::add(IndexExpr::mul(IndexExpr::mod(i, period), fan), IndexExpr::div(inner, period));
}

// 13·i - 13·k + 5 modulo a power of two is (i - k)·13 + 5. Nothing: another form.
std::optional<IndexExpr> XformPrinter::as_product(const XformParameters& p) const {
  const XformShape& s = p.shape;
  const int g = s.group;
  if (s.swapped || s.period != g || s.run != g || !is_power_of_two(g) || s.fan < 2 || p.turn.is_constant())
    return std::nullopt;
  IndexExpr sum = IndexExpr::argument(0);
  for (std::size_t j = 0; j < p.turn.rotations.size(); ++j) {
    const auto& [factor, divisor, quotient] = p.turn.rotations[j];
    if (divisor > 0 || (factor != 0 && factor != s.fan && factor != g - s.fan)) return std::nullopt;
    const IndexExpr k = IndexExpr::argument(first_argument_ + j);
    if (factor != 0) sum = factor == s.fan ? IndexExpr::add(std::move(sum), k) : IndexExpr::sub(std::move(sum), k);
  }
  const IndexExpr product = IndexExpr::mul(std::move(sum), s.fan);
  return IndexExpr::mod(IndexExpr::add(product, IndexExpr::constant(nearest_residue(p.turn.constant, g))), g);
}

IndexExpr XformPrinter::cheaper(IndexExpr a, IndexExpr b) const {
  return values_.simplified(b).integer_ops() < values_.simplified(a).integer_ops() ? b : a;
}

// Where no coefficient is anything but 0, 1 and -1 modulo a power of two.
bool XformPrinter::has_one_form(const XformParameters& parameters) {
  const auto is_plain = [](int coefficient, int modulus) {
    return is_power_of_two(modulus) && (coefficient <= 1 || coefficient % modulus == modulus - 1);
  };
  const auto are_plain = [&](const XformParameters::Turn& turn, int modulus) {
    return std::ranges::all_of(turn.rotations, [&](const XformParameters::Rotation& r) {
      return is_plain(r.factor, modulus) && (r.divisor == 0 || is_plain(r.quotient, modulus));
    });
  };
  const XformShape& s = parameters.shape;
  return are_plain(parameters.turn, s.run) && are_plain(parameters.extra, s.swapped ? s.period : s.run) &&
         is_plain(s.fan, s.swapped ? s.period : s.group) && is_power_of_two(s.run);
}

IndexExpr XformPrinter::print(const XformParameters& parameters) const {
  constexpr std::array kMasked{Signs::kNearest, Signs::kFew, Signs::kOnes, Signs::kKeys},
      kDivided{Signs::kFew, Signs::kOnes, Signs::kNearest, Signs::kKeys};
  const auto& forms = is_power_of_two(parameters.shape.run) ? kMasked : kDivided;
  const std::size_t count = has_one_form(parameters) ? 1 : forms.size();
  IndexExpr best = values_.simplified(general(parameters, forms[0]));
  int ops = best.integer_ops();
  for (std::size_t f = 1; f < count; ++f) {
    IndexExpr other = values_.simplified(general(parameters, forms[f]));
    const int more = other.integer_ops();
    if (more >= ops) continue;
    best = std::move(other);
    ops = more;
  }
  return best;
}

IndexExpr XformPrinter::general(const XformParameters& parameters, Signs signs) const {
  const IndexExpr i = IndexExpr::argument(0);
  const int n = domain_, g = parameters.shape.group;
  if (g == 1) return i;
  if (is_reversal(parameters)) return IndexExpr::sub(IndexExpr::constant(n - 1), i);
  if (const int bits = flipped_bits(parameters)) return IndexExpr::bit_xor(i, IndexExpr::constant(bits));
  IndexExpr swizzled;
  if (parameters.shape.swapped) {
    swizzled = swapped(parameters, signs);
  } else {
    // A quotient needs i mod g; a sum that is reduced does not.
    const bool reduced = parameters.shape.period == g && parameters.shape.run == g;
    swizzled = grouped(parameters, g == n || reduced ? i : IndexExpr::mod(i, g), signs);
    const bool in_group = swizzled.op == IndexExpr::Op::kAnd && swizzled.operands[1].value == g - 1;
    if (is_argument(swizzled, 0)) return i;  // nothing but i mod g
    if (!in_group) swizzled = IndexExpr::mod(std::move(swizzled), g);
    if (const auto digits = as_digits(parameters)) swizzled = cheaper(std::move(swizzled), *digits);
    if (const auto product = as_product(parameters)) swizzled = cheaper(std::move(swizzled), *product);
  }
  if (g == n) return swizzled;
  IndexExpr base =
      is_power_of_two(g) ? IndexExpr::mask(i, -static_cast<std::int64_t>(g)) : IndexExpr::mul(IndexExpr::div(i, g), g);
  return IndexExpr::add(std::move(base), std::move(swizzled));
}

}  // namespace swizzle
