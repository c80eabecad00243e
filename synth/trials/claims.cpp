#include "synth/trials/claims.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "synth/provenance/rings.h"
#include "synth/trials/residues.h"
#include "synth/trials/subtractions.h"

namespace swizzle {
namespace {

class Claims {
 public:
  explicit Claims(Provenance& provenance) : provenance_(provenance) {}

  std::vector<Claim> of(const Equation& equation) {
    take(equation, true);
    return std::move(claims_);
  }

 private:
  void take(const Equation& equation, bool is_output) {
    if (!provenance_.has_choice(equation.actual)) return;
    const Sides sides = without_subtractions(provenance_, equation);
    const Claim claim{sides.actual, sides.expected, equation.scalar, is_output};
    claims_.push_back(claim);
    if (const auto alone = open_term(claim)) return take(*alone, false);
    if (!sides.actual.is_node() || !sides.expected.is_node()) return;
    const Node &actual = provenance_.node(sides.actual), &expected = provenance_.node(sides.expected);
    if (!has_no_laws(actual) || !has_no_laws(expected) || actual.tag != expected.tag ||
        actual.children().size() != expected.children().size())
      return;
    std::vector<std::pair<Value, Value>> operands;
    for (std::size_t i = 0; i < actual.children().size(); ++i)
      operands.emplace_back(actual.children()[i], expected.children()[i]);
    for (const auto& [left, right] : operands) take(equal(left, right, claim.scalar), false);
  }

  static Equation equal(Value actual, Value expected, Scalar scalar) {
    Equation equation;
    equation.actual = actual;
    equation.expected = expected;
    equation.scalar = scalar;
    return equation;
  }

  // x[0] - m = E, where m is all that is open: m = x[0] - E.
  std::optional<Equation> open_term(const Claim& claim) {
    if (!claim.actual.is_node()) return std::nullopt;
    const Scalar s = claim.scalar;
    const Node& sum = provenance_.node(claim.actual);
    if (sum.kind != Node::Kind::kRing || sum.ring != Ring::kSum || sum.scalar != algebra_of(Ring::kSum, s))
      return std::nullopt;
    std::vector<Term> known = provenance_.terms(Ring::kSum, s, claim.actual);
    const auto is_open = [&](const Term& t) {
      return std::ranges::any_of(t.factors, [&](NodeId f) { return provenance_.has_choice(Value::node(f)); });
    };
    const auto open = std::ranges::find_if(known, is_open);
    if (open == known.end() || std::ranges::count_if(known, is_open) != 1 || open->factors.size() != 1)
      return std::nullopt;
    const double sign = open->coefficient.as_real();
    if (std::abs(sign) != 1) return std::nullopt;
    const Value value = Value::node(open->factors[0]);
    known.erase(open);
    const Value rest = provenance_.from_terms(Ring::kSum, s, std::move(known));
    const auto negated = [&](Value v) { return provenance_.unary(Operator::kNegate, s, v); };
    const Value left = sign > 0 ? provenance_.combine(Ring::kSum, s, claim.expected, negated(rest))
                                : provenance_.combine(Ring::kSum, s, rest, negated(claim.expected));
    return equal(value, provenance_.normalize(left), s);
  }

  Provenance& provenance_;
  std::vector<Claim> claims_;
};

}  // namespace

std::vector<Claim> claims_of(Provenance& provenance, const Equation& equation) {
  return Claims(provenance).of(equation);
}

bool has_no_laws(const Node& operation) {
  return operation.kind == Node::Kind::kOpaque && operation.tag < kOpaqueJoin &&
         is_hashed(operation.tag, operation.scalar);
}

}  // namespace swizzle
