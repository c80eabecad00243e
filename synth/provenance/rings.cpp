// The algebra of provenance: C's operators on indices and on data, in the normal form of each ⊕.
#include <algorithm>
#include <array>
#include <limits>

#include "synth/provenance/comparisons.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/leaves.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"
#include "synth/provenance/strides.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

Value unit(Ring ring, Scalar s) {
  if (ring == Ring::kXor) return Value::integer(wrap(s, -1));
  return is_real(s) ? Value::real(1) : Value::integer(1);
}

bool is_zero(Value v) { return (v.is_int() && v.bits == 0) || (v.is_real() && v.as_real() == 0); }

Value add_coefficients(Ring ring, Scalar s, Value a, Value b) {
  if (is_real(s)) return Value::real(a.as_real() + b.as_real());
  return Value::integer(wrap(s, ring == Ring::kXor ? a.bits ^ b.bits
                                                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(a.bits) +
                                                                               static_cast<std::uint64_t>(b.bits))));
}

Value multiply_coefficients(Ring ring, Scalar s, Value a, Value b) {
  if (is_real(s)) return Value::real(a.as_real() * b.as_real());
  if (ring == Ring::kXor) return Value::integer(wrap(s, a.bits & b.bits));
  return Value::integer(
      wrap(s, static_cast<std::int64_t>(static_cast<std::uint64_t>(a.bits) * static_cast<std::uint64_t>(b.bits))));
}

// What every value of type s is no less than (kMin: no more than): it changes no maximum.
bool is_bound(Ring ring, Scalar s, Value v) {
  if (ring != Ring::kMin && ring != Ring::kMax) return false;
  const Value bound = neutral(ring, s);
  return is_real(s) ? v.as_real() == bound.as_real() : v.is_int() && v.bits == bound.bits;
}

// The first of these terms is a constant of which another one is never less.
bool is_passed(const Provenance& p, Ring ring, const std::vector<Term>& terms) {
  return ring == Ring::kMax && terms[0].coefficient.as_real() <= 0 &&
         std::any_of(terms.begin() + 1, terms.end(), [&](const Term& t) { return is_never_negative(p, t.factors[0]); });
}

// Two constants of a set-like ring make one.
Value fold_constants(Ring ring, Value a, Value b) {
  if (ring == Ring::kOr) return Value::integer(a.bits | b.bits);
  const bool take_a = ring == Ring::kMin ? a.as_real() <= b.as_real() : a.as_real() >= b.as_real();
  return take_a ? a : b;
}

// max(least, x)
bool is_limited_below(const Node& n, Scalar s) {
  return n.kind == Node::Kind::kRing && n.ring == Ring::kMax && n.scalar == s && n.terms()[0].factors.empty();
}

// min(most, max(least, x)) is max(least, min(most, x)) where least <= most.
std::optional<Value> clamped(Provenance& p, Ring ring, Scalar s, const std::vector<Term>& terms) {
  if (ring != Ring::kMin || terms.size() != 2 || !terms[0].factors.empty()) return std::nullopt;
  const Node& inner = p.node(terms[1].factors[0]);
  if (!is_limited_below(inner, s)) return std::nullopt;
  const Value most = terms[0].coefficient, least = inner.terms()[0].coefficient;
  if (truth(p.binary(Operator::kLe, s, least, most)) != true) return most;
  std::vector<Term> others(inner.terms().begin() + 1, inner.terms().end());
  const Value rest = p.from_terms(Ring::kMax, s, std::move(others));
  if (rest.is_node() && is_limited_below(p.node(rest), s)) return std::nullopt;  // of another form of its own
  return p.combine(Ring::kMax, s, least, p.combine(Ring::kMin, s, most, rest));
}

}  // namespace

Value neutral(Ring ring, Scalar s) {
  const bool is_max = ring == Ring::kMax;
  if (!is_max && ring != Ring::kMin) return is_real(s) ? Value::real(0) : Value::integer(0);
  if (is_real(s)) return Value::real((is_max ? -1 : 1) * std::numeric_limits<double>::infinity());
  const std::int64_t greatest =
      is_unsigned(s) ? wrap(s, -1) : static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bit_width(s)));
  if (!is_max) return Value::integer(greatest);
  return Value::integer(is_unsigned(s) ? 0 : -greatest - 1);
}

