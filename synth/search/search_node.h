// A node of the search: the tables chosen so far and, of each hole that is open, the cheapest tables that propagation
// leaves it.
//
//   ?sw_part(2, lane), ?sw_xform(4, lane) on 4 lanes   {}                    open: part from rank 0, xform from rank 0
//     part = 0101 is tried                             {part = 0101}         open: xform from rank 0
//     and then it costs more                           {}                    open: part above its rank, xform
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "synth/search/cost_classes.h"

namespace swizzle {

struct HoleState {
  std::size_t hole;
  double from = 0;            // no table of a lower rank is to be tried any more
  std::size_t cheaper = 0;    // tables of lower ranks, at most
  double least = 0;           // no table that is left has a lower price, as `next` was found
  std::size_t looseness = 0;  // Σ over points of the values left, when `next` was found
  std::shared_ptr<const CostClass> next = {};
  std::shared_ptr<const std::map<std::vector<std::int16_t>, double>> tried = {};  // price, by values where it was asked
  bool kept = false;                                                              // `next` is all there is to try
};

using ChosenTables = std::vector<std::pair<std::size_t, std::shared_ptr<const HoleTable>>>;  // by hole

// A place in the search tree to go on from: the tables chosen so far and what is left to try.
struct SearchNode {
  double bound;
  ChosenTables chosen;
  std::vector<HoleState> open;
};

}  // namespace swizzle
