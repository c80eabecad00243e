#include "synth/bits/unit_inputs.h"

#include <algorithm>

namespace swizzle {

std::optional<bool> UnitInput::value_of(Value bit) const {
  if (bit.is_int()) return bit.bits != 0;
  if (!bit.is_node()) return std::nullopt;
  const Node& node = provenance_.node(bit);
  if (node.kind == Node::Kind::kBit) return one_ == bit.as_node();
  if (node.kind != Node::Kind::kRing || node.ring != Ring::kXor) return std::nullopt;
  bool sum = false;
  for (const Term& term : node.terms()) {
    for (const NodeId factor : term.factors)
      if (provenance_.node(factor).kind != Node::Kind::kBit) return std::nullopt;
    if (std::ranges::all_of(term.factors, [&](NodeId factor) { return one_ == factor; })) sum = !sum;
  }
  return sum;
}

std::vector<NodeId> input_bits_of(const Provenance& provenance, const std::vector<Value>& bits) {
  std::vector<NodeId> found;
  std::vector<bool> is_met(provenance.size(), false);
  std::vector<Value> open(bits.rbegin(), bits.rend());
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    if (!v.is_node() || is_met[v.aux]) continue;
    is_met[v.aux] = true;
    if (provenance.node(v).kind == Node::Kind::kBit) found.push_back(v.as_node());
    provenance.node(v).for_each_part([&](Value part) { open.push_back(part); });
  }
  return found;
}

}  // namespace swizzle
