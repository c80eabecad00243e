#include "codegen/picture/text_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr std::size_t kMostColumns = 120;

}  // namespace

std::string table_of(const std::vector<TextRow>& rows) {
  std::size_t label = 0, cell = 1;
  const std::size_t lanes = rows[0].cells.size();
  for (const TextRow& row : rows) {
    label = std::max(label, row.label.size());
    for (const std::string& c : row.cells) cell = std::max(cell, c.size());
  }
  std::size_t beside = lanes;  // halved until it fits
  while (beside > 1 && label + beside * (cell + 1) > kMostColumns) beside = (beside + 1) / 2;
  std::string text;
  for (std::size_t first = 0; first < lanes; first += beside)
    for (const TextRow& row : rows) {
      std::string line = fmt::format("{:<{}}", row.label, label);
      for (std::size_t i = first; i < std::min(lanes, first + beside); ++i)
        line += fmt::format(" {:>{}}", row.cells[i], cell);
      text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    }
  return text;
}

}  // namespace swizzle