Scalar algebra_of(Ring ring, Scalar s) {
  if (ring == Ring::kMin || ring == Ring::kMax) return s;
  if (is_real(s)) return Scalar::kF64;
  switch (bit_width(s)) {
    case 8: return Scalar::kU8;
    case 16: return Scalar::kU16;
    case 64: return Scalar::kU64;
    case 1: return Scalar::kBool;
    default: return Scalar::kU32;
  }
}

std::vector<Term> Provenance::terms(Ring ring, Scalar s, Value v) const {
  s = algebra_of(ring, s);
  if (is_sum(ring, s, v)) {
    const Node& n = node(v);
    return n.kind == Node::Kind::kAppended ? collected(v) : std::vector<Term>(n.terms().begin(), n.terms().end());
  }
  const std::optional<Term> only = single_term(ring, s, v);
  return only ? std::vector<Term>{*only} : std::vector<Term>{};
}

bool Provenance::is_sum(Ring ring, Scalar s, Value v) const {
  return v.is_node() && (node(v).kind == Node::Kind::kRing || node(v).kind == Node::Kind::kAppended) &&
         node(v).ring == ring && node(v).scalar == algebra_of(ring, s);
}

// Of what is no sum of several; nothing: a constant that adds nothing.
std::optional<Term> Provenance::single_term(Ring ring, Scalar s, Value v) const {
  s = algebra_of(ring, s);
  if (v.is_node()) return is_sum(ring, s, v) ? node(v).terms().front() : Term{unit(ring, s), {v.as_node()}};
  if (v.is_int() && is_real(s)) v = Value::real(v.as_real());
  if (v.is_int() && !is_real(s)) v = Value::integer(wrap(s, v.bits));
  const bool identity = is_zero(v) && (ring == Ring::kSum || ring == Ring::kXor || ring == Ring::kOr);
  return identity ? std::nullopt : std::optional(Term{v, {}});
}

bool Provenance::is_neutral(Ring ring, Scalar s, Value v) const {
  return ring == Ring::kMin || ring == Ring::kMax ? !v.is_node() && is_bound(ring, s, v) : is_zero(v);
}

// v & 15, where v is from 0 to 15 anyway, as a byte >> 4 is.
static bool keeps_all(Provenance& p, Scalar s, const Term& term) {
  if (term.factors.size() != 1 || !term.coefficient.is_int()) return false;
  const std::int64_t mask = term.coefficient.bits;
  const Value v = Value::node(term.factors[0]);
  if (mask <= 0 || (mask & (mask + 1)) != 0 || p.node(v).kind != Node::Kind::kOpaque || p.has_choice(v)) return false;
  if (!p.value_ranges().are_unknown()) return false;  // they are of one size each
  const auto known = data_index(p, v, s);
  return known && known->values.low + known->place.offset >= 0 && known->values.high + known->place.offset <= mask;
}

// What merged terms come to where that is a constant or one of their factors.
static std::optional<Value> without_node(Ring ring, Scalar s, const std::vector<Term>& merged) {
  if (merged.empty() && (ring == Ring::kSum || ring == Ring::kXor || ring == Ring::kOr))
    return is_real(s) ? Value::real(0) : Value::integer(0);
  if (merged.size() != 1) return std::nullopt;
  const Term& only = merged[0];
  if (only.factors.empty()) return only.coefficient;
  if (only.factors.size() == 1 && only.coefficient == unit(ring, s)) return Value::node(only.factors[0]);
  return std::nullopt;
}

