// Conversions between types, in normal form: what was widened and made narrow again is what it was.
#include <cmath>

#include "synth/provenance/casts.h"
#include "synth/provenance/flags.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"
#include "synth/provenance/rounding.h"
#include "synth/provenance/strides.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

bool is_extremum(const Node& n) {
  return n.kind == Node::Kind::kRing && (n.ring == Ring::kMin || n.ring == Ring::kMax);
}

// Of a set-like ring.
Value operand_of(const Term& term) { return term.factors.empty() ? term.coefficient : Value::node(term.factors[0]); }

// (bool)v is v != 0; of what was one before, it is that.
Value as_truth(Provenance& provenance, Value v, Scalar from) {
  const Node& n = provenance.node(v);
  if (const auto cast = cast_of(n); cast && cast->from == Scalar::kBool) return n.children()[0];
  return provenance.binary(Operator::kNe, from, v, is_real(from) ? Value::real(0) : Value::integer(0));
}

Value integer_of(double whole, Scalar to) {
  if (to == Scalar::kU64 && whole >= 0x1p63 && whole < 0x1p64)
    return Value::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(whole)));
  return std::abs(whole) <= 9.2e18 ? Value::integer(wrap(to, static_cast<std::int64_t>(whole))) : Value{};
}

}  // namespace

Value Provenance::convert(Value v, Scalar from, Scalar to) {
  if (from == to) return v;
  if (is_index(v))
    return map_leaves(v, [&](Value x) -> Value {
      if (x.is_undefined() || x.is_pointer()) return x;
      if (x.stride != 0) return strides_->convert(x, to);
      if (x.is_int() && !is_real(from)) x.bits = wrap(from, x.bits);
      if (to == Scalar::kBool) return Value::integer(truth(x) == true);
      if (is_real(to)) return Value::real(x.is_int() ? nearest(to, from, x.bits) : nearest(to, x.as_real()));
      return x.is_int() ? Value::integer(wrap(to, x.bits)) : integer_of(std::trunc(x.as_real()), to);
    });
  if (v.is_undefined()) return v;
  if (is_word(*this, v)) return word_convert(*this, v, from, to);
  if (!is_real(from) && !is_real(to) && to != Scalar::kBool && bit_width(from) == bit_width(to)) return v;
  const bool is_rounded = is_real(from) && is_real(to);
  // What one round makes of another one's values is shared by many.
  constexpr std::uint64_t kKept = std::uint64_t{1} << 58;
  const ComputedTable::Key key{kKept + cast_code({from, to}), v.aux};
  if (const auto known = computed_.find(key)) return *known;
  const Value result = is_rounded ? rounded(*this, v, from, to)
                       : node(v).kind == Node::Kind::kChoice
                           ? map_leaves(v, [&](Value leaf) { return convert(leaf, from, to); })
                           : convert_data(v, from, to);
  computed_.keep(key, result);
  return result;
}

Value Provenance::convert_data(Value v, Scalar from, Scalar to) {
  if (to == Scalar::kBool) return as_truth(*this, v, from);
  if (from == Scalar::kBool) return indicator(*this, v, to);
  if (const auto number = is_real(from) ? std::nullopt : convert_indicators(*this, normalize(v), from, to))
    return *number;
  if (const auto word = widen_flags(*this, v, from, to)) return *word;
  if (const auto narrow = truncated(v, from, to)) return *narrow;
  if (const auto wide = widened(v, from, to)) return *wide;
  return opaque(cast_code({from, to}), to, {v});
}

Value Provenance::same_bits(Value v, Scalar from, Scalar to) {
  if (is_real(from) == is_real(to)) return convert(v, from, to);
  if (v.is_node() && node(v).kind == Node::Kind::kChoice)
    return map_leaves(v, [&](Value leaf) { return same_bits(leaf, from, to); });
  return is_real(to) ? join(to, {v}) : part(to, v, 0, 1);
}

