// CopyTail: the last holes of a chain that only copies, gone through from its end.
//
//   v = shuffle(v, P); v = shuffle(v, Q); v = shuffle(v, R) on 4 lanes, lane l to have x[3 - l]:
//     R(l) = l ^ 1           demands x[2] x[3] x[0] x[1] of what Q leaves
//     Q(l) = l & 2 and this  demand both x[2] and x[3] of lane 0 of what P leaves: refuted
//     Q(l) = l ^ 2 and this  demand x[0] x[1] x[2] x[3]: what P = l leaves
//
// Demands are looked up by what the steps before leave, so that of three shuffles with N tables each N² are gone
// through, not N³ (E. Horowitz, S. Sahni, Journal of the ACM 21, 1974).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/trials/table_trie.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

class CopyTail {
 public:
  // Of the steps from `first` on, which is one of CopiedValues::starts().
  CopyTail(const TrialGraph& graph, std::size_t first);

  struct Limits {
    double most_cost;  // of a combination
    std::size_t most;  // combinations that are looked at
    bool keeps_all;    // else, of those with the same demands, one of the cheapest
  };
  // Lists the combinations of one table of each hole. tries: by HoleId. False: there are too many.
  bool list(const std::vector<const TableTrie*>& tries, const Limits& limits);
  std::size_t looked_at() const { return looked_at_; }
  std::size_t size() const { return combinations_.size(); }  // of what is listed
  double least_left_out() const { return least_left_out_; }  // the cost of a combination beyond most_cost, at least

  const std::vector<HoleId>& holes() const { return holes_; }
  std::size_t first() const { return first_; }
  // Positions in the tries, by holes(), of what fits what the steps before left, the cheapest first.
  struct Match {
    double cost;
    const std::uint32_t* tables;
  };
  void find(TrialGraph& graph, std::vector<Match>& matches) const;
  // False: nothing does, as a few nodes show, which are all that is looked at.
  bool may_find(TrialGraph& graph) const;

 private:
  using Index = TrialGraph::Index;
  using Key = TrialGraph::State;
  struct Combination {
    Key key;
    double cost;
    std::uint32_t next;  // with the same demands; its tables are at its own place in chosen_
  };
  // Combinations that demand something of the same nodes.
  struct Group {
    std::vector<Index> nodes;
    std::vector<std::uint64_t> slots;  // the upper half of a key, and 1 + a position in combinations_; 0: free
    std::size_t count = 0;
    std::vector<bool> sampled = std::vector<bool>(kSamples, false);  // by hashes of what the first nodes are to have
  };
  // Of a goal whose demand the hole of some depth moves: to which of these nodes, its point at this position says.
  struct Move {
    const Index* among = nullptr;
    std::uint32_t position = 0;
  };
  struct Demand {
    std::uint64_t value = 0;
    std::uint32_t since = 0;  // valid if that is now_
  };
  static constexpr std::array<std::size_t, 2> kSampled{3, 8};  // nodes: of most places, few have to be looked at
  static constexpr std::size_t kSamples = std::size_t{1} << 22;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kKnown = kNone - 1;
  static constexpr std::size_t kMostGroups = 64;

  bool go_on(std::size_t depth, double cost);
  void start(std::size_t depth);
  bool follow(std::size_t depth, const HoleTable& table);
  bool add(double cost);
  void add_to(Key& key, Index node, std::uint64_t value_word) const;
  template <typename Value, typename Each>
  static bool each_sample(const Group& group, Value&& value, Each&& each);
  std::size_t slot_of(const Group& group, const Key& key) const;
  static void grow(Group& group);

  const TrialGraph& graph_;
  std::size_t first_;
  std::vector<HoleId> holes_;                 // in the order in which the outputs ask for them
  std::vector<std::size_t> rank_;             // by step: which of the holes
  std::vector<std::uint64_t> expected_;       // by goal
  std::vector<std::uint64_t> expected_word_;  // by goal: scrambled
  std::vector<std::uint64_t> word_;           // by node: scrambled
  std::vector<std::vector<Index>> demanded_;  // by depth, by goal
  std::vector<const TableTrie*> tries_;       // by depth
  std::vector<double> least_behind_;          // by depth: of the holes from there on
  std::vector<std::uint32_t> chosen_now_;     // by depth
  std::vector<const std::int16_t*> values_;   // by depth
  std::vector<std::uint32_t> chosen_by_;      // by node: which of the holes; kKnown: no step, kNone: those before
  std::vector<std::vector<Move>> moves_;      // by depth, by goal
  std::vector<Demand> demand_;                // by node
  std::vector<std::uint32_t> goals_now_;      // those which are the first to demand something of their node
  std::uint32_t now_ = 0;
  Limits limits_{};
  std::size_t looked_at_ = 0;
  double least_left_out_ = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> chosen_;
  std::vector<Combination> combinations_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> group_of_;  // by hash of the nodes
};

}  // namespace swizzle
