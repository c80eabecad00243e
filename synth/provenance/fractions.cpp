#include "synth/provenance/fractions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "synth/program/intrinsics.h"
#include "synth/provenance/powers_of_2.h"

namespace swizzle {
namespace {

constexpr double kMostPower = 8;
constexpr std::size_t kMostSummands = 32;  // of a dividend: the square of a mean would be a sum of too much

std::uint32_t code_of(Intrinsic kind) { return kOpaqueIntrinsic + static_cast<std::uint32_t>(kind); }

}  // namespace

bool Fractions::are_alike(Value a, Value b) {
  const auto x = of(p_.normalize(a));
  const auto y = x ? of(p_.normalize(b)) : std::nullopt;
  return x && y && p_.normalize(*x) == p_.normalize(*y);
}

std::optional<Value> Fractions::of(Value v) {
  if (!v.is_node()) return v;
  if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
  const Node::Kind kind = p_.node(v).kind;  // what follows adds nodes
  const std::optional<Value> made = kind == Node::Kind::kOpaque ? of_function(v)
                                    : kind == Node::Kind::kRing ? of_sum(v)
                                                                : v;
  if (made) known_.emplace(v.aux, *made);
  return made;
}

// Of terms whose factors stay as they are, nothing is made anew.
std::optional<Value> Fractions::of_sum(Value v) {
  const Ring ring = p_.node(v).ring;
  const Scalar s = p_.node(v).scalar;
  const bool multiplies = ring == Ring::kSum || ring == Ring::kXor;
  const std::vector<Term> terms = p_.terms(ring, s, v);
  if (terms.size() > terms_left_) return std::nullopt;
  terms_left_ -= terms.size();
  std::vector<Term> all;
  for (const Term& term : terms) {
    Value product = p_.from_terms(ring, s, {Term{term.coefficient, {}}});
    bool is_same = true;
    for (const NodeId f : term.factors) {
      const auto factor = of(Value::node(f));
      if (!factor) return std::nullopt;
      is_same = is_same && *factor == Value::node(f);
      const auto longer = multiplies ? this->product(ring, s, product, *factor) : factor;
      if (!longer) return std::nullopt;
      product = *longer;
    }
    if (is_same) all.push_back(term);
    else std::ranges::copy(p_.terms(ring, s, p_.normalize(product)), std::back_inserter(all));
  }
  std::ranges::sort(all, {}, &Term::factors);
  return p_.from_terms(ring, s, std::move(all));
}

std::optional<Value> Fractions::of_function(Value v) {
  const std::uint32_t code = p_.node(v).tag;
  const Scalar s = p_.node(v).scalar;
  const Children children = p_.node(v).children();
  std::vector<Value> operands(children.begin(), children.end());
  bool is_same = true;
  for (Value& operand : operands) {
    const auto made = of(operand);
    if (!made) return std::nullopt;
    is_same = is_same && *made == operand;
    operand = *made;
  }
  if (is_real(s) && operands.size() <= 2) {
    if (code == static_cast<std::uint32_t>(Operator::kDiv)) return divided(s, operands[0], operands[1]);
    if (code == code_of(Intrinsic::kPow)) return power(s, operands[0], operands[1]);
    if (code == code_of(Intrinsic::kRsqrt))
      return divided(s, Value::real(1), p_.opaque(code_of(Intrinsic::kSqrt), s, operands));
  }
  return is_same ? v : p_.reapply(code, s, operands);
}

// 1 / 3 is a number of its own here, not what a compiler would round it to.
Value Fractions::reciprocal(Scalar s, Value v) {
  return p_.opaque(static_cast<std::uint32_t>(Operator::kDiv), s, {Value::real(1), v});
}

std::optional<Value> Fractions::divided(Scalar s, Value dividend, Value divisor) {
  if (dividend.is_undefined() || divisor.is_undefined()) return Value{};
  if (p_.terms(Ring::kSum, s, p_.normalize(dividend)).size() > kMostSummands)
    return p_.opaque(static_cast<std::uint32_t>(Operator::kDiv), s, {dividend, divisor});
  const std::vector<Term> terms = p_.terms(Ring::kSum, s, p_.normalize(divisor));
  if (terms.size() != 1) return product(Ring::kSum, s, dividend, reciprocal(s, divisor));
  const double coefficient = terms[0].coefficient.as_real();
  const Value number =
      is_power_of_2(coefficient) ? Value::real(1 / coefficient) : reciprocal(s, Value::real(coefficient));
  std::optional<Value> quotient = product(Ring::kSum, s, dividend, number);
  for (const NodeId factor : terms[0].factors)
    if (quotient) quotient = product(Ring::kSum, s, *quotient, reciprocal(s, Value::node(factor)));
  return quotient;
}

std::optional<Value> Fractions::power(Scalar s, Value base, Value exponent) {
  const bool is_number = exponent.is_real() || exponent.is_int();
  const double times = is_number ? exponent.as_real() : 0;
  if (!is_number || times < 1 || times > kMostPower || times != std::trunc(times))
    return p_.opaque(code_of(Intrinsic::kPow), s, {base, exponent});
  std::optional<Value> all = base;
  for (int i = 1; i < static_cast<int>(times) && all; ++i) all = product(Ring::kSum, s, *all, base);
  return all;
}

std::optional<Value> Fractions::product(Ring ring, Scalar s, Value a, Value b) {
  const auto length = [&](Value v) { return p_.terms(ring, s, p_.normalize(v)).size(); };
  const std::size_t terms = length(a) * length(b);
  if (terms > terms_left_) return std::nullopt;
  terms_left_ -= terms;
  return p_.multiply(ring, s, a, b);
}

}  // namespace swizzle
