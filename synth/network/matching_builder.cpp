#include "synth/network/matching_builder.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace swizzle {
namespace {

void set(Mask& mask, std::size_t m) { mask[m / 64] |= std::uint64_t{1} << (m % 64); }

// What must come from the open factors, once the fixed ones are there; nothing: this tuple cannot be `monomial`.
std::optional<Factors> missing(const Factors& monomial, const CandidateTuple& tuple, bool idempotent) {
  if (idempotent) {  // x & x = x: an open factor may repeat another
    for (NodeId f : tuple.fixed)
      if (std::find(monomial.begin(), monomial.end(), f) == monomial.end()) return std::nullopt;
    return monomial;
  }
  Factors rest = monomial;
  for (NodeId f : tuple.fixed) {
    const auto it = std::find(rest.begin(), rest.end(), f);
    if (it == rest.end()) return std::nullopt;
    rest.erase(it);
  }
  if (rest.size() != tuple.open.size()) return std::nullopt;
  return rest;
}

std::uint32_t mask_for(Matching& matching, std::map<std::pair<Value::Kind, std::int64_t>, std::uint32_t>& known,
                       Value coefficient) {
  const auto [it, fresh] =
      known.try_emplace({coefficient.kind, coefficient.bits}, static_cast<std::uint32_t>(matching.masks.size()));
  if (fresh) matching.masks.emplace_back(matching.words, 0);
  return it->second;
}

}  // namespace

void MatchingBuilder::note_useful(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group) {
  LeafSet symbols;
  for (std::size_t d : group.candidates)
    for (const CandidateMatching::Need& need : candidates[d].needs)
      for (NodeId f : names_.monomial(need.monomial)) symbols.insert(fetches_.number_of(f));
  for (std::uint32_t tuple : group.tuples)
    for (NodeId f : names_.tuple(tuple).open) useful_[f.value].merge(symbols);
}

void MatchingBuilder::add(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group) {
  Matching matching;
  matching.idempotent = candidates[group.candidates[0]].equation.ring == Ring::kXor;
  list_monomials(candidates, group, matching);
  matching.words = (matching.monomials.size() + 63) / 64;
  served_.clear();
  factor_at_.clear();
  serves_.clear();
  tuple_at_.clear();
  matching.tuples.reserve(group.tuples.size());
  matching.assignments.reserve(
      std::accumulate(group.candidates.begin(), group.candidates.end(), std::size_t{0},
                      [&](std::size_t sum, std::size_t d) { return sum + candidates[d].assignments.size(); }));
  for (std::size_t d : group.candidates) add_member(candidates[d], matching);
  assert(matching.tuples.size() == group.tuples.size() && matching.monomials.size() == group.monomials);
  network_.matchings.push_back(std::move(matching));
}

void MatchingBuilder::list_monomials(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group,
                                     Matching& matching) {
  monomial_at_.clear();
  for (std::size_t d : group.candidates)
    for (const CandidateMatching::Need& need : candidates[d].needs) {
      if (!monomial_at_.try_emplace(need.monomial, static_cast<std::uint32_t>(matching.monomials.size())).second)
        continue;
      const Factors& factors = names_.monomial(need.monomial);
      const RingEquation& part = candidates[d].equation;
      const Value unit = part.ring == Ring::kXor ? Value::integer(-1)
                         : is_real(part.scalar)  ? Value::real(1)
                                                 : Value::integer(1);
      matching.monomials.push_back(factors);
      const Factors& written = names_.written(need.monomial);
      matching.names.push_back(written.size() == 1
                                   ? Value::node(written[0])
                                   : provenance_.from_terms(part.ring, part.scalar, {Term{unit, written}}));
    }
}

void MatchingBuilder::add_member(const CandidateMatching& candidate, Matching& matching) {
  const bool coefficients = !is_set(candidate.equation.ring);
  const auto sum = static_cast<std::uint32_t>(matching.sums.size());
  Matching::Member member{candidate.equation.equation, Mask(matching.words, 0)};
  MaskIds fits;
  for (const CandidateMatching::Need& need : candidate.needs) {
    const std::uint32_t at = monomial_at_.at(need.monomial);
    set(member.needs, at);
    set(matching.masks[mask_for(matching, fits, coefficients ? need.coefficient : Value{})], at);
  }
  matching.sums.push_back(std::move(member));
  for (const CandidateMatching::CandidateAssignment& assignment : candidate.assignments) {
    const auto [it, fresh] =
        tuple_at_.try_emplace(assignment.tuple, static_cast<std::uint32_t>(matching.tuples.size()));
    if (fresh) matching.tuples.push_back(tuple_of(names_.tuple(assignment.tuple), matching));
    matching.assignments.push_back({it->second, sum,
                                    mask_for(matching, fits, coefficients ? assignment.coefficient : Value{}),
                                    assignment.guard, assignment.alternative});
  }
}

std::uint32_t MatchingBuilder::fetch_of(NodeId choice) {
  const auto [it, fresh] = fetch_ids_.try_emplace(choice.value, static_cast<std::uint32_t>(network_.fetches.size()));
  if (fresh) network_.fetches.push_back(fetches_.build(choice, useful_.at(choice.value)));
  return it->second;
}

const MatchingBuilder::Served& MatchingBuilder::served_by(const CandidateTuple& tuple, Matching& matching) {
  auto [it, fresh] = served_.try_emplace({tuple.fixed, tuple.open.size()});
  if (!fresh) return it->second;
  Served& served = it->second;
  served.any = static_cast<std::uint32_t>(matching.masks.size());
  matching.masks.emplace_back(matching.words, 0);
  for (std::size_t m = 0; m < matching.monomials.size(); ++m) {
    const auto rest = missing(matching.monomials[m], tuple, matching.idempotent);
    if (!rest) continue;
    set(matching.masks[served.any], m);
    for (NodeId f : *rest) {
      Mask& mask = served.by_symbol[f.value];
      mask.resize(matching.words, 0);
      set(mask, m);
    }
  }
  return served;
}

std::uint32_t MatchingBuilder::factor_of(NodeId choice, const Served& served, Matching& matching) {
  const std::uint32_t fetch = fetch_of(choice);
  const auto [known, fresh] =
      factor_at_.try_emplace({fetch, &served}, static_cast<std::uint32_t>(matching.factors.size()));
  if (!fresh) return known->second;
  const std::vector<NodeId>& leaves = network_.fetches[fetch].shape->leaves;
  std::shared_ptr<const Mask>& serves = serves_[{network_.fetches[fetch].shape.get(), &served}];
  if (!serves) {
    Mask mask(leaves.size() * matching.words, 0);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      if (const auto it = served.by_symbol.find(leaves[leaf].value); it != served.by_symbol.end())
        std::copy(it->second.begin(), it->second.end(),
                  mask.begin() + static_cast<std::ptrdiff_t>(leaf * matching.words));
    serves = std::make_shared<const Mask>(std::move(mask));
  }
  matching.factors.push_back({fetch, serves});
  return known->second;
}

Matching::Tuple MatchingBuilder::tuple_of(const CandidateTuple& candidate, Matching& matching) {
  const Served& served = served_by(candidate, matching);
  Matching::Tuple tuple{{}, candidate.fixed, served.any};
  for (NodeId choice : candidate.open) tuple.factors.push_back(factor_of(choice, served, matching));
  return tuple;
}

}  // namespace swizzle
