#include "synth/provenance/rounding.h"
#include "synth/provenance/casts.h"

#include <algorithm>
#include <cmath>

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
    return each(term.coefficient) && std::ranges::all_of(term.factors, [&](NodeId f) { return each(Value::node(f)); });
  });
}

// Nothing was rounded to it: an element, what a function gave, or the least or greatest of such, with any sign.
bool is_held_exactly(const Provenance& provenance, Value v, Scalar s) {
  if (!v.is_node()) return true;
  const Node& n = provenance.node(v);
  if (n.kind == Node::Kind::kInput || n.kind == Node::Kind::kOpaque) return !is_real(n.scalar) || contains(s, n.scalar);
  if (n.kind == Node::Kind::kChoice)
    return std::ranges::all_of(n.children(), [&](const Value& part) { return is_held_exactly(provenance, part, s); });
  if (n.kind != Node::Kind::kRing) return false;
  const auto is_element = [&](const Term& term) {
    return std::ranges::all_of(term.factors, [&](NodeId f) { return is_held_exactly(provenance, Value::node(f), s); });
  };
  if (n.ring == Ring::kMin || n.ring == Ring::kMax) return std::ranges::all_of(n.terms(), is_element);
  if (n.terms().size() != 1) return false;
  const Term& term = n.terms()[0];
  return term.factors.size() <= 1 && std::abs(term.coefficient.as_real()) == 1 && is_element(term);
}

// What was computed in a narrower type was rounded there, and the wider one sees it.
Value widened_real(Provenance& provenance, Value v, Scalar from, Scalar to) {
  return provenance.map_leaves(provenance.normalize(v), [&](Value leaf) -> Value {
    if (leaf.is_undefined() || is_held_exactly(provenance, leaf, from)) return leaf;
    return provenance.opaque(cast_code({from, to}), to, {leaf});
  });
}

}  // namespace

// A wider type holds what a narrower one does; a narrower one loses digits of what it does not.
Value rounded(Provenance& provenance, Value v, Scalar from, Scalar to) {
  if (contains(to, from)) return widened_real(provenance, v, from, to);
  return provenance.map_leaves(provenance.normalize(v), [&](Value leaf) -> Value {
    if (leaf.is_undefined()) return leaf;
    if (leaf.is_real()) return Value::real(nearest(to, leaf.as_real()));
    if (const auto cast = cast_of(provenance.node(leaf)); cast && is_real(cast->from) && contains(to, cast->from))
      return rounded(provenance, provenance.node(leaf).children()[0], cast->from, to);
    if (is_computed_from(provenance, leaf, to)) return leaf;
    return provenance.opaque(cast_code({from, to}), to, {leaf});
  });
}

}  // namespace swizzle
