#include "synth/provenance/deferred_words.h"

#include <algorithm>
#include <array>

#include "synth/provenance/casts.h"
#include "synth/provenance/merged_words.h"
#include "synth/provenance/whole_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Operands = Children;

constexpr std::size_t kByte = 8;

std::size_t width_of(Scalar s) { return static_cast<std::size_t>(bit_width(s)); }

bool is_undefined_amount(Value amount, Scalar s) {
  return !amount.is_int() || amount.bits < 0 || amount.bits >= bit_width(s);
}

// `by`: an index; what comes in from above is 0, or the sign.
Value bit_of_shift(Provenance& p, bool left, Scalar s, Value word, Value by, std::size_t i) {
  return chosen_bit(p, by, [&](Value amount) -> Value {
    if (is_undefined_amount(amount, s)) return {};
    const std::int64_t from = static_cast<std::int64_t>(i) + (left ? -amount.bits : amount.bits);
    if (from >= 0 && from < bit_width(s)) return word_bit(p, word, static_cast<std::size_t>(from));
    return left || is_unsigned(s) ? Value::integer(0) : word_bit(p, word, width_of(s) - 1);
  });
}

// `bits`: known ones cost nothing, and may decide alone.
Value bit_of_gate(Provenance& p, Operator op, Value a, Value b, std::size_t i) {
  const auto is_deferred = [&](Value v) { return v.is_node() && p.node(v).kind == Node::Kind::kDeferred; };
  if (is_deferred(a) && !is_deferred(b)) std::swap(a, b);
  const Value first = word_bit(p, a, i);
  const Value absorbing = Value::integer(op == Operator::kOr);
  const bool decides = op != Operator::kXor && first == absorbing;
  if (decides && b.is_node() && !p.node(b).maybe_undefined) return first;
  return gate(p, op, first, word_bit(p, b, i));
}

Value bit_of_operator(Provenance& p, Operator op, Scalar s, const Operands& v, std::size_t i) {
  switch (op) {
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kXor: return bit_of_gate(p, op, v[0], v[1], i);
    case Operator::kBitNot: return gate(p, Operator::kXor, Value::integer(1), word_bit(p, v[0], i));
    case Operator::kShl:
    case Operator::kShr: return bit_of_shift(p, op == Operator::kShl, s, v[0], v[1], i);
    default: return {};
  }
}

// What the three bits of a selector for a byte come to, which has four: see chosen_bytes() in word_functions.h.
// Undefined: data decide them.
Value digit_of(Provenance& p, Value selector, std::size_t byte) {
  constexpr std::size_t kDigit = 4, kUsed = 3;
  Value sum = Value::integer(0);
  for (std::size_t i = 0; i < kUsed; ++i) {
    const Value bit = word_bit(p, selector, kDigit * byte + i);
    if (!p.is_index(bit) || bit.is_undefined()) return {};
    const Value scaled = p.binary(Operator::kShl, Scalar::kI32, bit, Value::integer(static_cast<int>(i)));
    sum = p.binary(Operator::kAdd, Scalar::kI32, sum, scaled);
  }
  return sum;
}

Value bit_of_bytes(Provenance& p, const Operands& v, std::size_t i) {
  return chosen_bit(p, digit_of(p, v[2], i / kByte), [&](Value digit) -> Value {
    if (!digit.is_int()) return {};
    const auto byte = static_cast<std::size_t>(digit.bits);
    return word_bit(p, v[byte / 4], byte % 4 * kByte + i % kByte);
  });
}

Value bit_of_funnel(Provenance& p, bool left, bool clamps, const Operands& v, std::size_t i) {
  return chosen_bit(p, v[2], [&](Value amount) -> Value {
    if (!amount.is_int()) return {};
    const auto asked = static_cast<std::uint32_t>(amount.bits);
    const std::uint32_t by = clamps ? std::min(asked, 32u) : asked & 31u;
    const std::size_t from = left ? i + 32 - by : i + by;
    return word_bit(p, v[from / 32], from % 32);
  });
}

