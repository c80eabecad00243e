// Resolution: what a value is once points are decided, all that it depends on or some.
#include <algorithm>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/words.h"

namespace swizzle {

class Resolution {
 public:
  // Of points that are open: they block; their choices stay; or, all being open, values are made anew of known parts.
  enum class Open : std::uint8_t { kBlocks, kStays, kSubstitutes };
  Resolution(Provenance& provenance, const Assignment& assignment, PointId& blocked, DecidedValues& known, Open open)
      : provenance_(provenance),
        assignment_(assignment),
        blocked_(blocked),
        known_(known),
        open_(open) {}

  Value of(Value v) {
    if (!v.is_node() || (open_ != Open::kSubstitutes && !provenance_.has_choice(v))) return v;
    const bool is_shared =
        open_ != Open::kBlocks || provenance_.node(v).kind == Node::Kind::kDeferred || ++visits_ > kFewVisits;
    if (!is_shared) return of_node(v.as_node());
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Value result = of_node(v.as_node());
    if (!blocked_.valid()) known_.emplace(v.aux, result);
    return result;
  }

 private:
  Value of_node(NodeId id) {
    switch (provenance_.node(id).kind) {
      case Node::Kind::kInput:
      case Node::Kind::kBit: return Value::node(id);
      case Node::Kind::kChoice: return chosen(PointId(provenance_.node(id).tag), provenance_.node(id).children());
      case Node::Kind::kOpaque: return function(id);
      case Node::Kind::kAppended: return of(provenance_.normalize(Value::node(id)));
      case Node::Kind::kRing: return sum(id);
      case Node::Kind::kWord: return word(id);
      case Node::Kind::kDeferred: return deferred(id);
    }
    return {};
  }

  Value chosen(PointId point, const Children& alternatives) {
    if (open_ == Open::kSubstitutes || assignment_[point.value] < 0) {
      if (open_ != Open::kBlocks) return open_choice(point, {alternatives.begin(), alternatives.end()});
      blocked_ = point;
      return {};
    }
    return of(alternatives[static_cast<std::size_t>(assignment_[point.value])]);
  }

  Value open_choice(PointId point, std::vector<Value> alternatives) {
    for (Value& v : alternatives) v = of(v);
    const bool is_condition = alternatives.size() == 2 && open_ == Open::kSubstitutes;
    if (!is_condition) return provenance_.choice(point, alternatives);
    // Of (v, c ? v + w : v), where c is known now, v is no part of the choice.
    const Value condition = provenance_.choice(point, {Value::integer(0), Value::integer(1)});
    return provenance_.merge_choices(condition, alternatives[1], alternatives[0]);
  }

  // What the node refers to; undefined values stand among it.
  std::vector<Value> parts(NodeId id) {
    const Children children = provenance_.node(id).children();
    std::vector<Value> resolved(children.begin(), children.end());
    for (Value& v : resolved) {
      v = of(v);
      if (blocked_.valid()) break;
    }
    return resolved;
  }

  Value function(NodeId id) {
    const std::vector<Value> operands = parts(id);
    return blocked_.valid() ? Value{}
                            : provenance_.reapply(provenance_.node(id).tag, provenance_.node(id).scalar, operands);
  }

  Value word(NodeId id) {
    std::vector<Value> bits = parts(id);
    return blocked_.valid() ? Value{} : word_of(provenance_, Scalar::kU64, bits);
  }

  Value deferred(NodeId id) {
    const std::uint32_t code = provenance_.node(id).tag;
    if (code >= kDeferredChoice) return chosen(PointId(code - kDeferredChoice), provenance_.node(id).children());
    const std::vector<Value> operands = parts(id);
    return blocked_.valid() ? Value{} : word_operation(provenance_, code, provenance_.node(id).scalar, operands);
  }

