#include "synth/execution/arm_write.h"

#include <algorithm>
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

bool are_opposite(const Provenance& p, Value a, Value b) {
  return (is(p, a, Operator::kLogicalNot) && p.node(a).children()[0] == b) ||
         (is(p, b, Operator::kLogicalNot) && p.node(b).children()[0] == a);
}

bool implies(const Provenance& p, Value guard, Value other) {
  const std::vector<Value> known = conditions_of(p, guard), asked = conditions_of(p, other);
  return std::ranges::all_of(asked, [&](Value v) { return std::ranges::find(known, v) != known.end(); });
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

Value ArmWrite::seen(Provenance& p, std::optional<Scalar> type) const {
  if (is_whole(p)) return value;
  return before.is_undefined() ? Value{} : p.select(guard, value, before, type);
}

std::optional<Value> ArmWrite::seen_under(const Provenance& p, Value reader) const {
  if (implies(p, reader, guard)) return value;
  if (excludes(p, reader, guard)) return before;
  return std::nullopt;
}

bool ArmWrite::write(Provenance& p, Value writer, Value written, std::optional<Scalar> type) {
  if (writer == guard) {
    value = written;
  } else if (implies(p, writer, guard)) {
    value = p.select(writer, written, value, type);
  } else if (excludes(p, writer, guard) && !before.is_undefined()) {
    before = p.select(outside_of(p, guard, writer), written, before, type);
  } else if (before.is_undefined()) {
    value = p.select(writer, written, value, type);
    guard = joined(p, guard, writer);
  } else {
    return false;
  }
  return true;
}

bool ArmWrite::is_whole(Provenance& p) const {
  return p.convert(guard, Scalar::kBool, Scalar::kI32) == Value::integer(1);
}

}  // namespace swizzle
