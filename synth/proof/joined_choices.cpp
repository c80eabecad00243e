#include "synth/proof/joined_choices.h"

#include <algorithm>
#include <array>
#include <optional>

namespace swizzle {
namespace {

class JoinedChoices {
 public:
  JoinedChoices(Provenance& provenance, Ring ring, Scalar scalar)
      : provenance_(provenance),
        ring_(ring),
        scalar_(scalar) {}

  Value run(Value v) {
    std::vector<Term> kept;
    std::vector<Value> joined;
    for (Term& term : provenance_.terms(ring_, scalar_, v)) {
      if (const auto point = repeated_point(term)) joined.push_back(join(term, *point));
      else kept.push_back(std::move(term));
    }
    if (joined.empty()) return v;
    Value sum = provenance_.from_terms(ring_, scalar_, std::move(kept));
    for (const Value term : joined) sum = provenance_.combine(ring_, scalar_, sum, term);
    return provenance_.normalize(sum);
  }

 private:
  std::optional<std::uint32_t> point_of(NodeId factor) const {
    const Node& n = provenance_.node(factor);
    return n.kind == Node::Kind::kChoice && n.children().size() == 2 ? std::optional(n.tag) : std::nullopt;
  }

  std::optional<std::uint32_t> repeated_point(const Term& term) const {
    for (std::size_t i = 0; i < term.factors.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const auto point = point_of(term.factors[i]); point && point == point_of(term.factors[j])) return point;
    return std::nullopt;
  }

  Value join(const Term& term, std::uint32_t point) {
    Term rest{term.coefficient, {}};
    std::array<std::optional<Value>, 2> arms;
    for (const NodeId factor : term.factors) {
      if (point_of(factor) != point) {
        rest.factors.push_back(factor);
        continue;
      }
      for (std::size_t arm = 0; arm < 2; ++arm) {
        const Value other = provenance_.node(factor).children()[arm];
        arms[arm] = arms[arm] ? provenance_.multiply(ring_, scalar_, *arms[arm], other) : other;
      }
    }
    const Value choice = provenance_.choice(PointId{point}, {*arms[0], *arms[1]});
    return provenance_.multiply(ring_, scalar_, provenance_.from_terms(ring_, scalar_, {std::move(rest)}), choice);
  }

  Provenance& provenance_;
  const Ring ring_;
  const Scalar scalar_;
};

}  // namespace

Value with_joined_choices(Provenance& provenance, Value v) {
  if (!provenance.has_choice(v) || !provenance.node(v).combines()) return v;
  return JoinedChoices(provenance, provenance.node(v).ring, provenance.node(v).scalar).run(v);
}

}  // namespace swizzle
