#include "synth/trials/copied_values.h"

#include <algorithm>
#include <set>
#include <utility>

namespace swizzle {

CopiedValues::CopiedValues(const TrialGraph& graph) : first_(graph.steps().size()), wanted_(graph.steps().size()) {
  if (!graph.has_plain_goals()) return;
  first_ = graph.copies_from();
  selected_from_ = graph.selects_from();
  find_starts(graph);
  find_wanted(graph);
}

void CopiedValues::find_starts(const TrialGraph& graph) {
  std::set<std::size_t> before;
  for (std::size_t s = 0; s < graph.steps().size(); ++s) {
    const bool is_new = s >= first_ && s > 0 && graph.may_part_at(s) &&
                        std::all_of(graph.steps().begin() + static_cast<std::ptrdiff_t>(s), graph.steps().end(),
                                    [&](const TrialStep& later) { return before.count(later.hole.value) == 0; });
    if (is_new) starts_.push_back(s);
    before.insert(graph.steps()[s].hole.value);
  }
}

void CopiedValues::find_wanted(const TrialGraph& graph) {
  const std::vector<TrialWanted> all = graph.wanted();
  for (std::size_t s = selected_from_ > 0 ? selected_from_ - 1 : 0; s + 1 < graph.steps().size(); ++s) {
    Wanted& wanted = wanted_[s];
    for (const TrialWanted& w : all)
      if (w.last > s && w.at_hand_until <= s + 1)
        wanted.numbers.emplace(w.value, static_cast<std::uint32_t>(wanted.numbers.size()));
    wanted.seen.assign(wanted.numbers.size(), 0);
  }
}

bool CopiedValues::are_kept(TrialGraph& graph, std::size_t step) {
  if (computes(step + 1)) return may_come(graph, step + 1);
  Wanted& wanted = wanted_[step];
  if (wanted.numbers.empty()) return true;
  wanted.begin();
  graph.each_left(step, [&](std::uint64_t value, std::size_t behind) {
    wanted.see(value);
    return wanted.missing > 0 && wanted.missing <= behind;
  });
  return wanted.missing == 0;
}

bool CopiedValues::may_come(TrialGraph& graph, std::size_t up_to) {
  Wanted& wanted = wanted_[selected_from_ - 1];
  if (wanted.numbers.empty()) return true;
  wanted.begin();
  for (TrialGraph::Index node : graph.frontier_[selected_from_ - 1]) {
    if (wanted.missing == 0) return true;
    if (is_known(graph, node, up_to)) {
      const TrialGraph::Number& n = graph.number(node);
      if (n.is_defined) wanted.see(graph.compared(n.bits));
      continue;
    }
    if (!find_path(graph, node, up_to)) return true;  // it may be anything
    each_by_path(graph, [&](std::uint64_t value) { wanted.see(value); });
  }
  return wanted.missing == 0;
}

// What later steps chose the last time is of no account.
bool CopiedValues::is_known(TrialGraph& graph, TrialGraph::Index node, std::size_t up_to) {
  return graph.nodes_[node].level <= up_to && graph.number(node).is_known;
}

// Whether one open choice among what is known is all that the node hangs on.
bool CopiedValues::find_path(TrialGraph& graph, TrialGraph::Index node, std::size_t up_to) {
  path_ = {node};
  const auto is_open = [&](TrialGraph::Index i) { return !is_known(graph, i, up_to); };
  while (true) {
    const TrialGraph::Node& n = graph.nodes_[path_.back()];
    const auto operands = KnownValues::operands_of(graph, path_.back());
    if (n.kind == TrialGraph::Kind::kChoice) {
      const TrialGraph::Place place = graph.places_[n.tag];
      const std::int16_t* table = place.step < up_to ? graph.tables_[place.step] : nullptr;
      if (table == nullptr) return std::ranges::none_of(operands, is_open);
      path_.push_back(operands[static_cast<std::size_t>(table[place.position])]);
      continue;
    }
    const auto open = std::ranges::find_if(operands, is_open);
    if (open == operands.end()) return false;
    if (std::any_of(open + 1, operands.end(), [&](TrialGraph::Index i) { return i != *open && is_open(i); }))
      return false;
    path_.push_back(*open);
  }
}

// What the node comes to for each value of the choice: computed on the spot, and forgotten.
template <typename Each>
void CopiedValues::each_by_path(TrialGraph& graph, Each&& each) {
  const TrialGraph::Index choice = path_.back();
  std::vector<TrialGraph::Number> before;
  for (TrialGraph::Index node : path_) before.push_back(graph.number(node));
  for (TrialGraph::Index one : KnownValues::operands_of(graph, choice)) {
    graph.numbers_[choice] = graph.number(one);
    for (auto at = path_.rbegin() + 1; at != path_.rend(); ++at) graph.numbers_[*at] = graph.compute(graph.nodes_[*at]);
    const TrialGraph::Number& result = graph.numbers_[path_.front()];
    if (result.is_known && result.is_defined) each(graph.compared(result.bits));
  }
  for (std::size_t i = 0; i < path_.size(); ++i) graph.numbers_[path_[i]] = before[i];
}

bool CopiedValues::may_be_kept(const TrialGraph& graph, std::size_t step) {
  met_.resize(graph.nodes_.size(), 0);
  if (++now_ == 0) std::ranges::fill(met_, now_++);
  std::size_t missing = wanted_[step].numbers.size(), behind = graph.frontier_[step].size();
  for (TrialGraph::Index node : graph.frontier_[step]) {
    if (missing == 0 || missing > behind--) break;
    if (std::exchange(met_[graph.source_of(node)], now_) != now_) --missing;
  }
  return missing == 0;
}

bool CopiedValues::are_soon_counted(const TrialGraph& graph, std::size_t step) const {
  const auto moves_once = [&](TrialGraph::Index node) {
    const TrialGraph::Node& n = graph.nodes_[node];
    const auto first = graph.operands_.begin() + n.first;
    return n.level <= step ||
           std::all_of(first, first + n.count, [&](TrialGraph::Index of) { return graph.nodes_[of].level < n.level; });
  };
  return !wanted_[step].numbers.empty() && std::ranges::all_of(graph.frontier_[step], moves_once);
}

}  // namespace swizzle
