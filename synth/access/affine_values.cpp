// Values that a loop's rounds change by the same amount: see LaneValue::affine().
#include <algorithm>

#include "synth/access/lane_value.h"

namespace swizzle {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 61;  // sums and differences of two stay in 64 bits

// base + q * slope, for 0 <= q < rounds.
struct Line {
  std::int64_t base = 0, slope = 0;
  std::int64_t at(std::int64_t q) const { return base + q * slope; }
};

// Nothing: what the thread has is not known.
std::optional<Line> line_of(const LaneValue& v, int thread) {
  if (v.is_affine()) return Line{v.base_of(thread), v.slope_of(thread)};
  const auto value = v.find(thread);
  return value ? std::optional(Line{*value, 0}) : std::nullopt;
}

bool product_fits(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && product > -kFarthest && product < kFarthest;
}

// Whether no round leaves what is followed.
bool is_near(const Line& l, std::int64_t rounds) {
  return l.base > -kFarthest && l.base < kFarthest && product_fits(l.slope, rounds);
}

// What an integer of the type may be, as far as 64 bits with a sign hold it.
struct TypeRange {
  std::int64_t least = INT64_MIN, most = INT64_MAX;
};
TypeRange range_of(Scalar s) {
  const int bits = bit_width(s);
  if (s == Scalar::kBool) return {0, 1};
  if (bits == 64) return s == Scalar::kU64 ? TypeRange{0} : TypeRange{};
  const std::int64_t most = (std::int64_t{1} << (is_unsigned(s) ? bits : bits - 1)) - 1;
  return {is_unsigned(s) ? 0 : -most - 1, most};
}

// Whether every round's value is one of the type's: between the first and the last there is no other extreme.
bool keeps_in(const TypeRange& type, const Line& l, std::int64_t rounds) {
  if (!is_near(l, rounds)) return false;
  const std::int64_t first = l.base, last = l.at(rounds - 1);
  return first >= type.least && first <= type.most && last >= type.least && last <= type.most;
}

std::int64_t least(const Line& l, std::int64_t rounds) { return std::min(l.base, l.at(rounds - 1)); }
std::int64_t greatest(const Line& l, std::int64_t rounds) { return std::max(l.base, l.at(rounds - 1)); }

std::optional<std::int64_t> power_above(std::int64_t n) {
  for (int bit = 0; bit < 62; ++bit)
    if ((std::int64_t{1} << bit) > n) return std::int64_t{1} << bit;
  return std::nullopt;
}

// x / y or x % y, y > 0, x >= 0 throughout.
std::optional<Line> divided(bool wants_quotient, const Line& x, std::int64_t y, std::int64_t rounds) {
  if (y <= 0 || least(x, rounds) < 0) return std::nullopt;
  if (x.slope % y == 0) return wants_quotient ? Line{x.base / y, x.slope / y} : Line{x.base % y, 0};
  const std::int64_t quotient = x.base / y;
  if (quotient != x.at(rounds - 1) / y) return std::nullopt;
  return wants_quotient ? Line{quotient, 0} : Line{x.base - quotient * y, x.slope};
}

// With a mask of bits that the rounds do not change, or of all bits that they do.
std::optional<Line> masked(Operator op, const Line& x, std::int64_t mask, std::int64_t rounds) {
  if (least(x, rounds) < 0) return std::nullopt;
  // All bits but the last: x - x % 2^k.
  if (const std::int64_t power = -mask; op == Operator::kAnd && mask < 0 && (power & (power - 1)) == 0)
    if (const auto rest = divided(false, x, power, rounds)) return Line{x.base - rest->base, x.slope - rest->slope};
  if (mask < 0) return std::nullopt;
  const auto above = power_above(mask);
  if (!above) return std::nullopt;
  if (op == Operator::kAnd && mask + 1 == *above) return divided(false, x, *above, rounds);
  if (x.slope % *above != 0) return std::nullopt;
  if (op == Operator::kAnd) return Line{x.base & mask, 0};
  return Line{op == Operator::kOr ? (x.base | mask) : (x.base ^ mask), x.slope};
}

// x - y goes one way: what holds in the first and in the last round holds between.
std::optional<Line> compared_lines(Operator op, const Line& x, const Line& y, std::int64_t rounds) {
  const Line d{x.base - y.base, x.slope - y.slope};
  if (!is_near(d, rounds)) return std::nullopt;
  const std::int64_t low = least(d, rounds), high = greatest(d, rounds);
  const auto decided = [](bool always, bool never) -> std::optional<Line> {
    if (always) return Line{1, 0};
    return never ? std::optional(Line{0, 0}) : std::nullopt;
  };
  switch (op) {
    case Operator::kLt: return decided(high < 0, low >= 0);
    case Operator::kLe: return decided(high <= 0, low > 0);
    case Operator::kGt: return decided(low > 0, high <= 0);
    case Operator::kGe: return decided(low >= 0, high < 0);
    case Operator::kEq: return decided(low == 0 && high == 0, low > 0 || high < 0);
    default: return decided(low > 0 || high < 0, low == 0 && high == 0);
  }
}

std::optional<Line> multiplied(const Line& x, const Line& y) {
  if (x.slope != 0 && y.slope != 0) return std::nullopt;
  if (!product_fits(x.base, y.base) || !product_fits(x.base, y.slope) || !product_fits(x.slope, y.base))
    return std::nullopt;
  return Line{x.base * y.base, x.base * y.slope + x.slope * y.base};
}

std::optional<Line> computed(Operator op, Scalar s, const Line& x, const Line& y, std::int64_t rounds) {
  const std::int64_t most_shift = std::min(bit_width(s), 32) - 1;
  const bool is_shift = op == Operator::kShl || op == Operator::kShr;
  if (is_shift && (y.slope != 0 || y.base < 0 || y.base > most_shift)) return std::nullopt;
  const std::int64_t power = is_shift ? std::int64_t{1} << y.base : 1;
  switch (op) {
    case Operator::kAdd: return Line{x.base + y.base, x.slope + y.slope};
    case Operator::kSub: return Line{x.base - y.base, x.slope - y.slope};
    case Operator::kMul: return multiplied(x, y);
    case Operator::kShl: return multiplied(x, {power, 0});
    case Operator::kShr: return divided(true, x, power, rounds);
    case Operator::kDiv:
    case Operator::kRem: return y.slope != 0 ? std::nullopt : divided(op == Operator::kDiv, x, y.base, rounds);
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kXor:
      if (y.slope == 0) return masked(op, x, y.base, rounds);
      return x.slope == 0 ? masked(op, y, x.base, rounds) : std::nullopt;
    default: return is_comparison(op) ? compared_lines(op, x, y, rounds) : std::nullopt;
  }
}

}  // namespace

