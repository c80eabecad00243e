#include "synth/execution/unwritten.h"

#include "synth/provenance/concrete.h"

namespace swizzle {

bool UnwrittenParts::are_in(Value v) {
  if (!v.is_node()) return false;
  if (const auto known = are_in_.find(v.aux); known != are_in_.end()) return known->second;
  constexpr int kOther = 12345;  // than it is there in any trial
  const Node& n = provenance_.node(v);
  bool are = n.kind == Node::Kind::kOpaque && n.tag == kOpaqueUnwritten;
  if (are) others_.emplace(v.aux, is_real(n.scalar) ? Value::real(kOther) : Value::integer(wrap(n.scalar, kOther)));
  n.for_each_part([&](Value part) { are = are_in(part) || are; });
  return are_in_[v.aux] = are;
}

bool UnwrittenParts::are_seen_in(Value v) {
  if (!v.is_node() || provenance_.has_choice(v) || !are_in(v)) return false;
  const Value other = provenance_.normalize(provenance_.substitute(v, others_));
  return Concrete(provenance_).are_seen_apart(provenance_.node(v).scalar, v, other);
}

}  // namespace swizzle
