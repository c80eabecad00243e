// Equations → ring equations → drafts → clusters, and goals for the rest.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "synth/cluster_builder.h"
#include "synth/drafts.h"
#include "synth/goal_compiler.h"
#include "synth/network.h"

namespace swizzle {
namespace {

class NetworkCompiler {
 public:
  NetworkCompiler(Problem& problem, Network& network, const Deadline& deadline)
      : problem_(problem), network_(network), deadline_(deadline), fetches_(problem), builder_(problem.provenance, fetches_) {}

  std::optional<Conflict> run(const std::vector<std::size_t>& equations) {
    network_.covered.resize(problem_.equations.size(), false);
    network_.exact.resize(problem_.equations.size(), false);
    for (std::size_t e : equations)
      if (auto conflict = take_in(e)) return conflict;
    if (auto conflict = complete_groups()) return conflict;
    if (auto conflict = form_clusters()) return conflict;
    GoalCompiler goals(problem_, network_.goals);
    for (const RingEquation& part : rest_)
      if (deadline_.passed()) return interrupted();
      else if (auto conflict = goals.add(part)) return conflict;
    return std::nullopt;
  }

 private:
  static Conflict interrupted() {
    Conflict conflict;
    conflict.interrupted = true;
    return conflict;
  }

  std::optional<Conflict> take_in(std::size_t e) {
    std::vector<RingEquation> parts;
    network_.covered[e] = true;
    if (auto conflict = split_equation(problem_, e, parts)) return conflict;
    parts_of_[e] = parts.size();
    for (const RingEquation& part : parts)
      if (deadline_.passed()) return interrupted();
      else if (auto made = builder_.build(part)) drafts_.push_back(std::move(*made));
      else rest_.push_back(part);
    return std::nullopt;
  }

  // Where outputs have more tuples than they need, others that were not asked for may take the rest: they join, if they
  // share a tuple with them.
  std::optional<Conflict> complete_groups() {
    std::vector<bool> wanting;  // by tuple
    for (const DraftGroup& group : grouped(drafts_, builder_)) {
      if (!group.same_ring || group.repeated || group.tuples.size() <= group.monomials) continue;
      wanting.resize(builder_.tuples(), false);
      for (std::uint32_t tuple : group.tuples) wanting[tuple] = true;
    }
    if (wanting.empty()) return std::nullopt;
    const auto is_wanted = [&](const Draft::Offer& offer) { return offer.tuple < wanting.size() && wanting[offer.tuple]; };
    for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
      if (network_.covered[e]) continue;
      if (deadline_.passed()) return interrupted();
      const auto drafts = static_cast<std::ptrdiff_t>(drafts_.size()), rest = static_cast<std::ptrdiff_t>(rest_.size());
      if (auto conflict = take_in(e)) return conflict;
      if (std::any_of(drafts_.begin() + drafts, drafts_.end(), [&](const Draft& d) { return std::any_of(d.offers.begin(), d.offers.end(), is_wanted); })) continue;
      network_.covered[e] = false;
      drafts_.erase(drafts_.begin() + drafts, drafts_.end());
      rest_.erase(rest_.begin() + rest, rest_.end());
    }
    return std::nullopt;
  }

  std::optional<Conflict> form_clusters() {
    std::vector<DraftGroup> exact;
    for (DraftGroup& group : grouped(drafts_, builder_)) {
      if (group.same_ring && group.tuples.size() < group.monomials) {
        Conflict conflict;
        conflict.equation = drafts_[group.drafts[0]].equation.equation;
        conflict.needed = group.monomials;
        conflict.offered = group.tuples.size();
        return conflict;
      }
      if (group.is_exact()) exact.push_back(std::move(group));
      else
        for (std::size_t d : group.drafts) rest_.push_back(drafts_[d].equation);
    }
    ClusterBuilder clusters(problem_.provenance, builder_, fetches_, network_);
    for (const DraftGroup& group : exact) clusters.note_useful(drafts_, group);
    for (const DraftGroup& group : exact) {
      if (deadline_.passed()) return interrupted();
      clusters.add(drafts_, group);
      for (const Cluster::Member& member : network_.clusters.back().goals)
        if (parts_of_[member.equation] == 1) network_.exact[member.equation] = true;
    }
    return std::nullopt;
  }

  Problem& problem_;
  Network& network_;
  const Deadline& deadline_;
  FetchBuilder fetches_;
  DraftBuilder builder_;
  std::map<std::size_t, std::size_t> parts_of_;  // by equation
  std::vector<Draft> drafts_;
  std::vector<RingEquation> rest_;  // for goals
};

}  // namespace

std::optional<Conflict> add_equations(Problem& problem, const std::vector<std::size_t>& equations, Network& network, const Deadline& deadline) {
  return NetworkCompiler(problem, network, deadline).run(equations);
}

std::optional<Conflict> add_requirement(Problem& problem, std::size_t requirement, Network& network) {
  return GoalCompiler(problem, network.goals).requirement(requirement);
}

std::vector<std::size_t> covering_equations(const Problem& problem) {
  std::vector<std::size_t> chosen;
  std::vector<bool> node_seen(problem.provenance.size(), false), point_seen(problem.points.size(), false);
  std::vector<std::uint32_t> pending;
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    bool fresh = false;
    const auto push = [&](Value v) {
      if (!v.is_node() || !problem.provenance.has_choice(v) || node_seen[v.aux]) return;
      node_seen[v.aux] = true;
      pending.push_back(v.aux);
    };
    push(problem.equations[e].actual);
    while (!pending.empty()) {
      const Node& node = problem.provenance.node(NodeId(pending.back()));
      pending.pop_back();
      if (node.kind == Node::Kind::kChoice && !point_seen[node.tag]) point_seen[node.tag] = fresh = true;
      for (const Value& child : node.children) push(child);
      for (const Term& term : node.terms)
        for (NodeId f : term.factors) push(Value::node(f));
    }
    if (fresh || !problem.provenance.has_choice(problem.equations[e].actual)) chosen.push_back(e);
  }
  return chosen;
}

std::string explain(const Conflict& conflict, const Problem& problem) {
  if (conflict.hole.valid()) {
    const HoleSpace& hole = problem.holes[conflict.hole.value];
    const char* grammar = hole.is_xor ? "XOR with bits of its arguments" : hole.kind == HoleKind::kXform ? "grouping, fanning and rotation" : hole.kind == HoleKind::kPart ? "partition" : "condition";
    return fmt::format("no {} for {} gives what the outputs need", grammar, hole.name);
  }
  if (conflict.equation == Goal::npos) return problem.requirements[conflict.requirement].message;
  const Equation& e = problem.equations[conflict.equation];
  const std::string output = fmt::format("{}[{}]", problem.buffer_names[e.buffer.value], e.slot);
  if (!e.stored) return fmt::format("{} is never stored", output);
  if (conflict.needed > conflict.offered)
    return fmt::format("{}, written by thread {}, and the outputs computed with it need {} different products, and the sketch offers {}", output,
                       e.thread, conflict.needed, conflict.offered);
  if (!conflict.missing.is_undefined())
    return fmt::format("{}, written by thread {}, needs {}, which no choice of the holes brings there", output, e.thread,
                       problem.provenance.describe(conflict.missing, problem.buffer_names));
  return fmt::format("{}, written by thread {}, cannot become {}", output, e.thread, problem.provenance.describe(e.expected, problem.buffer_names));
}

}  // namespace swizzle