Value bit_of_intrinsic(Provenance& p, Intrinsic kind, Scalar s, const Operands& v, std::size_t i) {
  switch (kind) {
    case Intrinsic::kBrev: return word_bit(p, v[0], width_of(s) - 1 - i);
    case Intrinsic::kBytePerm: return bit_of_bytes(p, v, i);
    case Intrinsic::kFunnelShiftL: return bit_of_funnel(p, true, false, v, i);
    case Intrinsic::kFunnelShiftR: return bit_of_funnel(p, false, false, v, i);
    case Intrinsic::kFunnelShiftLC: return bit_of_funnel(p, true, true, v, i);
    case Intrinsic::kFunnelShiftRC: return bit_of_funnel(p, false, true, v, i);
    default: return {};
  }
}

Value bit_of_cast(Provenance& p, Scalar from, Value v, std::size_t i) {
  if (i < width_of(from)) return word_bit(p, v, i);
  return is_unsigned(from) ? Value::integer(0) : word_bit(p, v, width_of(from) - 1);
}

// c ? a : b is b ^ (c & (a ^ b)).
Value bit_of_select(Provenance& p, const Operands& v, std::size_t i) {
  const Value a = word_bit(p, v[1], i), b = word_bit(p, v[2], i);
  return gate(p, Operator::kXor, b, gate(p, Operator::kAnd, word_bit(p, v[0], 0), gate(p, Operator::kXor, a, b)));
}

Value bit_of_choice(Provenance& p, PointId point, const Operands& v, std::size_t i) {
  Alternatives alternatives;
  Value former;
  for (const Value& word : v) {
    const bool repeats = !alternatives.empty() && word == former;
    alternatives.push_back(repeats ? alternatives.back() : word_bit(p, word, i));
    former = word;
  }
  return chosen(p, point, alternatives);
}

}  // namespace

Value operation_bit(Provenance& p, std::uint32_t code, Scalar s, const Operands& v, std::size_t i) {
  if (code >= kDeferredChoice) return bit_of_choice(p, PointId(code - kDeferredChoice), v, i);
  if (code == kDeferredMerge) return bit_of_merge(p, v, i);
  if (code >= kOpaquePart) return word_bit(p, v[0], width_of(s) * ((code - kOpaquePart) / 16) + i);
  if (code >= kOpaqueJoin) return word_bit(p, v[i * v.size() / width_of(s)], i % (width_of(s) / v.size()));
  if (code >= kOpaqueIntrinsic) return bit_of_intrinsic(p, static_cast<Intrinsic>(code - kOpaqueIntrinsic), s, v, i);
  if (code == kOpaqueSelect) return bit_of_select(p, v, i);
  if (const auto cast = cast_of(code)) return bit_of_cast(p, cast->from, v[0], i);
  return bit_of_operator(p, static_cast<Operator>(code), s, v, i);
}

namespace {

// How far the words are moved, if holes may decide that; the rest of the operation depends on no value.
bool is_shift(std::uint32_t code) {
  return code == static_cast<std::uint32_t>(Operator::kShl) || code == static_cast<std::uint32_t>(Operator::kShr);
}

bool is_intrinsic(std::uint32_t code, Intrinsic kind) {
  return code == kOpaqueIntrinsic + static_cast<std::uint32_t>(kind);
}

bool is_funnel(std::uint32_t code) {
  return std::ranges::any_of(std::array{Intrinsic::kFunnelShiftL, Intrinsic::kFunnelShiftR, Intrinsic::kFunnelShiftLC,
                                        Intrinsic::kFunnelShiftRC},
                             [&](Intrinsic kind) { return is_intrinsic(code, kind); });
}

// Data decide nothing about where bits go.
bool can_be_followed(Provenance& p, std::uint32_t code, std::span<const Value> v) {
  if (!std::ranges::all_of(v, [&](const Value& x) { return has_bits(p, x); })) return false;
  if (is_shift(code)) return p.is_index(v[1]);
  if (is_funnel(code)) return p.is_index(v[2]);
  if (!is_intrinsic(code, Intrinsic::kBytePerm)) return true;
  for (std::size_t byte = 0; byte < 4; ++byte)
    if (digit_of(p, v[2], byte).is_undefined()) return false;
  return true;
}

bool is_deferred(const Provenance& p, Value v, std::uint32_t code) {
  return v.is_node() && p.node(v).kind == Node::Kind::kDeferred && p.node(v).tag == code;
}

// All parts of one word, side by side, are that word.
std::optional<Value> whole_of(const Provenance& p, Scalar s, std::span<const Value> parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = kOpaquePart + static_cast<std::uint32_t>(i * 16 + parts.size());
    if (!is_deferred(p, parts[i], part) || !(p.node(parts[i]).children()[0] == p.node(parts[0]).children()[0]))
      return std::nullopt;
  }
  const Value whole = p.node(parts[0]).children()[0];
  return is_word(p, whole) && word_width(p, whole) == width_of(s) ? std::optional(whole) : std::nullopt;
}

