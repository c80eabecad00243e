#include "synth/program/argument_values.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

constexpr std::size_t kMostCombinations = 4096;

void collect(const IndexExpr& e, std::set<std::size_t>& arguments) {
  if (e.op == Op::kArgument) arguments.insert(static_cast<std::size_t>(e.value));
  for (const IndexExpr& operand : e.operands) collect(operand, arguments);
}

// What `e` is the remainder by: e % m, or e & (m - 1). 0: it is none.
std::int64_t modulus_of(const IndexExpr& e) {
  if (e.op == Op::kMod) return e.operands[1].value;
  if (e.op != Op::kAnd || !e.operands[1].is_constant()) return 0;
  const std::int64_t m = e.operands[1].value + 1;
  return m > 1 && is_power_of_two(m) ? m : 0;
}

ValueBounds clamped(std::int64_t least, std::int64_t most) {
  return {std::max(least, kAnyValue.least), std::min(most, kAnyValue.most)};
}

ValueBounds of_product(const ValueBounds& a, const ValueBounds& b) {
  const auto times = [](std::int64_t x, std::int64_t y) {
    const __int128 product = static_cast<__int128>(x) * y;
    return static_cast<std::int64_t>(
        std::clamp<__int128>(product, static_cast<__int128>(kAnyValue.least), static_cast<__int128>(kAnyValue.most)));
  };
  const auto [least, most] =
      std::minmax({times(a.least, b.least), times(a.least, b.most), times(a.most, b.least), times(a.most, b.most)});
  return {least, most};
}

// a & mask
ValueBounds of_mask(const ValueBounds& a, std::int64_t mask) {
  if (mask < 0 && is_power_of_two(-mask)) return {a.least & mask, a.most & mask};  // rounds down
  if (mask < 0) return kAnyValue;
  if (a.least >= 0 && a.most < (mask & -mask)) return {0, 0};
  return {0, a.least >= 0 ? std::min(a.most, mask) : mask};
}

// The sum, with its constant in one place.
IndexExpr plus(const IndexExpr& e, std::int64_t c) {
  if (c == 0) return e;
  const auto is_constant = [&](std::size_t i) { return e.operands[i].is_constant(); };
  if (e.op == Op::kAdd && is_constant(1)) return plus(e.operands[0], e.operands[1].value + c);
  if (e.op == Op::kSub && is_constant(1)) return plus(e.operands[0], c - e.operands[1].value);
  if (e.op == Op::kSub && is_constant(0)) return IndexExpr::sub(plus(e.operands[0], c), e.operands[1]);
  return IndexExpr::add(e, IndexExpr::constant(c));
}

IndexExpr rebuilt(const IndexExpr& e, std::vector<IndexExpr> operands) {
  switch (e.op) {
    case Op::kConstant:
    case Op::kArgument: return e;
    case Op::kAdd: return IndexExpr::add(std::move(operands[0]), std::move(operands[1]));
    case Op::kSub: return IndexExpr::sub(std::move(operands[0]), std::move(operands[1]));
    case Op::kMul: return IndexExpr::product(std::move(operands[0]), std::move(operands[1]));
    case Op::kDiv: return IndexExpr::div(std::move(operands[0]), operands[1].value);
    case Op::kMod: return IndexExpr::mod(std::move(operands[0]), operands[1].value);
    case Op::kXor: return IndexExpr::bit_xor(std::move(operands[0]), std::move(operands[1]));
    case Op::kAnd:
      if (operands[1].is_constant()) return IndexExpr::mask(std::move(operands[0]), operands[1].value);
      break;
    case Op::kSelect: return IndexExpr::select(std::move(operands[0]), std::move(operands[1]), std::move(operands[2]));
    default: break;
  }
  return {e.op, e.value, IndexOperands(std::move(operands))};
}

}  // namespace

