// Selects: which arm a condition takes, on indices, on data, and between sums that share terms.
#include <algorithm>
#include <utility>
#include <vector>

#include "synth/program/intrinsics.h"
#include "synth/provenance/arms.h"
#include "synth/provenance/comparisons.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/leaves.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"
#include "synth/provenance/strides.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

// a < b ? b - a : a - b is the size of a - b, where that does not overflow. Of integers, x < 6 ? 5 - x : x - 5 is one
// as well: the condition tells the sign of the arms, or that they are 0.
std::optional<Value> size_of_difference(Provenance& p, const Node& order, Value if_true, Value if_false) {
  const Scalar s = order.scalar;
  const auto minus = [&](Value a, Value b) { return p.normalize(p.binary(Operator::kSub, s, a, b)); };
  const Value more = minus(if_true, minus(order.children()[1], order.children()[0]));
  const bool is_strict = order.is(Operator::kLt);
  const bool is_same_sign = more == Value::integer(0) || (is_real(s) && more == Value::real(0)) ||
                            (!is_real(s) && more == Value::integer(wrap(s, is_strict ? -1 : 1)));
  if (!is_same_sign || !(p.normalize(p.unary(Operator::kNegate, s, if_true)) == if_false)) return std::nullopt;
  const bool is_in_range = is_real(s) || values_by_type(p, if_true, s).has_value();
  return is_in_range ? std::optional(absolute_value(p, s, if_true)) : std::nullopt;
}

// x < 0 ? -x : x
std::optional<Value> absolute(Provenance& p, Value condition, Value if_true, Value if_false) {
  const Node c = p.node(condition);  // a copy: what follows adds nodes
  const bool is_order = c.is(Operator::kLt) || c.is(Operator::kLe);
  if (!is_order || (is_unsigned(c.scalar) && !is_real(c.scalar))) return std::nullopt;
  const bool is_open = p.has_choice(condition) || p.has_choice(if_true) || p.has_choice(if_false);
  if (const auto size = is_open ? std::nullopt : size_of_difference(p, c, p.normalize(if_true), p.normalize(if_false)))
    return size;
  const bool is_negative_first = truth(c.children()[1]) == false;
  if (!is_negative_first && truth(c.children()[0]) != false) return std::nullopt;
  const Value x = c.children()[is_negative_first ? 0 : 1];
  const Value as_it_is = p.normalize(is_negative_first ? if_false : if_true);
  if (!(as_it_is == x)) return std::nullopt;
  if (!(p.normalize(p.unary(Operator::kNegate, c.scalar, x)) == p.normalize(is_negative_first ? if_true : if_false)))
    return std::nullopt;
  return absolute_value(p, c.scalar, x);
}

// Of truths: c && a || !c && b.
std::optional<Value> select_truth(Provenance& p, Value condition, Value if_true, Value if_false, bool is_known) {
  const auto is_bool = [&](Value v) {
    return is_truth(p, v) || (v.is_node() && p.node(v).kind == Node::Kind::kInput && p.node(v).scalar == Scalar::kBool);
  };
  const bool are_truths =
      is_bool(if_true) && is_bool(if_false) && (is_known || if_true.is_node() || if_false.is_node());
  if (!are_truths) return std::nullopt;
  const auto both = [&](Value a, Value b) { return p.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); };
  const auto either = [&](Value a, Value b) { return p.binary(Operator::kLogicalOr, Scalar::kBool, a, b); };
  const auto negated = [&](Value a) { return p.unary(Operator::kLogicalNot, Scalar::kBool, a); };
  if (truth(if_true) && truth(if_false)) return truth(if_true) == true ? condition : negated(condition);
  if (const auto known = truth(if_true))
    return *known ? either(condition, if_false) : both(negated(condition), if_false);
  if (const auto known = truth(if_false))
    return *known ? either(negated(condition), if_true) : both(condition, if_true);
  return either(both(condition, if_true), both(negated(condition), if_false));
}

// !c ? a : b is c ? b : a, and what holes decide of a condition comes before what data do.
std::optional<Value> by_parts_of_condition(Provenance& p, Value condition, Value if_true, Value if_false,
                                           std::optional<Scalar> type) {
  const Node c = p.node(condition);  // a copy: what follows adds nodes
  if (c.is(Operator::kLogicalNot)) return p.select(c.children()[0], if_false, if_true, type);
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}})
    if (c.is(Operator::kLogicalAnd) && p.is_index(c.children()[i]))
      return p.select(c.children()[i], p.select(c.children()[j], if_true, if_false, type), if_false, type);
  return std::nullopt;
}

