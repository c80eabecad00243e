#include "synth/trials/table_trie.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace swizzle {

TableTrie::TableTrie(const std::vector<const HoleTable*>& tables, const std::vector<double>& costs,
                     const std::vector<std::vector<std::size_t>>& steps) {
  std::vector<std::size_t> positions;
  for (const auto& step : steps) positions.insert(positions.end(), step.begin(), step.end());
  std::vector<std::uint32_t> order(tables.size());
  std::iota(order.begin(), order.end(), 0u);
  // How many positions, in the order of the steps, two tables have in common.
  const auto shared = [&](std::uint32_t a, std::uint32_t b) {
    std::size_t i = 0;
    while (i < positions.size() && tables[a]->values[positions[i]] == tables[b]->values[positions[i]]) ++i;
    return i;
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::size_t i = shared(a, b);
    if (i == positions.size()) return costs[a] < costs[b];
    return tables[a]->values[positions[i]] < tables[b]->values[positions[i]];
  });
  for (std::uint32_t t : order) {
    tables_.push_back(tables[t]);
    costs_.push_back(costs[t]);
  }
  size_ = tables_.size();
  least_ = std::accumulate(costs.begin(), costs.end(), std::numeric_limits<double>::infinity(),
                           [](double a, double b) { return std::min(a, b); });
  nodes_.assign(steps.size(), std::vector<Node>(order.size()));
  std::vector<std::size_t> ends;  // by step: positions up to it
  for (const auto& step : steps) ends.push_back((ends.empty() ? 0 : ends.back()) + step.size());
  for (std::size_t t = order.size(); t-- > 0;) {
    const std::size_t alike = t + 1 < order.size() ? shared(order[t], order[t + 1]) : 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const bool joins = t + 1 < order.size() && alike >= ends[s];
      Node& node = nodes_[s][t];
      node.end = joins ? nodes_[s][t + 1].end : t + 1;
      node.least = joins ? std::min(nodes_[s][t + 1].least, costs[order[t]]) : costs[order[t]];
    }
  }
}

bool TableTrie::fits(std::size_t points, int values) {
  return static_cast<double>(points) * std::log2(values) < std::numeric_limits<std::uint64_t>::digits;
}

TableTrie::TableTrie(int values, double cost, const std::vector<std::vector<std::size_t>>& steps)
    : values_(values),
      strides_(steps.size()),
      least_(cost) {
  for (const auto& step : steps) positions_.insert(positions_.end(), step.begin(), step.end());
  assert(fits(positions_.size(), values));
  size_ = 1;
  for (std::size_t s = steps.size(); s-- > 0;) {
    strides_[s] = size_;
    for (std::size_t i = 0; i < steps[s].size(); ++i) size_ *= static_cast<std::uint64_t>(values);
  }
  made_.values.resize(positions_.size());
}

const HoleTable& TableTrie::made(std::uint64_t at) const {
  for (std::size_t i = positions_.size(); i-- > 0; at /= static_cast<std::uint64_t>(values_))
    made_.values[positions_[i]] = static_cast<std::int16_t>(at % static_cast<std::uint64_t>(values_));
  return made_;
}

}  // namespace swizzle