// Expects terms sorted by factors.
Value Provenance::from_terms(Ring ring, Scalar s, std::vector<Term> terms) {
  s = algebra_of(ring, s);
  if (ring == Ring::kXor)
    for (Term& term : terms)
      if (keeps_all(*this, s, term)) term.coefficient = unit(ring, s);
  std::vector<Term> merged;
  merged.reserve(terms.size());
  std::vector<NodeId> gone;  // factors of what was taken away
  for (Term& term : terms) {
    if (!merged.empty() && merged.back().factors == term.factors) {
      Value& c = merged.back().coefficient;
      if (!is_set(ring)) c = add_coefficients(ring, s, c, term.coefficient);
      else if (term.factors.empty()) c = fold_constants(ring, c, term.coefficient);
    } else {
      merged.push_back(std::move(term));
    }
    if (is_set(ring) || !is_zero(merged.back().coefficient)) continue;
    for (NodeId f : merged.back().factors)
      if (node(f).has_choice) gone.push_back(f);
    merged.pop_back();
  }
  if (!gone.empty() && !keep_definedness(*this, ring, s, gone, merged)) return {};
  if (const auto known = clamped(*this, ring, s, merged)) return *known;
  if (merged.size() > 1 && merged[0].factors.empty() &&
      (is_bound(ring, s, merged[0].coefficient) || is_passed(*this, ring, merged)))
    merged.erase(merged.begin());
  if (const auto plain = without_node(ring, s, merged)) return *plain;
  Node n;
  n.kind = Node::Kind::kRing;
  n.ring = ring;
  n.scalar = s;
  n.set_terms(merged);
  const Value sum = intern_ring(n, std::move(merged));
  if (ring == Ring::kMin || ring == Ring::kMax) return canonical_.orders.form(*this, sum);
  return ring == Ring::kOr || ring == Ring::kXor ? canonical_.logic.form(*this, sum) : sum;
}

// The terms of a chain of kAppended nodes, sorted; equal ones still stand side by side.
std::vector<Term> Provenance::collected(Value v) const {
  const Ring ring = node(v).ring;
  const Scalar s = node(v).scalar;
  std::vector<Term> all;
  for (; is_sum(ring, s, v) && node(v).kind == Node::Kind::kAppended; v = node(v).children()[0])
    all.push_back(*single_term(ring, s, node(v).children()[1]));
  for (Term& t : terms(ring, s, v)) all.push_back(std::move(t));
  std::sort(all.begin(), all.end(), factors_less);
  return all;
}

Value Provenance::normalize(Value v) {
  if (!v.is_node() || node(v).kind != Node::Kind::kAppended) return v;
  const Ring ring = node(v).ring;
  const Scalar s = node(v).scalar;
  return from_terms(ring, s, collected(v));
}

Value Provenance::combine(Ring ring, Scalar s, Value lhs, Value rhs) {
  if (lhs.is_undefined() || rhs.is_undefined() || loses(strides_, lhs, rhs)) return {};
  if (is_word(*this, lhs) || is_word(*this, rhs)) return word_combine(*this, ring, s, lhs, rhs);
  for (Value* v : {&lhs, &rhs})
    if (!is_sum(ring, s, *v)) *v = without_bounds(ring, s, normalize(*v));  // a sum of another ring is a term here
  if (is_sum(ring, s, rhs) && !is_sum(ring, s, lhs)) std::swap(lhs, rhs);
  const bool single = !is_sum(ring, s, rhs) || (node(rhs).kind == Node::Kind::kRing && node(rhs).terms().size() == 1);
  if (is_sum(ring, s, lhs) && single) {
    if (!rhs.is_node() && !single_term(ring, s, rhs)) return lhs;
    const std::array<Value, 2> parts{lhs, rhs};
    Node n;
    n.kind = Node::Kind::kAppended;
    n.ring = ring;
    n.scalar = algebra_of(ring, s);
    n.set_children(parts);
    return add(n);
  }
  std::vector<Term> a = terms(ring, s, lhs);
  std::vector<Term> b = terms(ring, s, rhs);
  std::vector<Term> all(a.size() + b.size());
  std::merge(std::make_move_iterator(a.begin()), std::make_move_iterator(a.end()), std::make_move_iterator(b.begin()),
             std::make_move_iterator(b.end()), all.begin(), factors_less);
  const Value sum = from_terms(ring, s, std::move(all));
  if (sum.is_node() || sum.is_undefined() || is_set(ring)) return sum;
  return lhs.is_node() ? number_of_data(ring, s, sum, lhs) : rhs.is_node() ? number_of_data(ring, s, sum, rhs) : sum;
}

