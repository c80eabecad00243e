#include "synth/trials/input_bounds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "synth/trials/all_stand.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {
namespace {

constexpr std::size_t kFewChosenAmong = 2;  // of so many, all are taken together
constexpr int kEverything = 1 << 20;
constexpr std::uint32_t kEnough = 64, kSeldom = 16;  // questions, after which one in so many is to be refuted

int in_common(const InputBounds::Inputs& a, const InputBounds::Inputs& b) {
  return std::popcount(a[0] & b[0]) + std::popcount(a[1] & b[1]);
}

}  // namespace

void InputBounds::Reach::join(const Reach& other) {
  for (std::size_t w = 0; w < inputs.size(); ++w) inputs[w] |= other.inputs[w];
  for (std::uint32_t point : other.points)
    if (const auto at = std::ranges::lower_bound(points, point); at == points.end() || *at != point)
      points.insert(at, point);
}

void InputBounds::need(Index node, const Inputs& inputs) { outputs_.push_back({node, inputs, outputs_.size()}); }

void InputBounds::Reach::clear() {
  inputs = {};
  points.clear();
}

void InputBounds::complete(const TrialGraph& graph) {
  std::erase_if(outputs_, [](const Output& o) { return o.inputs == Inputs{}; });
  if (outputs_.empty()) return;
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i].place = i;
  known_.complete(graph);
  note_choices(graph);
  reaches_.resize(graph.nodes_.size());
}

void InputBounds::note_choices(const TrialGraph& graph) {
  choices_.resize(graph.places_.size());
  for (Index i = 0; i < graph.nodes_.size(); ++i)
    if (graph.nodes_[i].kind == TrialGraph::Kind::kChoice) choices_[graph.nodes_[i].tag].push_back(i);
  brought_.resize(choices_.size());
  most_.resize(choices_.size());
  std::map<std::vector<std::vector<Index>>, std::uint32_t> first;
  for (std::uint32_t point = 0; point < choices_.size(); ++point) {
    std::vector<std::vector<Index>> among;
    for (Index choice : choices_[point]) {
      const auto operands = KnownValues::operands_of(graph, choice);
      among.emplace_back(operands.begin(), operands.end());
    }
    alike_.push_back(first.try_emplace(std::move(among), point).first->second);
    if (alike_[point] != point || choices_[point].empty()) continue;
    brought_[point].resize(graph.nodes_[choices_[point].front()].count);
    most_[point].resize(outputs_.size());
  }
}

bool InputBounds::stands(TrialGraph& graph, std::size_t step) {
  if (outputs_.empty() || (now_ >= kEnough && refuted_ * kSeldom < now_)) return true;
  ++now_;
  known_.know_up_to(static_cast<std::uint16_t>(step + 1));
  const bool stand = all_stand(outputs_, [&](const Output& output) {
    return known_.is_known(graph, output.node) ||  // compared as a number
           count(graph, reach(graph, output.node), output) >= in_common(output.inputs, output.inputs);
  });
  if (!stand) ++refuted_;
  return stand;
}

int InputBounds::count(TrialGraph& graph, const Reach& reach, const Output& output) {
  const int needed = in_common(output.inputs, output.inputs);
  int all = in_common(reach.inputs, output.inputs);
  for (std::uint32_t point : reach.points)
    if (all < needed) all += most(graph, point, output);
  return std::min(all, needed);
}

const InputBounds::Reach& InputBounds::reach(TrialGraph& graph, Index node) {
  Made<Reach>& reach = reaches_[node];
  if (std::exchange(reach.at, now_) == now_) return reach.made;
  reach.made.clear();
  if (known_.is_known(graph, node)) reach.made.inputs = graph.number(node).once;
  else reach_open(graph, node, reach.made);
  return reach.made;
}

void InputBounds::reach_open(TrialGraph& graph, Index node, Reach& reach) {
  const TrialGraph::Node& n = graph.nodes_[node];
  if (const std::optional<Index> chosen = known_.chosen_by(graph, node)) return reach.join(this->reach(graph, *chosen));
  if (n.kind == TrialGraph::Kind::kChoice && n.count > kFewChosenAmong) return reach.points.push_back(n.tag);
  for (Index operand : KnownValues::operands_of(graph, node)) reach.join(this->reach(graph, operand));
}

// What all choices by the point, the first of its kind, have, if it is the value.
const InputBounds::Reach& InputBounds::brought(TrialGraph& graph, std::uint32_t point, std::size_t value) {
  Made<Reach>& all = brought_[point][value];
  if (std::exchange(all.at, now_) == now_) return all.made;
  all.made.clear();
  for (Index choice : choices_[point]) all.made.join(reach(graph, graph.operands_[graph.nodes_[choice].first + value]));
  return all.made;
}

int InputBounds::most(TrialGraph& graph, std::uint32_t point, const Output& output) {
  const std::uint32_t first = alike_[point];
  Made<int>& most = most_[first][output.place];
  if (std::exchange(most.at, now_) == now_) return most.made;
  most.made = kEverything;  // below itself, where several steps ask one point
  int made = 0;
  for (std::size_t value = 0; value < brought_[first].size(); ++value)
    made = std::max(made, count(graph, brought(graph, first, value), output));
  return most.made = made;
}

}  // namespace swizzle
