// Sums over rounds: see rounds.h.
#include <algorithm>

#include "synth/proof/element_leaves.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/words.h"

namespace swizzle {

Value Elements::placeholder(Scalar scalar) { return provenance_.input(kPlaceholders, placeholders_++, scalar); }

// One leaf for each term: what does not depend on the round stands before it, and sums of equal terms are equal.
Value Elements::over_rounds(const Rounds& rounds, Value part) {
  if (may_be_undefined(provenance_, part)) return {};
  Value all = provenance_.from_terms(rounds.ring, rounds.scalar, {});
  bool is_first = true;
  for (const Term& term : provenance_.terms(rounds.ring, rounds.scalar, provenance_.normalize(part))) {
    const bool is_product = rounds.ring == Ring::kSum;
    const Value sum = is_product ? product_over_rounds(rounds, term)
                                 : sum_of(rounds, provenance_.from_terms(rounds.ring, rounds.scalar, {term}));
    all = is_first ? sum : provenance_.combine(rounds.ring, rounds.scalar, all, sum);
    is_first = false;
  }
  return all;
}

// A choice that the round does not decide is one of sums.
Value Elements::product_over_rounds(const Rounds& rounds, const Term& term) {
  const auto& [ring, scalar, count, number] = rounds;
  const Value one = is_real(scalar) ? Value::real(1) : Value::integer(1);
  Value fixed = provenance_.from_terms(ring, scalar, {{term.coefficient, {}}}), moving = one;
  std::optional<NodeId> choice;
  for (NodeId f : term.factors) {
    const Value factor = Value::node(f);
    if (!has(factor, number)) fixed = provenance_.multiply(ring, scalar, fixed, factor);
    else if (!choice && is_choice_of_others(factor, number)) choice = f;
    else moving = provenance_.multiply(ring, scalar, moving, factor);
  }
  if (!choice) return provenance_.multiply(ring, scalar, fixed, sum_of(rounds, provenance_.normalize(moving)));
  const Node node = provenance_.node(*choice);  // a copy: what follows adds nodes
  const Value no = node.children()[0], yes = node.children()[1];
  const auto arm = [&](Value v) { return over_rounds(rounds, provenance_.multiply(ring, scalar, moving, v)); };
  const Value sums = provenance_.select(guards_.holds(node.tag), arm(yes), arm(no));
  return provenance_.multiply(ring, scalar, fixed, sums);
}

bool Elements::is_choice_of_others(Value v, Atom number) const {
  if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kChoice) return false;
  return !guards_.conditions()[provenance_.node(v).tag].has(number);
}

Value Elements::sum_of(const Rounds& rounds, Value part) {
  std::vector<std::uint32_t>& of_part = sums_of_[part.aux];
  const auto is_this = [&](std::uint32_t i) {
    const auto& [known, of] = sums_[i];
    return of == part && known.ring == rounds.ring && known.scalar == rounds.scalar && known.count == rounds.count &&
           known.number == rounds.number;
  };
  const auto known = std::ranges::find_if(of_part, is_this);
  const std::uint32_t at = known != of_part.end() ? *known : static_cast<std::uint32_t>(sums_.size());
  if (known == of_part.end()) {
    of_part.push_back(at);
    sums_.push_back({rounds, part});
  }
  return provenance_.input(kSums, at, rounds.scalar);
}

bool Elements::has(Value v, Atom a) { return depends(v, a, depends_[a]); }

bool Elements::depends(Value v, Atom a, std::unordered_map<std::uint32_t, bool>& known) {
  if (!v.is_node()) return false;
  if (const auto it = known.find(v.aux); it != known.end()) return it->second;
  const Node n = provenance_.node(v);
  bool depends_on_it = false;
  if (n.kind == Node::Kind::kInput) {
    if (n.tag == kSums.value) {
      const Sum sum = sums_[static_cast<std::size_t>(n.index())];
      depends_on_it = sum.rounds.count.has(a) || (sum.rounds.number != a && depends(sum.part, a, known));
    } else if (n.tag == kRecurrences.value) {
      const Recurrence of = recurrences_[static_cast<std::size_t>(n.index()) / kMostLines];
      depends_on_it = depends_on(of, a, known);
    } else if (n.tag != kPlaceholders.value) {
      depends_on_it = polynomials_[static_cast<std::size_t>(n.index())].has(a);
    }
  } else if (n.kind == Node::Kind::kBit) {
    depends_on_it = polynomials_[static_cast<std::size_t>(n.index() / kMostBits)].has(a);
  } else {
    depends_on_it = n.kind == Node::Kind::kChoice && guards_.conditions()[n.tag].has(a);
    n.for_each_part([&](Value part) { depends_on_it = depends_on_it || depends(part, a, known); });
  }
  return known[v.aux] = depends_on_it;
}