// The low bits of a sum are the sum of the low bits, likewise of an xor and an or; and those of a widened value are
// the value's own.
std::optional<Value> Provenance::truncated(Value v, Scalar from, Scalar to) {
  if (is_real(from) || is_real(to) || to == Scalar::kBool || bit_width(to) >= bit_width(from)) return std::nullopt;
  v = normalize(v);
  const Node n = node(v);  // a copy: converting adds nodes
  if (is_extremum(n)) return narrow_extremum(n, to);
  if (const auto cast = cast_of(n)) {
    if (is_real(cast->from) || is_real(cast->to) || cast->to == Scalar::kBool ||
        bit_width(cast->to) < bit_width(cast->from))
      return std::nullopt;
    return convert(n.children()[0], cast->from, to);
  }
  if (n.kind != Node::Kind::kRing) return std::nullopt;
  Value sum = Value::integer(0);
  for (const Term& term : n.terms()) {
    const bool is_product = n.ring == Ring::kSum || n.ring == Ring::kXor;
    Value product = Value::integer(wrap(to, term.factors.empty() || is_product ? term.coefficient.bits : 0));
    for (NodeId f : term.factors) {
      const Value factor = convert(Value::node(f), from, to);
      product = is_product ? multiply(n.ring, to, product, factor) : factor;
    }
    sum = combine(n.ring, to, sum, product);
  }
  return sum;
}

// The type that the value, or the operands of a minimum or maximum, were widened from.
std::optional<Scalar> Provenance::narrower_type(Value v) const {
  if (!v.is_node()) return std::nullopt;
  const Node& n = node(v);
  if (is_extremum(n) && !n.terms().empty()) return narrower_type(operand_of(n.terms().back()));
  if (n.kind == Node::Kind::kChoice) {
    std::optional<Scalar> narrow;  // of the leaves that are no numbers
    for (const Value& leaf : leaves(v)) {
      if (!leaf.is_node()) continue;
      const auto of_leaf = narrower_type(leaf);
      if (!of_leaf || (narrow && *narrow != *of_leaf)) return std::nullopt;
      narrow = of_leaf;
    }
    return narrow;
  }
  const auto cast = cast_of(n);
  return cast ? std::optional(cast->from) : std::nullopt;
}

// The value of type `narrow` that this is one of type `s` of, if it is and the order of such values stays as it was.
std::optional<Value> Provenance::before_widening(Value v, Scalar narrow, Scalar s) {
  if (is_real(s) || is_real(narrow) || narrow == Scalar::kBool || bit_width(narrow) >= bit_width(s) ||
      (is_unsigned(s) && !is_unsigned(narrow)))
    return std::nullopt;
  if (v.is_int()) return wrap(narrow, v.bits) == v.bits ? std::optional(v) : std::nullopt;
  if (narrower_type(v) != narrow) return std::nullopt;
  const Node n = node(v);  // a copy: what follows adds nodes
  if (n.kind == Node::Kind::kChoice) {
    bool fit = true;
    const Value before = map_leaves(v, [&](Value leaf) {
      if (leaf.is_undefined()) return leaf;
      const auto of_leaf = before_widening(leaf, narrow, s);
      fit = fit && of_leaf;
      return of_leaf.value_or(Value{});
    });
    return fit ? std::optional(before) : std::nullopt;
  }
  if (is_extremum(n)) return narrow_extremum(n, narrow);
  return is_real(cast_of(n)->to) ? std::nullopt : std::optional(n.children()[0]);
}

// The least of widened values, made narrow again, is the least of the values.
std::optional<Value> Provenance::narrow_extremum(const Node& n, Scalar to) {
  std::optional<Value> result;
  for (const Term& term : n.terms()) {
    const auto operand = before_widening(operand_of(term), to, n.scalar);
    if (!operand) return std::nullopt;
    result = result ? normalize(combine(n.ring, to, *result, *operand)) : *operand;
  }
  return result;
}

// What was widened once is widened at once, and an unsigned value is the same in a signed and in an unsigned type that
// is wider.
std::optional<Value> Provenance::widened(Value v, Scalar from, Scalar to) {
  if (is_real(from) || to == Scalar::kBool) return std::nullopt;
  v = normalize(v);
  const Node n = node(v);  // a copy: converting adds nodes
  if (is_extremum(n) && !n.has_choice && n.scalar == from && !is_real(to) && bit_width(to) > bit_width(from) &&
      (is_unsigned(from) || !is_unsigned(to))) {
    std::optional<Value> result;
    for (const Term& term : n.terms()) {
      const Value operand = convert(operand_of(term), from, to);
      result = result ? normalize(combine(n.ring, to, *result, operand)) : operand;
    }
    return result;
  }
  if (const auto cast = cast_of(n)) {
    const bool keeps_value = is_unsigned(cast->from) || !is_unsigned(from);
    if (!is_real(cast->from) && !is_real(cast->to) && bit_width(cast->from) < bit_width(from) && keeps_value)
      return convert(n.children()[0], cast->from, to);
  }
  const Scalar canonical = is_real(to) || !is_unsigned(from) ? to : algebra_of(Ring::kSum, to);
  return canonical == to ? std::nullopt : std::optional(convert(v, from, canonical));
}

}  // namespace swizzle
