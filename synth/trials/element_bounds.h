// ElementBounds: how many of an output's elements a value may still come to have, over all that is open.
//
// Two steps on 4 lanes, v += P ? shuffle(v, Q) : 0; then y[l] = shuffle(v, R), which is to be x[0] + … + x[l]:
//   P false everywhere in the first   a value has two elements at most in the end, and y[3] needs four: refuted
//   lane 1 adds what it has itself    no output has x[1] twice; so nothing that has x[1] alone, or with x[0], is to
//   come
//                                     for y[1], whatever R is: refuted
//
// By node and output: of a value that is known, how many elements it has, if all of them are the output's; a choice
// that is open has the most of what it is among, and a sum has what its terms have together. Sums can only grow; so
// these bounds hold whatever the later steps are, and each open point is taken to be one of its own for each node.
//
// Besides, where no element may be there twice, an output is made of different values. Three steps on 8 lanes, every
// lane the sum of all: of four values that there are after the first one, and if only three of them have two elements,
// no output has eight.
//
// Private to synth/trials/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/trials/known_values.h"

namespace swizzle {

class TrialGraph;

class ElementBounds {
 public:
  using Index = std::uint32_t;  // of the graph's nodes
  using Elements = std::array<std::uint64_t, 2>;
  struct Need {
    Elements once{}, twice{};
    friend bool operator==(const Need&, const Need&) = default;
  };

  // An output is made by the node, and has no other elements; if each: all of these.
  void need(Index node, const Need& need, bool each);
  // Once the graph has all its nodes. may_vanish: by node, products which may have a factor 0.
  void complete(const TrialGraph& graph, std::vector<char> may_vanish);
  // Of the steps of the graph up to this one as they are, the later ones open. False: some output cannot be made.
  bool stands(TrialGraph& graph, std::size_t step);

 private:
  static constexpr std::size_t kLanes = 32;  // needs are gone through so many at once
  using Count = std::uint8_t;                // of elements, from kNone on
  static constexpr Count kUnfit = 0, kNone = 1, kMost = 255;
  using Block = std::array<Count, kLanes>;
  struct Output {
    Index node;
    std::uint32_t need;
    Count least;
  };
  struct Known {  // a number of the graph
    Elements once, twice;
  };

  struct OtherElements {  // than each output of a block needs
    std::array<std::array<std::uint64_t, kLanes>, 2> once{}, twice{};
  };

  static Block filled(Count count);
  static Count count(const Elements& elements);
  bool are_enough(TrialGraph& graph);
  bool are_enough(const Output& output, std::uint32_t most) const;
  const Block* bound(TrialGraph& graph, Index node);
  void bound_number(const Known& number, Block* bounds) const;
  void bound_choice(TrialGraph& graph, Index node, Block* bounds);
  void bound_open_choice(TrialGraph& graph, Index node);
  void bound_sum(TrialGraph& graph, Index node, Block* bounds);
  const Block* bound_term(TrialGraph& graph, Index term, const Elements& others);
  Elements certain_elements(TrialGraph& graph, Index node) const;
  void raise_without_clash(TrialGraph& graph, Index term, const Elements& others);
  Known known_operands(TrialGraph& graph, Index node) const;
  void raise(Block* bounds, const Block* to) const;
  void add(Block* bounds, const Block* more) const;
  Block* of(Index node) { return bounds_.data() + node * blocks_; }

  std::vector<Need> needs_;
  std::vector<OtherElements> others_;  // by block of needs
  std::vector<Output> outputs_;
  std::vector<char> may_vanish_;
  KnownValues known_;
  std::uint16_t last_sum_ = 0;                         // no sum, and no set, has a higher level
  std::vector<Block> bounds_;                          // by node, and block of needs
  std::vector<Block> open_bounds_;                     // the same, of choices that are open, by the first that is alike
  std::vector<std::uint32_t> made_at_, open_made_at_;  // by node: for which question
  std::vector<Block> without_clash_;                   // of a term
  std::size_t blocks_ = 0;
  std::uint32_t now_ = 0;
  std::uint16_t level_ = 0;  // nodes of higher levels are open
  bool counts_twice_ = true, any_twice_ = false;
};

}  // namespace swizzle
