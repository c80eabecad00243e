// SignedBounds: how many of an output's elements a value may still bring, with their signs, where values are added to
// and taken away from each other.
//
// Two steps on 4 lanes, v = P ? shuffle(v, Q) - v : v + shuffle(v, Q); then y[0] is to be x[0] + x[1] + x[2] + x[3]:
//   x[0] - x[1]        brings y[0] one element at most, as it is or with its signs turned
//   v[0] = that        after the first step; and any other v brings two: y[0] comes to three, and is refuted
//
// An element that y[0] has with a positive coefficient is in some term of the sum that it is, with a positive one there
// as well. So a sum brings no more elements than its terms do together, whatever cancels out. By node and output, with
// either sign; open points as in ElementBounds.
//
// Besides, an output has its elements of so many different values at most, and of each with one sign: of eight values
// with two elements each, those that fit an output of eight elements must be four at least, and have all eight.
//
// Private to synth/trials/.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "synth/trials/known_values.h"
#include "synth/trials/trial_number.h"

namespace swizzle {

class TrialGraph;

class SignedBounds {
 public:
  using Index = std::uint32_t;  // of the graph's nodes

  // An output is made by the node. number: what it is to be, in a graph that has signs.
  void need(Index node, const TrialNumber& number);
  // Once the graph has all its nodes.
  void complete(const TrialGraph& graph);
  // Of the steps of the graph up to this one as they are, the later ones open. False: some output cannot be made.
  bool stands(TrialGraph& graph, std::size_t step);

 private:
  static constexpr std::size_t kOutputs = 32;  // are gone through so many at once
  using Counts = std::array<std::uint8_t, kOutputs>;
  struct Gains {  // what outputs have of a value, and of the same with its signs turned
    Counts as_it_is{}, turned{};
  };
  struct Output {
    Index node;
    TrialNumber number;
    std::uint32_t place;  // among the outputs
    std::uint8_t least;
  };

  const Gains* gains(TrialGraph& graph, Index node);
  void gain_number(const TrialNumber& number, Gains* gains) const;
  void gain_choice(TrialGraph& graph, Index node, Gains* gains);
  void gain_open_choice(TrialGraph& graph, Index node);
  void gain_sum(TrialGraph& graph, Index node, Gains* gains);
  void gain_product(TrialGraph& graph, Index node, Gains* gains);
  void note_values(const TrialGraph& graph, std::size_t step);
  static std::uint32_t most_values(const TrialGraph& graph, Index node, std::size_t step,
                                   std::vector<std::uint32_t>& known);
  bool are_enough(TrialGraph& graph, std::size_t step);
  bool are_enough(TrialGraph& graph, const Output& output, std::size_t step) const;
  std::uint8_t gain_of(Index value, const Output& output) const;
  bool bring_all(TrialGraph& graph, const Output& output, std::size_t step, std::uint32_t least_gain) const;
  Gains* of(Index node) { return gains_.data() + node * blocks_; }
  Gains* of_open(Index choice) { return open_gains_.data() + choice * blocks_; }

  std::vector<Output> outputs_;
  std::vector<Gains> of_element_;  // with a positive coefficient, by element, and block of outputs
  KnownValues known_;
  std::vector<std::vector<Index>> values_;             // by step: that are known then, and asked for later
  std::vector<std::vector<std::uint32_t>> most_made_;  // by step, by place: of how many of them at most
  std::vector<Gains> gains_;                           // by node, and block of outputs
  std::vector<Gains> open_gains_;                      // the same, of choices that are open, by the first that is alike
  std::vector<std::uint32_t> made_at_, open_made_at_;  // by node: for which question
  std::size_t blocks_ = 0;
  std::uint32_t now_ = 0;
  std::uint16_t level_ = 0;  // nodes of higher levels are open
};

}  // namespace swizzle
