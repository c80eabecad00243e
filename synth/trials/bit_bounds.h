// BitBounds: bits that an output has already, or can no longer get, where words are joined by `&`, `|` and `^`.
//
//   g |= p & shuffle(g, P), then the same by Q, P decided
//     a bit of g that is 1 after the first step is 1 in the end, whatever Q is: refuted where the output has 0 there
//
// Of an open choice between two, the bits that both have alike are known.
//
// Private to synth/trials/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/trials/known_values.h"
#include "synth/trials/trial_node.h"

namespace swizzle {

class TrialGraph;

class BitBounds {
 public:
  using Index = std::uint32_t;  // of the graph's nodes

  // Whether some word whose bits are joined by `&` or `|` is open.
  static bool joins_bits(const TrialGraph& graph);
  // Once the graph has all its nodes and goals.
  void complete(const TrialGraph& graph);
  // Of the steps of the graph up to this one as they are, the later ones open. False: some output cannot be made.
  bool stands(TrialGraph& graph, std::size_t step);

 private:
  struct Bits {
    std::uint64_t ones = 0, zeros = 0;  // that are known to be; both of what is not defined
  };
  struct Made {
    Bits bits;
    std::uint32_t at = 0;  // for which question
  };

  Bits bits(TrialGraph& graph, Index node);
  Bits bits_of_open(TrialGraph& graph, Index node);
  static bool is_bitwise(const TrialNode& node);
  static void join(const TrialNode& node, Bits& all, Bits operand);

  std::vector<TrialGoal> outputs_;
  KnownValues known_;
  std::vector<Made> made_;  // by node
  std::uint32_t now_ = 0;
};

}  // namespace swizzle
