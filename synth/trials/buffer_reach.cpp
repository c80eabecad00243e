#include "synth/trials/buffer_reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace swizzle {
namespace {

BufferReach reach_of_constant(Value c) {
  const double number = c.is_int() || c.is_real() ? c.as_real() : -1;
  const bool counts = number >= 0 && number == std::trunc(number);
  return {0, counts ? number : std::numeric_limits<double>::infinity(), number != 0};
}

}  // namespace

const BufferReach& BufferReaches::of(NodeId id) {
  if (const auto known = known_.find(id.value); known != known_.end()) return known->second;
  const Node& n = provenance_.node(id);
  BufferReach reach;
  if (n.kind == Node::Kind::kInput && n.tag < 64) reach = {std::uint64_t{1} << n.tag, 1, false};
  else if (n.kind == Node::Kind::kChoice || (n.combines() && n.ring == Ring::kSum)) reach = of_parts(n);
  return known_[id.value] = reach;
}

BufferReach BufferReaches::of_parts(const Node& n) {
  BufferReach all;
  bool is_polynomial = true;
  for (const Value& part : n.children()) {
    const BufferReach one = part.is_node() ? of(part.as_node()) : reach_of_constant(part);
    is_polynomial = is_polynomial && (one.buffers != 0 || part.is_int() || part.is_real());
    all.most = n.kind == Node::Kind::kChoice ? std::max(all.most, one.most) : all.most + one.most;
    all.has_constant = all.has_constant || one.has_constant;
    all.buffers |= one.buffers;
  }
  for (const Term& t : n.terms()) {
    BufferReach product = reach_of_constant(t.coefficient);
    for (NodeId f : t.factors) {
      const BufferReach& factor = of(f);
      is_polynomial = is_polynomial && factor.buffers != 0;
      product.most *= factor.most;
      product.has_constant = product.has_constant && factor.has_constant;
      product.buffers |= factor.buffers;
    }
    all.most += product.most;
    all.has_constant = all.has_constant || product.has_constant;
    all.buffers |= product.buffers;
  }
  return is_polynomial ? all : BufferReach();
}

std::uint64_t BufferReaches::without_constant(const Term& term) {
  std::uint64_t all = 0;
  bool has_constant = true;
  for (NodeId f : term.factors) {
    const BufferReach& reach = of(f);
    if (reach.buffers == 0) return 0;
    all |= reach.buffers;
    has_constant = has_constant && reach.has_constant;
  }
  return has_constant ? 0 : all;
}

}  // namespace swizzle
