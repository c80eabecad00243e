#include "synth/provenance/logic_forms.h"

#include <algorithm>

#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTerms = 64;

bool is_ring(const Provenance& p, Value v, Ring ring) {
  return v.is_node() && p.node(v).kind == Node::Kind::kRing && p.node(v).ring == ring;
}

bool is_mixed(const Provenance& p, const Node& n) {
  const Ring other = n.ring == Ring::kOr ? Ring::kXor : Ring::kOr;
  return std::ranges::any_of(n.terms(), [&](const Term& t) {
    return std::ranges::any_of(t.factors, [&](NodeId f) { return is_ring(p, Value::node(f), other); });
  });
}

}  // namespace

Value LogicForms::form(const Provenance& p, Value v) {
  if (!is_ring(p, v, Ring::kOr) && !is_ring(p, v, Ring::kXor)) return v;
  const Node& n = p.node(v);
  if (n.has_choice || n.maybe_undefined || n.terms().size() > kMostTerms || !is_mixed(p, n)) return v;
  const Function function = function_of(p, n.scalar, v);
  return function ? values_.try_emplace({n.scalar, *function}, v).first->second : v;
}

LogicForms::Function LogicForms::function_of(const Provenance& p, Scalar s, Value v) {
  if (!v.is_node()) {
    const std::int64_t bits = wrap(s, v.bits);
    if (bits == 0) return Lattice::kNever;
    return bits == wrap(s, -1) ? Lattice::kAlways : atom(Value::integer(bits));
  }
  if (const auto known = functions_.find(v.aux); known != functions_.end()) return known->second;
  const bool is_logic = is_ring(p, v, Ring::kOr) || is_ring(p, v, Ring::kXor);
  const bool is_known = is_logic && p.node(v).scalar == s && p.node(v).terms().size() <= kMostTerms;
  const Function function = is_known ? function_of_ring(p, s, v) : Function(atom(v));
  functions_[v.aux] = function;
  return function;
}

LogicForms::Function LogicForms::function_of_ring(const Provenance& p, Scalar s, Value v) {
  const Node& n = p.node(v);
  Function all = Lattice::kNever;
  for (const Term& term : n.terms()) {
    const bool has_mask = n.ring == Ring::kXor || term.factors.empty();
    Function one = has_mask ? function_of(p, s, term.coefficient) : Function(Lattice::kAlways);
    for (NodeId f : term.factors) {
      const Function factor = function_of(p, s, Value::node(f));
      one = one && factor ? lattice_.least(*one, *factor) : std::nullopt;
    }
    if (!one || !all) return std::nullopt;
    all = n.ring == Ring::kOr ? lattice_.greatest(*all, *one) : lattice_.different(*all, *one);
  }
  return all;
}

Lattice::Function LogicForms::atom(Value v) {
  const auto key = v.is_node() ? std::pair(false, std::int64_t{v.aux}) : std::pair(true, v.bits);
  const auto next = static_cast<Lattice::Atom>(atoms_.size());
  return lattice_.of(atoms_.try_emplace(key, next).first->second);
}

}  // namespace swizzle