void ArgumentValues::add(std::size_t argument, std::int64_t value) {
  Values& v = by_argument_[argument];
  if (v.is_open) return;
  const auto at = std::lower_bound(v.met.begin(), v.met.end(), value);
  if (at != v.met.end() && *at == value) return;
  v.met.insert(at, value);
  v.bounds = {v.met.front(), v.met.back()};
}

void ArgumentValues::open(std::size_t argument, ValueBounds bounds) { by_argument_[argument] = {{}, true, bounds}; }

ValueBounds ArgumentValues::bounds_of_remainder(const IndexExpr& e) const {
  const std::int64_t m = modulus_of(e);
  const ValueBounds a = bounds(e.operands[0]);
  const std::int64_t start = floor_div(a.least, m) * m;
  return a.most < start + m ? ValueBounds{a.least - start, a.most - start} : ValueBounds{0, m - 1};
}

ValueBounds ArgumentValues::bounds(const IndexExpr& e) const {
  const auto of = [&](std::size_t i) { return bounds(e.operands[i]); };
  switch (e.op) {
    case Op::kWord: return kAnyValue;
    case Op::kConstant: return {e.value, e.value};
    case Op::kArgument: {
      const auto known = by_argument_.find(static_cast<std::size_t>(e.value));
      return known == by_argument_.end() ? kAnyValue : known->second.bounds;
    }
    case Op::kAdd: return clamped(of(0).least + of(1).least, of(0).most + of(1).most);
    case Op::kSub: return clamped(of(0).least - of(1).most, of(0).most - of(1).least);
    case Op::kMul: return of_product(of(0), of(1));
    case Op::kDiv: return {floor_div(of(0).least, e.operands[1].value), floor_div(of(0).most, e.operands[1].value)};
    case Op::kMod: return bounds_of_remainder(e);
    case Op::kAnd:
      if (modulus_of(e) != 0) return bounds_of_remainder(e);
      return e.operands[1].is_constant() ? of_mask(of(0), e.operands[1].value) : kAnyValue;
    case Op::kShl:
    case Op::kShr:
    case Op::kRuns:
    case Op::kElement: return kAnyValue;
    case Op::kReverse: return {0, (std::int64_t{1} << e.value) - 1};
    case Op::kOr:
    case Op::kXor: {
      const ValueBounds a = of(0), b = of(1);
      if (a.least < 0 || b.least < 0) return kAnyValue;
      return {0, (std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(a.most | b.most))) - 1};
    }
    case Op::kLt:
    case Op::kLe:
    case Op::kEq:
    case Op::kNe: return {0, 1};
    case Op::kSelect: return {std::min(of(1).least, of(2).least), std::max(of(1).most, of(2).most)};
  }
  return kAnyValue;
}

// Whether the expression's value holds for every combination of its arguments' values; false if they are too many.
template <typename Holds>
bool ArgumentValues::at_all(const IndexExpr& e, Holds&& holds) const {
  std::set<std::size_t> used;
  collect(e, used);
  std::size_t combinations = 1;
  std::vector<const std::vector<std::int64_t>*> met;
  for (const std::size_t a : used) {
    const auto known = by_argument_.find(a);
    if (known == by_argument_.end() || known->second.is_open) return false;
    met.push_back(&known->second.met);
    combinations *= met.back()->size();
    if (combinations > kMostCombinations) return false;
  }
  std::vector<std::int64_t> arguments(used.empty() ? 0 : *used.rbegin() + 1, 0);
  const auto set = [&](std::size_t number, auto&& position) {
    std::size_t n = 0;
    for (const std::size_t a : used) {
      const std::vector<std::int64_t>& values = *met[n++];
      arguments[a] = values[position(number, values.size())];
    }
  };
  // The corners first: what does not hold seldom holds there.
  for (std::size_t corner = 0; corner < std::size_t{1} << used.size(); ++corner) {
    std::size_t bits = corner;
    set(corner, [&](std::size_t, std::size_t count) {
      const bool is_last = (bits & 1) != 0;
      bits >>= 1;
      return is_last ? count - 1 : 0;
    });
    if (!holds(e.evaluate(arguments))) return false;
  }
  for (std::size_t number = 0; number < combinations; ++number) {
    std::size_t rest = number;
    set(number, [&](std::size_t, std::size_t count) {
      const std::size_t position = rest % count;
      rest /= count;
      return position;
    });
    if (!holds(e.evaluate(arguments))) return false;
  }
  return true;
}

