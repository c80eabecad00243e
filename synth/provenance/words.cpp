#include "synth/provenance/words.h"

#include <algorithm>

#include "synth/provenance/casts.h"
#include "synth/provenance/deferred_words.h"
#include "synth/provenance/definedness.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTerms = 4096;  // of a product, before equal ones are joined

bool is_choice(const Provenance& p, Value v) { return v.is_node() && p.node(v).kind == Node::Kind::kChoice; }

// Of bits that holes decide, or whose sum has too many terms.
Value left_as_gate(Provenance& p, Operator op, Value a, Value b) {
  if (b.is_int() || (a.is_node() && b.is_node() && b.aux < a.aux)) std::swap(a, b);
  return p.opaque(kOpaqueGate + static_cast<std::uint32_t>(op), Scalar::kBool, {a, b});
}

bool is_xor_gate(const Provenance& p, Value v) {
  return v.is_node() && p.node(v).kind == Node::Kind::kOpaque &&
         p.node(v).tag == kOpaqueGate + static_cast<std::uint32_t>(Operator::kXor);
}

// Of bits that no hole decides.
Value normal_form(Provenance& p, Operator op, Value a, Value b) {
  const auto terms = [&](Value v) { return p.terms(Ring::kXor, Scalar::kBool, v).size(); };
  if (op != Operator::kXor && terms(a) * terms(b) > kMostTerms) return left_as_gate(p, op, a, b);
  const auto sum = [&](Value x, Value y) { return p.normalize(p.combine(Ring::kXor, Scalar::kBool, x, y)); };
  if (op == Operator::kXor) return sum(a, b);
  const Value both = p.normalize(p.multiply(Ring::kXor, Scalar::kBool, a, b));
  return op == Operator::kAnd ? both : sum(sum(a, b), both);
}

// Itself, or one of its alternatives: a mask, or what a shift makes of one.
bool has_known_alternative(const Provenance& p, Value v, int depth = 2) {
  return depth > 0 && is_choice(p, v) && std::ranges::any_of(p.node(v).children(), [&](const Value& c) {
           return c.is_int() || has_known_alternative(p, c, depth - 1);
         });
}

// Operations whose results are kept (computed_table.h): gates by operator, restrictions, and words of the input.
constexpr std::uint64_t kKeptRestriction = 1 << 8, kKeptInput = 1 << 9;

std::uint64_t operand_key(Value v) {
  return v.is_node() ? v.aux + std::uint64_t{2} : static_cast<std::uint64_t>(v.bits);
}

Value restricted_parts(Provenance& p, Value bit, std::uint32_t point, std::size_t value, int depth);

// A bit when a point has this value, as far as that is near: it is looked through masks and gates alone, and what
// earlier points choose does not ask it, as rounds of a loop go.
Value restricted(Provenance& p, Value bit, std::uint32_t point, std::size_t value, int depth = 4) {
  if (!bit.is_node() || depth == 0) return bit;
  const Node& node = p.node(bit);
  if (!node.has_choice) return bit;
  if (node.kind == Node::Kind::kChoice && node.tag == point) return node.children()[value];
  const bool is_gate = node.kind == Node::Kind::kOpaque && node.tag >= kOpaqueGate;
  if (!is_gate && (node.kind != Node::Kind::kChoice || node.tag < point || node.children().size() > 2)) return bit;
  const ComputedTable::Key key{kKeptRestriction + static_cast<std::uint64_t>(depth) + (std::uint64_t{value} << 16),
                               bit.aux | std::uint64_t{point} << 32};
  if (const auto known = p.computed().find(key)) return *known;
  const Value result = restricted_parts(p, bit, point, value, depth);
  p.computed().keep(key, result);
  return result;
}

Value restricted_parts(Provenance& p, Value bit, std::uint32_t point, std::size_t value, int depth) {
  const Node node = p.node(bit);                                        // a copy: choosing adds nodes
  const Value first = node.children()[0], second = node.children()[1];  // gates have two operands
  const Value a = restricted(p, first, point, value, depth - 1), b = restricted(p, second, point, value, depth - 1);
  if (a == first && b == second) return bit;
  return node.kind == Node::Kind::kOpaque ? gate(p, static_cast<Operator>(node.tag - kOpaqueGate), a, b)
                                          : chosen(p, PointId(node.tag), {a, b});
}

// The other operand goes into each alternative.
Value pushed(Provenance& p, Operator op, Value choice, Value other) {
  const Node node = p.node(choice);  // a copy: gates add nodes
  Alternatives alternatives;
  Value former, former_other;
  for (const Value& child : node.children()) {
    const Value there = restricted(p, other, node.tag, alternatives.size());
    const bool repeats = !alternatives.empty() && child == former && there == former_other;
    alternatives.push_back(repeats ? alternatives.back() : gate(p, op, child, there));
    former = child, former_other = there;
  }
  return chosen(p, PointId(node.tag), alternatives);
}