bool Elements::has_placeholder(Value v) {
  if (!v.is_node()) return false;
  if (const auto it = has_placeholder_.find(v.aux); it != has_placeholder_.end()) return it->second;
  const Node n = provenance_.node(v);
  bool has = n.kind == Node::Kind::kInput && n.tag == kPlaceholders.value;
  if (n.kind == Node::Kind::kInput && n.tag == kSums.value)
    has = has_placeholder(sums_[static_cast<std::size_t>(n.index())].part);
  if (n.kind == Node::Kind::kInput && n.tag == kRecurrences.value)
    has = has_placeholder_of_others(recurrences_[static_cast<std::size_t>(n.index()) / kMostLines]);
  n.for_each_part([&](Value part) { has = has || has_placeholder(part); });
  return has_placeholder_[v.aux] = has;
}

Value Elements::with(Value v, Atom a, const Polynomial& value, const Placeholders& instead) {
  Change change{a, value, instead};
  return changed(v, change);
}

Value Elements::changed(Value v, Change& change) {
  v = provenance_.normalize(v);
  if (!v.is_node() || (!has(v, change.atom) && !has_placeholder(v))) return v;
  if (const auto it = change.known.find(v.aux); it != change.known.end()) return it->second;
  const Node n = provenance_.node(v);  // a copy: what follows adds nodes
  Value result;
  if (n.kind == Node::Kind::kInput) {
    result = changed_input(v, change);
  } else if (n.kind == Node::Kind::kRing) {
    result = changed_ring(v, change);
  } else if (n.kind == Node::Kind::kChoice || (n.kind == Node::Kind::kOpaque && n.tag < kOpaqueGate)) {
    std::vector<Value> parts(n.children().begin(), n.children().end());
    for (Value& part : parts) {
      if (part.is_undefined()) continue;
      part = changed(part, change);
      if (part.is_undefined()) return {};
    }
    const bool chooses = n.kind == Node::Kind::kChoice;
    result = chooses
                 ? provenance_.select(guards_.at_least_0(guards_.conditions()[n.tag].with(change.atom, change.value)),
                                      parts[1], parts[0])
                 : provenance_.reapply(n.tag, n.scalar, parts);
  }
  change.known.emplace(v.aux, result);
  return result;
}

Value Elements::changed_input(Value v, Change& change) {
  const Node n = provenance_.node(v);
  if (n.tag == kPlaceholders.value) {
    const auto it = change.instead.find(v.aux);
    return it != change.instead.end() ? it->second : v;
  }
  if (n.tag == kSums.value) {
    Sum sum = sums_[static_cast<std::size_t>(n.index())];
    sum.rounds.count = sum.rounds.count.with(change.atom, change.value);
    if (sum.rounds.number != change.atom) sum.part = changed(sum.part, change);  // else the number is its own
    else if (has_placeholder(sum.part)) return {};
    return over_rounds(sum.rounds, sum.part);
  }
  if (n.tag == kRecurrences.value) return changed_recurrence(n, change);
  const Polynomial p = polynomials_[static_cast<std::size_t>(n.index())].with(change.atom, change.value);
  if (p.is_broken()) return {};
  return n.tag == kNumbers.value ? number(p, n.scalar) : provenance_.input(BufferId(n.tag), id(p), n.scalar);
}

Value Elements::changed_ring(Value v, Change& change) {
  const Node n = provenance_.node(v);
  const std::vector<Term> terms(n.terms().begin(), n.terms().end());
  Value all = provenance_.from_terms(n.ring, n.scalar, {});
  bool is_first = true;
  for (const Term& term : terms) {
    Value product = provenance_.from_terms(n.ring, n.scalar, {{term.coefficient, {}}});
    if (is_set(n.ring)) product = term.factors.empty() ? product : changed(Value::node(term.factors[0]), change);
    else
      for (NodeId f : term.factors)
        product = provenance_.multiply(n.ring, n.scalar, product, changed(Value::node(f), change));
    all = is_first ? product : provenance_.combine(n.ring, n.scalar, all, product);
    is_first = false;
  }
  return provenance_.normalize(all);
}

}  // namespace swizzle
