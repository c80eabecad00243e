// Reach: which leaves each node of a selection network may still come out as, and what the demands make of it.
//
//   node 2 at M (0: node 1, 1: x[0].0), node 1 at D (0: x[1].0, 1: x[2].0), 4 lanes
//     reach    node 1 {x[1].0, x[2].0}, node 2 {x[0].0, x[1].0, x[2].0}
//     demand   node 2 = x[2].0: M = 1 does not reach it, so M is 0; then node 1 = x[2].0, so D is 1
//     forced   node 1 is x[2].0 for all who use it: another demand cannot have x[1].0 through it
//
// A value of a point goes when it keeps some demand from its leaf. Sets are over-approximations: no value of a
// completion ever goes (sound); that a demand is reached does not mean that all of them are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/bits/live_nodes.h"
#include "synth/bits/selection_network.h"
#include "synth/tables/domains.h"

namespace swizzle {

class Reach {
 public:
  Reach(const SelectionNetwork& network, Domains& domains);

  // Narrows the domains until nothing changes. The demand that cannot be fulfilled, if there is one.
  std::optional<std::size_t> propagate();

  // Points that demands ask next: undecided, and nothing above them is.
  const std::vector<PointId>& asked() const { return asked_; }
  // Some demand depends on a gate whose operands are undecided.
  bool waits_for_gates() const { return waits_; }
  // Some demand may still depend on the point.
  bool matters(PointId point) const;

  // What undo() goes back to: sets as propagate() left them.
  struct Mark {
    std::size_t domains, forced, sets, touched;
    LiveNodes::Mark live;
  };
  Mark mark() const { return {domains_.mark(), forced_nodes_.size(), replaced_.size(), touched_.size(), live_.mark()}; }
  void undo(Mark mark);
  void fix(PointId point, int value) { touch(point), domains_.fix(point, value); }

 private:
  using Word = std::uint64_t;
  using Reference = SelectionNetwork::Reference;
  // Leaves, and what else may come out: functions of several bits, which are no input bit and never 0 or 1
  // (disjunctions, conjunctions, others of AND and OR), or anything.
  using More = unsigned char;
  enum : More { kNone = 0, kOrs = 1, kAnds = 2, kMixed = 4, kFunctions = 7, kAnything = 8 };
  struct Set {
    const Word* words = nullptr;
    More more = kNone;
  };

  void touch(PointId point);
  void touch(std::uint32_t node);
  void refresh();
  bool recompute(std::uint32_t node);
  void unite(const SelectionNetwork::Node& choice);
  void keep_forced(std::uint32_t node);
  void force(std::uint32_t node, std::uint32_t leaf);
  Set set_of(Reference r, std::uint32_t component, std::vector<Word>& scratch) const;
  static More functions_of(SelectionNetwork::Kind kind, const Set& a, bool bits_a, const Set& b, bool bits_b);
  void gate(SelectionNetwork::Kind kind, Set a, Set b, std::uint32_t component);
  More more_of(const Set& s, std::uint32_t component) const;
  More more_of(Reference r, std::uint32_t component) const;
  bool is_plain(std::uint32_t component, std::uint32_t leaf) const;
  bool may_be(Reference r, std::uint32_t component, std::uint32_t leaf) const;
  bool demand(Reference r, std::uint32_t component, std::uint32_t leaf);
  bool demand_either(Reference r, std::uint32_t component, std::uint32_t leaf, SelectionNetwork::Kind gate);
  template <typename F>
  bool keep_values(const SelectionNetwork::Node& node, F&& may_stay, Reference& next);
  // The leaves of its bits, if it is a disjunction that an OR may be, or a conjunction that an AND may be.
  const std::vector<std::uint32_t>* parts_of(std::uint32_t component, std::uint32_t leaf, SelectionNetwork::Kind) const;
  bool demand_parts(const SelectionNetwork::Node& node, std::uint32_t leaf, const std::vector<std::uint32_t>& parts);
  bool demand_within(Reference r, std::uint32_t component, std::uint32_t leaf, SelectionNetwork::Kind gate);
  bool demand_of_gate(const SelectionNetwork::Node& node, std::uint32_t leaf);
  void ask(Reference r, int depth);
  bool is_only(Reference r, std::uint32_t component, std::uint32_t leaf) const;

  const SelectionNetwork& network_;
  Domains& domains_;
  std::vector<std::size_t> words_;   // by component
  std::vector<std::size_t> offset_;  // by node
  std::vector<Word> sets_;
  std::vector<More> more_;           // by node
  LiveNodes live_;                   // of which alone sets are computed
  std::vector<std::uint32_t> open_;  // nodes that depend on any points
  std::vector<Word> dirty_;          // nodes, as bits, whose sets are not as their parts are
  std::vector<Word> made_;
  mutable std::vector<Word> scratch_[2];
  More made_more_ = kNone;
  std::vector<std::array<std::vector<Word>, 4>> leaves_;  // by component, SelectionNetwork::LeafKind
  std::vector<std::uint32_t> touched_;                    // nodes that became dirty, one after the other
  std::vector<std::uint32_t> replaced_;                   // nodes whose sets changed, one after the other,
  std::vector<Word> former_;                              // and what they were: words, and what else
  std::vector<PointId> asked_;
  std::vector<Domains::Word> allowed_;
  std::vector<std::uint32_t> forced_;        // by node: the leaf that a demand makes it, or kNoLeaf
  std::vector<std::uint32_t> forced_nodes_;  // one after the other
  std::vector<std::uint32_t> visited_;       // by node: the pass in which it was last demanded
  std::vector<std::uint32_t> limited_;       // by node: likewise, by demand_either() and demand_within()
  std::uint32_t pass_ = 0;
  bool waits_ = false;
};

// Whatever the other demands ask: some choice may fulfil this one.
bool may_be_reached(const SelectionNetwork& network, std::size_t demand, const PointTable& points);

}  // namespace swizzle
