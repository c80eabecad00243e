#include "synth/provenance/inputs_below.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace swizzle {

std::set<NodeId> inputs_below(const Provenance& provenance, Value v) {
  std::set<NodeId> inputs;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending{v};
  while (!pending.empty()) {
    const Value next = pending.back();
    pending.pop_back();
    if (!next.is_node() || !seen.insert(next.aux).second) continue;
    const Node& n = provenance.node(next);
    if (n.kind == Node::Kind::kInput) inputs.insert(next.as_node());
    n.for_each_part([&](Value part) { pending.push_back(part); });
  }
  return inputs;
}

}  // namespace swizzle
