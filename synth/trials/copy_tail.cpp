#include "synth/trials/copy_tail.h"

#include <algorithm>
#include <queue>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

constexpr std::uint64_t kLow = 0xffffffffull;

}  // namespace

CopyTail::CopyTail(const TrialGraph& graph, std::size_t first)
    : graph_(graph),
      first_(first),
      rank_(graph.steps().size(), kNone),
      demand_(graph.nodes_.size()) {
  std::vector<Index> asked;
  for (std::size_t s = first; s < graph.goals_.size(); ++s)
    for (const TrialGraph::Goal& goal : graph.goals_[s]) {
      asked.push_back(goal.actual);
      expected_.push_back(graph.compared(goal.expected.bits));
      expected_word_.push_back(scrambled(expected_.back()));
    }
  demanded_.push_back(asked);
  std::vector<bool> seen(graph.nodes_.size(), false);
  for (std::size_t i = 0; i < asked.size(); ++i) {  // outputs first
    const TrialGraph::Node& node = graph.nodes_[asked[i]];
    if (seen[asked[i]] || node.level <= first) continue;
    seen[asked[i]] = true;
    const std::size_t step = graph.places_[node.tag].step;
    if (step >= first && rank_[step] == kNone) {
      const HoleId hole = graph.steps()[step].hole;
      for (std::size_t s = first; s < rank_.size(); ++s)
        if (graph.steps()[s].hole == hole) rank_[s] = holes_.size();
      holes_.push_back(hole);
    }
    const auto operands = graph.operands_.begin() + node.first;
    asked.insert(asked.end(), operands, operands + node.count);
  }
  for (std::size_t s = first; s < rank_.size(); ++s)
    if (rank_[s] == kNone) {  // of a hole that no output asks for
      rank_[s] = holes_.size();
      holes_.push_back(graph.steps()[s].hole);
    }
  for (std::size_t i = 0; i < graph.nodes_.size(); ++i) {
    const TrialGraph::Node& node = graph.nodes_[i];
    word_.push_back(scrambled(i));
    const bool is_moved = node.level > first && node.kind == TrialGraph::Kind::kChoice;
    chosen_by_.push_back(is_moved ? rank_[graph.places_[node.tag].step] : node.level == 0 ? kKnown : kNone);
  }
  moves_.assign(holes_.size(), std::vector<Move>(expected_.size()));
  demanded_.resize(holes_.size() + 1, std::vector<Index>(expected_.size()));
  chosen_now_.resize(holes_.size());
  values_.resize(holes_.size());
}

bool CopyTail::list(const std::vector<const TableTrie*>& tries, const Limits& limits) {
  limits_ = limits;
  looked_at_ = 0;
  least_left_out_ = std::numeric_limits<double>::infinity();
  chosen_.clear();
  combinations_.clear();
  groups_.clear();
  group_of_.clear();
  tries_.clear();
  std::size_t all = 1;
  for (HoleId hole : holes_) {
    tries_.push_back(tries[hole.value]);
    all = std::min(limits.most, all * tries_.back()->all().end);
  }
  combinations_.reserve(all);
  chosen_.reserve(all * holes_.size());
  least_behind_.assign(holes_.size() + 1, 0);
  for (std::size_t d = holes_.size(); d-- > 0;) least_behind_[d] = least_behind_[d + 1] + tries_[d]->least();
  return go_on(0, 0);
}

bool CopyTail::go_on(std::size_t depth, double cost) {
  if (depth == holes_.size()) return add(cost);
  const TableTrie& trie = *tries_[depth];
  start(depth);
  for (std::uint32_t t = 0; t < trie.all().end; ++t) {
    const double with = cost + trie.cost(t);
    if (const double least = with + least_behind_[depth + 1]; least > limits_.most_cost) {
      least_left_out_ = std::min(least_left_out_, least);
      continue;
    }
    if (++looked_at_ > limits_.most) return false;
    chosen_now_[depth] = t;
    if (follow(depth, trie.table(t)) && !go_on(depth + 1, with)) return false;
  }
  return true;
}

// What the hole of this depth moves, whatever its table is.
void CopyTail::start(std::size_t depth) {
  for (std::size_t g = 0; g < expected_.size(); ++g) {
    const Index at = demanded_[depth][g];
    const TrialGraph::Node& node = graph_.nodes_[at];
    moves_[depth][g] =
        chosen_by_[at] == depth ? Move{&graph_.operands_[node.first], graph_.places_[node.tag].position} : Move{};
  }
}

// What the outputs demand with one hole more. False: two values of one node, or another one than it has.
bool CopyTail::follow(std::size_t depth, const HoleTable& table) {
  values_[depth] = table.values.data();
  if (++now_ == 0) std::fill(demand_.begin(), demand_.end(), Demand{0, now_++});
  const std::vector<Index>& before = demanded_[depth];
  std::vector<Index>& after = demanded_[depth + 1];
  goals_now_.clear();
  for (std::size_t g = 0; g < before.size(); ++g) {
    const Move& move = moves_[depth][g];
    Index at = move.among ? move.among[values_[depth][move.position]] : before[g];
    while (chosen_by_[at] <= depth) {
      const TrialGraph::Node& node = graph_.nodes_[at];
      const std::int16_t* const values = values_[chosen_by_[at]];
      at = graph_.operands_[node.first + static_cast<std::size_t>(values[graph_.places_[node.tag].position])];
    }
    after[g] = at;
    if (chosen_by_[at] == kKnown) {
      const TrialGraph::Number& known = graph_.numbers_[at];
      if (!known.is_defined || graph_.compared(known.bits) != expected_[g]) return false;
    }
    Demand& demand = demand_[at];
    if (demand.since == now_) {
      if (demand.value != expected_[g]) return false;
      continue;
    }
    demand = {expected_[g], now_};
    if (chosen_by_[at] != kKnown) goals_now_.push_back(static_cast<std::uint32_t>(g));
  }
  return true;
}

