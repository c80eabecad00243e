#include "synth/search/needed_elements.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "synth/problem/decided_equations.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"

namespace swizzle {
namespace {

constexpr std::uint32_t kUncounted = 1u << 30;

bool is_one_element(const Node& node) { return node.kind == Node::Kind::kInput || node.kind == Node::Kind::kBit; }

std::uint32_t distinct_elements(const Provenance& provenance, Value v, std::unordered_set<std::uint32_t>& seen) {
  if (!v.is_node() || !seen.insert(v.aux).second) return 0;
  const Node& node = provenance.node(v);
  std::uint32_t count = is_one_element(node) ? 1 : 0;
  node.for_each_part([&](Value part) { count += distinct_elements(provenance, part, seen); });
  return count;
}

}  // namespace

NeededElements::Need NeededElements::need_of(const Provenance& provenance, const Equation& equation) {
  Need need{equation.actual};
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

NeededElements::NeededElements(Problem& problem, const std::vector<std::size_t>& equations) : problem_(problem) {
  const Provenance& provenance = problem.provenance;
  std::vector<std::size_t> lawless_needs;
  std::vector<std::pair<Scalar, Value>> values;
  for (std::size_t e : equations) {
    const Equation& equation = problem.equations[e];
    if (!lawless(provenance, std::array{equation.expected}).empty()) {
      lawless_needs.push_back(needs_.size());
      values.emplace_back(equation.scalar, equation.expected);
    }
    needs_.push_back(need_of(provenance, equation));
  }
  // Where forms are not the last word, only elements count on which the value was seen to depend.
  const std::vector<std::vector<NodeId>> seen = Concrete(provenance).needed(values);
  for (std::size_t i = 0; i < seen.size(); ++i)
    needs_[lawless_needs[i]].elements = static_cast<std::uint32_t>(seen[i].size());
  for (const Equation& e : decided_equations(problem, equations, deciding_elements(problem, equations)))
    needs_.push_back(need_of(provenance, e));
}

// The most elements that values can have, where some points are kept from some values.
class NeededElements::MostElements {
 public:
  MostElements(const Provenance& provenance, const Allows& allows) : provenance_(provenance), allows_(allows) {}

  bool meets(const Need& need) {
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
    if (!ring_ && !provenance_.has_choice(v)) {  // x · x has one
      std::unordered_set<std::uint32_t> seen;
      count = distinct_elements(provenance_, v, seen);
    } else if (node.kind == Node::Kind::kChoice) {
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
  const Allows& allows_;
  std::optional<Ring> ring_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_;
};

bool NeededElements::may_be_met(const Allows& allows) const {
  MostElements most(problem_.provenance, allows);
  DegreeBounds degrees(problem_.provenance, allows);
  return std::ranges::all_of(needs_, [&](const Need& need) {
    return most.meets(need) && (!need.degrees || degrees.of(need.actual).contains(*need.degrees));
  });
}

}  // namespace swizzle
