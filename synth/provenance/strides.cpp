#include "synth/provenance/strides.h"

#include <algorithm>
#include <limits>

namespace swizzle {
namespace {

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// Indices and addresses stay far below what 64 bits hold, so that no sum of two passes it.
constexpr std::int64_t kFarthest = std::int64_t{1} << 56;
bool is_near(std::int64_t v) { return v > -kFarthest && v < kFarthest; }

std::pair<std::int64_t, std::int64_t> range_of_type(Scalar s) {
  if (bit_width(s) == 64) return {is_unsigned(s) ? 0 : -kFarthest, kFarthest};
  const std::int64_t values = std::int64_t{1} << bit_width(s);
  return is_unsigned(s) ? std::pair{std::int64_t{0}, values - 1} : std::pair{-values / 2, values / 2 - 1};
}

bool is_power_of_two(std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

}  // namespace

Value Strides::lose() {
  is_lost_ = true;
  return {};
}

Value Strides::lose_at(Value v, std::int64_t bound) {
  if (!is_lost_) cut_ = cut_of(v, bound);
  return lose();
}

void Strides::let_grow(std::uint32_t object) { growing_objects_.push_back(object); }

Value Strides::growing(Value v, Steps steps) {
  bool grows = false;
  for (std::size_t axis = 0; axis < steps.size(); ++axis) {
    if (counts_[axis] == 1) steps[axis] = 0;
    grows = grows || steps[axis] != 0;
  }
  v.stride = 0;
  if (!grows) return v;
  const auto may_grow = [&] { return std::ranges::find(growing_objects_, v.aux) != growing_objects_.end(); };
  if (steps_.size() > std::numeric_limits<std::uint16_t>::max() || (v.is_pointer() && !may_grow())) return lose();
  const auto [it, fresh] = known_.try_emplace(steps, static_cast<std::uint16_t>(steps_.size()));
  if (fresh) steps_.push_back(std::move(steps));
  v.stride = it->second;
  const auto [least, most] = range(v);
  return is_near(least) && is_near(most) ? v : lose();
}

std::pair<std::int64_t, std::int64_t> Strides::range(Value v) const {
  std::pair<std::int64_t, std::int64_t> range{v.bits, v.bits};
  const Steps& steps = steps_of(v);
  for (std::size_t axis = 0; axis < counts_.size(); ++axis)
    (steps[axis] < 0 ? range.first : range.second) += steps[axis] * (counts_[axis] - 1);
  return range;
}

bool Strides::is_at_most(Value v, std::int64_t bound) {
  const auto [least, most] = range(v);
  if (most <= bound) return true;
  if (least <= bound) lose_at(v, bound);
  return false;
}

// Where `v <= bound` turns along an axis, with the other axes at their first groups, or else at their last ones.
std::optional<Cut> Strides::cut_of(Value v, std::int64_t bound) const {
  const Steps& steps = steps_of(v);
  const bool holds = v.bits <= bound;
  const auto [least, most] = range(v);
  const auto turns_at = [&](std::size_t axis, std::int64_t base) -> std::optional<Cut> {
    const std::int64_t step = steps[axis];
    if (step == 0 || (step > 0) != holds) return std::nullopt;
    const std::int64_t at = step > 0 ? floor_of(bound - base, step) + 1 : floor_of(base - bound - step - 1, -step);
    return at >= 1 && at < counts_[axis] ? std::optional(Cut{axis, at}) : std::nullopt;
  };
  for (std::size_t axis = 0; axis < counts_.size(); ++axis)
    if (const auto cut = turns_at(axis, v.bits)) return cut;
  for (std::size_t axis = 0; axis < counts_.size(); ++axis)
    if (const auto cut = turns_at(axis, (holds ? most : least) - steps[axis] * (counts_[axis] - 1))) return cut;
  const auto longest = static_cast<std::size_t>(std::ranges::max_element(counts_) - counts_.begin());
  return Cut{longest, counts_[longest] / 2};
}

Value Strides::fitting(Scalar s, Value v) {
  const auto [low, high] = range_of_type(s);
  const auto [least, most] = range(v);
  if (least >= low && most <= high) return v;
  const bool is_beyond = v.bits > high || (v.bits >= low && most > high);
  return lose_at(v, is_beyond ? high : low - 1);
}

Value Strides::sum(Operator op, Scalar s, Value lhs, Value rhs) {
  const int sign = op == Operator::kSub ? -1 : 1;
  Steps steps = steps_of(lhs);
  for (std::size_t axis = 0; axis < steps.size(); ++axis) steps[axis] += sign * steps_of(rhs)[axis];
  if (!is_near(lhs.bits) || !is_near(rhs.bits)) return lose();
  const std::int64_t bits = lhs.bits + sign * rhs.bits;
  if (lhs.is_pointer() && rhs.is_pointer()) {
    if (sign > 0 || lhs.aux != rhs.aux) return lose();
    return growing(Value::integer(bits), std::move(steps));
  }
  if (rhs.is_pointer() && sign < 0) return lose();
  if (lhs.is_pointer() || rhs.is_pointer())
    return growing(Value::pointer(lhs.is_pointer() ? lhs.aux : rhs.aux, bits), std::move(steps));
  const Value v = growing(Value::integer(bits), std::move(steps));
  return is_lost_ ? v : fitting(s, v);
}

Value Strides::product(Scalar s, Value v, std::int64_t factor) {
  Steps steps = steps_of(v);
  std::int64_t bits = 0;
  bool passes = __builtin_mul_overflow(v.bits, factor, &bits);
  for (std::size_t axis = 0; axis < steps.size(); ++axis) {
    std::int64_t all = 0;
    passes = passes || __builtin_mul_overflow(steps[axis], factor, &steps[axis]) ||
             __builtin_mul_overflow(steps[axis], counts_[axis], &all) || !is_near(all);
  }
  if (passes || !is_near(bits)) return lose();
  const Value result = growing(Value::integer(bits), std::move(steps));
  return is_lost_ ? result : fitting(s, result);
}

// v / divisor, or v % divisor, of v >= 0: v grows by multiples of the divisor, or does not reach the next one.
Value Strides::quotient(Value v, std::int64_t divisor, bool is_rest) {
  if (divisor <= 0) return lose();
  if (is_at_most(v, -1)) return lose();
  if (is_lost_) return {};
  Steps steps = steps_of(v);
  const std::int64_t whole = v.bits / divisor;
  if (std::ranges::all_of(steps, [&](std::int64_t step) { return step % divisor == 0; })) {
    if (is_rest) return Value::integer(v.bits % divisor);
    for (std::int64_t& step : steps) step /= divisor;
    return growing(Value::integer(whole), std::move(steps));
  }
  const auto [least, most] = range(v);
  if (least < whole * divisor) return lose_at(v, whole * divisor - 1);
  if (most >= (whole + 1) * divisor) return lose_at(v, (whole + 1) * divisor - 1);
  return is_rest ? growing(Value::integer(v.bits - whole * divisor), std::move(steps)) : Value::integer(whole);
}

Value Strides::comparison(Operator op, Value lhs, Value rhs) {
  if (lhs.is_pointer() != rhs.is_pointer() || (lhs.is_pointer() && lhs.aux != rhs.aux)) return lose();
  lhs.kind = rhs.kind = Value::Kind::kInt;
  const Value difference = sum(Operator::kSub, Scalar::kI64, lhs, rhs);
  if (is_lost_) return {};
  const auto at_most = [&](std::int64_t bound) { return is_at_most(difference, bound); };
  bool holds = false;
  switch (op) {
    case Operator::kLt: holds = at_most(-1); break;
    case Operator::kLe: holds = at_most(0); break;
    case Operator::kGt: holds = !at_most(0); break;
    case Operator::kGe: holds = !at_most(-1); break;
    default: {
      const bool is_above = !at_most(0), is_below = !is_lost_ && at_most(-1);
      holds = (!is_above && !is_below) == (op == Operator::kEq);
    }
  }
  return is_lost_ ? Value{} : Value::integer(holds);
}

Value Strides::with_bits(Operator op, Scalar s, Value v, std::int64_t constant) {
  const bool is_shift = constant >= 0 && constant < std::min(bit_width(s), 40);
  switch (op) {
    case Operator::kMul: return product(s, v, constant);
    case Operator::kDiv: return quotient(v, constant, false);
    case Operator::kRem: return quotient(v, constant, true);
    case Operator::kShl: return is_shift ? product(s, v, std::int64_t{1} << constant) : lose();
    case Operator::kShr: return is_shift ? quotient(v, std::int64_t{1} << constant, false) : lose();
    case Operator::kAnd: return is_power_of_two(constant + 1) ? quotient(v, constant + 1, true) : lose();
    default: return lose();
  }
}

Value Strides::binary(Operator op, Scalar s, Value lhs, Value rhs) {
  const auto is_whole = [](Value v) { return v.kind == Value::Kind::kInt || v.is_pointer(); };
  const bool is_huge = s == Scalar::kU64 && (lhs.bits < 0 || rhs.bits < 0);
  if (is_lost_ || is_real(s) || !is_whole(lhs) || !is_whole(rhs) || is_huge) return lose();
  if (is_comparison(op)) return comparison(op, lhs, rhs);
  if (op == Operator::kAdd || op == Operator::kSub) return sum(op, s, lhs, rhs);
  if (lhs.is_pointer() || rhs.is_pointer()) return lose();
  if (rhs.stride == 0) return with_bits(op, s, lhs, rhs.bits);
  if (lhs.stride == 0 && (op == Operator::kMul || op == Operator::kAnd)) return with_bits(op, s, rhs, lhs.bits);
  return lose();
}

Value Strides::convert(Value v, Scalar to) {
  if (v.is_pointer()) return v;
  if (is_lost_ || is_real(to)) return lose();
  if (to == Scalar::kBool) return comparison(Operator::kNe, v, Value::integer(0));
  return fitting(to, v);
}

}  // namespace swizzle
