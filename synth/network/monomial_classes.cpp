#include "synth/network/monomial_classes.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::uint32_t kOthers = ~0u;  // instead of a buffer

bool is_sum(const Node& n, Scalar s) { return n.combines() && n.ring == Ring::kSum && n.scalar == s; }

}  // namespace

std::vector<RingEquation> MonomialClasses::split(const RingEquation& part) {
  if (part.ring != Ring::kSum) return {};
  if (scalar_ != part.scalar) {
    known_.clear();
    parts_.clear();
    scalar_ = part.scalar;
  }
  const std::optional<Classes> actual = classes_of(part.actual), expected = classes_of(part.expected);
  if (!actual || !expected) return {};
  Classes all = *actual;
  all.insert(expected->begin(), expected->end());
  if (all.size() < 2) return {};
  std::vector<RingEquation> parts;
  for (const Class& each : all)
    parts.push_back({part.equation, part.ring, part.scalar, provenance_.normalize(of_class(part.actual, each)),
                     provenance_.normalize(of_class(part.expected, each))});
  return parts;
}

const std::optional<MonomialClasses::Classes>& MonomialClasses::classes_of(Value v) {
  static const std::optional<Classes> kConstant{{Class{}}}, kZero{Classes{}}, kUnknown;
  if (!v.is_node()) return v.is_undefined() ? kUnknown : truth(v) == false ? kZero : kConstant;
  if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
  std::optional<Classes> found = find_classes(v);
  return known_.emplace(v.aux, std::move(found)).first->second;
}

// What is undefined is of no class; a completion has none of it.
std::optional<MonomialClasses::Classes> MonomialClasses::find_classes(Value v) {
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kInput) return Classes{Class{n.tag}};
  Classes all;
  if (is_sum(n, scalar_)) {
    for (const Term& term : provenance_.terms(Ring::kSum, scalar_, v)) {
      const auto some = classes_of(term);
      if (!some) return std::nullopt;
      all.insert(some->begin(), some->end());
    }
    return all;
  }
  if (!n.has_choice) return Classes{Class{kOthers}};
  if (n.kind != Node::Kind::kChoice) return std::nullopt;
  for (const Value& child : n.children()) {
    if (child.is_undefined()) continue;
    const std::optional<Classes>& some = classes_of(child);
    if (!some) return std::nullopt;
    all.insert(some->begin(), some->end());
  }
  return all;
}

// Of several factors, each of one class; or one factor, which may be a choice of sums.
std::optional<MonomialClasses::Classes> MonomialClasses::classes_of(const Term& term) {
  if (term.factors.size() == 1) return classes_of(Value::node(term.factors[0]));
  Class all;
  for (NodeId factor : term.factors) {
    const std::optional<Classes>& some = classes_of(Value::node(factor));
    if (!some || some->size() != 1) return std::nullopt;
    all.insert(all.end(), some->begin()->begin(), some->begin()->end());
  }
  std::ranges::sort(all);
  return Classes{all};
}

Value MonomialClasses::of_class(Value v, const Class& wanted) {
  const std::optional<Classes>& classes = classes_of(v);
  if (v.is_undefined() || (classes && classes->size() == 1 && *classes->begin() == wanted)) return v;
  const Value zero = is_real(scalar_) ? Value::real(0) : Value::integer(0);
  if (!classes || !classes->contains(wanted)) return zero;
  const auto [known, fresh] = parts_.try_emplace({v.aux, wanted});
  if (!fresh) return known->second;
  Value made = zero;
  if (is_sum(provenance_.node(v), scalar_)) {
    for (const Term& term : provenance_.terms(Ring::kSum, scalar_, v))
      made = provenance_.combine(Ring::kSum, scalar_, made, of_class(term, wanted));
  } else {
    const Children children = provenance_.node(v).children();
    std::vector<Value> alternatives(children.begin(), children.end());
    for (Value& alternative : alternatives) alternative = of_class(alternative, wanted);
    made = provenance_.choice(PointId(provenance_.node(v).tag), alternatives);
  }
  made = provenance_.normalize(made);
  return parts_[{v.aux, wanted}] = made;
}

Value MonomialClasses::of_class(const Term& term, const Class& wanted) {
  const std::optional<Classes> classes = classes_of(term);
  const Value zero = is_real(scalar_) ? Value::real(0) : Value::integer(0);
  if (!classes || !classes->contains(wanted)) return zero;
  if (classes->size() == 1) return provenance_.from_terms(Ring::kSum, scalar_, {term});
  return provenance_.multiply(Ring::kSum, scalar_, term.coefficient, of_class(Value::node(term.factors[0]), wanted));
}

}  // namespace swizzle
