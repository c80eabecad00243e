#include "synth/trials/subtractions.h"

#include <algorithm>
#include <vector>

#include "synth/provenance/rings.h"

namespace swizzle {
namespace {

bool is_sum_of(const Node& n, Scalar s) {
  return (n.kind == Node::Kind::kRing || n.kind == Node::Kind::kAppended) && n.ring == Ring::kSum &&
         n.scalar == algebra_of(Ring::kSum, s);
}

bool is_negative(const Term& t) { return t.coefficient.as_real() < 0; }

}  // namespace

Sides without_subtractions(Provenance& provenance, const Equation& equation) {
  const Sides as_it_is{equation.actual, equation.expected};
  const Scalar s = equation.scalar;
  if (!equation.actual.is_node() || !is_sum_of(provenance.node(equation.actual), s)) return as_it_is;
  std::vector<Term> taken = provenance.terms(Ring::kSum, s, equation.actual);
  std::erase_if(taken, [](const Term& t) { return !is_negative(t); });
  if (taken.empty()) return as_it_is;
  const Value actual = provenance.normalize(equation.actual);  // what was added and taken away is not there any more
  taken = provenance.terms(Ring::kSum, s, actual);
  std::erase_if(taken, [](const Term& t) { return !is_negative(t); });
  const auto is_open = [&](NodeId factor) { return provenance.has_choice(Value::node(factor)); };
  if (std::ranges::any_of(taken, [&](const Term& t) { return std::ranges::any_of(t.factors, is_open); }))
    return as_it_is;
  if (taken.empty()) return {actual, equation.expected};
  const Value away = provenance.from_terms(Ring::kSum, s, std::move(taken));
  const Value back = provenance.unary(Operator::kNegate, s, away);
  return {provenance.normalize(provenance.combine(Ring::kSum, s, actual, back)),
          provenance.normalize(provenance.combine(Ring::kSum, s, equation.expected, back))};
}

}  // namespace swizzle
