#include "synth/trials/known_values.h"

#include <algorithm>
#include <map>

#include "synth/trials/trial_graph.h"

namespace swizzle {

void KnownValues::complete(const TrialGraph& graph) {
  std::map<std::vector<Index>, Index> first;
  alike_.resize(graph.nodes_.size());
  for (Index i = 0; i < graph.nodes_.size(); ++i) {
    if (graph.nodes_[i].kind != TrialGraph::Kind::kChoice) continue;
    const auto operands = operands_of(graph, i);
    std::vector<Index> among(operands.begin(), operands.end());
    std::ranges::sort(among);
    among.erase(std::unique(among.begin(), among.end()), among.end());
    alike_[i] = first.try_emplace(std::move(among), i).first->second;
  }
  for (auto* by_node : {&count_, &open_count_, &counted_at_, &open_counted_at_})
    by_node->assign(graph.nodes_.size(), 0);
}

std::span<const KnownValues::Index> KnownValues::operands_of(const TrialGraph& graph, Index node) {
  const TrialGraph::Node& n = graph.nodes_[node];
  return std::span(graph.operands_).subspan(n.first, n.count);
}

bool KnownValues::is_known(TrialGraph& graph, Index node) const {
  return graph.nodes_[node].level <= level_ && graph.number(node).is_known;
}

std::optional<KnownValues::Index> KnownValues::chosen_by(const TrialGraph& graph, Index node) const {
  const TrialGraph::Node& n = graph.nodes_[node];
  if (n.kind != TrialGraph::Kind::kChoice) return std::nullopt;
  const TrialGraph::Place place = graph.places_[n.tag];
  const std::int16_t* table = place.step < level_ ? graph.tables_[place.step] : nullptr;
  if (table == nullptr) return std::nullopt;
  return graph.operands_[n.first + static_cast<std::size_t>(table[place.position])];
}

KnownValues::Index KnownValues::source_of(const TrialGraph& graph, Index node) const {
  while (const auto chosen = chosen_by(graph, node)) node = *chosen;
  return node;
}

void KnownValues::count_anew(bool takes_sums) {
  takes_sums_ = takes_sums;
  ++counting_;
  values_.clear();
}

// What is known, or sums of such and of what is chosen among such; a function of what is open may be anything.
bool KnownValues::is_value(TrialGraph& graph, Index node) const {
  if (is_known(graph, node) || graph.nodes_[node].kind == TrialGraph::Kind::kFunction) return true;
  if (!takes_sums_ || graph.nodes_[node].kind != TrialGraph::Kind::kSum) return false;
  const auto is_near = [&](Index term) {
    while (!is_known(graph, term)) {  // by the first that there is to choose
      const TrialGraph::Node& n = graph.nodes_[term];
      if (n.kind != TrialGraph::Kind::kChoice) return false;
      term = chosen_by(graph, term).value_or(graph.operands_[n.first + n.count - 1]);
    }
    return true;
  };
  return std::ranges::all_of(operands_of(graph, node), is_near);
}

std::uint32_t KnownValues::count(TrialGraph& graph, Index node) {
  if (counted_at_[node] == counting_) return count_[node];
  counted_at_[node] = counting_;
  std::uint32_t& count = count_[node] = 0;
  if (is_value(graph, node)) {
    values_.push_back(node);
    return count = 1;
  }
  if (graph.nodes_[node].kind == TrialGraph::Kind::kChoice) {
    if (const std::optional<Index> chosen = chosen_by(graph, node)) return count = this->count(graph, *chosen);
    return count = count_open(graph, alike_[node]);
  }
  for (Index part : operands_of(graph, node)) count = std::min(kMost, count + this->count(graph, part));
  return count;
}

std::uint32_t KnownValues::count_open(TrialGraph& graph, Index node) {
  if (open_counted_at_[node] == counting_) return open_count_[node];
  open_counted_at_[node] = counting_;
  std::uint32_t most = 0;
  for (Index one : operands_of(graph, node)) most = std::max(most, count(graph, one));
  return open_count_[node] = most;
}

}  // namespace swizzle
