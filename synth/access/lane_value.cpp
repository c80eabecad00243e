#include "synth/access/lane_value.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace swizzle {
namespace {

double real_of(std::int64_t bits) { return std::bit_cast<double>(bits); }
std::int64_t bits_of(double value) { return std::bit_cast<std::int64_t>(value); }

// What C computes on two reals of type s, as bits, or as 0 and 1.
std::int64_t apply_to_reals(Operator op, Scalar s, double x, double y, bool& is_defined) {
  const auto rounded = [&](double value) { return bits_of(nearest(s, value)); };
  switch (op) {
    case Operator::kAdd: return rounded(x + y);
    case Operator::kSub: return rounded(x - y);
    case Operator::kMul: is_defined = std::fma(x, y, -nearest(s, x * y)) == 0; return rounded(x * y);
    case Operator::kDiv: is_defined = y != 0; return is_defined ? rounded(x / y) : 0;
    case Operator::kNegate: return bits_of(-x);
    case Operator::kLt: return x < y;
    case Operator::kLe: return x <= y;
    case Operator::kGt: return x > y;
    case Operator::kGe: return x >= y;
    case Operator::kEq: return x == y;
    case Operator::kNe: return x != y;
    case Operator::kLogicalNot: return x == 0;
    default: is_defined = false; return 0;
  }
}

bool gives_truth(Operator op) { return is_comparison(op) || op == Operator::kLogicalNot; }

}  // namespace

LaneValue LaneValue::uniform(std::int64_t value) {
  LaneValue w;
  w.kind_ = Kind::kUniform;
  w.value_ = value;
  return w;
}

LaneValue LaneValue::uniform_real(double value) { return uniform(bits_of(value)).as_real(); }

LaneValue LaneValue::as_real() const {
  LaneValue w = *this;
  w.is_real_ = !is_unknown();
  return w;
}

LaneValue LaneValue::varying(std::vector<std::int64_t> values) { return partly(std::move(values), {}); }

LaneValue LaneValue::partly(std::vector<std::int64_t> values, std::vector<char> known) {
  LaneValue w;
  if (!known.empty() && std::none_of(known.begin(), known.end(), [](char k) { return k != 0; })) return w;
  if (std::all_of(known.begin(), known.end(), [](char k) { return k != 0; })) known.clear();
  w.kind_ = Kind::kVarying;
  w.lanes_ = std::make_shared<const Lanes>(Lanes{std::move(values), std::move(known)});
  return w;
}

LaneValue LaneValue::in_region(int region) { return LaneValue().with_region(region); }

LaneValue LaneValue::with_region(int region) const {
  LaneValue w = *this;
  w.region_ = region;
  return w;
}

bool LaneValue::knows(int thread) const {
  return is_uniform() ||
         (kind_ == Kind::kVarying && (lanes_->known.empty() || lanes_->known[static_cast<std::size_t>(thread)] != 0));
}

template <typename F>
LaneValue LaneValue::map(const LaneValue& a, F&& f) {
  if (a.is_unknown()) return {};
  if (a.is_uniform()) return uniform(f(a.value_));
  std::vector<std::int64_t> values(a.lanes_->values.size());
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = f(a.lanes_->values[t]);
  return partly(std::move(values), a.lanes_->known);
}

template <typename F>
LaneValue LaneValue::zip(const LaneValue& a, const LaneValue& b, F&& f) {
  if (a.is_unknown() || b.is_unknown()) return {};
  if (b.is_uniform()) return map(a, [&, y = b.value_](std::int64_t x) { return f(x, y); });
  if (a.is_uniform()) return map(b, [&, x = a.value_](std::int64_t y) { return f(x, y); });
  std::vector<std::int64_t> values(a.lanes_->values.size());
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = f(a.lanes_->values[t], b.lanes_->values[t]);
  std::vector<char> known = a.lanes_->known;
  if (known.empty()) known = b.lanes_->known;
  else if (!b.lanes_->known.empty())
    for (std::size_t t = 0; t < known.size(); ++t) known[t] = static_cast<char>(known[t] & b.lanes_->known[t]);
  return partly(std::move(values), std::move(known));
}