// What is a simpler operation, or none.
std::optional<Value> simpler(Provenance& p, std::uint32_t code, Scalar s, std::span<const Value> operands) {
  if (code == kOpaqueJoin) return whole_of(p, s, operands);
  if (code != static_cast<std::uint32_t>(Operator::kBitNot)) return as_merge(p, code, s, operands);
  const bool is_twice = is_deferred(p, operands[0], code) && p.node(operands[0]).scalar == s;
  const Value inner = is_twice ? p.node(operands[0]).children()[0] : Value{};
  return is_twice && is_word(p, inner) && word_width(p, inner) == width_of(s) ? std::optional(inner) : std::nullopt;
}

}  // namespace

std::size_t word_width(const Provenance& p, Value word) {
  const Node& node = p.node(word);
  return node.kind == Node::Kind::kDeferred ? width_of(node.scalar) : node.children().size();
}

Value word_bit(Provenance& p, Value v, std::size_t i) {
  if (v.is_int()) return Value::integer(v.bits >> std::min<std::size_t>(i, kMostBits - 1) & 1);
  if (!is_word(p, v) && !has_bits(p, v)) return {};
  if (!is_word(p, v))
    return chosen_bit(p, v, [&](Value leaf) { return leaf.is_int() ? word_bit(p, leaf, i) : Value{}; });
  const Node node = p.node(v);  // a copy: what follows adds nodes
  if (node.kind == Node::Kind::kWord) return i < node.children().size() ? node.children()[i] : Value::integer(0);
  if (i >= width_of(node.scalar)) return Value::integer(0);
  if (const auto known = p.known_bits().find(v.as_node(), i)) return *known;
  const Value bit = operation_bit(p, node.tag, node.scalar, node.children(), i);
  p.known_bits().keep(v.as_node(), i, width_of(node.scalar), bit);
  return bit;
}

Value word_operation(Provenance& p, std::uint32_t code, Scalar s, std::span<const Value> operands) {
  if (!can_be_followed(p, code, operands)) return {};
  bool maybe_undefined = false;
  if (is_shift(code) && operands[1].is_int()) {
    if (is_undefined_amount(operands[1], s)) return {};
  } else if (is_shift(code)) {
    const std::vector<Value> amounts = p.leaves(operands[1]);
    const auto is_undefined = [&](Value amount) { return is_undefined_amount(amount, s); };
    if (std::ranges::all_of(amounts, is_undefined)) return {};
    maybe_undefined = std::ranges::any_of(amounts, is_undefined);
  }
  if (std::ranges::any_of(operands, [&](const Value& v) { return p.has_choice(v); })) {
    const auto known = simpler(p, code, s, operands);
    return known ? *known : p.deferred(code, s, operands, maybe_undefined);
  }
  return whole_word(p, code, s, operands);
}

Value worked_out(Provenance& p, Value word) {
  if (!is_word(p, word)) return word;
  return word_of(p, Scalar::kU64, bits_of(p, word, word_width(p, word)));
}

}  // namespace swizzle