Value new_gate(Provenance& p, Operator op, Value a, Value b) {
  if (p.is_index(a) && p.is_index(b)) return p.binary(op, Scalar::kBool, a, b);
  if (op == Operator::kXor)  // a ^ (a ^ c) is c
    for (const auto& [x, sum] : {std::pair{a, b}, std::pair{b, a}}) {
      if (!is_xor_gate(p, sum) || may_be_undefined(p, x)) continue;
      const Value first = p.node(sum).children()[0], second = p.node(sum).children()[1];
      if (first == x) return second;
      if (second == x) return first;
    }
  if (is_choice(p, a) && is_choice(p, b) && p.node(a).tag == p.node(b).tag) return pushed(p, op, a, b);
  for (const auto& [choice, other] : {std::pair{a, b}, std::pair{b, a}}) {
    const bool is_guard = is_choice(p, choice) && p.is_index(choice);
    const bool is_simple = op == Operator::kXor || !p.has_choice(other);
    if (is_guard || (is_simple && has_known_alternative(p, choice))) return pushed(p, op, choice, other);
  }
  return left_as_gate(p, op, a, b);
}

Value gate_of_choices(Provenance& p, Operator op, Value a, Value b) {
  const ComputedTable::Key key{static_cast<std::uint64_t>(op) + 1, operand_key(a) | operand_key(b) << 32};
  if (const auto known = p.computed().find(key)) return *known;
  const Value result = new_gate(p, op, a, b);
  p.computed().keep(key, result);
  return result;
}

// The unsigned type with room for so many bits.
Scalar scalar_of_width(std::size_t bits) {
  for (const Scalar s : {Scalar::kBool, Scalar::kU8, Scalar::kU16, Scalar::kU32})
    if (bits <= static_cast<std::size_t>(bit_width(s))) return s;
  return Scalar::kU64;
}

}  // namespace

Value Provenance::bit(BufferId buffer, std::int64_t index, int position) {
  Node n;
  n.kind = Node::Kind::kBit;
  n.scalar = Scalar::kBool;
  n.tag = buffer.value;
  n.index_ = index * kMostBits + position;
  return intern(n);
}

Value Provenance::word(std::span<const Value> bits) {
  Node n;
  n.kind = Node::Kind::kWord;
  n.scalar = Scalar::kU64;
  n.set_children(bits);
  return intern(n);
}

Value gate(Provenance& p, Operator op, Value a, Value b) {
  if (a.is_undefined() || b.is_undefined()) return {};
  if (b.is_int()) std::swap(a, b);
  if (a.is_int() && b.is_int()) {
    const bool x = a.bits != 0, y = b.bits != 0;
    return Value::integer(op == Operator::kAnd ? x && y : op == Operator::kOr ? x || y : x != y);
  }
  if (a.is_int()) {
    const bool one = a.bits != 0, keeps = one == (op == Operator::kAnd);
    if (keeps) return b;  // 1 & b, 0 | b, 0 ^ b
    if (op != Operator::kXor && !may_be_undefined(p, b)) return a;
    if (op != Operator::kXor) return left_as_gate(p, op, a, b);
  } else if (a == b && op != Operator::kXor) {
    return a;
  } else if (a == b && !may_be_undefined(p, a)) {
    return Value::integer(0);
  }
  if (!p.has_choice(a) && !p.has_choice(b)) return normal_form(p, op, a, b);
  return gate_of_choices(p, op, a, b);
}

Value chosen(Provenance& p, PointId point, std::span<Value> alternatives) {
  bool keeps = false;  // the former one is as it was
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (keeps && alternatives[i] == alternatives[i - 1]) continue;
    const Value there = restricted(p, alternatives[i], point.value, i);
    keeps = there == alternatives[i];
    alternatives[i] = there;
  }
  return p.choice(point, alternatives);
}

Value input_word(Provenance& p, BufferId buffer, std::int64_t index, Scalar s) {
  const ComputedTable::Key key{(kKeptInput + static_cast<std::uint64_t>(s)) | std::uint64_t{buffer.value} << 32,
                               static_cast<std::uint64_t>(index)};
  if (const auto known = p.computed().find(key)) return *known;
  std::vector<Value> bits;
  for (int b = 0; b < bit_width(s); ++b) bits.push_back(p.bit(buffer, index, b));
  const Value word = p.word(bits);
  p.computed().keep(key, word);
  return word;
}

bool has_bits(const Provenance& p, Value v) {
  return is_word(p, v) || (!v.is_undefined() && !v.is_real() && !v.is_pointer() && p.is_index(v));
}

std::vector<Value> bits_of(Provenance& p, Value v, std::size_t width) {
  if (!has_bits(p, v)) return {};
  std::vector<Value> bits;
  bits.reserve(width);
  if (v.is_node() && p.node(v).kind == Node::Kind::kWord) {
    const Children known = p.node(v).children();
    bits.assign(known.begin(), known.end());
    bits.resize(width, Value::integer(0));
  }
  for (std::size_t i = bits.size(); i < width; ++i) bits.push_back(word_bit(p, v, i));
  return bits;
}

