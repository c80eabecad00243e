#include "synth/execution/issue_counter.h"

#include <algorithm>

#include "synth/execution/logic_instructions.h"
#include "synth/provenance/words.h"

namespace swizzle {

IssueCounter::IssueCounter(Lockstep& run) : run_(run), provenance_(run.provenance) {
  if (std::ranges::any_of(run.execution.has_bits, [](bool has) { return has; }))
    logic_ = logic_instructions(run.program);
}

void IssueCounter::count_guarded(double Counts::* counter, double amount) {
  if (!run_.execution.counts_issues) return;
  for (int first = 0; first < run_.threads; first += kWarpSize) count_under(guards_of_warp(first), counter, amount);
}

void IssueCounter::count_under(const std::optional<std::vector<std::uint32_t>>& guards, double Counts::* counter,
                               double amount) {
  if (!guards) run_.trace.counts.*counter += amount;
  else if (!guards->empty()) guarded_[*guards].*counter += amount;
}

std::optional<std::vector<std::uint32_t>> IssueCounter::guards_of_warp(int first) {
  if (run_.act_alike() && truth(run_.mask.guard[0]) == true) return std::nullopt;
  std::vector<int> lanes;
  for (int t = first; t < std::min(run_.threads, first + kWarpSize); ++t)
    if (run_.mask.on[at(t)]) lanes.push_back(t - first);
  return guards_of(first, lanes);
}

std::optional<std::vector<std::uint32_t>> IssueCounter::guards_of(int first, const std::vector<int>& lanes) {
  std::vector<std::uint32_t> guards;
  for (int lane : lanes) {
    const Value guard = may_be(run_.mask.guard[at(first + lane)], true);
    if (truth(guard) == true) return std::nullopt;
    if (guard.is_node()) guards.push_back(guard.aux);
  }
  std::ranges::sort(guards);
  const auto repeated = std::ranges::unique(guards);
  guards.erase(repeated.begin(), repeated.end());
  return guards;
}

// Data may be anything: whether a condition on them comes out as `wanted` is up to the holes in it.
Value IssueCounter::may_be(Value condition, bool wanted) {
  if (!condition.is_node()) return Value::integer(truth(condition) != !wanted);
  if (wanted && provenance_.is_index(condition)) return condition;
  if (!provenance_.has_choice(condition)) return Value::integer(1);
  if (const auto known = may_be_.find({condition.aux, wanted}); known != may_be_.end()) return known->second;
  const Node& node = provenance_.node(condition);
  const std::vector<Value> parts(node.children().begin(), node.children().end());
  Value result = Value::integer(1);
  if (node.kind == Node::Kind::kChoice) {
    const PointId point(node.tag);
    std::vector<Value> alternatives;
    for (const Value& part : parts) alternatives.push_back(may_be(part, wanted));
    result = provenance_.choice(point, alternatives);
  } else if (node.is(Operator::kLogicalNot)) {
    result = may_be(parts[0], !wanted);
  } else if (node.is(Operator::kLogicalAnd) || node.is(Operator::kLogicalOr)) {
    const Operator both = node.is(Operator::kLogicalAnd) == wanted ? Operator::kLogicalAnd : Operator::kLogicalOr;
    result = provenance_.binary(both, Scalar::kBool, may_be(parts[0], wanted), may_be(parts[1], wanted));
  }
  return may_be_.emplace(std::pair(condition.aux, wanted), result).first->second;
}

Value IssueCounter::undecided(Value condition) {
  return provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, may_be(condition, true), may_be(condition, false));
}

// Only counts ask.
bool IssueCounter::meets_data(const Lanes& values) const {
  if (!run_.execution.counts_issues) return false;
  if (values.are_alike()) return run_.mask.any() && !provenance_.is_index(values[0]);
  bool data = false;
  run_.for_active([&](int t) { data |= !provenance_.is_index(values[at(t, 1, 0)]); });
  return data;
}

void IssueCounter::count_data(const Expr& e, Operator op, bool has_data, const Lanes& results) {
  if (!logic_.empty() && count_words(e, results)) return;
  if (run_.box != nullptr) note_issue({true, static_cast<std::uint32_t>(&e - run_.program.exprs.data())}, has_data);
  if (has_data)
    count_guarded(op == Operator::kMul || op == Operator::kDiv ? &Counts::multiplies : &Counts::accumulates);
}

// Some lane's word depends on data, not on holes alone.
bool IssueCounter::has_data_bits(const Lanes& words) const {
  return std::ranges::any_of(words.values(),
                             [&](const Value& v) { return is_word(provenance_, v) && provenance_.node(v).has_data; });
}

bool IssueCounter::count_words(const Expr& e, const Lanes& results) {
  const int count = logic_.empty() ? 1 : logic_[static_cast<std::size_t>(&e - run_.program.exprs.data())];
  const bool is_known = std::ranges::none_of(results.values(), &Value::is_node);  // of a mask of 0
  if (is_known && count == 0) return true;
  if (std::ranges::none_of(results.values(), [&](const Value& v) { return is_word(provenance_, v); })) return false;
  if (!has_data_bits(results)) return true;
  if (count > 0) count_guarded(&Counts::accumulates, count);
  return true;
}

// A block issues an operation on data for each of its warps once one of them has data there, and likewise a load. Where
// several boxes meet an operation, that can only be told if it is always issued, or never.
void IssueCounter::note_issue(std::pair<bool, std::uint32_t> what, bool is_issued) {
  if (!run_.box->by_warps || !run_.execution.counts_issues) return;
  IssuesOfPlace& issues = run_.box->issues[what];
  (is_issued ? issues.counts : issues.counts_not) = true;
  if (issues.is_shared && issues.counts && issues.counts_not) run_.box->strides.lose();
}

void IssueCounter::finish() {
  for (auto& [guards, counts] : guarded_) {
    GuardedIssue issue{{}, counts};
    for (std::uint32_t guard : guards) issue.guards.push_back(Value::node(NodeId(guard)));
    run_.trace.guarded.push_back(std::move(issue));
  }
}

}  // namespace swizzle
