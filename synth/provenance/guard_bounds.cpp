#include "synth/provenance/guard_bounds.h"

#include <algorithm>
#include <cstdlib>

#include "synth/provenance/casts.h"

namespace swizzle {
namespace {

constexpr std::int64_t kFarthestIndex = std::int64_t{1} << 45;  // no index is

class BoundsReader {
 public:
  explicit BoundsReader(const Provenance& provenance) : provenance_(provenance) {}

  NodeBounds run(Value condition) {
    read(condition, true);
    return std::move(bounds_);
  }

 private:
  void read(Value condition, bool holds) {
    if (!condition.is_node() || provenance_.node(condition).kind != Node::Kind::kOpaque) return;
    const Node& n = provenance_.node(condition);
    const Children operands = n.children();
    if (n.is(Operator::kLogicalNot)) return read(operands[0], !holds);
    if (n.is(holds ? Operator::kLogicalAnd : Operator::kLogicalOr)) {
      read(operands[0], holds);
      read(operands[1], holds);
      return;
    }
    if (is_real(n.scalar) || operands.size() != 2 || operands[0].is_node() == operands[1].is_node()) return;
    const bool is_left = operands[0].is_node();
    const Value number = operands[is_left ? 1 : 0];
    if (!number.is_int()) return;
    const std::int64_t to = wrap(n.scalar, number.bits);
    if (const auto range = std::abs(to) < kFarthestIndex ? where_compared(n, is_left, holds, to) : std::nullopt)
      note(operands[is_left ? 0 : 1], n.scalar, *range);
  }

  // Where `x op number` is so, or `number op x`.
  static std::optional<ValueRange> where_compared(const Node& n, bool is_left, bool holds, std::int64_t number) {
    const bool is_unsigned_word = n.scalar == Scalar::kU64;  // of which some are no index
    ValueRange range = is_unsigned_word ? ValueRange{0, INT64_MAX} : range_of(n.scalar);
    const auto at_most = [&](std::int64_t most) { range.high = std::min(range.high, most); };
    const auto at_least = [&](std::int64_t least) { range.low = std::max(range.low, least); };
    const bool is_less = n.is(Operator::kLt), is_no_more = n.is(Operator::kLe), is_more = n.is(Operator::kGt),
               is_no_less = n.is(Operator::kGe);
    if (n.is(holds ? Operator::kEq : Operator::kNe)) {
      at_most(number), at_least(number);
    } else if (is_less || is_no_more || is_more || is_no_less) {
      const bool is_below = (is_less || is_no_more) == (is_left == holds);
      const bool is_strict = (is_less || is_more) == holds;
      if (is_below) at_most(is_strict ? number - 1 : number);
      else if (is_unsigned_word) return std::nullopt;
      else at_least(is_strict ? number + 1 : number);
    } else {
      return std::nullopt;
    }
    return range;
  }

  // As compared in a type. What is no number with a sign is left out: a value may be meant both ways.
  void note(Value v, Scalar s, const ValueRange& range) {
    const auto greatest_of = [](Scalar with_sign) { return INT64_MAX >> (64 - bit_width(with_sign)); };
    if (range.low > range.high || (is_unsigned(s) && range.high > greatest_of(s))) return;
    const auto [known, fresh] = bounds_.try_emplace(v.aux, range);
    if (!fresh)
      known->second = {std::max(known->second.low, range.low), std::min(known->second.high, range.high), false};
    const auto cast = cast_of(provenance_.node(v));
    const bool is_same = cast && !is_real(cast->from) && bit_width(cast->from) <= bit_width(cast->to) &&
                         range.low >= 0 && range.high <= greatest_of(cast->from);
    if (is_same) note(provenance_.node(v).children()[0], cast->from, range);
  }

  const Provenance& provenance_;
  NodeBounds bounds_;
};

}  // namespace

NodeBounds bounds_under(const Provenance& provenance, Value condition) {
  return BoundsReader(provenance).run(condition);
}

}  // namespace swizzle