// max(v, c ? x : -inf) is what `if (c) v = max(v, x)` leaves.
Value Provenance::without_bounds(Ring ring, Scalar s, Value v) {
  if (!v.is_node() || node(v).kind != Node::Kind::kChoice || (ring != Ring::kMin && ring != Ring::kMax)) return v;
  const auto is_passed_over = [&](Value leaf) {
    return (leaf.is_int() || leaf.is_real()) && leaf.is_real() == is_real(s) && is_bound(ring, s, leaf);
  };
  if (std::ranges::none_of(node(v).children(), is_passed_over)) return v;
  const Value none = from_terms(ring, s, {});
  return map_leaves(v, [&](Value leaf) { return is_passed_over(leaf) ? none : leaf; });
}

// What cancels out, `x ^ x`, is still computed of data, whatever is next done with it: (number + x) - x.
Value Provenance::number_of_data(Ring ring, Scalar s, Value number, Value data) {
  const Scalar alg = algebra_of(ring, s);
  const std::vector<Term> of_data = terms(ring, s, data);
  const auto term = std::ranges::find_if(of_data, [](const Term& t) { return !t.factors.empty(); });
  if (term == of_data.end()) return number;
  std::vector<Term> both = terms(ring, s, number);
  both.push_back(*term);
  Node n;
  n.kind = Node::Kind::kRing;
  n.ring = ring;
  n.scalar = alg;
  n.set_terms(both);
  const Value taken =
      ring == Ring::kXor ? term->coefficient : multiply_coefficients(ring, alg, term->coefficient, Value::integer(-1));
  const std::array<Value, 2> parts{intern_ring(n, std::move(both)), from_terms(ring, s, {{taken, term->factors}})};
  n.kind = Node::Kind::kAppended;
  n.set_children(parts);
  return add(n);
}

Value Provenance::multiply(Ring ring, Scalar s, Value lhs, Value rhs) {
  if (lhs.is_undefined() || rhs.is_undefined() || loses(strides_, lhs, rhs)) return {};
  if (is_word(*this, lhs) || is_word(*this, rhs))
    return word_binary(*this, ring == Ring::kXor ? Operator::kAnd : Operator::kMul, s, lhs, rhs);
  const Scalar alg = algebra_of(ring, s);
  std::vector<Term> products;
  lhs = normalize(lhs);
  rhs = normalize(rhs);
  if (lhs.is_node() && rhs.is_node() && !(lhs == rhs) && !is_sum(ring, s, lhs) && !is_sum(ring, s, rhs)) {
    const auto [first, second] = std::minmax({lhs.as_node(), rhs.as_node()});
    Factors factors{first, second};
    if (ring == Ring::kSum && !reduce_indicators(*this, factors))
      return is_real(s) ? Value::real(0) : Value::integer(0);
    std::vector<Term> product(1);
    product[0].coefficient = unit(ring, alg);
    product[0].factors.assign({first, second});
    Node n;
    n.kind = Node::Kind::kRing;
    n.ring = ring;
    n.scalar = alg;
    n.set_terms(product);
    return intern_ring(n, std::move(product));
  }
  for (const Term& a : terms(ring, s, lhs)) {
    for (const Term& b : terms(ring, s, rhs)) {
      Term product{multiply_coefficients(ring, alg, a.coefficient, b.coefficient), {}};
      product.factors.resize(a.factors.size() + b.factors.size());
      std::merge(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(), product.factors.begin());
      if (ring == Ring::kXor)  // x & x = x
        product.factors.erase(std::unique(product.factors.begin(), product.factors.end()), product.factors.end());
      else if (!reduce_indicators(*this, product.factors)) continue;
      products.push_back(std::move(product));
    }
  }
  if (products.empty()) {  // one of them is 0
    const Value left = definedness(*this, ring, s, lhs);
    return left.is_node() || left.is_undefined() ? left : definedness(*this, ring, s, rhs);
  }
  std::sort(products.begin(), products.end(), factors_less);
  return from_terms(ring, s, std::move(products));
}