// f(x, y, is_defined), for operations that C leaves undefined here and there.
template <typename F>
LaneValue LaneValue::defined(const LaneValue& a, const LaneValue& b, F&& f) {
  if (a.is_unknown() || b.is_unknown()) return {};
  bool all = true;
  if (a.is_uniform() && b.is_uniform()) {
    const std::int64_t value = f(a.value_, b.value_, all);
    return all ? uniform(value) : LaneValue();
  }
  const std::size_t threads = a.is_uniform() ? b.lanes_->values.size() : a.lanes_->values.size();
  std::vector<std::int64_t> values(threads);
  std::vector<char> known(threads, 0);
  for (std::size_t t = 0; t < threads; ++t) {
    const int thread = static_cast<int>(t);
    bool is_defined = a.knows(thread) && b.knows(thread);
    if (is_defined) values[t] = f(a.at(thread), b.at(thread), is_defined);
    known[t] = is_defined;
  }
  return partly(std::move(values), std::move(known));
}

template <typename F>
LaneValue LaneValue::zip_words(Scalar s, const LaneValue& a, const LaneValue& b, F f) {
  using I = std::int64_t;
  using U = std::uint64_t;
  if (s == Scalar::kI32)
    return LaneValue::zip(a, b, [&](I x, I y) {
      return static_cast<I>(static_cast<std::int32_t>(f(static_cast<U>(x), static_cast<U>(y))));
    });
  if (s == Scalar::kU32)
    return LaneValue::zip(a, b, [&](I x, I y) {
      return static_cast<I>(static_cast<std::uint32_t>(f(static_cast<U>(x), static_cast<U>(y))));
    });
  if (bit_width(s) == 64)
    return LaneValue::zip(a, b, [&](I x, I y) { return static_cast<I>(f(static_cast<U>(x), static_cast<U>(y))); });
  return LaneValue::zip(a, b,
                        [&](I x, I y) { return wrap(s, static_cast<I>(f(static_cast<U>(x), static_cast<U>(y)))); });
}

LaneValue binary(Operator op, Scalar s, const LaneValue& a, const LaneValue& b) {
  using I = std::int64_t;
  using U = std::uint64_t;
  if (a.is_real() != is_real(s) || b.is_real() != is_real(s)) return {};
  if (a.is_affine() || b.is_affine()) return is_real(s) ? LaneValue() : binary_of_rounds(op, s, a, b);
  if (is_real(s)) {
    const LaneValue value = LaneValue::defined(
        a, b, [&](I x, I y, bool& is_defined) { return apply_to_reals(op, s, real_of(x), real_of(y), is_defined); });
    return gives_truth(op) ? value : value.as_real();
  }
  const auto wrapped = [&](auto f) { return LaneValue::zip_words(s, a, b, f); };
  const bool is_big = s == Scalar::kU64;
  const auto compared = [&](auto f) {
    if (is_big)
      return LaneValue::zip(a, b, [&](I x, I y) { return static_cast<I>(f(static_cast<U>(x), static_cast<U>(y))); });
    return LaneValue::zip(a, b, [&](I x, I y) { return static_cast<I>(f(x, y)); });
  };
  switch (op) {
    case Operator::kAdd: return wrapped([](U x, U y) { return x + y; });
    case Operator::kSub: return wrapped([](U x, U y) { return x - y; });
    case Operator::kMul: return wrapped([](U x, U y) { return x * y; });
    case Operator::kAnd: return wrapped([](U x, U y) { return x & y; });
    case Operator::kOr: return wrapped([](U x, U y) { return x | y; });
    case Operator::kXor: return wrapped([](U x, U y) { return x ^ y; });
    case Operator::kLt: return compared([](auto x, auto y) { return x < y; });
    case Operator::kLe: return compared([](auto x, auto y) { return x <= y; });
    case Operator::kGt: return compared([](auto x, auto y) { return x > y; });
    case Operator::kGe: return compared([](auto x, auto y) { return x >= y; });
    case Operator::kEq: return compared([](auto x, auto y) { return x == y; });
    case Operator::kNe: return compared([](auto x, auto y) { return x != y; });
    default:
      return LaneValue::defined(a, b, [&](I x, I y, bool& is_defined) { return apply(op, s, x, y, is_defined); });
  }
}

