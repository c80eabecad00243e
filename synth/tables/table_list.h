// TableList: all tables of a grammar over one list of arguments, with the sets that a table constraint intersects.
//
//   ?sw_cond(lane) on 2 lanes:   tables   0: 00   1: 11   lane < 1: 10   lane == 1: 01
//     support(point 0, value 1)  {1, lane < 1}          uniform  0, 1, -1, -1          ones  {}, {0, 1}, {0}, {1}
#pragma once

#include <cstdint>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

// The tables of one grammar over one list of arguments; holes that are alike share it.
struct TableList {
  std::vector<HoleTable>
      tables;             // by non-decreasing integer_ops; of those without any, the one that is 0 everywhere is first
  std::size_t words = 0;  // of a set of tables
  int domain = 0;
  std::vector<std::uint64_t> supports;  // [point][value][word]
  std::vector<std::int16_t> uniform;    // by table: the value that it has everywhere, or -1
  std::size_t point_words = 0;          // of a set of points
  std::vector<std::uint64_t> ones;  // [table][point word], where the values are 0 and 1: the points at which it is 1

  TableList(std::vector<HoleTable> all, std::size_t points, int values);
  const std::uint64_t* support(std::size_t point, int value) const {
    return supports.data() + (point * static_cast<std::size_t>(domain) + static_cast<std::size_t>(value)) * words;
  }
};

}  // namespace swizzle
