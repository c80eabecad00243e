#include "synth/provenance/rounding.h"
#include "synth/provenance/casts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace swizzle {
namespace {

// Every value of the one type is a value of the other.
bool contains(Scalar wide, Scalar narrow) {
  return narrow == wide || wide == Scalar::kF64 || (wide == Scalar::kF32 && narrow != Scalar::kF64);
}

// What holds of a node by what holds of its parts, each of which is asked once: what chains of steps share.
class Asked {
 public:
  Asked(const Provenance& provenance, Scalar s) : provenance_(provenance), s_(s) {}

  // Arithmetic on values of the type, which rounds no more than that type's own does: all of it is taken for arithmetic
  // on real numbers. Constants are rounded where they are converted.
  bool is_computed_from(Value v) {
    if (!v.is_node()) return !v.is_real() || nearest(s_, v.as_real()) == v.as_real();
    return known(computed_, v, [&](const Node& n) {
      switch (n.kind) {
        case Node::Kind::kInput:
        case Node::Kind::kOpaque: return is_real(n.scalar) && contains(s_, n.scalar);
        case Node::Kind::kChoice:
        case Node::Kind::kAppended:
          return std::ranges::all_of(n.children(), [&](const Value& part) { return is_computed_from(part); });
        case Node::Kind::kRing:
        case Node::Kind::kBit:
        case Node::Kind::kWord:
        case Node::Kind::kDeferred: break;
      }
      return std::ranges::all_of(n.terms(), [&](const Term& term) {
        const auto is_so = [&](NodeId f) { return is_computed_from(Value::node(f)); };
        return is_computed_from(term.coefficient) && std::ranges::all_of(term.factors, is_so);
      });
    });
  }

  // Nothing was rounded to it: an element, what a function gave, or the least or greatest of such, with any sign.
  bool is_held_exactly(Value v) {
    if (!v.is_node()) return true;
    return known(held_, v, [&](const Node& n) {
      if (n.kind == Node::Kind::kInput || n.kind == Node::Kind::kOpaque)
        return !is_real(n.scalar) || contains(s_, n.scalar);
      const bool is_extremum = n.ring == Ring::kMin || n.ring == Ring::kMax;
      if (n.kind == Node::Kind::kChoice || (n.kind == Node::Kind::kAppended && is_extremum))
        return std::ranges::all_of(n.children(), [&](const Value& part) { return is_held_exactly(part); });
      if (n.kind != Node::Kind::kRing) return false;
      const auto is_element = [&](const Term& term) {
        return std::ranges::all_of(term.factors, [&](NodeId f) { return is_held_exactly(Value::node(f)); });
      };
      if (is_extremum) return std::ranges::all_of(n.terms(), is_element);
      if (n.terms().size() != 1) return false;
      const Term& term = n.terms()[0];
      return term.factors.size() <= 1 && std::abs(term.coefficient.as_real()) == 1 && is_element(term);
    });
  }

 private:
  using Answers = std::unordered_map<std::uint32_t, bool>;
  template <typename Ask>
  bool known(Answers& answers, Value v, Ask&& ask) {
    if (const auto answer = answers.find(v.aux); answer != answers.end()) return answer->second;
    const bool is_so = ask(provenance_.node(v));
    answers.emplace(v.aux, is_so);
    return is_so;
  }

  const Provenance& provenance_;
  const Scalar s_;
  Answers computed_, held_;
};

// What was computed in a narrower type was rounded there, and the wider one sees it.
Value widened_real(Provenance& provenance, Value v, Scalar from, Scalar to) {
  Asked asked(provenance, from);
  if (asked.is_held_exactly(v)) return v;
  return provenance.map_leaves(provenance.normalize(v), [&](Value leaf) -> Value {
    if (leaf.is_undefined() || asked.is_held_exactly(leaf)) return leaf;
    return provenance.opaque(cast_code({from, to}), to, {leaf});
  });
}

}  // namespace

// A wider type holds what a narrower one does; a narrower one loses digits of what it does not.
Value rounded(Provenance& provenance, Value v, Scalar from, Scalar to) {
  if (contains(to, from)) return widened_real(provenance, v, from, to);
  Asked asked(provenance, to);
  if (asked.is_computed_from(v)) return v;
  return provenance.map_leaves(provenance.normalize(v), [&](Value leaf) -> Value {
    if (leaf.is_undefined()) return leaf;
    if (leaf.is_real()) return Value::real(nearest(to, leaf.as_real()));
    if (const auto cast = cast_of(provenance.node(leaf)); cast && is_real(cast->from) && contains(to, cast->from))
      return rounded(provenance, provenance.node(leaf).children()[0], cast->from, to);
    if (asked.is_computed_from(leaf)) return leaf;
    return provenance.opaque(cast_code({from, to}), to, {leaf});
  });
}

}  // namespace swizzle