Value Provenance::binary_concrete(Operator op, Scalar s, Value lhs, Value rhs) const {
  if (lhs.is_undefined() || rhs.is_undefined()) return {};
  if ((lhs.stride | rhs.stride) != 0) return strides_->binary(op, s, lhs, rhs);
  if (lhs.is_pointer() || rhs.is_pointer()) {
    const bool both = lhs.is_pointer() && rhs.is_pointer();
    if (both && op == Operator::kEq) return Value::integer(lhs == rhs);
    if (both && op == Operator::kNe) return Value::integer(!(lhs == rhs));
    if (both && op == Operator::kSub && lhs.aux == rhs.aux) return Value::integer(lhs.bits - rhs.bits);
    if (both && is_comparison(op) && lhs.aux == rhs.aux) {
      bool defined = true;
      return Value::integer(apply(op, Scalar::kI64, lhs.bits, rhs.bits, defined));
    }
    if (lhs.is_pointer() && rhs.is_int() && (op == Operator::kAdd || op == Operator::kSub))
      return Value::pointer(lhs.aux, op == Operator::kAdd ? lhs.bits + rhs.bits : lhs.bits - rhs.bits);
    if (rhs.is_pointer() && lhs.is_int() && op == Operator::kAdd) return Value::pointer(rhs.aux, rhs.bits + lhs.bits);
    return {};
  }
  if (!is_real(s) && lhs.is_int() && rhs.is_int()) {
    bool defined = true;
    const std::int64_t result = apply(op, s, lhs.bits, rhs.bits, defined);
    return defined ? Value::integer(result) : Value{};
  }
  const double a = lhs.as_real(), b = rhs.as_real();  // constants are rounded, as compilers do
  switch (op) {
    case Operator::kAdd: return Value::real(nearest(s, a + b));
    case Operator::kSub: return Value::real(nearest(s, a - b));
    case Operator::kMul: return Value::real(nearest(s, a * b));
    case Operator::kDiv: return Value::real(nearest(s, a / b));
    case Operator::kLt: return Value::integer(a < b);
    case Operator::kLe: return Value::integer(a <= b);
    case Operator::kGt: return Value::integer(a > b);
    case Operator::kGe: return Value::integer(a >= b);
    case Operator::kEq: return Value::integer(a == b);
    case Operator::kNe: return Value::integer(a != b);
    case Operator::kLogicalAnd: return Value::integer(a != 0 && b != 0);
    case Operator::kLogicalOr: return Value::integer(a != 0 || b != 0);
    default: return {};
  }
}

Value Provenance::binary(Operator op, Scalar s, Value lhs, Value rhs) {
  if (!lhs.is_node() && !rhs.is_node()) return binary_concrete(op, s, lhs, rhs);
  if (is_index(lhs) && is_index(rhs)) {
    // Of real constants that holes choose, what they come to may be too much to list: then they are data.
    constexpr std::size_t kMostPairs = 2000;
    const bool may_be_data = is_real(s) && !is_comparison(op) && lhs.is_node() && rhs.is_node();
    const auto of_both = [&](Value a, Value b) { return binary_concrete(op, s, a, b); };
    if (const auto index = applied_to_leaves(*this, lhs, rhs, of_both, may_be_data ? kMostPairs : kAnyPairs))
      return *index;
  }
  if (lhs.is_undefined() || rhs.is_undefined() || loses(strides_, lhs, rhs)) return {};
  if (is_word(*this, lhs) || is_word(*this, rhs)) return word_binary(*this, op, s, lhs, rhs);
  const Value result = binary_data(op, s, lhs, rhs);
  // Coefficients are unsigned; what is left when the data cancel is a value of type s again.
  return result.is_int() && !is_real(s) && !is_comparison(op) ? Value::integer(wrap(s, result.bits)) : result;
}

Value Provenance::unary(Operator op, Scalar s, Value v) {
  if (is_word(*this, v)) return word_unary(*this, op, s, v);
  if (op == Operator::kNegate) return binary(Operator::kSub, s, is_real(s) ? Value::real(0) : Value::integer(0), v);
  if (op == Operator::kBitNot) return binary(Operator::kXor, s, v, Value::integer(wrap(s, -1)));
  if (is_index(v))
    return map_leaves(v, [&](Value x) {
      if (x.stride != 0) return strides_->binary(Operator::kEq, Scalar::kI64, x, Value::integer(0));
      return x.is_undefined() ? x : Value::integer(truth(x) == false);
    });
  return v.is_undefined() ? Value{} : opaque(static_cast<std::uint32_t>(op), s, {v});
}

}  // namespace swizzle
