// OrderBounds: between what numbers a value must be for outputs that are minima, maxima and choices of it, over all
// that is still open.
//
//   the last step of a sorting network, v = C ? max(v, w) : min(v, w), w of lane l ^ 1, and these are decided: lanes 0
//   and 1 are to be 3 and 5
//     lane 0 the minimum, lane 1 the maximum     before the step, each of both is from 3 to 5
//     lane 0 the maximum, lane 1 the minimum     at most 3 and at least 5: refuted, whatever comes before
//
// Where the tables that are decided are asked again by later steps, the last steps are known before those in between.
//
// Private to synth/trials/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/trials/known_values.h"
#include "synth/trials/trial_node.h"

namespace swizzle {

class TrialGraph;

class OrderBounds {
 public:
  using Index = std::uint32_t;  // of the graph's nodes

  // Once the graph has all its nodes and goals.
  void complete(const TrialGraph& graph);
  // Of the steps of the graph up to this one as they are, the later ones open. False: some output cannot be made.
  bool stands(TrialGraph& graph, std::size_t step);

 private:
  struct Bounds {
    std::int64_t low, high;
    std::uint32_t at = 0;  // for which question
  };

  struct Known {
    std::int64_t key;
    bool is_word, is_neutral;
  };

  std::int64_t key(std::uint64_t bits) const;
  std::optional<Known> number_of(TrialGraph& graph, Index node) const;
  bool bound(TrialGraph& graph, Index node, std::int64_t low, std::int64_t high);
  bool pass_on(TrialGraph& graph, Index set);

  std::vector<TrialGoal> outputs_;
  Scalar scalar_ = Scalar::kI32;  // of all that is compared
  KnownValues known_;
  std::vector<char> is_set_;         // by node: a minimum or a maximum, as outputs are compared
  std::vector<Bounds> bounds_;       // by node
  std::vector<std::uint64_t> open_;  // by node, a bit: its bounds are to be passed on
  std::vector<Index> sources_;       // of the operands of the node at hand
  std::uint32_t now_ = 0;
};

}  // namespace swizzle
