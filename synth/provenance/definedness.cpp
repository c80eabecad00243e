#include "synth/provenance/definedness.h"

#include <algorithm>
#include <map>

#include "synth/provenance/rings.h"

namespace swizzle {
namespace {

class Definedness {
 public:
  Definedness(Provenance& provenance, Ring ring, Scalar s) : provenance_(provenance), ring_(ring), scalar_(s) {}

  Value of(Value v) {
    if (v.is_undefined()) return {};
    if (!provenance_.has_choice(v)) return is_real(scalar_) ? Value::real(0) : Value::integer(0);
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Value result = of_node(provenance_.node(v));
    known_.emplace(v.aux, result);
    return result;
  }

 private:
  Value of_node(const Node node) {  // a copy: what follows adds nodes
    if (node.kind == Node::Kind::kChoice) {
      std::vector<Value> alternatives;
      for (const Value& child : node.children()) alternatives.push_back(of(child));
      return provenance_.choice(PointId(node.tag), alternatives);
    }
    std::vector<Term> parts;
    bool defined = true;
    node.for_each_part([&](Value part) {
      const Value residue = of(part);
      defined = defined && !residue.is_undefined();
      if (!residue.is_node()) return;
      for (const Term& term : provenance_.terms(ring_, scalar_, residue))
        if (std::find(parts.begin(), parts.end(), term) == parts.end()) parts.push_back(term);
    });
    std::sort(parts.begin(), parts.end(), factors_less);
    return defined ? provenance_.from_terms(ring_, scalar_, std::move(parts)) : Value{};
  }

  Provenance& provenance_;
  Ring ring_;
  Scalar scalar_;
  std::map<std::uint32_t, Value> known_;  // by node
};

}  // namespace

bool may_be_undefined(const Provenance& provenance, Value v) {
  return v.is_undefined() || (v.is_node() && provenance.node(v).maybe_undefined);
}

bool are_one(Provenance& provenance, Value a, Value b) {
  a = provenance.normalize(a), b = provenance.normalize(b);
  return a == b && !may_be_undefined(provenance, a);
}

Value definedness(Provenance& provenance, Ring ring, Scalar s, Value v) {
  return Definedness(provenance, ring, s).of(v);
}

bool keep_definedness(Provenance& provenance, Ring ring, Scalar s, const std::vector<NodeId>& gone,
                      std::vector<Term>& left) {
  Definedness definedness(provenance, ring, s);
  std::vector<Term> residues;
  for (NodeId f : gone) {
    const Value residue = definedness.of(Value::node(f));
    if (residue.is_undefined()) return false;
    for (Term& term : provenance.terms(ring, s, residue)) {
      const auto is_same = [&](const Term& t) { return t.factors == term.factors; };
      if (std::none_of(left.begin(), left.end(), is_same) && std::none_of(residues.begin(), residues.end(), is_same))
        residues.push_back(std::move(term));
    }
  }
  left.insert(left.end(), std::make_move_iterator(residues.begin()), std::make_move_iterator(residues.end()));
  std::sort(left.begin(), left.end(), factors_less);
  return true;
}

}  // namespace swizzle
