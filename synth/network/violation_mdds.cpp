#include "synth/network/violation_mdds.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace swizzle {
namespace {

// And how often it occurs.
std::pair<ViolationMdds::Target, int> most_frequent(std::vector<ViolationMdds::Target> targets) {
  std::sort(targets.begin(), targets.end());
  std::pair<ViolationMdds::Target, int> most{targets.front(), 0};
  for (auto from = targets.begin(); from != targets.end();) {
    const auto to = std::upper_bound(from, targets.end(), *from);
    if (to - from > most.second) most = {*from, static_cast<int>(to - from)};
    from = to;
  }
  return most;
}

}  // namespace

ViolationMdds::Target ViolationMdds::add(const Provenance& provenance, Value violation) {
  if (!violation.is_node() || provenance.node(violation).kind != swizzle::Node::Kind::kChoice)
    return truth(violation) == false ? kSafe : kViolated;
  if (const auto it = known_.find(violation.aux); it != known_.end()) return it->second;
  const swizzle::Node& choice = provenance.node(violation);
  assert(choice.children().size() > 0);
  std::vector<Target> targets;
  Value before;
  for (const Value& child : choice.children()) {
    targets.push_back(!targets.empty() && child == before ? targets.back() : add(provenance, child));
    before = child;
  }
  const auto [rest, rest_values] = most_frequent(targets);
  const auto first = static_cast<std::uint32_t>(edges_.size());
  for (std::size_t value = 0; value < targets.size(); ++value)
    if (targets[value] != rest) edges_.push_back({static_cast<int>(value), targets[value]});
  nodes_.push_back({PointId(choice.tag), first, static_cast<std::uint32_t>(edges_.size()) - first, rest, rest_values});
  return known_[violation.aux] = static_cast<Target>(nodes_.size() - 1);
}

std::vector<PointId> ViolationMdds::points(Target from) const {
  std::vector<PointId> points;
  std::vector<Target> found;
  std::vector<bool> seen(nodes_.size(), false);
  const auto visit = [&](Target t) {
    if (t < 0 || seen[static_cast<std::size_t>(t)]) return;
    seen[static_cast<std::size_t>(t)] = true;
    found.push_back(t);
  };
  visit(from);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node& n = node(found[i]);
    if (std::find(points.begin(), points.end(), n.point) == points.end()) points.push_back(n.point);
    for (const Edge* e = edges(n); e != edges(n) + n.edges; ++e) visit(e->to);
    visit(n.rest);
  }
  return points;
}

int ViolationMdds::telling(Target from) const {
  if (from < 0) return kAlways;
  const Node& first = node(from);
  std::vector<std::pair<Target, int>> seconds{{first.rest, first.rest_values}};
  for (const Edge* e = edges(first); e != edges(first) + first.edges; ++e) seconds.emplace_back(e->to, 1);
  std::vector<int> met;  // by value of the second point: values of the first
  std::optional<PointId> point;
  int most = 0;
  for (const auto& [t, values] : seconds) {
    if (t == kSafe) continue;
    if (t == kViolated || node(t).rest != kSafe || node(t).point != point.value_or(node(t).point)) return kAlways;
    point = node(t).point;
    for (const Edge* e = edges(node(t)); e != edges(node(t)) + node(t).edges; ++e) {
      if (e->to != kViolated) return kAlways;
      if (met.size() <= static_cast<std::size_t>(e->value)) met.resize(static_cast<std::size_t>(e->value) + 1, 0);
      most = std::max(most, met[static_cast<std::size_t>(e->value)] += values);
    }
    most = std::max(most, static_cast<int>(node(t).edges));
  }
  return most;
}

std::vector<std::pair<int, int>> ViolationMdds::violations(Target from, int domain) const {
  std::vector<std::pair<int, int>> found;
  const Edge* edge = edges(node(from));
  const Edge* const end = edge + node(from).edges;
  for (int value = 0; value < domain; ++value) {
    const bool is_listed = edge != end && edge->value == value;
    const Target to = is_listed ? (edge++)->to : node(from).rest;
    if (to < 0) continue;
    for (const Edge* e = edges(node(to)); e != edges(node(to)) + node(to).edges; ++e)
      found.emplace_back(value, e->value);
  }
  return found;
}

}  // namespace swizzle
