#include "synth/trials/subtractions.h"

#include <algorithm>
#include <vector>

#include "synth/provenance/rings.h"

namespace swizzle {
namespace {

bool is_sum_of(const Node& n, Scalar s) {
  return n.combines() && n.ring == Ring::kSum && n.scalar == algebra_of(Ring::kSum, s);
}

std::vector<Term> taken_away(const Provenance& provenance, Scalar s, Value sum) {
  std::vector<Term> terms = provenance.terms(Ring::kSum, s, sum);
  std::erase_if(terms, [](const Term& t) { return t.coefficient.as_real() >= 0; });
  return terms;
}

}  // namespace

Sides without_subtractions(Provenance& provenance, const Equation& equation) {
  const Sides as_it_is{equation.actual, equation.expected};
  const Scalar s = equation.scalar;
  if (!equation.actual.is_node() || !is_sum_of(provenance.node(equation.actual), s)) return as_it_is;
  if (taken_away(provenance, s, equation.actual).empty()) return as_it_is;
  const Value actual = provenance.normalize(equation.actual);  // what was added and taken away is not there any more
  std::vector<Term> taken = taken_away(provenance, s, actual);
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
