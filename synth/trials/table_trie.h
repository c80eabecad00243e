// TableTrie: the tables of a hole by what they are at one step after the other.
//
//   ?sw_xor(lane, 4, k) on 4 lanes, k = 0 at the first step and k = 1 at the second:
//     first step    1032 | 2301              tables that begin alike stand side by side,
//     second step   1032 2301 | 3210 …       so that a prefix is decided once for all of them
//   ?sw_const(0, 32, k), k < 5               32^5 tables, each of which is its own number
#pragma once

#include <cstdint>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

class TableTrie {
 public:
  struct Range {
    std::uint64_t first = 0, end = 0;  // in order of the trie
    friend bool operator==(const Range&, const Range&) = default;
  };

  // steps: positions in HoleSpace::points, each in one of them. `costs` are of the tables, which outlive this.
  TableTrie(const std::vector<const HoleTable*>& tables, const std::vector<double>& costs,
            const std::vector<std::vector<std::size_t>>& steps);

  // All tables of `values` values at each point, of the same cost, none of which is kept: see fits().
  TableTrie(int values, double cost, const std::vector<std::vector<std::size_t>>& steps);
  // Whether they can be numbered.
  static bool fits(std::size_t points, int values);

  Range all() const { return {0, size_}; }
  // Where none is kept, it is in place of the one asked for before; what both have in common stays.
  const HoleTable& table(std::uint64_t at) const { return values_ == 0 ? *tables_[at] : made(at); }
  double cost(std::uint64_t at) const { return values_ == 0 ? costs_[at] : least_; }
  // Those from `first` on that agree with it up to the step.
  Range alike(std::uint64_t first, std::size_t step) const {
    return {first, values_ == 0 ? nodes_[step][first].end : (first / strides_[step] + 1) * strides_[step]};
  }
  // The cost of the cheapest of them.
  double least(std::uint64_t first, std::size_t step) const {
    return values_ == 0 ? nodes_[step][first].least : least_;
  }
  double least() const { return least_; }

 private:
  struct Node {
    std::uint64_t end = 0;
    double least = 0;
  };
  const HoleTable& made(std::uint64_t at) const;

  std::uint64_t size_ = 0;
  int values_ = 0;                      // 0: the tables are listed
  std::vector<std::size_t> positions_;  // in the order of the steps: digits of a table's number, the first the highest
  std::vector<std::uint64_t> strides_;  // by step: how many are alike up to it
  mutable HoleTable made_;
  std::vector<const HoleTable*> tables_;
  std::vector<double> costs_;
  std::vector<std::vector<Node>> nodes_;  // by step, by first table
  double least_ = 0;
};

}  // namespace swizzle
