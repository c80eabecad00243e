#include "synth/provenance/rounding.h"
#include "synth/provenance/casts.h"

#include <algorithm>

namespace swizzle {
namespace {

// Every value of the one type is a value of the other.
bool contains(Scalar wide, Scalar narrow) {
  return narrow == wide || wide == Scalar::kF64 || (wide == Scalar::kF32 && narrow != Scalar::kF64);
}

// Arithmetic on values of the type, which rounds no more than that type's own does: all of it is taken for arithmetic
// on real numbers. Constants are rounded where they are converted.
bool is_computed_from(const Provenance& provenance, Value v, Scalar s) {
  if (!v.is_node()) return !v.is_real() || nearest(s, v.as_real()) == v.as_real();
  const Node& n = provenance.node(v);
  const auto each = [&](const Value& part) { return is_computed_from(provenance, part, s); };
  switch (n.kind) {
    case Node::Kind::kInput:
    case Node::Kind::kOpaque: return is_real(n.scalar) && contains(s, n.scalar);
    case Node::Kind::kChoice: return std::ranges::all_of(n.children(), each);
    case Node::Kind::kAppended: return std::ranges::all_of(n.children(), each);
    case Node::Kind::kRing:
    case Node::Kind::kBit:
    case Node::Kind::kWord:
    case Node::Kind::kDeferred: break;
  }
  return std::ranges::all_of(n.terms(), [&](const Term& term) {
    return (!term.factors.empty() || each(term.coefficient)) &&
           std::ranges::all_of(term.factors, [&](NodeId f) { return each(Value::node(f)); });
  });
}

}  // namespace

// A wider type holds what a narrower one does; a narrower one loses digits of what it does not.
Value rounded(Provenance& provenance, Value v, Scalar from, Scalar to) {
  if (contains(to, from)) return v;
  return provenance.map_leaves(provenance.normalize(v), [&](Value leaf) -> Value {
    if (leaf.is_undefined()) return leaf;
    if (leaf.is_real()) return Value::real(nearest(to, leaf.as_real()));
    if (is_computed_from(provenance, leaf, to)) return leaf;
    return provenance.opaque(cast_code({from, to}), to, {leaf});
  });
}

}  // namespace swizzle
