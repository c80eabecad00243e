// Propagation through diagrams: what the points of a requirement may still be.
#include <algorithm>

#include "synth/propagator.h"

namespace swizzle {

std::optional<Conflict> Propagator::exclude() {
  while (!fixed_.empty()) {
    const PointId p = fixed_.back();
    fixed_.pop_back();
    const auto& by_value = network_.exclusions[p.value];
    for (const Exclusion& other : by_value[static_cast<std::size_t>(domains_.first(p))])
      if (!domains_.strike_out(other.point, other.value)) return Conflict{Goal::npos, other.requirement, {}, 0, 0, Goal::npos, false, {}};
  }
  return std::nullopt;
}

// Values with which some way to safety goes on stay, of the points that all such ways ask.
std::optional<Conflict> Propagator::visit_diagram(const Goal& goal) {
  if (std::all_of(goal.asked.begin(), goal.asked.end(), [&](PointId p) { return domains_.count(p) > goal.telling; })) return std::nullopt;
  const std::size_t words = (goal.asked.size() + 63) / 64;
  diagram_.seen.resize(network_.diagrams.size(), 0);
  diagram_.must_at.resize(network_.diagrams.size(), 0);
  diagram_.local.resize(domains_.points());
  for (std::size_t i = 0; i < goal.asked.size(); ++i) diagram_.local[goal.asked[i].value] = i;
  ++diagram_.visit;
  diagram_.words = words;
  diagram_.must.assign(words, 0);  // of the end that is safe
  diagram_.supported.assign(goal.asked.size() * domains_.words(), 0);
  const Conflict conflict{goal.equation, goal.requirement, {}, 0, 0, Goal::npos, false, {}};
  const std::optional<std::size_t> must = walk_diagram(goal.diagram);
  if (!must) return conflict;
  for (std::size_t i = 0; i < goal.asked.size(); ++i)
    if ((diagram_.must[*must + i / 64] >> (i % 64) & 1) != 0 && !domains_.keep(goal.asked[i], &diagram_.supported[i * domains_.words()])) return conflict;
  return std::nullopt;
}

// Where the points begin, in DiagramVisit::must, that all ways from here to safety ask; nothing: there is no such way.
std::optional<std::size_t> Propagator::walk_diagram(Diagrams::Target target) {
  if (target == Diagrams::kSafe) return 0;
  if (target == Diagrams::kViolated) return std::nullopt;
  std::size_t& known = diagram_.must_at[static_cast<std::size_t>(target)];
  if (std::exchange(diagram_.seen[static_cast<std::size_t>(target)], diagram_.visit) == diagram_.visit) return known == 0 ? std::nullopt : std::optional(known);
  known = 0;
  const Diagrams::Node& node = network_.diagrams.node(target);
  const Diagrams::Edge* edges = network_.diagrams.edges(node);
  const Diagrams::Edge* const end = edges + node.edges;
  const std::size_t local = diagram_.local[node.point.value], words = domains_.words();
  std::size_t mine = 0;
  const auto take = [&](Diagrams::Target to) {
    const std::optional<std::size_t> must = walk_diagram(to);
    if (!must) return false;
    if (mine == 0) {
      mine = diagram_.must.size();
      diagram_.must.resize(mine + diagram_.words);
      std::copy_n(diagram_.must.begin() + static_cast<std::ptrdiff_t>(*must), diagram_.words, diagram_.must.begin() + static_cast<std::ptrdiff_t>(mine));
    } else {
      for (std::size_t w = 0; w < diagram_.words; ++w) diagram_.must[mine + w] &= diagram_.must[*must + w];
    }
    return true;
  };
  const auto supported = [&](std::size_t word) -> Domains::Word& { return diagram_.supported[local * words + word]; };
  int others = domains_.count(node.point);
  const bool is_fixed = others == 1;
  const Diagrams::Edge* from = edges;
  if (is_fixed) from = std::lower_bound(edges, end, domains_.first(node.point), [](const Diagrams::Edge& e, int value) { return e.value < value; });
  for (const Diagrams::Edge* e = from; e != end && others > 0; ++e) {
    if (!domains_.allows(node.point, e->value)) {
      if (is_fixed) break;
      continue;
    }
    --others;
    if (take(e->to)) supported(static_cast<std::size_t>(e->value) / 64) |= Domains::Word{1} << (e->value % 64);
  }
  if (others > 0 && take(node.rest)) {
    diagram_.rest.assign(domains_.values(node.point), domains_.values(node.point) + words);
    for (const Diagrams::Edge* e = edges; e != end; ++e) diagram_.rest[static_cast<std::size_t>(e->value) / 64] &= ~(Domains::Word{1} << (e->value % 64));
    for (std::size_t w = 0; w < words; ++w) supported(w) |= diagram_.rest[w];
  }
  if (mine == 0) return std::nullopt;
  diagram_.must[mine + local / 64] |= std::uint64_t{1} << (local % 64);
  diagram_.must_at[static_cast<std::size_t>(target)] = mine;
  return mine;
}

}  // namespace swizzle
