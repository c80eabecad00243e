#include "synth/provenance/arms.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "synth/provenance/indicators.h"
#include "synth/provenance/rings.h"

namespace swizzle {
namespace {

// max(a, c ? b : d) is c ? max(a, b) : max(a, d).
std::optional<Arms> arms_of_extremum(Provenance& p, const Node& n, Value condition) {
  std::optional<Arms> all;
  bool is_chosen = false;
  for (const Term& t : n.terms()) {
    const Value one = t.factors.empty() ? t.coefficient : Value::node(t.factors[0]);
    const auto arms = one.is_node() && p.node(one).selects ? arms_of(p, one, condition) : std::nullopt;
    const Arms more =
        arms ? Arms{as_of_type(n.scalar, arms->if_true), as_of_type(n.scalar, arms->if_false)} : Arms{one, one};
    is_chosen = is_chosen || arms.has_value();
    all = all ? Arms{p.combine(n.ring, n.scalar, all->if_true, more.if_true),
                     p.combine(n.ring, n.scalar, all->if_false, more.if_false)}
              : more;
  }
  return is_chosen ? all : std::nullopt;
}

// A factor of sums that is 1 where the condition holds, or where it fails.
struct KnownFactor {
  NodeId factor;
  bool is_negated;
};
std::optional<KnownFactor> known_factor(Provenance& p, Scalar s, Value condition) {
  const Value truth = p.normalize(indicator(p, condition, s));
  if (truth.is_node() && is_indicator(p.node(truth))) return KnownFactor{truth.as_node(), false};
  const Value one = is_real(s) ? Value::real(1) : Value::integer(1);
  const Value denied = p.normalize(p.binary(Operator::kSub, s, one, truth));
  if (denied.is_node() && is_indicator(p.node(denied))) return KnownFactor{denied.as_node(), true};
  return std::nullopt;
}

}  // namespace

Value as_of_type(Scalar s, Value v) { return v.is_int() ? Value::integer(wrap(s, v.bits)) : v; }

// The factor that is 1 where the condition holds, and 0 elsewhere.
static auto find_indicator(const Provenance& p, const Factors& factors, Value condition) {
  return std::ranges::find_if(
      factors, [&](NodeId f) { return is_indicator(p.node(f)) && p.node(f).children()[0] == condition; });
}

std::vector<Value> conditions_of(const Provenance& p, Value v, std::size_t most) {
  if (!v.is_node() || p.node(v).kind != Node::Kind::kRing || p.node(v).ring != Ring::kSum) return {};
  std::vector<Value> found;
  for (const Term& term : p.node(v).terms())
    for (NodeId f : term.factors) {
      if (!is_indicator(p.node(f))) continue;
      const Value condition = p.node(f).children()[0];
      if (std::ranges::find(found, condition) == found.end()) found.push_back(condition);
      if (found.size() > most) return {};
    }
  return found;
}

std::optional<Value> commonest_condition(const Provenance& p, Value v) {
  std::optional<Value> commonest;
  std::ptrdiff_t most = 0;
  for (const Value condition : conditions_of(p, v, std::numeric_limits<std::size_t>::max())) {
    const auto has_it = [&](const Term& term) {
      return find_indicator(p, term.factors, condition) != term.factors.end();
    };
    const std::ptrdiff_t count = std::ranges::count_if(p.node(v).terms(), has_it);
    if (count > std::exchange(most, std::max(most, count))) commonest = condition;
  }
  return commonest;
}

std::optional<Value> only_condition(const Provenance& p, Value v) {
  const std::vector<Value> found = conditions_of(p, v, 1);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

std::optional<Value> first_condition(const Provenance& p, Value v) {
  constexpr std::size_t kMost = 4;
  const std::vector<Value> found = conditions_of(p, v, kMost);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

// Of each of its terms.
static Value extremum_under(Provenance& p, Value v, Value condition, bool holds) {
  const Node n = p.node(v);  // a copy: what follows adds nodes
  std::optional<Value> all;
  for (const Term& t : n.terms()) {
    const Value one = t.factors.empty() ? t.coefficient : Value::node(t.factors[0]);
    const Value known = as_of_type(n.scalar, under_condition(p, one, condition, holds));
    all = all ? p.combine(n.ring, n.scalar, *all, known) : known;
  }
  return all ? p.normalize(*all) : v;
}

Value under_condition(Provenance& p, Value v, Value condition, bool holds) {
  if (!v.is_node() || !p.node(v).selects) return v;
  if (p.node(v).kind == Node::Kind::kOpaque && p.node(v).tag == kOpaqueSelect && p.node(v).children()[0] == condition)
    return under_condition(p, p.node(v).children()[holds ? 1 : 2], condition, holds);
  if (p.node(v).kind == Node::Kind::kRing && is_order(p.node(v).ring)) return extremum_under(p, v, condition, holds);
  if (p.node(v).kind != Node::Kind::kRing || p.node(v).ring != Ring::kSum) return v;
  const Scalar s = p.node(v).scalar;
  const std::optional<KnownFactor> known = known_factor(p, s, condition);
  if (!known) return v;
  const bool is_one = holds != known->is_negated;
  const auto is_excluded = [&](NodeId f) {
    return is_one && is_indicator(p.node(f)) && exclude_each_other(p, p.node(f), p.node(known->factor));
  };
  std::vector<Term> left;
  for (const Term& term : p.terms(Ring::kSum, s, v)) {
    const auto at = std::ranges::find(term.factors, known->factor);
    if ((at != term.factors.end() && !is_one) || std::ranges::any_of(term.factors, is_excluded)) continue;
    left.push_back(term);
    if (at != term.factors.end()) left.back().factors.erase(left.back().factors.begin() + (at - term.factors.begin()));
  }
  std::ranges::sort(left, factors_less);
  return p.from_terms(Ring::kSum, s, std::move(left));
}

std::optional<Arms> arms_of(Provenance& p, Value v, Value condition) {
  v = p.normalize(v);
  if (!v.is_node()) return std::nullopt;
  const Node n = p.node(v);  // a copy: what follows adds nodes
  if (n.kind == Node::Kind::kOpaque && n.tag == kOpaqueSelect && n.children()[0] == condition)
    return Arms{n.children()[1], n.children()[2]};
  if (n.kind == Node::Kind::kRing && is_order(n.ring)) return arms_of_extremum(p, n, condition);
  if (n.kind != Node::Kind::kRing || n.ring != Ring::kSum) return std::nullopt;
  std::vector<Term> with, without;
  for (const Term& term : n.terms()) {
    const auto at = find_indicator(p, term.factors, condition);
    if (at == term.factors.end()) without.push_back(term);
    with.push_back(term);
    if (at != term.factors.end()) with.back().factors.erase(with.back().factors.begin() + (at - term.factors.begin()));
  }
  if (without.size() == with.size()) return std::nullopt;
  std::ranges::sort(with, factors_less);
  return Arms{p.from_terms(Ring::kSum, n.scalar, std::move(with)),
              p.from_terms(Ring::kSum, n.scalar, std::move(without))};
}

}  // namespace swizzle