LaneValue LaneValue::affine(std::vector<std::int64_t> values, std::vector<std::int64_t> slopes, std::int64_t rounds) {
  if (std::all_of(slopes.begin(), slopes.end(), [](std::int64_t s) { return s == 0; })) {
    const bool is_one = std::equal(values.begin() + 1, values.end(), values.begin());
    return is_one ? uniform(values[0]) : varying(std::move(values));
  }
  LaneValue w;
  w.kind_ = Kind::kAffine;
  w.lanes_ = std::make_shared<const Lanes>(Lanes{std::move(values), {}, std::move(slopes), rounds});
  return w;
}

LaneValue LaneValue::in_round(std::int64_t q) const {
  if (!is_affine()) return *this;
  std::vector<std::int64_t> values = lanes_->values;
  for (std::size_t t = 0; t < values.size(); ++t) values[t] += q * lanes_->slopes[t];
  return affine(std::move(values), std::vector<std::int64_t>(lanes_->slopes.size(), 0), 1).with_region(region_);
}

bool LaneValue::is_same(const LaneValue& other) const {
  if (is_real_ != other.is_real_ || region_ != other.region_) return false;
  if (is_known_everywhere() && other.is_known_everywhere() && is_uniform() != other.is_uniform()) {
    const LaneValue &one = is_uniform() ? *this : other, &many = is_uniform() ? other : *this;
    return std::all_of(many.lanes_->values.begin(), many.lanes_->values.end(),
                       [&](std::int64_t v) { return v == one.value_; });
  }
  if (kind_ != other.kind_) return false;
  if (kind_ == Kind::kUnknown) return true;
  if (kind_ == Kind::kUniform) return value_ == other.value_;
  return lanes_ == other.lanes_ || (lanes_->values == other.lanes_->values && lanes_->known == other.lanes_->known &&
                                    lanes_->slopes == other.lanes_->slopes);
}

// Each thread by itself; unknown, unless every thread's rounds are followed.
LaneValue binary_of_rounds(Operator op, Scalar s, const LaneValue& a, const LaneValue& b) {
  const LaneValue& one = a.is_affine() ? a : b;
  const std::int64_t rounds = one.rounds();
  const std::size_t threads = one.threads();
  const TypeRange type = range_of(s);
  std::vector<std::int64_t> values(threads), slopes(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    const int thread = static_cast<int>(t);
    const auto x = line_of(a, thread), y = line_of(b, thread);
    if (!x || !y || !keeps_in(type, *x, rounds) || !keeps_in(type, *y, rounds)) return {};
    const auto out = computed(op, s, *x, *y, rounds);
    if (!out || !(is_comparison(op) ? is_near(*out, rounds) : keeps_in(type, *out, rounds))) return {};
    values[t] = out->base;
    slopes[t] = out->slope;
  }
  return LaneValue::affine(std::move(values), std::move(slopes), rounds);
}

LaneValue convert_rounds(const LaneValue& v, Scalar to) {
  if (to == Scalar::kBool) return binary_of_rounds(Operator::kNe, Scalar::kI64, v, LaneValue::uniform(0));
  if (is_real(to)) return {};
  const TypeRange type = range_of(to);
  for (std::size_t t = 0; t < v.threads(); ++t) {
    const int thread = static_cast<int>(t);
    if (!keeps_in(type, {v.base_of(thread), v.slope_of(thread)}, v.rounds())) return {};
  }
  return v.with_region(kNoRegion);
}

LaneValue overwrite_rounds(const LaneValue& old, const LaneValue& value, const Presences& present) {
  const std::int64_t rounds = old.is_affine() ? old.rounds() : value.rounds();
  std::vector<std::int64_t> values(present.size()), slopes(present.size());
  for (std::size_t t = 0; t < present.size(); ++t) {
    const int thread = static_cast<int>(t);
    const auto was = line_of(old, thread), is = line_of(value, thread);
    const auto& now = present[t] == Presence::kOut ? was : is;
    const bool agree =
        present[t] != Presence::kPerhaps || (was && is && was->base == is->base && was->slope == is->slope);
    if (!now || !agree) return {};
    values[t] = now->base;
    slopes[t] = now->slope;
  }
  return LaneValue::affine(std::move(values), std::move(slopes), rounds);
}

}  // namespace swizzle