void CopyTail::add_to(Key& key, Index node, std::uint64_t value_word) const {
  std::uint64_t word = (word_[node] ^ value_word) * 0xbf58476d1ce4e5b9ull;
  word ^= word >> 32;
  key[0] += word;
  key[1] += (word ^ (word >> 29)) * 0x9e3779b97f4a7c15ull;
}

// Calls each(number of the sample) for more and more nodes, until it says false.
template <typename Value, typename Each>
bool CopyTail::each_sample(const Group& group, Value&& value, Each&& each) {
  std::uint64_t hash = 0;
  std::size_t n = 0;
  return std::ranges::all_of(kSampled, [&](std::size_t end) {
    for (; n < std::min(end, group.nodes.size()); ++n) hash = scrambled(hash + value(group.nodes[n]));
    return each(scrambled(hash + end) % kSamples);
  });
}

bool CopyTail::add(double cost) {
  Key key{};
  std::uint64_t nodes = 0;
  const std::vector<Index>& demanded = demanded_.back();
  for (std::uint32_t g : goals_now_) {
    add_to(key, demanded[g], expected_word_[g]);
    nodes += word_[demanded[g]];
  }
  const auto [known, is_new] = group_of_.try_emplace(nodes, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) {
    if (groups_.size() == kMostGroups) return false;
    groups_.emplace_back();
    for (std::uint32_t g : goals_now_) groups_.back().nodes.push_back(demanded[g]);
  }
  Group& group = groups_[known->second];
  each_sample(
      group, [&](Index node) { return demand_[node].value; },
      [&](std::size_t sample) { return group.sampled[sample] = true; });
  if (group.slots.size() < 2 * (group.count + 1)) grow(group);
  std::uint64_t& slot = group.slots[slot_of(group, key)];
  if (slot != 0 && !limits_.keeps_all) {
    const std::size_t other = (slot & kLow) - 1;
    if (combinations_[other].cost <= cost) return true;
    combinations_[other].cost = cost;
    std::ranges::copy(chosen_now_, chosen_.begin() + static_cast<std::ptrdiff_t>(other * holes_.size()));
    return true;
  }
  combinations_.push_back({key, cost, slot == 0 ? kNone : static_cast<std::uint32_t>((slot & kLow) - 1)});
  if (slot == 0) ++group.count;
  slot = (key[0] & ~kLow) | combinations_.size();
  chosen_.insert(chosen_.end(), chosen_now_.begin(), chosen_now_.end());
  return true;
}

// Where the key is, or may be put.
std::size_t CopyTail::slot_of(const Group& group, const Key& key) const {
  const std::size_t mask = group.slots.size() - 1;
  std::size_t at = (key[0] >> 32) & mask;
  for (; group.slots[at] != 0; at = (at + 1) & mask)
    if ((group.slots[at] & ~kLow) == (key[0] & ~kLow) && combinations_[(group.slots[at] & kLow) - 1].key == key) break;
  return at;
}

void CopyTail::grow(Group& group) {
  std::vector<std::uint64_t> old(std::max<std::size_t>(64, 2 * group.slots.size()), 0);
  old.swap(group.slots);
  const std::size_t mask = group.slots.size() - 1;
  for (std::uint64_t slot : old) {
    if (slot == 0) continue;
    std::size_t at = (slot >> 32) & mask;
    while (group.slots[at] != 0) at = (at + 1) & mask;
    group.slots[at] = slot;
  }
}

bool CopyTail::may_find(TrialGraph& graph) const {
  const Scalar s = graph.compared_as();
  return std::ranges::any_of(groups_, [&](const Group& group) {
    return each_sample(
        group, [&](Index node) { return TrialGraph::compared(s, graph.number(node).bits); },
        [&](std::size_t sample) { return group.sampled[sample]; });
  });
}

void CopyTail::find(TrialGraph& graph, std::vector<Match>& matches) const {
  const Scalar s = graph.compared_as();
  for (const Group& group : groups_) {
    Key key{};
    bool is_defined = true;
    for (Index node : group.nodes) {
      const TrialGraph::Number& n = graph.number(node);
      is_defined = is_defined && n.is_defined;
      add_to(key, node, scrambled(TrialGraph::compared(s, n.bits)));
    }
    const std::uint64_t slot = group.slots[slot_of(group, key)];
    if (slot == 0 || !is_defined) continue;
    for (auto c = static_cast<std::uint32_t>((slot & kLow) - 1); c != kNone; c = combinations_[c].next)
      matches.push_back({combinations_[c].cost, &chosen_[c * holes_.size()]});
  }
  std::ranges::stable_sort(matches, {}, &Match::cost);
}

}  // namespace swizzle
