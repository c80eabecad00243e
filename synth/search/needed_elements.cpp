#include "synth/search/needed_elements.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "synth/problem/decided_equations.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"
#include "synth/trials/claims.h"

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

NeededElements::Need NeededElements::need_of(const Provenance& provenance, Value actual, Value expected) {
  Need need{actual};
  need.degrees = attained_degrees(provenance, expected);
  std::unordered_set<std::uint32_t> seen;
  need.elements = distinct_elements(provenance, expected, seen);
  if (!expected.is_node()) return need;
  const Node& node = provenance.node(expected);
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
  for (std::size_t e : equations)
    for (const Claim& claim : claims_of(problem.provenance, problem.equations[e])) {
      if (!lawless(provenance, std::array{claim.expected}).empty()) {
        if (!claim.is_output) continue;  // by form
        lawless_needs.push_back(needs_.size());
        values.emplace_back(claim.scalar, claim.expected);
      }
      needs_.push_back(need_of(provenance, claim.actual, claim.expected));
    }
  // Where forms are not the last word, only elements count on which the value was seen to depend.
  const std::vector<std::vector<NodeId>> seen = Concrete(provenance).needed(values);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    needs_[lawless_needs[i]].elements = static_cast<std::uint32_t>(seen[i].size());
    needs_[lawless_needs[i]].is_lawless = true;
  }
  for (const Equation& e : decided_equations(problem, equations, deciding_elements(problem, equations)))
    needs_.push_back(need_of(provenance, e.actual, e.expected));
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

// Likewise, where what a value is made of has elements in common: g | p & g', p being made of what g is made of. In
// sums of products, it hardly ever has.
class NeededElements::DistinctElements {
 public:
  DistinctElements(const Provenance& provenance, const Allows& allows) : provenance_(provenance), allows_(allows) {}

  bool meets(const Need& need) {
    if (!need.is_lawless || !need.actual.is_node() || is_too_large_) return true;
    return count(reach(need.actual)) >= need.elements || is_too_large_;
  }

 private:
  static constexpr std::size_t kElements = 256;
  // Elements, and points that bring what one of their values has.
  struct Reach {
    std::bitset<kElements> elements;
    std::set<std::uint32_t> points;

    void join(const Reach& other) {
      elements |= other.elements;
      points.insert(other.points.begin(), other.points.end());
    }
    bool contains(const Reach& other) const {
      return (other.elements & ~elements).none() && std::ranges::includes(points, other.points);
    }
  };

  const Reach& reach(Value v) {
    static const Reach nothing;
    if (!v.is_node()) return nothing;
    if (const auto known = reaches_.find(v.aux); known != reaches_.end()) return known->second;
    return reaches_[v.aux] = reach_of_parts(v);
  }

  Reach reach_of_parts(Value v) {
    Reach all;
    const Node& node = provenance_.node(v);
    if (is_one_element(node)) {
      is_too_large_ = is_too_large_ || elements_ == kElements;
      if (!is_too_large_) all.elements.set(elements_++);
    } else if (node.kind == Node::Kind::kChoice) {
      return reach_of_choice(v);
    } else {
      node.for_each_part([&](Value part) { all.join(reach(part)); });
    }
    return all;
  }

  // All together, where one has what the other has and more; else the point brings one of them.
  Reach reach_of_choice(Value choice) {
    const Node& node = provenance_.node(choice);
    Reach all;
    bool is_nested = true;
    for (std::size_t i = 0; i < node.children().size() && is_nested; ++i) {
      if (!allows_(PointId(node.tag), i)) continue;
      const Reach& one = reach(node.children()[i]);
      is_nested = one.contains(all) || all.contains(one);
      all.join(one);
    }
    if (is_nested) return all;
    choices_[node.tag].insert(choice.aux);
    return {{}, {node.tag}};
  }

  std::size_t count(const Reach& reach) {
    std::size_t all = reach.elements.count();
    for (std::uint32_t point : reach.points) all += most(point);
    return std::min(all, kElements);
  }

  // Below a point, there are points that were met before it; what is chosen by it in several places goes together.
  std::size_t most(std::uint32_t point) {
    const std::set<std::uint32_t>& choices = choices_[point];
    const auto known = most_.find(point);
    if (known != most_.end() && known->second.first == choices.size()) return known->second.second;
    most_[point] = {choices.size(), kElements};  // below itself, where several steps ask one point
    std::size_t most = 0;
    const std::size_t values = provenance_.node(Value::node(NodeId(*choices.begin()))).children().size();
    for (std::size_t i = 0; i < values; ++i) {
      if (!allows_(PointId(point), i)) continue;
      Reach together;
      for (std::uint32_t choice : choices)
        together.join(reach(provenance_.node(Value::node(NodeId(choice))).children()[i]));
      most = std::max(most, count(together));
    }
    most_[point] = {choices.size(), most};
    return most;
  }

  const Provenance& provenance_;
  const Allows& allows_;
  std::unordered_map<std::uint32_t, Reach> reaches_;                             // by node
  std::unordered_map<std::uint32_t, std::set<std::uint32_t>> choices_;           // by point: nodes
  std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> most_;  // by point: of how many choices
  std::size_t elements_ = 0;
  bool is_too_large_ = false;
};

bool NeededElements::may_be_met(const Allows& allows) const {
  MostElements most(problem_.provenance, allows);
  DegreeBounds degrees(problem_.provenance, allows);
  DistinctElements distinct(problem_.provenance, allows);
  return std::ranges::all_of(needs_,
                             [&](const Need& need) {
                               return most.meets(need) &&
                                      (!need.degrees || degrees.of(need.actual).contains(*need.degrees));
                             }) &&
         std::ranges::all_of(needs_, [&](const Need& need) { return distinct.meets(need); });  // takes longer
}

}  // namespace swizzle
