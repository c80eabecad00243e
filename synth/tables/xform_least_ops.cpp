// The least operations of a transformation's expressions: what the search prunes by before it prints them.
#include <algorithm>
#include <limits>

#include "synth/base/integers.h"
#include "synth/tables/xform_space.h"

namespace swizzle {
namespace {

// The largest value of a sum minus its least; 0 of none.
class Spread {
 public:
  void add(std::int64_t value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  int value() const { return least_ > most_ ? 0 : static_cast<int>(most_ - least_); }

 private:
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max(), most_ = std::numeric_limits<std::int64_t>::min();
};

// A sum that takes more than `modulus` values in a row needs its reduction; one that takes fewer may do without.
int reduction(int spread, int modulus) { return spread >= modulus ? 1 : 0; }

// Of what is added to a digit of i; where that is the same everywhere, the constant is folded into it.
int sum_of(const SpentOnRotation& rotation, bool digit_varies) {
  return std::max(0, rotation.terms + (digit_varies ? 1 : -rotation.constants) - 1);
}

}  // namespace

XformSpace::Needs XformSpace::needs_of(const XformShape& shape) const {
  Needs needs;
  Spread sum, digits, low, quotients;
  // A quotient needs i mod g; a sum that is reduced modulo g does not.
  const bool takes_all_of_i = shape.period == shape.group && shape.run == shape.group && !shape.swapped;
  for (const std::int64_t i : indices_) {
    const std::int64_t inner = floor_mod(i, shape.group), quotient = floor_div(inner, shape.period);
    needs.start |= floor_div(i, shape.group) != 0;
    low.add(floor_mod(inner, shape.period));
    quotients.add(quotient);
    if (shape.swapped) {
      digits.add(nearest_residue(shape.fan, shape.period) * i);
      sum.add(nearest_residue(shape.stride, shape.run) * floor_div(i, shape.period));
    } else {
      const bool divides = shape.period != shape.group;
      sum.add(nearest_residue(shape.fan, shape.run) * (takes_all_of_i ? i : inner) + (divides ? quotient : 0));
    }
  }
  needs.low = low.value() > 0;
  needs.quotient = quotients.value() > 0;
  needs.spread = sum.value();
  needs.digits = digits.value();
  return needs;
}

int XformSpace::least_ops(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const {
  if (shape.group == 1) return 0;
  if (shape.swapped) return least_ops_swapped(shape, extra, turn);
  const Needs& need = needs(shape);
  const bool divides = shape.period != shape.group;
  const int quotient = divides && need.quotient ? 1 : 0, folded = divides && !need.quotient ? turn.constants : 0;
  const bool subtracted = shape.fan == shape.group - 1;  // costs no product, and may need no reduction
  const bool may_flip_bits = !turn.varies() && !divides && is_power_of_two(shape.group);  // i ^ c
  const int terms = (shape.fan != 0 ? 1 : 0) + quotient + turn.terms - folded;
  const bool has_factor =
      turn.factor == SpentOnRotation::kSeveral || turn.factor == shape.fan || turn.factor == shape.group - shape.fan;
  const bool may_be_product = shape.fan > 1 && has_factor && !divides && is_power_of_two(shape.group);  // (i - k)·c
  const int products = (shape.fan > 1 && !subtracted ? 1 : 0) + (may_be_product ? 0 : turn.ops);
  const int ops = products + quotient + std::max(0, terms - 1);
  if (may_flip_bits && terms > 1) return std::min(ops, 1);
  if (terms < 2 || subtracted) return ops;
  return ops + (shape.run == shape.group ? reduction(need.spread + turn.spread, shape.group) : 0) +
         (shape.group != domain_ && need.start ? 1 : 0);
}

// run·((fan·i + P) mod period) + (stride·⌊i / period⌋ + R) mod run
int XformSpace::least_ops_swapped(const XformShape& shape, const SpentOnRotation& extra,
                                  const SpentOnRotation& turn) const {
  if (shape.period == 1) return turn.ops + turn.terms;
  const Needs& need = needs(shape);
  // A digit that is the same everywhere is folded, and falls away if it is 0.
  const bool has_high = need.low || extra.varies(), has_low = need.quotient || turn.varies();
  int ops = has_high && has_low ? 1 : 0;
  if (has_high) ops += 1 + extra.ops + sum_of(extra, need.low) + reduction(need.digits + extra.spread, shape.period);
  if (has_low) ops += (need.quotient ? 1 : 0) + turn.ops + sum_of(turn, need.quotient);
  if (has_low && turn.terms > 0) ops += reduction(need.spread + turn.spread, shape.run);
  return ops + (shape.group != domain_ && need.start ? 1 : 0);
}

}  // namespace swizzle