  Value sum(NodeId id);
  Value either(Scalar s, const std::vector<Term>& terms) {
    Value all = Value::integer(0);
    for (const Term& t : terms)
      all = provenance_.binary(Operator::kOr, s, all, t.factors.empty() ? t.coefficient : Value::node(t.factors[0]));
    return provenance_.normalize(all);
  }
  // Of |: truths that became numbers have a form of their own (indicators.h).
  bool is_number_of_truths(const Term& t) const {
    if (t.factors.empty()) return false;
    const Node& n = provenance_.node(t.factors[0]);
    return is_indicator(n) || (n.kind == Node::Kind::kRing && n.ring == Ring::kSum && n.selects);
  }

  static constexpr int kFewVisits = 64;  // more are made of what is asked for again and again

  Provenance& provenance_;
  const Assignment& assignment_;
  PointId& blocked_;
  DecidedValues& known_;
  Open open_;
  int visits_ = 0;
};

// The terms are collected before they are added up. A product of symbols is one. Resolving adds nodes, so that none is
// held.
Value Resolution::sum(NodeId id) {
  Provenance& p = provenance_;
  const Ring ring = p.node(id).ring;
  const Scalar s = p.node(id).scalar;
  const bool multiplies = ring == Ring::kSum || ring == Ring::kXor;
  std::vector<Term> resolved;
  resolved.reserve(p.node(id).terms().size());
  std::vector<Value> factors;
  for (std::size_t t = 0; t < p.node(id).terms().size(); ++t) {
    const Value coefficient = p.node(id).terms()[t].coefficient;
    factors.clear();
    bool symbols = multiplies;
    for (std::size_t i = 0; i < p.node(id).terms()[t].factors.size(); ++i) {
      factors.push_back(of(Value::node(p.node(id).terms()[t].factors[i])));
      if (blocked_.valid() || factors.back().is_undefined()) return {};
      symbols =
          symbols && factors.back().is_node() && !is_indicator(p.node(factors.back())) &&
          (p.node(factors.back()).kind == Node::Kind::kInput || p.node(factors.back()).kind == Node::Kind::kOpaque);
    }
    if (symbols) {
      Term& product = resolved.emplace_back(Term{coefficient, {}});
      for (const Value& f : factors) product.factors.push_back(f.as_node());
      std::sort(product.factors.begin(), product.factors.end());
      if (ring == Ring::kXor)
        product.factors.erase(std::unique(product.factors.begin(), product.factors.end()), product.factors.end());
      continue;
    }
    if (multiplies &&
        std::any_of(factors.begin(), factors.end(), [](const Value& f) { return f.is_int() && f.bits == 0; }))
      continue;
    Value product = p.from_terms(ring, s, {Term{coefficient, {}}});
    for (const Value& f : factors) product = multiplies ? p.multiply(ring, s, product, f) : f;
    for (Term& term : p.terms(ring, s, p.normalize(product))) resolved.push_back(std::move(term));
  }
  if (ring == Ring::kOr && std::ranges::any_of(resolved, [&](const Term& t) { return is_number_of_truths(t); }))
    return either(s, resolved);
  std::sort(resolved.begin(), resolved.end(), [](const Term& a, const Term& b) { return a.factors < b.factors; });
  return p.from_terms(ring, s, std::move(resolved));
}

Value Provenance::resolve(Value v, const Assignment& assignment, PointId& blocked) {
  if (!has_choice(v)) return v;
  DecidedValues known;
  return resolve(v, assignment, blocked, known);
}

Value Provenance::resolve(Value v, const Assignment& assignment, PointId& blocked, DecidedValues& known) {
  return Resolution(*this, assignment, blocked, known, Resolution::Open::kBlocks).of(v);
}

Value Provenance::resolve_known(Value v, const Assignment& assignment, DecidedValues& known) {
  PointId blocked;
  return Resolution(*this, assignment, blocked, known, Resolution::Open::kStays).of(v);
}

Value Provenance::substitute(Value v, DecidedValues& known) {
  PointId blocked;
  return Resolution(*this, {}, blocked, known, Resolution::Open::kSubstitutes).of(v);
}

}  // namespace swizzle