// The terms of two sums that both have, and those of either alone.
struct SharedTerms {
  std::vector<Term> shared, only_a, only_b;
  SharedTerms(const std::vector<Term>& a, const std::vector<Term>& b) {
    for (const Term& t : a) (std::ranges::find(b, t) != b.end() ? shared : only_a).push_back(t);
    for (const Term& t : b)
      if (std::ranges::find(a, t) == a.end()) only_b.push_back(t);
  }
};

// c ? max(a, b) : a is max(a, c ? b : the least of all): what both arms share stays outside of the choice.
std::optional<Value> select_beside_shared(Provenance& p, Value condition, Value if_true, Value if_false) {
  for (const Value& arm : {if_true, if_false}) {
    if (!arm.is_node() || p.node(arm).kind != Node::Kind::kRing) continue;
    const Ring ring = p.node(arm).ring;
    const Scalar s = p.node(arm).scalar;
    if (!is_order(ring)) continue;
    SharedTerms of(p.terms(ring, s, if_true), p.terms(ring, s, if_false));
    if (of.shared.empty()) continue;
    const auto value_of = [&](std::vector<Term> terms) {
      return terms.empty() ? neutral(ring, s) : p.from_terms(ring, s, std::move(terms));
    };
    const Value rest = p.select(condition, value_of(std::move(of.only_a)), value_of(std::move(of.only_b)), s);
    return p.combine(ring, s, value_of(std::move(of.shared)), rest);
  }
  return std::nullopt;
}

Scalar type_of_arms(const Provenance& p, Value if_true, Value if_false) {
  return if_true.is_node() ? p.node(if_true).scalar : if_false.is_node() ? p.node(if_false).scalar : Scalar::kI32;
}

}  // namespace

// a < b ? a : b is the minimum of both, and a < b ? b : a the maximum.
std::optional<Value> Provenance::extremum(Value condition, Value if_true, Value if_false) {
  const std::optional<Precedence> precedence = as_precedence(*this, condition);
  if (!precedence) return std::nullopt;
  const Scalar s = precedence->scalar;
  const Value less = precedence->less, more = precedence->more;
  if_true = normalize(if_true);
  if_false = normalize(if_false);
  if (if_true == less && if_false == more) return combine(Ring::kMin, s, less, more);
  if (if_true == more && if_false == less) return combine(Ring::kMax, s, less, more);
  if (precedence->tie) return std::nullopt;
  // x < 1 ? 1 : min(x, 7), and x > 7 ? 7 : max(x, 1)
  const auto is_clipped = [&](Ring ring, Value x, Value by, Value other) {
    return !by.is_node() && x.is_node() && is_sum(ring, s, other) && node(other).terms()[0].factors.empty() &&
           normalize(combine(ring, s, x, node(other).terms()[0].coefficient)) == other &&
           truth(binary_concrete(ring == Ring::kMin ? Operator::kLe : Operator::kGe, s, by,
                                 node(other).terms()[0].coefficient)) == true;
  };
  if (if_true == more && is_clipped(Ring::kMin, less, more, if_false)) return combine(Ring::kMax, s, more, if_false);
  if (if_true == less && is_clipped(Ring::kMax, more, less, if_false)) return combine(Ring::kMin, s, less, if_false);
  // Narrow integers are compared as wider ones.
  const std::optional<Scalar> of_less = narrower_type(less), narrow = of_less ? of_less : narrower_type(more);
  if (!narrow) return std::nullopt;
  const auto a = before_widening(less, *narrow, s), b = before_widening(more, *narrow, s);
  if (!a || !b) return std::nullopt;
  // In normal form: what is widened, and made narrow again, is as it was then.
  if (if_true == *a && if_false == *b) return normalize(combine(Ring::kMin, *narrow, *a, *b));
  if (if_true == *b && if_false == *a) return normalize(combine(Ring::kMax, *narrow, *a, *b));
  return std::nullopt;
}

Value Provenance::select_by_data(Value condition, Value if_true, Value if_false, std::optional<Scalar> type) {
  const Scalar s = type.value_or(type_of_arms(*this, if_true, if_false));
  if_true = under_condition(*this, normalize(if_true), condition, true);
  if_false = under_condition(*this, normalize(if_false), condition, false);
  if (if_true == if_false) return if_true;
  const auto make = [&] {
    if (const auto beside = select_beside_shared(*this, condition, if_true, if_false)) return normalize(*beside);
    const std::optional<Value> sum = select_by_indicator(*this, condition, if_true, if_false, type);
    return sum ? normalize(*sum) : opaque(kOpaqueSelect, s, {condition, if_true, if_false});
  };
  if (const auto known = canonical_.orders.ordered(*this, condition, if_true, if_false, make)) return *known;
  if (const auto known = canonical_.orders.selected(*this, condition, if_true, if_false, s, make)) return *known;
  if (const auto known = canonical_.orders.guarded(*this, condition, if_true, if_false, make)) return *known;
  return make();
}

