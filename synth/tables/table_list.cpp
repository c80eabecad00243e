#include "synth/tables/table_list.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace swizzle {

TableList::TableList(std::vector<HoleTable> all, std::size_t points, int values)
    : tables(std::move(all)),
      words((tables.size() + 63) / 64),
      domain(values),
      supports(points * static_cast<std::size_t>(values) * words, 0) {
  for (const HoleTable& t : tables) {
    const bool varies = std::adjacent_find(t.values.begin(), t.values.end(), std::not_equal_to<>()) != t.values.end();
    uniform.push_back(varies || t.values.empty() ? std::int16_t{-1} : t.values[0]);
  }
  const std::size_t row = static_cast<std::size_t>(domain) * words;  // of a point
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const std::uint64_t bit = std::uint64_t{1} << (t % 64);
    std::uint64_t* first = supports.data() + t / 64;
    assert(tables[t].values.size() == points);
    for (std::size_t p = 0; p < points; ++p, first += row)
      first[static_cast<std::size_t>(tables[t].values[p]) * words] |= bit;
  }
  if (domain != 2) return;
  point_words = (points + 63) / 64;
  ones.assign(tables.size() * point_words, 0);
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t w = 0; w < point_words; ++w) {
      const std::int16_t* const values = &tables[t].values[w * 64];
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < std::min<std::size_t>(64, points - w * 64); ++i)
        word |= static_cast<std::uint64_t>(values[i]) << i;
      ones[t * point_words + w] = word;
    }
}

}  // namespace swizzle
