// Live nodes: those of a selection network that some demand may still come from.
//
//   demand node 2 at M (0: node 1, 1: x[0].0), node 1 at D (0: x[1].0, 1: x[2].0)
//     uses     node 2: 1, by the demand     node 1: 1, by node 2
//     M = 1    node 1 has no use left, and what it may come out as matters to nobody
//
// Uses are counted as references are in memory; of a choice those by values that are left. What is dead does not come
// to life before undo().
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "synth/bits/selection_network.h"
#include "synth/tables/domains.h"

namespace swizzle {

class LiveNodes {
 public:
  LiveNodes(const SelectionNetwork& network, Domains& domains) : network_(network), domains_(domains) {
    counted_.resize(domains.points() * domains.words());
    for (std::size_t p = 0; p < domains.points(); ++p)
      std::copy_n(domains.values(PointId(p)), domains.words(), counted_at(PointId(p)));
    uses_.assign(network.nodes.size(), 0);
    for (const SelectionNetwork::Demand& demand : network.demands) use(demand.actual);
    for (auto n = static_cast<std::uint32_t>(network.nodes.size()); n-- > 0;)  // its uses are counted by now
      if (uses_[n] > 0) for_each_part(n, [&](SelectionNetwork::Reference r) { use(r); });
  }

  bool contains(std::uint32_t node) const { return uses_[node] > 0; }

  // After values went (Domains::changed()): what they referred to loses these uses.
  void release_excluded() {
    for (const PointId point : domains_.changed()) {
      Word* const counted = counted_at(point);
      const Word* const left = domains_.values(point);
      if (std::equal(left, left + domains_.words(), counted)) continue;
      recounted_.push_back(point);
      former_.insert(former_.end(), counted, counted + domains_.words());
      gone_.assign(counted, counted + domains_.words());
      for (std::size_t w = 0; w < gone_.size(); ++w) gone_[w] &= ~left[w];
      std::copy_n(left, domains_.words(), counted);
      choices_.clear();  // what is dead by now has given up what it referred to
      for (const std::uint32_t n : network_.nodes_at[point.value])
        if (contains(n)) choices_.push_back(n);
      for (const std::uint32_t n : choices_) for_each_value(gone_.data(), n, [&](auto r) { release(r); });
    }
  }

  // What undo() goes back to.
  struct Mark {
    std::size_t released, recounted;
  };
  Mark mark() const { return {released_.size(), recounted_.size()}; }
  void undo(Mark mark) {
    for (; released_.size() > mark.released; released_.pop_back()) ++uses_[released_.back()];
    for (; recounted_.size() > mark.recounted; recounted_.pop_back()) {
      const std::size_t first = former_.size() - domains_.words();
      std::copy_n(&former_[first], domains_.words(), counted_at(recounted_.back()));
      former_.resize(first);
    }
  }

 private:
  using Word = Domains::Word;
  using Reference = SelectionNetwork::Reference;

  Word* counted_at(PointId point) { return &counted_[point.value * domains_.words()]; }
  void use(Reference r) {
    if (r.is_node()) ++uses_[r.node()];
  }

  void release(Reference r) {
    if (!r.is_node()) return;
    released_.push_back(r.node());
    if (--uses_[r.node()] == 0) for_each_part(r.node(), [&](Reference part) { release(part); });
  }

  template <typename F>
  void for_each_part(std::uint32_t n, F&& f) {
    const SelectionNetwork::Node& node = network_.nodes[n];
    if (node.kind == SelectionNetwork::Kind::kChoice) return for_each_value(counted_at(node.point), n, f);
    for (std::uint32_t i = 0; i < node.count; ++i) f(network_.references[node.first + i]);
  }
  template <typename F>
  void for_each_value(const Word* values, std::uint32_t choice, F&& f) {
    const std::uint32_t first = network_.nodes[choice].first;
    for (std::size_t w = 0; w < domains_.words(); ++w)
      for (Word left = values[w]; left != 0; left &= left - 1)
        f(network_.references[first + w * Domains::kBits + static_cast<std::size_t>(std::countr_zero(left))]);
  }

  const SelectionNetwork& network_;
  Domains& domains_;
  std::vector<std::uint32_t> uses_;      // by node
  std::vector<std::uint32_t> released_;  // nodes that lost a use, one after the other
  std::vector<Word> counted_;            // by point, words: the values whose uses are counted
  std::vector<PointId> recounted_;       // points of which this changed, one after the other,
  std::vector<Word> former_;             // and what it was
  std::vector<Word> gone_;
  std::vector<std::uint32_t> choices_;
};

}  // namespace swizzle
