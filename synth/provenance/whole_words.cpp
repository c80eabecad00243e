#include "synth/provenance/whole_words.h"

#include <algorithm>
#include <array>

#include "synth/provenance/casts.h"
#include "synth/provenance/deferred_words.h"
#include "synth/provenance/merged_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Places = std::array<Value, kMostBits>;

// The lowest `width` bits; what the word has not is 0.
void load_bits(const Provenance& p, Value v, std::size_t width, Places& bits) {
  std::size_t i = 0;
  if (v.is_int()) {
    for (; i < width; ++i) bits[i] = Value::integer(v.bits >> i & 1);
    return;
  }
  const Children known = p.node(v).children();
  if (const std::span<const Value> each = known.each(); !each.empty()) {
    i = std::min(each.size(), width);
    std::copy_n(each.begin(), i, bits.begin());
  } else {
    for (auto bit = known.begin(); i < std::min(known.size(), width); ++bit) bits[i++] = *bit;
  }
  for (; i < width; ++i) bits[i] = Value::integer(0);
}

// a op b, of which most are known.
Value simple_gate(Provenance& p, Operator op, Value a, Value b) {
  if (b.is_int()) std::swap(a, b);
  if (!a.is_int() || b.is_undefined()) return gate(p, op, a, b);
  if (b.is_int()) return gate(p, op, a, b);
  const bool one = a.bits != 0;
  if (op == Operator::kXor) return one ? gate(p, op, a, b) : b;
  return one == (op == Operator::kAnd) ? b : a;
}

// `by`: to lower places, or, negative, to higher ones; `fill` comes in.
void move_bits(Places& bits, std::size_t width, std::int64_t by, Value fill) {
  const auto begin = bits.begin(), end = begin + static_cast<std::ptrdiff_t>(width);
  if (by >= 0) std::fill(std::shift_left(begin, end, by), end, fill);
  else std::fill(begin, std::shift_right(begin, end, -by), fill);
}

void extend(Places& bits, Scalar from, std::size_t width) {
  const auto known = static_cast<std::size_t>(bit_width(from));
  if (known >= width) return;
  const Value above = is_unsigned(from) ? Value::integer(0) : bits[known - 1];
  std::fill(bits.begin() + static_cast<std::ptrdiff_t>(known), bits.begin() + static_cast<std::ptrdiff_t>(width),
            above);
}

void operate(Provenance& p, Operator op, Scalar s, std::span<const Value> operands, Places& bits) {
  const auto width = static_cast<std::size_t>(bit_width(s));
  load_bits(p, operands[0], width, bits);
  if (op == Operator::kShl) return move_bits(bits, width, -operands[1].bits, Value::integer(0));
  if (op == Operator::kShr)
    return move_bits(bits, width, operands[1].bits, is_unsigned(s) ? Value::integer(0) : bits[width - 1]);
  if (op == Operator::kBitNot) {
    for (std::size_t i = 0; i < width; ++i) bits[i] = gate(p, Operator::kXor, Value::integer(1), bits[i]);
    return;
  }
  Places other;
  load_bits(p, operands[1], width, other);
  for (std::size_t i = 0; i < width; ++i) bits[i] = simple_gate(p, op, bits[i], other[i]);
}

// Bits of `bits` where the mask is 1, of `others` where it is 0.
void merge_bits(Provenance& p, std::size_t width, const Places& mask, Places& bits, const Places& others) {
  for (std::size_t i = 0; i < width; ++i) {
    if (mask[i] == Value::integer(0)) bits[i] = others[i];
    else if (!mask[i].is_int())
      bits[i] = gate(p, Operator::kXor, others[i],
                     gate(p, Operator::kAnd, mask[i], gate(p, Operator::kXor, bits[i], others[i])));
  }
}

bool is_whole(std::uint32_t code) {
  return code == static_cast<std::uint32_t>(Operator::kAnd) || code == static_cast<std::uint32_t>(Operator::kOr) ||
         code == static_cast<std::uint32_t>(Operator::kXor) || code == static_cast<std::uint32_t>(Operator::kShl) ||
         code == static_cast<std::uint32_t>(Operator::kShr) || code == static_cast<std::uint32_t>(Operator::kBitNot);
}

}  // namespace

Value whole_word(Provenance& p, std::uint32_t code, Scalar s, std::span<const Value> operands) {
  const auto width = static_cast<std::size_t>(bit_width(s));
  Places bits;
  if (is_whole(code)) {
    operate(p, static_cast<Operator>(code), s, operands, bits);
  } else if (const auto cast = cast_of(code)) {
    load_bits(p, operands[0], width, bits);
    extend(bits, cast->from, width);
  } else if (code == kDeferredMerge) {
    Places mask, others;
    load_bits(p, operands[0], width, mask);
    load_bits(p, operands[1], width, bits);
    load_bits(p, operands[2], width, others);
    merge_bits(p, width, mask, bits, others);
  } else {
    const Children each(operands.data(), operands.size());
    for (std::size_t i = 0; i < width; ++i) bits[i] = operation_bit(p, code, s, each, i);
  }
  return word_of(p, s, std::span(bits).first(width));
}

}  // namespace swizzle
