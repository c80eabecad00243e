// TableTrie: the tables of a hole by what they are at one step after the other.
//
//   ?sw_xor(lane, 4, k) on 4 lanes, k = 0 at the first step and k = 1 at the second:
//     first step    1032 | 2301              tables that begin alike stand side by side,
//     second step   1032 2301 | 3210 …       so that a prefix is decided once for all of them
#pragma once

#include <cstdint>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

class TableTrie {
 public:
  struct Range {
    std::uint32_t first = 0, end = 0;  // in order of the trie
    friend bool operator==(const Range&, const Range&) = default;
  };

  // steps: positions in HoleSpace::points, each in one of them. `costs` are of the tables, which outlive this.
  TableTrie(const std::vector<const HoleTable*>& tables, const std::vector<double>& costs,
            const std::vector<std::vector<std::size_t>>& steps);

  Range all() const { return {0, static_cast<std::uint32_t>(tables_.size())}; }
  const HoleTable& table(std::uint32_t at) const { return *tables_[at]; }
  double cost(std::uint32_t at) const { return costs_[at]; }
  // Those from `first` on that agree with it up to the step.
  Range alike(std::uint32_t first, std::size_t step) const { return {first, nodes_[step][first].end}; }
  // The cost of the cheapest of them.
  double least(std::uint32_t first, std::size_t step) const { return nodes_[step][first].least; }
  double least() const { return least_; }

 private:
  struct Node {
    std::uint32_t end = 0;
    double least = 0;
  };
  std::vector<const HoleTable*> tables_;
  std::vector<double> costs_;
  std::vector<std::vector<Node>> nodes_;  // by step, by first table
  double least_ = 0;
};

}  // namespace swizzle
