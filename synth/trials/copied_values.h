// CopiedValues: the end of a chain where nothing is computed any more, and values only go from place to place.
//
//   w = x + y; v = shuffle(w, P); v = shuffle(v, Q) on 4 lanes, outputs 7 8 9 7 (as numbers):
//     copied from     the step of P on
//     wanted          7, 8 and 9 after P, in some lane: P(l) = 0, which leaves one of them, is refuted at once
//
// Before that, of what is one choice away: w = x[l] + 2 * shuffle(x, P) + 3 * shuffle(x, Q), then v = shuffle(w, R), P
// decided and Q open. Each output must be the w of some lane by some value of Q.
//
// Minima, maxima and selections choose among values, too: a sorting network whose lanes 0 and 1 both take the minimum
// of the two has lost the maximum.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/trials/trial_graph.h"

namespace swizzle {

class CopiedValues {
 public:
  explicit CopiedValues(const TrialGraph& graph);

  // The steps with which a part of the chain may begin that only copies, and whose holes are asked in no step before.
  const std::vector<std::size_t>& starts() const { return starts_; }
  // False: some output wants a value that no node has any more that later steps ask for.
  bool are_kept(TrialGraph& graph, std::size_t step);
  // Whether the step, or a later one, computes what outputs choose among.
  bool computes(std::size_t step) const { return step < selected_from_; }
  // False: some output wants what none of that may come to, whatever the steps from up_to on are; before, some may be
  // open.
  bool may_come(TrialGraph& graph, std::size_t up_to);
  // False, as far as steps are decided: too few values are left after this one, whichever they are.
  bool may_be_kept(const TrialGraph& graph, std::size_t step);
  // Whether that is soon told: values that are wanted later go from choice to choice once in a step.
  bool are_soon_counted(const TrialGraph& graph, std::size_t step) const;

 private:
  struct Wanted {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;  // of the different values
    std::vector<std::uint32_t> seen;                           // by number: when
    std::uint32_t when = 0;
    std::size_t missing = 0;

    void begin() { ++when, missing = numbers.size(); }
    void see(std::uint64_t value) {
      const auto it = numbers.find(value);
      if (it != numbers.end() && std::exchange(seen[it->second], when) != when) --missing;
    }
  };
  void find_starts(const TrialGraph& graph);
  void find_wanted(const TrialGraph& graph);
  static bool is_known(TrialGraph& graph, TrialGraph::Index node, std::size_t up_to);
  bool find_path(TrialGraph& graph, TrialGraph::Index node, std::size_t up_to);
  template <typename Each>
  void each_by_path(TrialGraph& graph, Each&& each);

  std::size_t first_ = 0;          // the first step that only copies
  std::size_t selected_from_ = 0;  // the first one behind which values are only selected
  std::vector<Wanted> wanted_;     // by step; empty where that is not known
  std::vector<std::size_t> starts_;
  std::vector<TrialGraph::Index> path_;  // from a node to the open choice that it hangs on
  std::vector<std::uint32_t> met_;       // by node: when it was met as where a value comes from
  std::uint32_t now_ = 0;
};

}  // namespace swizzle