LaneValue unary(Operator op, Scalar s, const LaneValue& v) {
  const LaneValue nothing = is_real(s) ? LaneValue::uniform_real(0) : LaneValue::uniform(0);
  if (is_real(s)) return binary(op, s, v, nothing);
  if (v.is_real()) return {};
  if (v.is_affine() && op == Operator::kNegate) return binary_of_rounds(Operator::kSub, s, nothing, v);
  if (v.is_affine() && op == Operator::kLogicalNot) return binary_of_rounds(Operator::kEq, s, v, nothing);
  return LaneValue::defined(
      v, nothing, [&](std::int64_t x, std::int64_t y, bool& is_defined) { return apply(op, s, x, y, is_defined); });
}

namespace {

std::int64_t truncated(double x, Scalar to, bool& is_defined) {
  constexpr double kBeyond = 9.2e18;
  if (to == Scalar::kBool) return x != 0;
  is_defined = std::fabs(x) < kBeyond;
  const std::int64_t value = is_defined ? static_cast<std::int64_t>(x) : 0;
  is_defined &= wrap(to, value) == value;
  return value;
}

}  // namespace

LaneValue convert(const LaneValue& v, Scalar from, Scalar to) {
  if (v.is_real() != is_real(from)) return {};
  if (v.is_affine()) return is_real(from) ? LaneValue() : convert_rounds(v, to);
  if (is_real(from) && is_real(to))
    return LaneValue::map(v, [&](std::int64_t x) { return bits_of(nearest(to, real_of(x))); }).as_real();
  if (is_real(from))
    return LaneValue::defined(v, LaneValue::uniform(0), [&](std::int64_t x, std::int64_t, bool& is_defined) {
      return truncated(real_of(x), to, is_defined);
    });
  if (is_real(to)) return LaneValue::map(v, [&](std::int64_t x) { return bits_of(nearest(to, from, x)); }).as_real();
  if (to == Scalar::kI64 || to == Scalar::kU64) return v;
  if (to == Scalar::kI32)
    return LaneValue::map(v, [](std::int64_t x) { return static_cast<std::int64_t>(static_cast<std::int32_t>(x)); });
  if (to == Scalar::kU32)
    return LaneValue::map(v, [](std::int64_t x) { return static_cast<std::int64_t>(static_cast<std::uint32_t>(x)); });
  return LaneValue::map(v, [&](std::int64_t x) { return to == Scalar::kBool ? std::int64_t{x != 0} : wrap(to, x); });
}

LaneValue overwrite(const LaneValue& old, const LaneValue& value, const Presences& present) {
  if (std::all_of(present.begin(), present.end(), [](Presence p) { return p == Presence::kIn; })) return value;
  const bool one_region = old.region() == value.region() || old.region() == kNoRegion || value.region() == kNoRegion;
  const int region = one_region ? std::max(old.region(), value.region()) : kNoRegion;
  if (old.is_affine() || value.is_affine()) return overwrite_rounds(old, value, present).with_region(region);
  if (old.is_unknown() && value.is_unknown()) return LaneValue::in_region(region);
  if (!old.is_unknown() && !value.is_unknown() && old.is_real() != value.is_real()) return LaneValue::in_region(region);
  std::vector<std::int64_t> values(present.size(), 0);
  std::vector<char> known(present.size(), 0);
  for (std::size_t t = 0; t < present.size(); ++t) {
    const int thread = static_cast<int>(t);
    const auto was = old.find(thread), is = value.find(thread);
    const bool agree = present[t] != Presence::kPerhaps || was == is;
    const auto& now = present[t] == Presence::kOut ? was : is;
    if (!now || !agree) continue;
    values[t] = *now;
    known[t] = 1;
  }
  const LaneValue written = LaneValue::partly(std::move(values), std::move(known)).with_region(region);
  return old.is_real() || value.is_real() ? written.as_real() : written;
}

}  // namespace swizzle
