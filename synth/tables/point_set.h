// PointSet: some of a hole's points, a bit for each position in HoleSpace::points.
//
//   values 3 5 3 7:  for_each_threshold visits   t = 3, below = 2: less {}         equal {0, 2}
//                                                t = 5, below = 3: less {0, 2}     equal {1}
//                                                t = 7, below = 5: less {0, 1, 2}  equal {3}
//
// Private to synth/tables.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "synth/base/hashes.h"

namespace swizzle {

using PointSet = std::vector<std::uint64_t>;

struct HashOfPointSet {
  std::size_t operator()(const PointSet& set) const { return hash_of(0, set); }
};

inline PointSet no_points(std::size_t count) { return PointSet((count + 63) / 64, 0); }
inline void insert(PointSet& set, std::size_t p) { set[p / 64] |= std::uint64_t{1} << (p % 64); }
inline bool contains(const PointSet& set, std::size_t p) { return (set[p / 64] >> (p % 64) & 1) != 0; }

// Of so many points, those that are not in the set.
inline PointSet complement(const PointSet& set, std::size_t count) {
  PointSet result(set);
  for (std::uint64_t& word : result) word = ~word;
  if (count % 64 != 0) result.back() &= (std::uint64_t{1} << (count % 64)) - 1;
  return result;
}

inline PointSet all_points(std::size_t count) { return complement(no_points(count), count); }

// Calls visit(t, below, less, equal) for each value t that a point has, ascending: the next smaller such value (t - 1
// for the first), the points with smaller values, and those with t.
template <typename Value, typename Visit>
void for_each_threshold(const std::vector<Value>& values, Visit&& visit) {
  std::map<Value, PointSet> points_of;
  for (std::size_t p = 0; p < values.size(); ++p)
    insert(points_of.try_emplace(values[p], no_points(values.size())).first->second, p);
  PointSet less = no_points(values.size());
  Value below = points_of.empty() ? 0 : points_of.begin()->first - 1;
  for (const auto& [t, equal] : points_of) {
    visit(t, below, less, equal);
    for (std::size_t w = 0; w < less.size(); ++w) less[w] |= equal[w];
    below = t;
  }
}

}  // namespace swizzle
