#include "synth/provenance/comparisons.h"

#include <utility>

#include "synth/program/intrinsics.h"
#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

// The first element that a value is made of, by buffer and place.
std::optional<std::pair<std::uint32_t, std::int64_t>> leading_element(const Provenance& p, Value v) {
  while (v.is_node()) {
    const Node& n = p.node(v);
    if (n.kind == Node::Kind::kInput || n.kind == Node::Kind::kBit) return std::pair{n.tag, n.index()};
    if (n.kind == Node::Kind::kRing) {
      if (n.terms().empty()) return std::nullopt;  // the least of nothing
      const Term& last = n.terms().back();
      v = last.factors.empty() ? last.coefficient : Value::node(last.factors[0]);
    } else {
      v = n.children()[0];
    }
  }
  return std::nullopt;
}

// Constants come last.
std::uint32_t leading_buffer(const Provenance& p, Value v) {
  const auto element = leading_element(p, v);
  return element ? element->first : ~0u;
}

// Whether the term of a sum with the first element of all is subtracted: of v and -v, one is.
bool is_written_negative(const Provenance& p, Scalar s, Value v) {
  if (!v.is_node() || p.has_choice(v) || p.node(v).kind != Node::Kind::kRing || p.node(v).ring != Ring::kSum)
    return false;
  std::optional<std::pair<std::uint32_t, std::int64_t>> first;
  bool is_negative = false;
  for (const Term& term : p.node(v).terms()) {
    const auto element = term.factors.empty() ? std::nullopt : leading_element(p, Value::node(term.factors[0]));
    if (!element || (first && *first <= *element)) continue;
    first = element;
    is_negative = is_real(s) ? term.coefficient.as_real() < 0 : wrap(s, term.coefficient.bits) < 0;
  }
  return is_negative;
}

}  // namespace

bool comes_after(const Provenance& p, Value a, Value b) {
  const std::uint32_t of_a = leading_buffer(p, a), of_b = leading_buffer(p, b);
  if (of_a != of_b) return of_a > of_b;
  return a.is_node() && b.is_node() && !p.has_choice(a) && !p.has_choice(b) && a.aux > b.aux;
}

Value absolute_value(Provenance& p, Scalar s, Value x) {
  x = p.normalize(x);
  if (is_written_negative(p, s, x)) x = p.normalize(p.unary(Operator::kNegate, s, x));
  return p.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kAbs), s, {x});
}

// a < b || a == b
static std::optional<Value> at_most(Provenance& p, Value lhs, Value rhs) {
  if (!lhs.is_node() || !rhs.is_node()) return std::nullopt;
  if (p.node(lhs).is(Operator::kEq)) std::swap(lhs, rhs);
  if (!p.node(lhs).is(Operator::kLt) || !p.node(rhs).is(Operator::kEq)) return std::nullopt;
  const Node less = p.node(lhs), alike = p.node(rhs);  // copies: what follows adds nodes
  const Value a = less.children()[0], b = less.children()[1], c = alike.children()[0], d = alike.children()[1];
  const bool are_same = (a == c && b == d) || (a == d && b == c);
  return are_same ? std::optional(p.binary(Operator::kLe, less.scalar, a, b)) : std::nullopt;
}

// !a && b || a is a || b, and (!a || b) && a is a && b: here b, as `a` is what it stands beside.
static Value beside(Provenance& p, bool is_and, Value a, Value other, int depth = 8) {
  const Operator op = is_and ? Operator::kLogicalOr : Operator::kLogicalAnd;
  if (!other.is_node() || !p.node(other).is(op) || depth == 0) return other;
  const auto is_opposite = [&](Value v) {
    return v.is_node() && p.node(v).is(Operator::kLogicalNot) && p.node(v).children()[0] == a;
  };
  const Value lhs = p.node(other).children()[0], rhs = p.node(other).children()[1];
  if (is_opposite(lhs)) return rhs;
  if (is_opposite(rhs)) return lhs;
  const Value l = beside(p, is_and, a, lhs, depth - 1), r = beside(p, is_and, a, rhs, depth - 1);
  return l == lhs && r == rhs ? other : p.binary(op, Scalar::kBool, l, r);
}

std::optional<Value> joined_conditions(Provenance& p, bool is_and, Value lhs, Value rhs) {
  for (const auto& [known, other] : {std::pair{lhs, rhs}, std::pair{rhs, lhs}}) {
    const auto value = truth(known);
    if (!value) continue;
    if (*value != is_and) return Value::integer(*value);
    if (is_truth(p, other)) return other;
  }
  if (lhs == rhs && is_truth(p, lhs)) return lhs;
  for (const auto& [a, other] : {std::pair{lhs, rhs}, std::pair{rhs, lhs}})
    if (const Value rest = beside(p, is_and, a, other); !(rest == other))
      return p.binary(is_and ? Operator::kLogicalAnd : Operator::kLogicalOr, Scalar::kBool, a, rest);
  return is_and ? std::nullopt : at_most(p, lhs, rhs);
}

bool is_never_negative(const Provenance& p, NodeId id) {
  const Node& n = p.node(id);
  if (n.kind != Node::Kind::kOpaque || n.tag < kOpaqueIntrinsic || n.tag >= kOpaquePlace || !is_real(n.scalar))
    return false;
  switch (static_cast<Intrinsic>(n.tag - kOpaqueIntrinsic)) {
    case Intrinsic::kAbs:
    case Intrinsic::kExp:
    case Intrinsic::kExp2:
    case Intrinsic::kSqrt: return true;
    default: return false;
  }
}

}  // namespace swizzle
