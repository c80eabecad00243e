// Points: the places where a hole is asked for a value; in terms of constraint programming, the decision variables.
//
// A hole is a function of its arguments, so executing `?sw_xform(lane, 4, k)` by 4 lanes for k in {0, 1} poses 8
// points, (lane, k); a second warp, block or instance that asks with the same arguments meets the same points.
// A completion of the hole is its *table*: one value in [0, domain) for each of its points.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/base/ids.h"
#include "synth/base/slot_table.h"

namespace swizzle {

using Arguments = std::vector<std::int64_t>;  // i, k… or v…: as written, without n

struct Point {
  HoleId hole;
  int domain = 0;               // values are 0 … domain - 1
  std::uint32_t arguments = 0;  // their number: see PointTable::arguments()
};

class PointTable {
 public:
  PointId intern(HoleId hole, const Arguments& arguments, int domain) {
    const std::uint32_t number = number_of(arguments);
    const auto is_same = [&](std::uint32_t p) { return points_[p].hole == hole && points_[p].arguments == number; };
    const auto add = [&] {
      points_.push_back({hole, domain, number});
      return static_cast<std::uint32_t>(points_.size() - 1);
    };
    if (domains_.size() <= hole.value) domains_.resize(hole.value + 1, 0);
    if (domains_[hole.value] == 0) domains_[hole.value] = domain;
    return PointId(ids_.find_or_add(mix(mix(0, hole.value), number), is_same, add));
  }
  const Point& operator[](PointId id) const { return points_[id.value]; }
  const Arguments& arguments(PointId id) const { return arguments_[points_[id.value].arguments]; }
  int domain(HoleId hole) const { return domains_[hole.value]; }  // of its first point: all must have the same
  std::size_t size() const { return points_.size(); }

 private:
  // Equal arguments have the same number, whichever hole is asked with them.
  std::uint32_t number_of(const Arguments& arguments) {
    const auto add = [&] {
      arguments_.push_back(arguments);
      return static_cast<std::uint32_t>(arguments_.size() - 1);
    };
    return numbers_.find_or_add(
        hash_of(arguments.size(), arguments), [&](std::uint32_t n) { return arguments_[n] == arguments; }, add);
  }

  std::vector<Point> points_;
  std::vector<Arguments> arguments_;  // different ones
  std::vector<int> domains_;          // by hole; 0: it has no points
  SlotTable ids_, numbers_;
};

}  // namespace swizzle
