// InputBounds: how many of the inputs that an output was seen to depend on may still reach it, whatever the operations
// are.
//
// Two steps on 4 lanes, g |= p & shuffle(g, P), p &= shuffle(p, P), then the same by Q; y[3] is to depend on the 8
// inputs of all lanes:
//   P(2) = 2, P(3) = 3     after the first step g and p of these lanes depend on two inputs each, for each lane its
//   own;
//                          Q brings lane 3 what one lane has, four at most: six are too few
//
// Of a value that is known, the inputs are (TrialNumber); of an open choice among many, those that one of them has at
// most; and what several choices by one point bring, they bring together.
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

class InputBounds {
 public:
  using Index = std::uint32_t;  // of the graph's nodes
  using Inputs = std::array<std::uint64_t, 2>;

  // An output is made by the node, and depends on these.
  void need(Index node, const Inputs& inputs);
  // Once the graph, which tells inputs, has all its nodes.
  void complete(const TrialGraph& graph);
  // Of the steps of the graph up to this one as they are, the later ones open. False: some output cannot be made.
  bool stands(TrialGraph& graph, std::size_t step);

 private:
  struct Output {
    Index node;
    Inputs inputs;
    std::size_t place;  // among the outputs
  };
  // What a value is made of: inputs, and what open points bring.
  struct Reach {
    Inputs inputs{};
    std::vector<std::uint32_t> points;  // sorted
    void join(const Reach& other);
    void clear();
  };

  template <typename T>
  struct Made {
    T made{};
    std::uint32_t at = 0;  // for which question
  };

  void note_choices(const TrialGraph& graph);
  const Reach& reach(TrialGraph& graph, Index node);
  void reach_open(TrialGraph& graph, Index node, Reach& reach);
  const Reach& brought(TrialGraph& graph, std::uint32_t point, std::size_t value);
  int most(TrialGraph& graph, std::uint32_t point, const Output& output);
  int count(TrialGraph& graph, const Reach& reach, const Output& output);

  std::vector<Output> outputs_;
  std::vector<std::uint32_t> alike_;         // by point: the first that chooses among the same
  std::vector<std::vector<Index>> choices_;  // by point, of those
  KnownValues known_;
  std::vector<Made<Reach>> reaches_;               // by node
  std::vector<std::vector<Made<Reach>>> brought_;  // by point, by value
  std::vector<std::vector<Made<int>>> most_;       // by point, by output
  std::uint32_t now_ = 0, refuted_ = 0;            // questions
};

}  // namespace swizzle
