#include "synth/trials/output_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace swizzle {
namespace {

constexpr std::size_t kMostBuffers = 8;

// The holes that decide about any of these.
std::set<std::size_t> holes_of(const Problem& problem, const std::vector<Value>& values) {
  const Provenance& provenance = problem.provenance;
  std::set<std::size_t> holes;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending = values;
  while (!pending.empty()) {
    const Value v = pending.back();
    pending.pop_back();
    if (!provenance.has_choice(v) || !seen.insert(v.aux).second) continue;
    const Node& n = provenance.node(v);
    if (n.kind == Node::Kind::kChoice) holes.insert(problem.points[PointId(n.tag)].hole.value);
    n.for_each_part([&](Value part) { pending.push_back(part); });
  }
  return holes;
}

}  // namespace

std::vector<std::uint32_t> groups_of_holes(const Problem& problem, const std::vector<std::size_t>& equations) {
  std::vector<std::uint32_t> groups(problem.holes.size(), 0);
  std::map<std::uint32_t, std::vector<Value>> by_buffer;
  for (std::size_t e : equations) by_buffer[problem.equations[e].buffer.value].push_back(problem.equations[e].actual);
  if (by_buffer.size() < 2 || by_buffer.size() > kMostBuffers) return groups;
  std::vector<std::set<std::size_t>> all;
  for (const auto& [buffer, values] : by_buffer) all.push_back(holes_of(problem, values));
  std::ranges::stable_sort(all, {}, &std::set<std::size_t>::size);
  for (std::size_t h = 0; h < groups.size(); ++h) {
    const auto first = std::ranges::find_if(all, [&](const auto& holes) { return holes.contains(h); });
    groups[h] = static_cast<std::uint32_t>(first - all.begin());
  }
  return groups;
}

}  // namespace swizzle
