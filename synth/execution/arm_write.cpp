#include "synth/execution/arm_write.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace swizzle {
namespace {

bool is(const Provenance& p, Value v, Operator op) { return v.is_node() && p.node(v).is(op); }

void collect_conditions(const Provenance& p, Value guard, std::vector<Value>& into) {
  if (is(p, guard, Operator::kLogicalAnd)) {
    collect_conditions(p, p.node(guard).children()[0], into);
    collect_conditions(p, p.node(guard).children()[1], into);
  } else if (truth(guard) != true) {
    into.push_back(guard);
  }
}

std::vector<Value> conditions_of(const Provenance& p, Value guard) {
  std::vector<Value> found;
  collect_conditions(p, guard, found);
  return found;
}

// What it is made of by !, && and ||.
void collect_parts(const Provenance& p, Value condition, std::set<std::uint32_t>& parts) {
  if (!condition.is_node()) return;
  const bool is_made = is(p, condition, Operator::kLogicalAnd) || is(p, condition, Operator::kLogicalOr) ||
                       is(p, condition, Operator::kLogicalNot);
  if (!is_made) return void(parts.insert(condition.aux));
  for (const Value& part : p.node(condition).children()) collect_parts(p, part, parts);
}

bool are_opposite(const Provenance& p, Value a, Value b) {
  return (is(p, a, Operator::kLogicalNot) && p.node(a).children()[0] == b) ||
         (is(p, b, Operator::kLogicalNot) && p.node(b).children()[0] == a);
}

bool implies(const Provenance& p, Value guard, Value other) {
  const std::vector<Value> known = conditions_of(p, guard), asked = conditions_of(p, other);
  return std::ranges::all_of(asked, [&](Value v) {
    if (std::ranges::find(known, v) != known.end()) return true;
    return is(p, v, Operator::kLogicalOr) &&
           std::ranges::any_of(p.node(v).children(), [&](Value either) { return implies(p, guard, either); });
  });
}

bool excludes(const Provenance& p, Value guard, Value other) {
  const std::vector<Value> known = conditions_of(p, guard), asked = conditions_of(p, other);
  return std::ranges::any_of(
      asked, [&](Value v) { return std::ranges::any_of(known, [&](Value k) { return are_opposite(p, k, v); }); });
}

// and(o, c) and and(o, !c) are o.
Value joined(Provenance& p, Value a, Value b) {
  if (are_opposite(p, a, b)) return Value::integer(1);
  if (is(p, a, Operator::kLogicalAnd) && is(p, b, Operator::kLogicalAnd) &&
      p.node(a).children()[0] == p.node(b).children()[0] &&
      are_opposite(p, p.node(a).children()[1], p.node(b).children()[1]))
    return p.node(a).children()[0];
  return p.binary(Operator::kLogicalOr, Scalar::kBool, a, b);
}

// What is left to be asked of `guard` where `other`, which it excludes, does not hold.
Value outside_of(Provenance& p, Value other, Value guard) {
  std::vector<Value> asked = conditions_of(p, guard);
  const auto opposite = std::ranges::find_if(asked, [&](Value v) {
    return std::ranges::any_of(conditions_of(p, other), [&](Value o) { return are_opposite(p, o, v); });
  });
  const auto is_asked = [&](Value v) {
    return are_opposite(p, v, *opposite) || std::ranges::find(asked, v) != asked.end();
  };
  if (!std::ranges::all_of(conditions_of(p, other), is_asked)) return guard;
  asked.erase(opposite);
  Value all = Value::integer(1);
  for (const Value& v : asked) all = p.binary(Operator::kLogicalAnd, Scalar::kBool, all, v);
  return all;
}

}  // namespace

bool is_never(Provenance& p, Value guard) {
  constexpr std::size_t kFew = 8;
  if (excludes(p, guard, guard)) return true;
  const std::size_t conditions = conditions_of(p, guard).size();
  if (conditions < 2 || conditions > kFew || p.has_choice(guard)) return false;
  return p.normalize(p.convert(guard, Scalar::kBool, Scalar::kI32)) == Value::integer(0);
}

Value ArmWrite::seen(Provenance& p, std::optional<Scalar> type) const {
  return before_.is_undefined() ? Value{} : seen_or(p, type, before_);
}

Value ArmWrite::seen_or(Provenance& p, std::optional<Scalar> type, Value other) const {
  for (const Layer& layer : layers_) other = p.select(layer.guard, layer.value, other, type);
  return other;
}

std::optional<Value> ArmWrite::seen_under(Provenance& p, Value reader, std::optional<Scalar> type) const {
  const auto is_excluded = [&](const Layer& layer) { return excludes(p, reader, layer.guard); };
  const auto implied = std::find_if(layers_.rbegin(), layers_.rend(),
                                    [&](const Layer& layer) { return implies(p, reader, layer.guard); });
  if (implied == layers_.rend())
    return std::ranges::all_of(layers_, is_excluded) ? std::optional(before_) : std::nullopt;
  Value value = implied->value;
  for (auto layer = implied.base(); layer != layers_.end(); ++layer)
    if (!is_excluded(*layer)) value = p.select(layer->guard, layer->value, value, type);
  return value;
}

bool ArmWrite::write(Provenance& p, Value writer, Value written, std::optional<Scalar> type) {
  Layer& last = layers_.back();
  if (writer == last.guard) {
    last.value = written;
  } else if (implies(p, writer, last.guard)) {
    last.value = p.select(writer, written, last.value, type);
  } else if (before_.is_undefined()) {
    std::erase_if(layers_, [&](const Layer& layer) { return implies(p, layer.guard, writer); });
    layers_.push_back({writer, written});
    if (is_whole(p)) fold(p, type);
  } else if (excludes(p, writer, last.guard)) {
    before_ = p.select(outside_of(p, last.guard, writer), written, before_, type);
  } else {
    return false;
  }
  return true;
}

// Of arms that write all of the cell: those that the last one leaves are what was before it.
void ArmWrite::fold(Provenance& p, std::optional<Scalar> type) {
  const Layer last = layers_.back();
  layers_.pop_back();
  before_ = seen_or(p, type, layers_[0].value);
  layers_ = {last};
}

bool ArmWrite::is_whole(Provenance& p) const {
  if (!may_be_whole(p)) return false;
  Value all = layers_[0].guard;
  for (std::size_t i = 1; i < layers_.size(); ++i) all = joined(p, all, layers_[i].guard);
  return p.convert(all, Scalar::kBool, Scalar::kI32) == Value::integer(1);
}

// Some condition of the last guard is denied in another one; or all are made of a few.
bool ArmWrite::may_be_whole(const Provenance& p) const {
  constexpr std::size_t kFew = 5;
  if (std::any_of(layers_.begin(), layers_.end() - 1,
                  [&](const Layer& layer) { return excludes(p, layer.guard, layers_.back().guard); }))
    return true;
  std::set<std::uint32_t> parts;
  for (const Layer& layer : layers_) collect_parts(p, layer.guard, parts);
  return layers_.size() > 1 && parts.size() <= kFew;
}

}  // namespace swizzle
