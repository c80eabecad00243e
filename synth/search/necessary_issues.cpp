#include "synth/search/necessary_issues.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "synth/problem/decided_equations.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"
#include "synth/search/monomial_degrees.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostWork = 20'000'000;  // nodes, for all issues together
constexpr std::uint32_t kUncounted = 1u << 30;

bool is_one_element(const Node& node) { return node.kind == Node::Kind::kInput || node.kind == Node::Kind::kBit; }

// How many elements an output must have: all together, or side by side in one minimum or the like.
struct NeededElements {
  Value actual;
  std::optional<Ring> ring = {};  // a set
  std::uint32_t elements = 0;
  std::optional<Degrees> degrees = {};  // of products that it must have
};

std::uint32_t distinct_elements(const Provenance& provenance, Value v, std::unordered_set<std::uint32_t>& seen) {
  if (!v.is_node() || !seen.insert(v.aux).second) return 0;
  const Node& node = provenance.node(v);
  std::uint32_t count = is_one_element(node) ? 1 : 0;
  node.for_each_part([&](Value part) { count += distinct_elements(provenance, part, seen); });
  return count;
}

NeededElements need_of(const Provenance& provenance, const Equation& equation) {
  NeededElements need{equation.actual};
  need.degrees = attained_degrees(provenance, equation.expected);
  std::unordered_set<std::uint32_t> seen;
  need.elements = distinct_elements(provenance, equation.expected, seen);
  if (!equation.expected.is_node()) return need;
  const Node& node = provenance.node(equation.expected);
  const bool is_flat =
      node.kind == Node::Kind::kRing && is_set(node.ring) && std::ranges::all_of(node.terms(), [&](const Term& term) {
        return std::ranges::all_of(term.factors,
                                   [&](NodeId f) { return is_one_element(provenance.node(Value::node(f))); });
      });
  if (is_flat) need.ring = node.ring;
  return need;
}

std::vector<NeededElements> needs_of(Problem& problem, const std::vector<std::size_t>& equations) {
  const Provenance& provenance = problem.provenance;
  std::vector<NeededElements> needs;
  std::vector<std::size_t> lawless_needs;
  std::vector<std::pair<Scalar, Value>> values;
  for (std::size_t e : equations) {
    const Equation& equation = problem.equations[e];
    if (!lawless(provenance, std::array{equation.expected}).empty()) {
      lawless_needs.push_back(needs.size());
      values.emplace_back(equation.scalar, equation.expected);
    }
    needs.push_back(need_of(provenance, equation));
  }
  // Where forms are not the last word, only elements count on which the value was seen to depend.
  const std::vector<std::vector<NodeId>> seen = Concrete(provenance).needed(values);
  for (std::size_t i = 0; i < seen.size(); ++i)
    needs[lawless_needs[i]].elements = static_cast<std::uint32_t>(seen[i].size());
  for (const Equation& e : decided_equations(problem, equations, deciding_elements(problem, equations)))
    needs.push_back(need_of(provenance, e));
  return needs;
}

// The most elements that values can have, where some points are kept from some values.
class MostElements {
 public:
  MostElements(const Provenance& provenance, std::function<bool(PointId, std::size_t)> allows)
      : provenance_(provenance),
        allows_(std::move(allows)) {}

  bool meets(const NeededElements& need) {
    if (need.ring != ring_) known_.clear();
    ring_ = need.ring;
    return most(need.actual) >= need.elements;
  }

 private:
  std::uint32_t most(Value v) {
    if (!v.is_node()) return 0;
    const Node& node = provenance_.node(v);
    if (is_one_element(node)) return 1;
    if (const auto known = known_.find(v.aux); known != known_.end()) return known->second;
    std::uint32_t count = 0;
    if (node.kind == Node::Kind::kChoice) {
      for (std::size_t i = 0; i < node.children().size(); ++i)
        if (allows_(PointId(node.tag), i)) count = std::max(count, most(node.children()[i]));
    } else {
      // A maximum is a part of a minimum only where it is one of its operands.
      const bool is_one = ring_ && ring_ != node.ring && is_set(node.ring) && node.combines();
      node.for_each_part([&](Value part) {
        const std::uint32_t more = most(part);
        count = is_one ? std::max(count, more) : std::min(kUncounted, count + more);
      });
    }
    return known_.emplace(v.aux, count).first->second;
  }

  const Provenance& provenance_;
  std::function<bool(PointId, std::size_t)> allows_;
  std::optional<Ring> ring_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_;
};

}  // namespace

NecessaryIssues::NecessaryIssues(Problem& problem, const std::vector<std::size_t>& equations,
                                 const GuardedIssues& issues)
    : issues_(issues),
      of_hole_(problem.holes.size()),
      cost_(problem.holes.size(), 0) {
  if (problem.guarded.empty() || problem.guarded.size() * problem.provenance.size() > kMostWork) return;
  const std::vector<NeededElements> needs = needs_of(problem, equations);
  for (std::size_t h = 0; h < of_hole_.size(); ++h)
    for (std::uint32_t number : issues.alone(h)) {
      const auto allows = [&](PointId p, std::size_t value) {
        return problem.points[p].hole.value != h || !issues.issues(number, h, p, value);
      };
      MostElements without(problem.provenance, allows);
      DegreeBounds degrees(problem.provenance, allows);
      const auto may_meet = [&](const NeededElements& need) {
        return without.meets(need) && (!need.degrees || degrees.of(need.actual).contains(*need.degrees));
      };
      if (std::ranges::all_of(needs, may_meet)) continue;
      of_hole_[h].push_back(number);
      cost_[h] += issues.cost(number);
    }
}

bool NecessaryIssues::are_issued(std::size_t hole, const HoleTable& table) const {
  return std::ranges::all_of(of_hole_[hole],
                             [&](std::uint32_t number) { return issues_.is_issued(number, hole, table.values); });
}

}  // namespace swizzle
