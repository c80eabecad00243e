// The end of a TrialGraph where values are only chosen among.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "synth/trials/all_stand.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

Scalar TrialGraph::compared_as() const {
  for (const auto& goals : goals_)
    for (const Goal& g : goals)
      if (!g.is_requirement) return g.scalar;
  return Scalar::kI32;
}

bool TrialGraph::has_plain_goals() const {
  if (on_doubles_) return false;  // the same number comes in several roundings
  const Scalar scalar = compared_as();
  return tells_outputs_apart_ && std::ranges::all_of(goals_, [&](const std::vector<Goal>& goals) {
           return std::ranges::all_of(
               goals, [&](const Goal& g) { return g.is_requirement || (g.scalar == scalar && g.expected.is_defined); });
         });
}

// Behind the last step with which other nodes come, or with which something is required.
template <typename Chooses>
std::size_t TrialGraph::only_from(Chooses&& chooses) const {
  std::size_t from = 0;
  for (const Node& node : nodes_)
    if (node.level > 0 && !chooses(node)) from = std::max<std::size_t>(from, node.level);
  for (std::size_t s = from; s < goals_.size(); ++s)
    if (std::ranges::any_of(goals_[s], &Goal::is_requirement)) from = s + 1;
  return from;
}

std::size_t TrialGraph::copies_from() const {
  return only_from([](const Node& node) { return node.kind == Kind::kChoice; });
}

std::size_t TrialGraph::selects_from() const {
  return only_from([&](const Node& node) { return is_one_of_its_operands(node); });
}

// As numbers are compared: nothing is cut off them, or made a real number.
bool TrialGraph::is_one_of_its_operands(const Node& node) const {
  if (node.kind == Kind::kChoice) return true;
  if (node.kind == Kind::kFunction) return node.tag == kOpaqueSelect;
  if (node.kind != Kind::kSet || node.ring == Ring::kOr) return false;
  const Scalar scalar = compared_as();
  const auto first = operands_.begin() + node.first;
  return node.is_real == is_real(scalar) && (node.is_real || bit_width(node.scalar) >= bit_width(scalar)) &&
         std::all_of(first, first + node.count, [&](Index i) { return nodes_[i].is_real == node.is_real; });
}

bool TrialGraph::may_part_at(std::size_t step) const {
  return std::ranges::all_of(nodes_,
                             [&](const Node& node) { return node.level <= step || places_[node.tag].step >= step; });
}

std::vector<TrialWanted> TrialGraph::wanted() const {
  const Scalar scalar = compared_as();
  std::map<std::uint64_t, TrialWanted> all;
  for (std::size_t s = 0; s < goals_.size(); ++s)
    for (const Goal& g : goals_[s]) {
      const std::uint64_t value = compared(scalar, g.expected.bits);
      all.insert_or_assign(value, TrialWanted{value, s, 0});
    }
  for (const Node& node : nodes_)
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Index operand = operands_[i];
      if (nodes_[operand].level != 0 || !numbers_[operand].is_defined) continue;
      const auto it = all.find(compared(scalar, numbers_[operand].bits));
      if (it != all.end()) it->second.at_hand_until = std::max<std::size_t>(it->second.at_hand_until, node.level);
    }
  std::vector<TrialWanted> wanted;
  for (const auto& [value, w] : all) wanted.push_back(w);
  return wanted;
}

bool TrialGraph::only_chooses_from(std::size_t step) const {
  if (on_doubles_) return false;
  const auto is_choice = [&](const Goal& goal) {
    const Node& node = nodes_[goal.actual];
    if (goal.is_requirement || !goal.expected.is_defined || node.kind != Kind::kChoice) return false;
    const auto first = operands_.begin() + node.first;
    return places_[node.tag].step >= step &&
           std::all_of(first, first + node.count, [&](Index i) { return nodes_[i].level <= step; });
  };
  for (std::size_t s = step; s < steps_.size(); ++s)
    if (!checks_[s].empty() || !std::ranges::all_of(goals_[s], is_choice)) return false;
  return true;
}

// What was chosen, as far as that is decided.
TrialGraph::Index TrialGraph::source_of(Index node) const {
  while (nodes_[node].kind == Kind::kChoice) {
    const Place place = places_[nodes_[node].tag];
    if (tables_[place.step] == nullptr) break;
    node = operands_[nodes_[node].first + static_cast<std::size_t>(tables_[place.step][place.position])];
  }
  return node;
}

bool TrialGraph::keeps_outputs_apart() const {
  std::map<std::pair<Index, Scalar>, std::uint64_t> wanted;
  for (const std::vector<Goal>& goals : goals_)
    for (const Goal& goal : goals) {
      if (goal.is_requirement || !goal.expected.is_defined) continue;
      const std::uint64_t value = compared(goal.scalar, goal.expected.bits);
      if (wanted.try_emplace({source_of(goal.actual), goal.scalar}, value).first->second != value) return false;
    }
  return true;
}

bool TrialGraph::keep_wanted(std::size_t first_step, Domains& domains) {
  std::vector<Domains::Word> wanted(domains.words());
  const auto keeps = [&](const Goal& goal) {
    const Node& node = nodes_[goal.actual];
    const std::uint64_t expected = compared(goal.scalar, goal.expected.bits);
    std::ranges::fill(wanted, 0);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Number& n = number(operands_[node.first + i]);
      if (n.is_known && n.is_defined && compared(goal.scalar, n.bits) == expected)
        wanted[i / Domains::kBits] |= Domains::Word{1} << (i % Domains::kBits);
    }
    return domains.keep(PointId(node.tag), wanted.data());
  };
  return std::all_of(goals_.begin() + static_cast<std::ptrdiff_t>(first_step), goals_.end(),
                     [&](std::vector<Goal>& goals) { return all_stand(goals, keeps); });
}

}  // namespace swizzle
