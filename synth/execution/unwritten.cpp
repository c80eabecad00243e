#include "synth/execution/unwritten.h"

#include <unordered_set>

#include "synth/provenance/concrete.h"

namespace swizzle {
namespace {

void collect_unwritten(const Provenance& p, Value v, std::unordered_set<std::uint32_t>& seen, DecidedValues& known) {
  if (!v.is_node() || !seen.insert(v.aux).second) return;
  const Node& n = p.node(v);
  constexpr int kOther = 12345;  // than it is there in any trial
  if (n.kind == Node::Kind::kOpaque && n.tag == kOpaqueUnwritten)
    known.emplace(v.aux, is_real(n.scalar) ? Value::real(kOther) : Value::integer(wrap(n.scalar, kOther)));
  n.for_each_part([&](Value part) { collect_unwritten(p, part, seen, known); });
}

}  // namespace

bool is_seen_unwritten(Provenance& provenance, Value v) {
  if (!v.is_node() || provenance.has_choice(v)) return false;
  std::unordered_set<std::uint32_t> seen;
  DecidedValues known;
  collect_unwritten(provenance, v, seen, known);
  if (known.empty()) return false;
  const Value other = provenance.normalize(provenance.substitute(v, known));
  return Concrete(provenance).are_seen_apart(provenance.node(v).scalar, v, other);
}

}  // namespace swizzle
