// In which order a TrialGraph decides points, and what later steps go by.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "synth/trials/hole_chains.h"
#include "synth/trials/output_groups.h"
#include "synth/trials/sole_askers.h"
#include "synth/trials/trial_graph_builder.h"

namespace swizzle {
namespace {

constexpr std::uint32_t kNever = ~0u, kDeepest = 4'000;
constexpr std::uint32_t kOutputsApart = 4;  // whose own points are decided by themselves

bool is_condition(const HoleSpace& space) { return space.domain == 2; }

}  // namespace

bool TrialGraphBuilder::is_constant(PointId p) const {
  return problem_.holes[problem_.points[p].hole.value].traits().grammar == HoleGrammar::kConstants;
}

// Constants where the equations ask for them: a requirement is about few, at whatever depth these are.
bool TrialGraphBuilder::order_points() {
  asked_at_.assign(problem_.points.size(), kNever);
  asked_until_.assign(problem_.points.size(), 0);
  Depth deepest;
  for (std::size_t e : equations_) deepest = std::max(deepest, depth_of(problem_.equations[e].actual));
  const std::vector<std::uint32_t> by_equations = asked_at_;
  for (const Requirement& r : problem_.requirements) deepest = std::max(deepest, depth_of(r.violation));
  for (std::size_t p = 0; p < by_equations.size(); ++p)
    if (by_equations[p] != kNever && is_constant(PointId(p))) asked_at_[p] = by_equations[p];
  return deepest.steps < kDeepest;
}

// The longest way down, in nodes that ask points. What is fetched under a condition comes after the condition, as few
// lanes may be left to fetch for; but a condition of what another one decided comes behind that.
TrialGraphBuilder::Depth TrialGraphBuilder::depth_of(Value v) {
  if (!provenance_.has_choice(v)) return {};
  if (const auto it = depths_.find(v.aux); it != depths_.end()) return it->second;
  const Node& n = provenance_.node(v);
  Depth depth;
  n.for_each_part([&](Value part) { depth = std::max(depth, depth_of(part)); });
  if (n.kind == Node::Kind::kChoice) {
    const bool decides = is_condition(problem_.holes[problem_.points[PointId(n.tag)].hole.value]);
    if (!decides || depth.has_condition) ++depth.steps;
    depth.has_condition = decides;
    asked_at_[n.tag] = std::min(asked_at_[n.tag], depth.steps);
    asked_until_[n.tag] = std::max(asked_until_[n.tag], depth.steps);
  }
  depths_.emplace(v.aux, depth);
  return depth;
}

std::vector<std::uint32_t> TrialGraphBuilder::parts_of_points() const {
  std::vector<std::uint32_t> parts(problem_.points.size(), 0);
  if (std::ranges::any_of(problem_.requirements,
                          [&](const Requirement& r) { return provenance_.has_choice(r.violation); }))
    return parts;
  std::vector<Value> outputs;
  for (std::size_t e : equations_) outputs.push_back(problem_.equations[e].actual);
  const std::vector<std::uint32_t> asker = sole_askers(provenance_, parts.size(), outputs);
  for (const HoleSpace& space : problem_.holes) {
    const auto is = [&](std::uint32_t output) { return [&, output](PointId p) { return asker[p.value] == output; }; };
    if (space.points.empty() || std::ranges::any_of(space.points, is(kSeveralAsk)) ||
        std::ranges::all_of(space.points, is(asker[space.points[0].value])))
      continue;
    for (PointId p : space.points) parts[p.value] = 1 + std::min(asker[p.value], kOutputsApart);
  }
  return parts;
}

std::vector<std::uint32_t> TrialGraphBuilder::chains_of_holes() const {
  std::vector<Value> values;
  for (std::size_t e : equations_) values.push_back(problem_.equations[e].actual);
  for (const Requirement& r : problem_.requirements) values.push_back(r.violation);
  ChainLinks holes{std::vector(problem_.points.size(), ChainLinks::kNone), {}};
  for (const HoleSpace& space : problem_.holes) {
    holes.depths.push_back(kNever);
    for (PointId p : space.points) {
      holes.of_point[p.value] = space.id.value;
      holes.depths.back() = std::min(holes.depths.back(), asked_at_[p.value]);
    }
  }
  return places_of_chains(problem_, values, holes);
}

// Of chains of nothing but constants, which all lanes ask alike: some lanes get there on a shorter way.
void TrialGraphBuilder::order_constants(const std::vector<std::uint32_t>& chains) {
  std::set<std::uint32_t> mixed;
  for (const HoleSpace& space : problem_.holes)
    if (space.traits().grammar != HoleGrammar::kConstants) mixed.insert(chains[space.id.value]);
  ChainLinks links{std::vector(problem_.points.size(), ChainLinks::kNone), {}};
  for (const HoleSpace& space : problem_.holes) {
    if (mixed.contains(chains[space.id.value])) continue;
    for (PointId p : space.points) {
      if (asked_at_[p.value] == kNever) continue;
      links.of_point[p.value] = static_cast<std::uint32_t>(links.depths.size());
      links.depths.push_back(asked_at_[p.value]);
    }
  }
  std::vector<Value> outputs;
  for (std::size_t e : equations_) outputs.push_back(problem_.equations[e].actual);
  const std::vector<std::uint32_t> places = places_of_chains(problem_, outputs, links);
  for (std::size_t p = 0; p < links.of_point.size(); ++p)
    if (links.of_point[p] != ChainLinks::kNone) asked_at_[p] += kDeepest * places[links.of_point[p]];
}

void TrialGraphBuilder::make_steps() {
  const std::vector<std::uint32_t> parts = parts_of_points(), chains = chains_of_holes(),
                                   groups = groups_of_holes(problem_, equations_);
  order_constants(chains);
  // Points that have nothing to do with each other, as constants have, are decided one by one where they can be.
  const auto also_by = [&](PointId p) { return is_constant(p) ? asked_until_[p.value] : 0; };
  using Place =
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool, std::uint32_t, std::size_t>;
  std::map<Place, std::vector<std::size_t>> in_order;
  std::vector<std::uint32_t> last_part(problem_.holes.size(), 0);
  for (const HoleSpace& space : problem_.holes)
    for (std::size_t i = 0; i < space.points.size(); ++i) {
      const std::size_t p = space.points[i].value;
      const std::uint32_t chain = asked_at_[p] == kNever ? kNever : chains[space.id.value];
      in_order[{parts[p], groups[space.id.value], chain, asked_at_[p], !is_condition(space), also_by(space.points[i]),
                space.id.value}]
          .push_back(i);
      last_part[space.id.value] = std::max(last_part[space.id.value], parts[p]);
    }
  step_of_.assign(problem_.points.size(), 0);
  graph_.places_.resize(problem_.points.size());
  for (auto& [key, positions] : in_order) {
    const HoleSpace& space = problem_.holes[std::get<6>(key)];
    graph_.steps_.push_back({space.id, std::move(positions), std::get<0>(key) < last_part[space.id.value]});
    for (std::size_t i : graph_.steps_.back().positions) {
      const std::size_t step = graph_.steps_.size() - 1;
      graph_.places_[space.points[i].value] = {static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(i)};
      step_of_[space.points[i].value] = static_cast<std::uint16_t>(step + 1);
    }
  }
}

void TrialGraphBuilder::note_frontiers() {
  std::vector<std::uint16_t> asked_by(graph_.nodes_.size(), 0);  // the last level that asks for a node
  std::vector<std::uint16_t> point_asked_by(problem_.points.size(), 0);
  graph_.asked_from_.assign(graph_.steps_.size(), std::numeric_limits<std::uint16_t>::max());
  for (Index index = static_cast<Index>(graph_.nodes_.size()); index-- > 0;) {  // what asks for it comes behind it
    const TrialNode& node = graph_.nodes_[index];
    if (asked_by[index] == 0 && summed_in_order_.contains(index)) continue;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      std::uint16_t& by = asked_by[graph_.operands_[i]];
      by = std::max(by, node.level);
    }
    if (node.kind != Kind::kChoice) continue;
    point_asked_by[node.tag] = std::max(point_asked_by[node.tag], node.level);
    std::uint16_t& from = graph_.asked_from_[graph_.places_[node.tag].step];
    from = std::min(from, node.level);
  }
  graph_.frontier_.resize(graph_.steps_.size());
  graph_.asked_later_.resize(graph_.steps_.size());
  for (std::size_t s = 0; s < graph_.steps_.size(); ++s) {
    for (Index i = 0; i < graph_.nodes_.size(); ++i)
      if (graph_.nodes_[i].level > 0 && graph_.nodes_[i].level <= s + 1 && asked_by[i] > s + 1)
        graph_.frontier_[s].push_back(i);
    for (std::uint32_t p = 0; p < problem_.points.size(); ++p)
      if (step_of_[p] > 0 && step_of_[p] <= s + 1 && point_asked_by[p] > s + 1) graph_.asked_later_[s].push_back(p);
  }
}

}  // namespace swizzle
