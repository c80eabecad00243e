#include "synth/network/matching_builder.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace swizzle {
namespace {

void set(Mask& mask, std::size_t m) { mask[m / 64] |= std::uint64_t{1} << (m % 64); }

// What must come from the open factors, once the fixed ones are there; nothing: this tuple cannot be `monomial`.
std::optional<Factors> missing(const Factors& monomial, const DraftTuple& tuple, bool idempotent) {
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

std::uint32_t mask_for(Cluster& cluster, std::map<std::pair<Value::Kind, std::int64_t>, std::uint32_t>& known, Value coefficient) {
  const auto [it, fresh] = known.try_emplace({coefficient.kind, coefficient.bits}, static_cast<std::uint32_t>(cluster.masks.size()));
  if (fresh) cluster.masks.emplace_back(cluster.words, 0);
  return it->second;
}

}  // namespace

void ClusterBuilder::note_useful(const std::vector<Draft>& drafts, const DraftGroup& group) {
  LeafSet symbols;
  for (std::size_t d : group.drafts)
    for (const Draft::Need& need : drafts[d].needs)
      for (NodeId f : names_.monomial(need.monomial)) symbols.insert(fetches_.number_of(f));
  for (std::uint32_t tuple : group.tuples)
    for (NodeId f : names_.tuple(tuple).open) useful_[f.value].merge(symbols);
}

void ClusterBuilder::add(const std::vector<Draft>& drafts, const DraftGroup& group) {
  Cluster cluster;
  cluster.idempotent = drafts[group.drafts[0]].equation.ring == Ring::kXor;
  list_monomials(drafts, group, cluster);
  cluster.words = (cluster.monomials.size() + 63) / 64;
  served_.clear();
  factor_at_.clear();
  serves_.clear();
  tuple_at_.clear();
  cluster.tuples.reserve(group.tuples.size());
  cluster.offers.reserve(std::accumulate(group.drafts.begin(), group.drafts.end(), std::size_t{0}, [&](std::size_t sum, std::size_t d) { return sum + drafts[d].offers.size(); }));
  for (std::size_t d : group.drafts) add_member(drafts[d], cluster);
  network_.clusters.push_back(std::move(cluster));
}

void ClusterBuilder::list_monomials(const std::vector<Draft>& drafts, const DraftGroup& group, Cluster& cluster) {
  monomial_at_.clear();
  for (std::size_t d : group.drafts)
    for (const Draft::Need& need : drafts[d].needs) {
      if (!monomial_at_.try_emplace(need.monomial, static_cast<std::uint32_t>(cluster.monomials.size())).second) continue;
      const Factors& factors = names_.monomial(need.monomial);
      const RingEquation& part = drafts[d].equation;
      const Value unit = part.ring == Ring::kXor ? Value::integer(-1) : is_real(part.scalar) ? Value::real(1) : Value::integer(1);
      cluster.monomials.push_back(factors);
      cluster.names.push_back(provenance_.from_terms(part.ring, part.scalar, {Term{unit, factors}}));
    }
}

void ClusterBuilder::add_member(const Draft& draft, Cluster& cluster) {
  const bool coefficients = !is_set(draft.equation.ring);
  const auto goal = static_cast<std::uint32_t>(cluster.goals.size());
  Cluster::Member member{draft.equation.equation, Mask(cluster.words, 0)};
  MaskIds fits;
  for (const Draft::Need& need : draft.needs) {
    const std::uint32_t at = monomial_at_.at(need.monomial);
    set(member.needs, at);
    set(cluster.masks[mask_for(cluster, fits, coefficients ? need.coefficient : Value{})], at);
  }
  cluster.goals.push_back(std::move(member));
  for (const Draft::Offer& offer : draft.offers) {
    const auto [it, fresh] = tuple_at_.try_emplace(offer.tuple, static_cast<std::uint32_t>(cluster.tuples.size()));
    if (fresh) cluster.tuples.push_back(tuple_of(names_.tuple(offer.tuple), cluster));
    cluster.offers.push_back({it->second, goal, mask_for(cluster, fits, coefficients ? offer.coefficient : Value{}), offer.guard, offer.alternative});
  }
}

std::uint32_t ClusterBuilder::fetch_of(NodeId choice) {
  const auto [it, fresh] = fetch_ids_.try_emplace(choice.value, static_cast<std::uint32_t>(network_.fetches.size()));
  if (fresh) network_.fetches.push_back(fetches_.build(choice, useful_.at(choice.value)));
  return it->second;
}

const ClusterBuilder::Served& ClusterBuilder::served_by(const DraftTuple& tuple, Cluster& cluster) {
  auto [it, fresh] = served_.try_emplace({tuple.fixed, tuple.open.size()});
  if (!fresh) return it->second;
  Served& served = it->second;
  served.any = static_cast<std::uint32_t>(cluster.masks.size());
  cluster.masks.emplace_back(cluster.words, 0);
  for (std::size_t m = 0; m < cluster.monomials.size(); ++m) {
    const auto rest = missing(cluster.monomials[m], tuple, cluster.idempotent);
    if (!rest) continue;
    set(cluster.masks[served.any], m);
    for (NodeId f : *rest) {
      Mask& mask = served.by_symbol[f.value];
      mask.resize(cluster.words, 0);
      set(mask, m);
    }
  }
  return served;
}

std::uint32_t ClusterBuilder::factor_of(NodeId choice, const Served& served, Cluster& cluster) {
  const std::uint32_t fetch = fetch_of(choice);
  const auto [known, fresh] = factor_at_.try_emplace({fetch, &served}, static_cast<std::uint32_t>(cluster.factors.size()));
  if (!fresh) return known->second;
  const std::vector<NodeId>& leaves = network_.fetches[fetch].shape->leaves;
  std::shared_ptr<const Mask>& serves = serves_[{network_.fetches[fetch].shape.get(), &served}];
  if (!serves) {
    Mask mask(leaves.size() * cluster.words, 0);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      if (const auto it = served.by_symbol.find(leaves[leaf].value); it != served.by_symbol.end())
        std::copy(it->second.begin(), it->second.end(), mask.begin() + static_cast<std::ptrdiff_t>(leaf * cluster.words));
    serves = std::make_shared<const Mask>(std::move(mask));
  }
  cluster.factors.push_back({fetch, serves});
  return known->second;
}

Cluster::Tuple ClusterBuilder::tuple_of(const DraftTuple& draft, Cluster& cluster) {
  const Served& served = served_by(draft, cluster);
  Cluster::Tuple tuple{{}, draft.fixed, served.any};
  for (NodeId choice : draft.open) tuple.factors.push_back(factor_of(choice, served, cluster));
  return tuple;
}

}  // namespace swizzle
