#include "synth/provenance/merged_words.h"

#include <array>
#include <utility>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr auto kAndCode = static_cast<std::uint32_t>(Operator::kAnd),
               kOrCode = static_cast<std::uint32_t>(Operator::kOr),
               kXorCode = static_cast<std::uint32_t>(Operator::kXor),
               kNotCode = static_cast<std::uint32_t>(Operator::kBitNot);

using Pair = std::pair<Value, Value>;

bool is_operation(const Provenance& p, Value v, std::uint32_t code, Scalar s) {
  return v.is_node() && p.node(v).kind == Node::Kind::kDeferred && p.node(v).tag == code && p.node(v).scalar == s &&
         !p.node(v).maybe_undefined;
}

// The operands of such an operation, in both orders.
std::array<Pair, 2> operands_of(const Provenance& p, Value v) {
  const Children children = p.node(v).children();
  return {Pair{children[0], children[1]}, Pair{children[1], children[0]}};
}

bool are_opposite(const Provenance& p, Scalar s, Value a, Value b) {
  if (a.is_int() && b.is_int()) return wrap(s, ~a.bits) == wrap(s, b.bits);
  return (is_operation(p, a, kNotCode, s) && p.node(a).children()[0] == b) ||
         (is_operation(p, b, kNotCode, s) && p.node(b).children()[0] == a);
}

// Of k and ~k, the one that nothing inverts.
Value merge(Provenance& p, Scalar s, Value k, Value a, Value b) {
  if (is_operation(p, k, kNotCode, s)) return merge(p, s, p.node(k).children()[0], b, a);
  return word_operation(p, kDeferredMerge, s, {k, a, b});
}

// (a & k) | (b & ~k)
std::optional<Value> of_masked(Provenance& p, Scalar s, Value first, Value second) {
  if (!is_operation(p, first, kAndCode, s) || !is_operation(p, second, kAndCode, s)) return std::nullopt;
  for (const auto& [k, a] : operands_of(p, first))
    for (const auto& [other, b] : operands_of(p, second))
      if (are_opposite(p, s, k, other)) return merge(p, s, k, a, b);
  return std::nullopt;
}

// b ^ ((a ^ b) & k)
std::optional<Value> of_delta(Provenance& p, Scalar s, Value b, Value masked) {
  if (!b.is_node() || p.node(b).maybe_undefined || !is_operation(p, masked, kAndCode, s)) return std::nullopt;
  for (const auto& [delta, k] : operands_of(p, masked)) {
    if (!is_operation(p, delta, kXorCode, s)) continue;
    for (const auto& [a, other] : operands_of(p, delta))
      if (other == b) return merge(p, s, k, a, b);
  }
  return std::nullopt;
}

// f of each leaf of the bit; nothing: data decide it.
Value chosen_by(Provenance& p, Value k, Value a, Value b) {
  return chosen_bit(p, k, [&](Value leaf) { return leaf.is_int() ? (leaf.bits != 0 ? a : b) : Value{}; });
}

}  // namespace

std::optional<Value> as_merge(Provenance& p, std::uint32_t code, Scalar s, std::span<const Value> operands) {
  if (code != kOrCode && code != kXorCode) return std::nullopt;
  if (auto merged = of_masked(p, s, operands[0], operands[1])) return merged;
  if (code != kXorCode) return std::nullopt;
  if (auto merged = of_delta(p, s, operands[0], operands[1])) return merged;
  return of_delta(p, s, operands[1], operands[0]);
}

Value bit_of_merge(Provenance& p, const Children& operands, std::size_t i) {
  const Value k = word_bit(p, operands[0], i);
  if (k.is_int()) return word_bit(p, operands[k.bits != 0 ? 1 : 2], i);
  const Value a = word_bit(p, operands[1], i), b = word_bit(p, operands[2], i);
  if (a.is_undefined() || b.is_undefined()) return {};
  if (a == b && p.is_index(k)) return a;
  if (p.is_index(k)) return chosen_by(p, k, a, b);
  return gate(p, Operator::kXor, b, gate(p, Operator::kAnd, k, gate(p, Operator::kXor, a, b)));
}

}  // namespace swizzle