Value Provenance::select(Value condition, Value if_true, Value if_false, std::optional<Scalar> type) {
  if (if_true == if_false) return if_true;
  condition = condition_of(*this, condition);
  if (condition.is_undefined() || loses(strides_, condition, condition)) return {};
  if (const auto known = truth(condition)) return *known ? if_true : if_false;
  const bool are_indices = is_index(condition) && is_index(if_true) && is_index(if_false);
  if (!are_indices && loses(strides_, if_true, if_false)) return {};
  if (is_word(*this, condition)) return word_select(*this, condition, if_true, if_false);
  if (!is_index(condition)) {
    if (condition.is_node() && node(condition).kind == Node::Kind::kChoice)
      return map_leaves(condition, [&](Value c) { return select(c, if_true, if_false, type); });
    if (const std::optional<Value> simpler = by_parts_of_condition(*this, condition, if_true, if_false, type))
      return *simpler;
    // An undefined arm stays undefined under a condition on data: keep it out of sight only if nobody reads it.
    if (if_true.is_undefined() || if_false.is_undefined()) return {};
    if (const std::optional<Value> truth = select_truth(*this, condition, if_true, if_false, type == Scalar::kBool))
      return *truth;
    if (const std::optional<Value> least_or_greatest = extremum(condition, if_true, if_false))
      return *least_or_greatest;
    if (const std::optional<Value> size = absolute(*this, condition, if_true, if_false)) return *size;
    return select_by_data(condition, if_true, if_false, type);
  }
  if (is_index(if_true) && is_index(if_false)) {
    const auto guard = [&](Value arm, bool wanted) {
      return *applied_to_leaves(*this, condition, arm, [&](Value c, Value x) {
        return c.is_undefined() ? Value::pointer(~0u, 1) : truth(c) == wanted ? x : Value::pointer(~0u, 0);
      });
    };
    return *applied_to_leaves(*this, guard(if_true, true), guard(if_false, false), [](Value a, Value b) {
      if (a == Value::pointer(~0u, 1)) return Value{};
      return a == Value::pointer(~0u, 0) ? b : a;
    });
  }
  return merge_choices(condition, if_true, if_false);
}

// out = c ? a + x : a   becomes   a + (c ? x : 0): what both arms share stays outside of the choice.
Value Provenance::merge_choices(Value condition, Value if_true, Value if_false) {
  const auto pick = [&](Value a, Value b) {
    return map_leaves(condition, [&](Value c) { return c.is_undefined() ? Value{} : truth(c) == true ? a : b; });
  };
  // One arm is the other with a term more, as an accumulation leaves it: no need to look at the rest.
  const auto extends = [&](Value longer, Value shorter) {
    return longer.is_node() && node(longer).kind == Node::Kind::kAppended && node(longer).children()[0] == shorter;
  };
  if (extends(if_true, if_false) || extends(if_false, if_true)) {
    const bool in_true = extends(if_true, if_false);
    const Node& last = node(in_true ? if_true : if_false);
    const Ring ring = last.ring;
    const Scalar s = last.scalar;
    const Value more = from_terms(ring, s, {*single_term(ring, s, last.children()[1])}), none = from_terms(ring, s, {});
    return combine(ring, s, in_true ? if_false : if_true, in_true ? pick(more, none) : pick(none, more));
  }
  if_true = normalize(if_true);
  if_false = normalize(if_false);
  for (const Value& arm : {if_true, if_false}) {
    if (!arm.is_node() || node(arm).kind != Node::Kind::kRing) continue;
    const Ring ring = node(arm).ring;
    const Scalar s = node(arm).scalar;
    if (if_true.is_undefined() || if_false.is_undefined()) break;
    SharedTerms of(terms(ring, s, if_true), terms(ring, s, if_false));
    if (of.shared.empty()) continue;
    const Value rest = pick(from_terms(ring, s, std::move(of.only_a)), from_terms(ring, s, std::move(of.only_b)));
    return combine(ring, s, from_terms(ring, s, std::move(of.shared)), rest);
  }
  // a bare symbol is a sum of one: c ? x + y : x
  return pick(if_true, if_false);
}

}  // namespace swizzle
