#include "synth/ptx/lane_operations.h"

#include <algorithm>
#include <array>
#include <bit>

namespace swizzle::ptx {
namespace {

using U = std::uint64_t;
using I = std::int64_t;

constexpr U mask_of(int bits) { return bits >= 64 ? ~U{0} : (U{1} << bits) - 1; }
constexpr U low(U x, int bits) { return x & mask_of(bits); }
constexpr I extended(U x, int bits) {
  return bits >= 64 ? static_cast<I>(x) : static_cast<I>(x << (64 - bits)) >> (64 - bits);
}
I number(Type type, U x) { return type.is_signed() ? extended(x, type.bits) : static_cast<I>(low(x, type.bits)); }

// f(x, is_defined) of each lane's operands x[0] … x[N - 1].
template <std::size_t N, typename F>
LaneValue lanes_of(const std::vector<LaneValue>& v, F f) {
  if (v.size() < N) return {};
  const LaneValue* varying = nullptr;
  bool all_known = true;
  for (std::size_t n = 0; n < N; ++n) {
    if (v[n].is_unknown()) return {};
    if (!v[n].is_uniform()) varying = &v[n];
    all_known &= v[n].is_known_everywhere();
  }
  std::array<U, N> x{};
  bool is_defined = true;
  if (varying == nullptr) {
    for (std::size_t n = 0; n < N; ++n) x[n] = static_cast<U>(v[n].at(0));
    const U value = f(x, is_defined);
    return is_defined ? LaneValue::uniform(static_cast<I>(value)) : LaneValue();
  }
  const std::size_t threads = varying->threads();
  std::vector<I> values(threads, 0);
  std::vector<char> known(all_known ? 0 : threads, 1);
  for (std::size_t t = 0; t < threads; ++t) {
    const int thread = static_cast<int>(t);
    bool is_known = true;
    for (std::size_t n = 0; n < N; ++n) {
      is_known &= all_known || v[n].knows(thread);
      x[n] = static_cast<U>(v[n].at(thread));
    }
    if (is_known) values[t] = static_cast<I>(f(x, is_known));
    if (is_known) continue;
    known.resize(threads, 1);
    known[t] = 0;
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

// f(a, b) as a number of `bits`.
template <typename F>
LaneValue of_two(const std::vector<LaneValue>& v, int bits, F f) {
  return lanes_of<2>(v, [=](const auto& x, bool&) { return low(f(x[0], x[1]), bits); });
}

template <typename F>
LaneValue of_one(const std::vector<LaneValue>& v, int bits, F f) {
  return lanes_of<1>(v, [=](const auto& x, bool&) { return low(f(x[0]), bits); });
}

// The part of a product that .lo, .hi and .wide ask for.
U product(const Instruction& i, U a, U b) {
  const Type t = i.type;
  if (i.opcode == Opcode::kMul24 || i.opcode == Opcode::kMad24) {
    constexpr int kFactorBits = 24, kHighFrom = 16;
    const Type narrow{t.kind, kFactorBits};
    const I full = number(narrow, a) * number(narrow, b);
    return low(static_cast<U>(full) >> (i.has(Modifier::kHi) ? kHighFrom : 0), t.bits);
  }
  if (i.has(Modifier::kWide)) return static_cast<U>(number(t, a)) * static_cast<U>(number(t, b));
  if (!i.has(Modifier::kHi)) return low(a * b, t.bits);
  const __int128 full = t.is_signed()
                            ? static_cast<__int128>(number(t, a)) * number(t, b)
                            : static_cast<__int128>(static_cast<unsigned __int128>(low(a, t.bits)) * low(b, t.bits));
  return low(static_cast<U>(full >> t.bits), t.bits);
}

int product_bits(const Instruction& i) { return i.has(Modifier::kWide) ? 2 * i.type.bits : i.type.bits; }

U divided(const Instruction& i, U a, U b, bool& is_defined) {
  const Type t = i.type;
  is_defined = low(b, t.bits) != 0;
  if (!is_defined) return 0;
  const bool wants_rest = i.opcode == Opcode::kRem;
  if (!t.is_signed()) return wants_rest ? low(a, t.bits) % low(b, t.bits) : low(a, t.bits) / low(b, t.bits);
  const I x = number(t, a), y = number(t, b);
  if (y == -1) return wants_rest ? 0 : low(U{0} - static_cast<U>(x), t.bits);
  return low(static_cast<U>(wants_rest ? x % y : x / y), t.bits);
}

U shifted(const Instruction& i, U a, U by) {
  const Type t = i.type;
  by = low(by, 32);
  const bool is_over = by >= static_cast<U>(t.bits);
  if (i.opcode == Opcode::kShl) return is_over ? 0 : a << by;
  if (t.is_signed()) return static_cast<U>(number(t, a) >> std::min<U>(by, static_cast<U>(t.bits) - 1));
  return is_over ? 0 : low(a, t.bits) >> by;
}

// Of the two words, b above a.
U funnel_shifted(const Instruction& i, U a, U b, U by) {
  constexpr U kWord = 32;
  by = i.has(Modifier::kWrap) ? by % kWord : std::min(low(by, 32), kWord);
  const U both = (low(b, 32) << kWord) | low(a, 32);
  if (i.has(Modifier::kR)) return by == 0 ? a : both >> by;
  return by == 0 ? b : by == kWord ? a : both >> (kWord - by);
}

U field_of(Type t, U a, U from, U length) {
  constexpr U kByte = 0xff;
  from &= kByte;
  length = std::min<U>(length & kByte, 64);
  const auto bits = static_cast<U>(t.bits);
  if (length == 0) return 0;
  const U top = std::min(from + length - 1, bits - 1);
  const U sign = t.is_signed() ? (low(a, t.bits) >> top) & 1 : 0;
  const U value = from >= bits ? 0 : low(a, t.bits) >> from;
  const U kept = std::min(length, bits > from ? bits - from : 0);
  const U mask = mask_of(static_cast<int>(kept));
  return sign != 0 ? value | ~mask : value & mask;
}

U with_field(Type t, U a, U b, U at, U length) {
  constexpr U kByte = 0xff;
  at &= kByte;
  length = std::min<U>(length & kByte, 64);
  if (at >= static_cast<U>(t.bits)) return b;
  const U mask = mask_of(static_cast<int>(length)) << at;
  return (b & ~mask) | ((a << at) & mask);
}

U ones_at(const Instruction& i, U at, U count) {
  constexpr U kMost = 32;
  const auto bounded = [&](U x) { return i.has(Modifier::kWrap) ? x % kMost : std::min(low(x, 32), kMost); };
  return mask_of(static_cast<int>(bounded(count))) << bounded(at);
}

U by_table(U a, U b, U c, U table) {
  U out = 0;
  for (U row = 0; row < 8; ++row)
    if ((table >> row) & 1) out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return out;
}

// Bytes of b above a, chosen by nibbles of c; the top bit of a nibble repeats the byte's sign.
U permuted(U a, U b, U c) {
  const U both = (low(b, 32) << 32) | low(a, 32);
  U out = 0;
  for (U n = 0; n < 4; ++n) {
    const U nibble = c >> (4 * n), byte = (both >> (8 * (nibble & 7))) & 0xff;
    const U chosen = (nibble & 8) != 0 ? ((byte & 0x80) != 0 ? 0xff : 0) : byte;
    out |= chosen << (8 * n);
  }
  return out;
}

bool is_plain_prmt(const Instruction& i) {
  for (const Modifier m :
       {Modifier::kF4e, Modifier::kB4e, Modifier::kRc8, Modifier::kEcl, Modifier::kEcr, Modifier::kRc16})
    if (i.has(m)) return false;
  return true;
}

U reversed(U x, int bits) {
  U out = 0;
  for (int b = 0; b < bits; ++b) out |= ((x >> b) & 1) << (bits - 1 - b);
  return out;
}

U top_bit(const Instruction& i, U a) {
  const I x = number(i.type, a);
  const U from = low(static_cast<U>(i.type.is_signed() && x < 0 ? ~x : x), i.type.bits);
  if (from == 0) return mask_of(32);
  const U at = static_cast<U>(std::bit_width(from)) - 1;
  return i.has(Modifier::kShiftamt) ? static_cast<U>(i.type.bits) - 1 - at : at;
}

LaneValue converted(const Instruction& i, const std::vector<LaneValue>& v) {
  const Type from = i.type, to = i.first_type;
  if (!from.is_integer() || !to.is_integer() || i.has(Modifier::kSat)) return {};
  return of_one(v, 64, [=](U x) { return static_cast<U>(number(to, static_cast<U>(number(from, x)))); });
}

LaneValue of_bits(const Instruction& i, const std::vector<LaneValue>& v) {
  const int bits = i.type.bits;
  switch (i.opcode) {
    case Opcode::kPopc: return of_one(v, 32, [=](U x) { return static_cast<U>(std::popcount(low(x, bits))); });
    case Opcode::kClz: return of_one(v, 32, [=](U x) { return static_cast<U>(bits - std::bit_width(low(x, bits))); });
    case Opcode::kBrev: return of_one(v, bits, [=](U x) { return reversed(x, bits); });
    case Opcode::kBfind: return of_one(v, 32, [&](U x) { return top_bit(i, x); });
    case Opcode::kBfe:
      return lanes_of<3>(v, [&](const auto& x, bool&) { return low(field_of(i.type, x[0], x[1], x[2]), bits); });
    case Opcode::kBfi:
      return lanes_of<4>(v,
                         [&](const auto& x, bool&) { return low(with_field(i.type, x[0], x[1], x[2], x[3]), bits); });
    case Opcode::kBmsk: return of_two(v, bits, [&](U x, U y) { return low(ones_at(i, x, y), bits); });
    case Opcode::kLop3:
      return lanes_of<4>(v, [&](const auto& x, bool&) { return low(by_table(x[0], x[1], x[2], x[3]), bits); });
    case Opcode::kPrmt:
      if (!is_plain_prmt(i)) return {};
      return lanes_of<3>(v, [](const auto& x, bool&) { return permuted(x[0], x[1], x[2]); });
    case Opcode::kShf:
      return lanes_of<3>(v, [&](const auto& x, bool&) { return low(funnel_shifted(i, x[0], x[1], x[2]), bits); });
    case Opcode::kShl:
    case Opcode::kShr: return of_two(v, bits, [&](U x, U y) { return shifted(i, x, y); });
    default: return {};
  }
}

LaneValue value_of(const Instruction& i, const std::vector<LaneValue>& v) {
  const Type t = i.type;
  const int bits = t.bits;
  const auto chosen = [&](bool wants_less) {
    return of_two(v, bits, [=](U x, U y) {
      const bool is_less = t.is_signed() ? number(t, x) < number(t, y) : low(x, bits) < low(y, bits);
      return is_less == wants_less ? x : y;
    });
  };
  switch (i.opcode) {
    case Opcode::kMov: return v.empty() ? LaneValue() : v[0];
    case Opcode::kAdd: return of_two(v, bits, [](U x, U y) { return x + y; });
    case Opcode::kSub: return of_two(v, bits, [](U x, U y) { return x - y; });
    case Opcode::kAnd: return of_two(v, bits, [](U x, U y) { return x & y; });
    case Opcode::kOr: return of_two(v, bits, [](U x, U y) { return x | y; });
    case Opcode::kXor: return of_two(v, bits, [](U x, U y) { return x ^ y; });
    case Opcode::kNot: return of_one(v, bits, [](U x) { return ~x; });
    case Opcode::kCnot: return of_one(v, bits, [=](U x) { return U{low(x, bits) == 0}; });
    case Opcode::kNeg: return of_one(v, bits, [](U x) { return U{0} - x; });
    case Opcode::kAbs: return of_one(v, bits, [=](U x) { return static_cast<U>(std::abs(number(t, x))); });
    case Opcode::kMin: return chosen(true);
    case Opcode::kMax: return chosen(false);
    case Opcode::kMul24:
    case Opcode::kMul: return of_two(v, product_bits(i), [&](U x, U y) { return product(i, x, y); });
    case Opcode::kMad24:
    case Opcode::kMad:
      return lanes_of<3>(v, [&](const auto& x, bool&) { return low(product(i, x[0], x[1]) + x[2], product_bits(i)); });
    case Opcode::kSad:
      return lanes_of<3>(v, [=](const auto& x, bool&) {
        const I a = number(t, x[0]), b = number(t, x[1]);
        return low(static_cast<U>(std::max(a, b) - std::min(a, b)) + x[2], bits);
      });
    case Opcode::kDiv:
    case Opcode::kRem:
      return lanes_of<2>(v, [&](const auto& x, bool& is_defined) { return divided(i, x[0], x[1], is_defined); });
    case Opcode::kCvt: return converted(i, v);
    default: return of_bits(i, v);
  }
}

// A sum with one address is an address in the same region, known or not.
int region_of_result(const Instruction& i, const std::vector<LaneValue>& v) {
  switch (i.opcode) {
    case Opcode::kMov:
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMad:
    case Opcode::kCvt:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kLop3:
    case Opcode::kBfi:
    case Opcode::kMad24: break;
    default: return kNoRegion;
  }
  int region = kNoRegion;
  for (const LaneValue& operand : v) {
    if (operand.region() == kNoRegion || operand.region() == region) continue;
    if (region != kNoRegion) return kNoRegion;
    region = operand.region();
  }
  return region;
}

}  // namespace

LaneValue computed(const Instruction& i, const std::vector<LaneValue>& operands) {
  const bool is_followed = i.opcode == Opcode::kMov || (i.type.kind != Type::Kind::kReal && !i.has(Modifier::kSat));
  const LaneValue value = is_followed ? value_of(i, operands) : LaneValue();
  return value.with_region(region_of_result(i, operands));
}

LaneValue compared(const Instruction& i, const LaneValue& a, const LaneValue& b) {
  if (!i.type.is_integer()) return {};
  const Type t = i.type;
  const Type plain{Type::Kind::kUnsigned, t.bits};
  const auto by = [&](Type type, auto f) {
    return of_two({a, b}, 1, [=](U x, U y) {
      if (type.is_signed()) return U{f(number(type, x), number(type, y))};
      return U{f(low(x, type.bits), low(y, type.bits))};
    });
  };
  if (i.has(Modifier::kEq)) return by(plain, [](auto x, auto y) { return x == y; });
  if (i.has(Modifier::kNe)) return by(plain, [](auto x, auto y) { return x != y; });
  if (i.has(Modifier::kLt)) return by(t, [](auto x, auto y) { return x < y; });
  if (i.has(Modifier::kLe)) return by(t, [](auto x, auto y) { return x <= y; });
  if (i.has(Modifier::kGt)) return by(t, [](auto x, auto y) { return x > y; });
  if (i.has(Modifier::kGe)) return by(t, [](auto x, auto y) { return x >= y; });
  if (i.has(Modifier::kLo)) return by(plain, [](auto x, auto y) { return x < y; });
  if (i.has(Modifier::kLs)) return by(plain, [](auto x, auto y) { return x <= y; });
  if (i.has(Modifier::kHi)) return by(plain, [](auto x, auto y) { return x > y; });
  if (i.has(Modifier::kHs)) return by(plain, [](auto x, auto y) { return x >= y; });
  return {};
}

LaneValue truncated(const LaneValue& value, int bits) {
  if (bits >= 64) return value;
  return of_one({value}, bits, [](U x) { return x; }).with_region(value.region());
}

LaneValue sign_extended(const LaneValue& value, int from_bits, int bits) {
  return of_one({value}, bits, [=](U x) { return static_cast<U>(extended(x, from_bits)); });
}

LaneValue part_of(const LaneValue& value, int part, int bits) {
  return of_one({value}, bits, [=](U x) { return x >> (part * bits % 64); })
      .with_region(part == 0 ? value.region() : kNoRegion);
}

LaneValue packed(const std::vector<LaneValue>& parts, int bits) {
  LaneValue all = LaneValue::uniform(0);
  for (std::size_t p = 0; p < parts.size(); ++p)
    all =
        of_two({all, parts[p]}, 64, [=](U x, U y) { return x | (low(y, bits) << (static_cast<int>(p) * bits % 64)); });
  return all;
}

LaneValue negated(const LaneValue& predicate) {
  return of_one({predicate}, 1, [](U x) { return x ^ 1; });
}

LaneValue plus(const LaneValue& value, std::int64_t more) {
  if (more == 0) return value;
  return of_one({value}, 64, [=](U x) { return x + static_cast<U>(more); }).with_region(value.region());
}

LaneValue different(const LaneValue& a, const LaneValue& b) {
  return of_two({a, b}, 1, [](U x, U y) { return x ^ y; });
}

LaneValue decided(bool is_and, const LaneValue& a, const LaneValue& b, std::size_t threads) {
  if (a.is_uniform() && b.is_uniform()) return LaneValue::uniform(is_and ? a.at(0) & b.at(0) : a.at(0) | b.at(0));
  std::vector<I> values(threads, 0);
  std::vector<char> known(threads, 0);
  for (std::size_t t = 0; t < threads; ++t) {
    const auto x = a.find(static_cast<int>(t)), y = b.find(static_cast<int>(t));
    const auto settles = [&](const std::optional<I>& v) { return v && (*v != 0) != is_and; };
    known[t] = (x && y) || settles(x) || settles(y);
    values[t] = is_and ? !settles(x) && !settles(y) : settles(x) || settles(y);
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

LaneValue selected(const LaneValue& condition, const LaneValue& yes, const LaneValue& no, std::size_t threads) {
  if (condition.is_uniform()) return condition.at(0) != 0 ? yes : no;
  const int region = yes.region() == no.region() || no.region() == kNoRegion ? yes.region()
                     : yes.region() == kNoRegion                             ? no.region()
                                                                             : kNoRegion;
  std::vector<I> values(threads, 0);
  std::vector<char> known(threads, 0);
  for (std::size_t t = 0; t < threads; ++t) {
    const int thread = static_cast<int>(t);
    const auto a = yes.find(thread), b = no.find(thread), c = condition.find(thread);
    const auto value = c ? (*c != 0 ? a : b) : (a == b ? a : std::nullopt);
    if (!value) continue;
    values[t] = *value;
    known[t] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known)).with_region(region);
}

}  // namespace swizzle::ptx
