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
  Wanted& wanted = wanted_[step];
  if (wanted.numbers.empty()) return true;
  ++wanted.when;
  std::size_t missing = wanted.numbers.size();
  graph.each_left(step, [&](std::uint64_t value, std::size_t behind) {
    const auto it = wanted.numbers.find(value);
    if (it != wanted.numbers.end() && wanted.seen[it->second] != wanted.when) {
      wanted.seen[it->second] = wanted.when;
      --missing;
    }
    return missing > 0 && missing <= behind;
  });
  return missing == 0;
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
