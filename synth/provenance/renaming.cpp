#include "synth/provenance/renaming.h"

#include <algorithm>

#include "synth/provenance/rings.h"
#include "synth/provenance/words.h"

namespace swizzle {

Value Renaming::of(Value v) {
  if (!v.is_node()) return v;
  if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
  const Value result = of_node(v);
  known_.emplace(v.aux, result);
  return result;
}

Value Renaming::of_sum(Value v) {
  const Node n = provenance_.node(v);  // a copy: what follows adds nodes
  std::vector<Term> terms(n.terms().begin(), n.terms().end());
  for (Term& term : terms) {
    for (NodeId& factor : term.factors) factor = of(Value::node(factor)).as_node();
    std::sort(term.factors.begin(), term.factors.end());
  }
  std::sort(terms.begin(), terms.end(), factors_less);
  return provenance_.from_terms(n.ring, n.scalar, std::move(terms));
}

Value Renaming::of_node(Value v) {
  v = provenance_.normalize(v);
  if (!v.is_node()) return v;
  const Node n = provenance_.node(v);  // a copy: what follows adds nodes
  std::vector<Value> parts(n.children().begin(), n.children().end());
  if (n.kind != Node::Kind::kInput && n.kind != Node::Kind::kBit)
    for (Value& part : parts) part = of(part);
  switch (n.kind) {
    case Node::Kind::kInput: return provenance_.input(BufferId(n.tag), n.index() + moves_[n.tag], n.scalar);
    case Node::Kind::kBit: {
      const int position = static_cast<int>(n.index() % kMostBits);
      return provenance_.bit(BufferId(n.tag), n.index() / kMostBits + moves_[n.tag], position);
    }
    case Node::Kind::kRing: return of_sum(v);
    case Node::Kind::kChoice: return provenance_.choice(PointId(n.tag), parts);
    case Node::Kind::kWord: return provenance_.word(parts);
    case Node::Kind::kDeferred: return provenance_.deferred(n.tag, n.scalar, parts, n.maybe_undefined);
    case Node::Kind::kOpaque:
      if (n.tag >= kOpaqueGate)  // its operands are in the order of their nodes
        return gate(provenance_, static_cast<Operator>(n.tag - kOpaqueGate), parts[0], parts[1]);
      if (n.tag == kOpaqueSelect || n.tag == static_cast<std::uint32_t>(Operator::kEq))  // of one form, by their nodes
        return provenance_.reapply(n.tag, n.scalar, parts);
      return provenance_.opaque(n.tag, n.scalar, std::move(parts));
    case Node::Kind::kAppended: return provenance_.opaque(n.tag, n.scalar, std::move(parts));
  }
  return {};
}

}  // namespace swizzle
