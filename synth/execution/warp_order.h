// WarpOrder: what the lanes of a warp did before others of its lanes, by barriers of all of them or of some.
//
//   lanes 0 … 15 meet, then lanes 8 … 23     what lane 0 did before the first barrier, lane 16 has behind it now: by
//                                            way of lane 8; what lane 0 did since, it has not
//
// Each lane has a clock, and knows up to where those of others are behind it. (Vector clocks: F. Mattern, Virtual Time
// and Global States of Distributed Systems, 1989.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace swizzle {

class WarpOrder {
 public:
  using Time = std::uint32_t;

  // A barrier of these lanes, a bit each.
  void meet(std::uint32_t lanes) {
    Clocks all{};
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      ++known_[lane][lane];
      for (std::size_t other = 0; other < kLanes; ++other) all[other] = std::max(all[other], known_[lane][other]);
    }
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      known_[static_cast<std::size_t>(std::countr_zero(rest))] = all;
  }

  Time time(std::uint32_t lane) const { return known_[lane % kLanes][lane % kLanes]; }
  // Whether what a lane did at that time of its own is behind another one.
  bool is_behind(std::uint32_t other, std::uint32_t lane, Time time) const {
    return known_[other % kLanes][lane % kLanes] > time;
  }
  bool is_behind_all(std::uint32_t lane, Time time) const {
    return std::ranges::all_of(known_, [&](const Clocks& known) { return known[lane % kLanes] > time; });
  }

 private:
  static constexpr std::size_t kLanes = 32;
  using Clocks = std::array<Time, kLanes>;  // by lane
  std::array<Clocks, kLanes> known_{};      // by the lane that knows them
};

}  // namespace swizzle
