// Points: the places where a hole is asked for a value.
//
// A hole is a function of its arguments, so executing `?sw_xform(lane, 4, k)` by 4 lanes for k in {0, 1} poses 8
// points, (lane, k); a second warp, block or instance that asks with the same arguments meets the same points.
// A completion of the hole is its *table*: one value in [0, domain) for each of its points.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "synth/ids.h"

namespace swizzle {

struct Point {
  HoleId hole;
  std::vector<std::int64_t> arguments;  // kXform: i, k…; kPart and kCond: v…
  int domain = 0;                       // values are 0 … domain - 1
};

class PointTable {
 public:
  PointId intern(HoleId hole, const std::vector<std::int64_t>& arguments, int domain) {
    auto [it, fresh] = ids_.try_emplace({hole, arguments}, points_.size());
    if (fresh) points_.push_back({hole, arguments, domain});
    domains_.try_emplace(hole, domain);
    return it->second;
  }
  const Point& operator[](PointId id) const { return points_[id.value]; }
  int domain(HoleId hole) const { return domains_.at(hole); }  // of its first point: all must have the same
  std::size_t size() const { return points_.size(); }

 private:
  std::vector<Point> points_;
  std::map<std::pair<HoleId, std::vector<std::int64_t>>, PointId> ids_;
  std::map<HoleId, int> domains_;
};

}  // namespace swizzle
