#include "synth/provenance/word_products.h"

namespace swizzle {
namespace {

// Of four bytes, or of two halves and two of the bytes, added to the last operand.
Value dot_product(Provenance& p, Intrinsic kind, Scalar s, std::span<const Value> v) {
  const bool has_halves = kind != Intrinsic::kDp4a;
  const Scalar byte = is_unsigned(s) ? Scalar::kU8 : Scalar::kI8, half = is_unsigned(s) ? Scalar::kU16 : Scalar::kI16;
  const Scalar first = has_halves ? half : byte;
  const int count = has_halves ? 2 : 4, offset = kind == Intrinsic::kDp2aHi ? 2 : 0;
  Value sum = v[2];
  for (int i = 0; i < count; ++i) {
    const Value a = p.convert(p.part(first, v[0], i, count), first, s),
                b = p.convert(p.part(byte, v[1], i + offset, 4), byte, s);
    sum = p.binary(Operator::kAdd, s, sum, p.binary(Operator::kMul, s, a, b));
  }
  return sum;
}

// Of the product in twice as many bits.
Value upper_half(Provenance& p, Scalar s, Scalar wide, Value a, Value b) {
  const Value product = p.binary(Operator::kMul, wide, p.convert(a, s, wide), p.convert(b, s, wide));
  return p.convert(p.binary(Operator::kShr, wide, product, Value::integer(bit_width(s))), wide, s);
}

}  // namespace

std::optional<Value> word_product(Provenance& provenance, Intrinsic kind, Scalar s, std::span<const Value> operands) {
  switch (kind) {
    case Intrinsic::kDp4a:
    case Intrinsic::kDp2aLo:
    case Intrinsic::kDp2aHi: return dot_product(provenance, kind, s, operands);
    case Intrinsic::kMulhi: return upper_half(provenance, Scalar::kI32, Scalar::kI64, operands[0], operands[1]);
    case Intrinsic::kUmulhi: return upper_half(provenance, Scalar::kU32, Scalar::kU64, operands[0], operands[1]);
    default: return std::nullopt;
  }
}

}  // namespace swizzle
