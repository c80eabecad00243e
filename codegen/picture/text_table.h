// A table in text, of 120 columns at most: cells that do not fit beside one another go below.
//
//   lane   0  1  2  3
//   from  a1 a2 a3 b0
#pragma once

#include <string>
#include <vector>

namespace swizzle {

struct TextRow {
  std::string label;
  std::vector<std::string> cells;  // as many in each row
};

std::string table_of(const std::vector<TextRow>& rows);

}  // namespace swizzle