bool ArgumentValues::always_within(const IndexExpr& e, ValueBounds within) const {
  const ValueBounds known = bounds(e);
  if (known.least >= within.least && known.most <= within.most) return true;
  return at_all(e, [&](std::int64_t v) { return v >= within.least && v <= within.most; });
}

// Terms of what is reduced modulo m need not be reduced modulo a multiple of m. C's % keeps the sign of what it
// divides: only a power of two lets terms become less.
IndexExpr ArgumentValues::without_inner_reductions(IndexExpr e, std::int64_t modulus, bool is_added) const {
  if (e.op == Op::kAdd || e.op == Op::kSub) {
    IndexExpr a = without_inner_reductions(e.operands[0], modulus, is_added),
              b = without_inner_reductions(e.operands[1], modulus, is_added == (e.op == Op::kAdd));
    return rebuilt(e, {std::move(a), std::move(b)});
  }
  if (e.op == Op::kMul && e.operands[1].value > 0)
    return rebuilt(e, {without_inner_reductions(e.operands[0], modulus, is_added), e.operands[1]});
  const std::int64_t inner = modulus_of(e);
  if (inner == 0 || inner % modulus != 0) return e;
  if (!is_power_of_two(modulus) && (!is_added || bounds(e.operands[0]).least < 0)) return e;
  return without_inner_reductions(e.operands[0], modulus, is_added);
}

// A remainder of what lies between two multiples of the modulus.
IndexExpr ArgumentValues::reduced(const IndexExpr& e, std::int64_t modulus) const {
  const IndexExpr& of = e.operands[0];
  std::set<std::size_t> used;
  collect(of, used);
  std::vector<std::int64_t> first(used.empty() ? 0 : *used.rbegin() + 1, 0);
  for (const std::size_t a : used)
    if (const auto known = by_argument_.find(a); known != by_argument_.end())
      first[a] = known->second.is_open ? known->second.bounds.least : known->second.met.front();
  const std::int64_t start = floor_div(of.evaluate(first), modulus) * modulus;
  if (always_within(of, {start, start + modulus - 1})) {
    IndexExpr moved = plus(of, -start);
    if (start == 0 || moved.integer_ops() < e.integer_ops()) return moved;
  }
  return IndexExpr::mod(without_inner_reductions(of, modulus, true), modulus);
}

IndexExpr ArgumentValues::simplified(const IndexExpr& e) const {
  if (e.op == Op::kConstant || e.op == Op::kArgument) return e;
  std::vector<IndexExpr> operands;
  for (const IndexExpr& operand : e.operands) operands.push_back(simplified(operand));
  const IndexExpr same = rebuilt(e, std::move(operands));
  if (const ValueBounds known = bounds(same); known.is_one()) return IndexExpr::constant(known.least);
  if (same.op == Op::kDiv || same.op == Op::kMod || same.op == Op::kAnd) {
    std::optional<std::int64_t> only;
    if (at_all(same, [&](std::int64_t v) { return v == only.value_or(v) && (only = v, true); }))
      return IndexExpr::constant(*only);
  }
  if (const std::int64_t modulus = modulus_of(same); modulus != 0) return reduced(same, modulus);
  if (same.op == Op::kAnd && same.operands[1].is_constant()) {
    const IndexExpr taken = IndexExpr::mask(same.operands[0], ~same.operands[1].value);
    if (always_within(taken, {0, 0})) return same.operands[0];
  }
  return same;
}

}  // namespace swizzle
