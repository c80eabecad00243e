// What a warp issues, where holes decide whether it does.
#include <algorithm>

#include "synth/execution/interpreter.h"

namespace swizzle {

void Interpreter::count_guarded(double Counts::* counter, double amount) {
  if (!execution_.counts_issues) return;
  for (int first = 0; first < threads_; first += kWarpSize) count_under(guards_of_warp(first), counter, amount);
}

void Interpreter::count_under(const std::optional<std::vector<std::uint32_t>>& guards, double Counts::* counter,
                              double amount) {
  if (!guards) trace_.counts.*counter += amount;
  else if (!guards->empty()) guarded_[*guards].*counter += amount;
}

std::optional<std::vector<std::uint32_t>> Interpreter::guards_of_warp(int first) {
  if (act_alike() && truth(mask_.guard[0]) == true) return std::nullopt;
  std::vector<int> lanes;
  for (int t = first; t < std::min(threads_, first + kWarpSize); ++t)
    if (mask_.on[at(t)]) lanes.push_back(t - first);
  return guards_of(first, lanes);
}

std::optional<std::vector<std::uint32_t>> Interpreter::guards_of(int first, const std::vector<int>& lanes) {
  std::vector<std::uint32_t> guards;
  for (int lane : lanes) {
    const Value guard = may_be(mask_.guard[at(first + lane)], true);
    if (truth(guard) == true) return std::nullopt;
    if (guard.is_node()) guards.push_back(guard.aux);
  }
  std::ranges::sort(guards);
  const auto repeated = std::ranges::unique(guards);
  guards.erase(repeated.begin(), repeated.end());
  return guards;
}

// Data may be anything: whether a condition on them comes out as `wanted` is up to the holes in it.
Value Interpreter::may_be(Value condition, bool wanted) {
  if (!condition.is_node()) return Value::integer(truth(condition) != !wanted);
  if (wanted && provenance_.is_index(condition)) return condition;
  if (!provenance_.has_choice(condition)) return Value::integer(1);
  if (const auto known = may_be_.find({condition.aux, wanted}); known != may_be_.end()) return known->second;
  const Node& node = provenance_.node(condition);
  const std::vector<Value> parts(node.children().begin(), node.children().end());
  const auto is = [&](Operator op) {
    return node.kind == Node::Kind::kOpaque && node.tag == static_cast<std::uint32_t>(op);
  };
  Value result = Value::integer(1);
  if (node.kind == Node::Kind::kChoice) {
    const PointId point(node.tag);
    std::vector<Value> alternatives;
    for (const Value& part : parts) alternatives.push_back(may_be(part, wanted));
    result = provenance_.choice(point, alternatives);
  } else if (is(Operator::kLogicalNot)) {
    result = may_be(parts[0], !wanted);
  } else if (is(Operator::kLogicalAnd) || is(Operator::kLogicalOr)) {
    const Operator both = is(Operator::kLogicalAnd) == wanted ? Operator::kLogicalAnd : Operator::kLogicalOr;
    result = provenance_.binary(both, Scalar::kBool, may_be(parts[0], wanted), may_be(parts[1], wanted));
  }
  return may_be_.emplace(std::pair(condition.aux, wanted), result).first->second;
}

}  // namespace swizzle
