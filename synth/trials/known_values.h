// KnownValues: the values of a TrialGraph that the steps up to one decide, and which of them outputs are made of.
//
//   v += shuffle(v, P); v += shuffle(v, Q) on 4 lanes, P decided and Q open:
//     values          the four that P leaves, for lane 0 as for others: which of them Q brings is open
//     count(v[0])     two: its own, and the one that Q brings
//
// Private to synth/trials/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace swizzle {

class TrialGraph;

class KnownValues {
 public:
  using Index = std::uint32_t;  // of the graph's nodes

  // Once the graph has all its nodes.
  void complete(const TrialGraph& graph);
  // From now on, nodes of higher levels are open.
  void know_up_to(std::uint16_t level) { level_ = level; }

  static std::span<const Index> operands_of(const TrialGraph& graph, Index node);
  bool is_known(TrialGraph& graph, Index node) const;
  // Of a choice, what is chosen, if that is decided.
  std::optional<Index> chosen_by(const TrialGraph& graph, Index node) const;
  // The node, or what is chosen in its place, as far as that is decided.
  Index source_of(const TrialGraph& graph, Index node) const;
  // The first choice that is among the same.
  Index first_alike(Index choice) const { return alike_[choice]; }

  // Forgets the values that were counted. takes_sums: sums of what is known, and of what is chosen among such, are
  // values as well.
  void count_anew(bool takes_sums);
  // Of how many values a node is made at most; these join values().
  std::uint32_t count(TrialGraph& graph, Index node);
  const std::vector<Index>& values() const { return values_; }

 private:
  static constexpr std::uint32_t kMost = 1 << 16;

  std::uint32_t count_open(TrialGraph& graph, Index node);
  bool is_value(TrialGraph& graph, Index node) const;

  std::uint16_t level_ = 0;
  std::vector<Index> alike_;  // by node
  bool takes_sums_ = false;
  std::vector<Index> values_;
  std::vector<std::uint32_t> count_, open_count_;            // by node
  std::vector<std::uint32_t> counted_at_, open_counted_at_;  // by node: in which count
  std::uint32_t counting_ = 0;
};

}  // namespace swizzle