Value word_of(Provenance& p, Scalar s, std::span<const Value> bits) {
  bool is_known = !bits.empty();
  for (const Value& b : bits) {
    if (b.is_undefined()) return {};
    is_known = is_known && b.is_int();
  }
  if (bits.empty()) return {};
  if (bits.size() == 1 && p.is_index(bits[0])) return bits[0];
  if (!is_known) return p.word(bits);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) value |= static_cast<std::uint64_t>(bits[i].bits) << i;
  return Value::integer(wrap(s, static_cast<std::int64_t>(value)));
}

bool is_normal_form(const Provenance& p, Value bit) {
  if (!bit.is_node()) return true;
  const Node& node = p.node(bit);
  return node.kind != Node::Kind::kOpaque && std::ranges::none_of(node.terms(), [&](const Term& t) {
           return std::ranges::any_of(t.factors, [&](NodeId f) { return p.node(f).kind == Node::Kind::kOpaque; });
         });
}

// Bits that are not worked out yet are looked at by whoever asks for them.
bool is_followed(const Provenance& p, Value v) {
  return !v.is_node() || p.node(v).kind != Node::Kind::kWord || !p.node(v).has_gates;
}

Value choice_of_words(Provenance& p, PointId point, std::span<const Value> alternatives) {
  std::size_t width = 0;
  for (const Value& v : alternatives)
    if (is_word(p, v)) width = std::max(width, word_width(p, v));
  return p.deferred(kDeferredChoice + point.value, scalar_of_width(width), alternatives,
                    !std::ranges::all_of(alternatives, [&](const Value& v) { return has_bits(p, v); }));
}

Value truth_bit(Provenance& p, Value v) {
  if (!is_word(p, v))
    return p.map_leaves(v, [](Value leaf) { return leaf.is_int() ? Value::integer(leaf.bits != 0) : Value{}; });
  Value any = Value::integer(0);
  for (std::size_t i = 0; i < word_width(p, v); ++i) any = gate(p, Operator::kOr, any, word_bit(p, v, i));
  return any;
}

Value word_convert(Provenance& p, Value v, Scalar from, Scalar to) {
  if (is_real(from) || is_real(to)) return {};
  if (to == Scalar::kBool) {
    std::vector<Value> bits = bits_of(p, v, static_cast<std::size_t>(bit_width(from)));
    return bits.empty() ? Value{} : word_of(p, to, {truth_bit(p, word_of(p, from, bits))});
  }
  return word_operation(p, cast_code({from, to}), to, {v});
}

Value word_select(Provenance& p, Value condition, Value if_true, Value if_false) {
  const Value c = truth_bit(p, condition);
  if (p.is_index(c)) return p.select(c, if_true, if_false);
  const auto width_of = [&](Value v) { return is_word(p, v) ? word_width(p, v) : std::size_t{kMostBits}; };
  const bool known = !is_word(p, if_true) && !is_word(p, if_false);
  const std::size_t width = known ? std::size_t{kMostBits}
                            : is_word(p, if_true) && is_word(p, if_false)
                                ? std::max(width_of(if_true), width_of(if_false))
                                : std::min(width_of(if_true), width_of(if_false));
  return word_operation(p, kOpaqueSelect, scalar_of_width(width), {p.word({c}), if_true, if_false});
}

Value word_join(Provenance& p, Scalar s, const std::vector<Value>& parts) {
  return is_real(s) ? Value{} : word_operation(p, kOpaqueJoin, s, parts);
}

Value word_part(Provenance& p, Scalar s, Value whole, int index, int count) {
  const auto code = kOpaquePart + static_cast<std::uint32_t>(index * 16 + count);
  return is_real(s) ? Value{} : word_operation(p, code, s, {whole});
}

Value word_intrinsic(Provenance& p, Intrinsic kind, Scalar s, const std::vector<Value>& operands) {
  switch (kind) {
    case Intrinsic::kPopc: return word_count(p, s, operands[0]);
    case Intrinsic::kBrev:
    case Intrinsic::kBytePerm:
    case Intrinsic::kFunnelShiftL:
    case Intrinsic::kFunnelShiftR:
    case Intrinsic::kFunnelShiftLC:
    case Intrinsic::kFunnelShiftRC:
      return word_operation(p, kOpaqueIntrinsic + static_cast<std::uint32_t>(kind),
                            kind == Intrinsic::kBrev ? s : Scalar::kU32, operands);
    default: return {};
  }
}

std::string describe_word(const Provenance& p, Value v, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 120;
  std::string text;
  for (const Value& b : p.node(v).children()) {
    if (text.size() > kLongest) return text + ", …";
    text += (text.empty() ? "" : ", ") + p.describe(b, names);
  }
  return text;
}

}  // namespace swizzle
