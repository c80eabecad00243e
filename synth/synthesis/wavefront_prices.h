// WavefrontPrices: what a table costs by the wavefronts that its hole decides alone.
//
//   tile[32 * lane + ?sw_xform(j, 32, lane)] for j = 0 … 31, an access each
//     j                   all lanes in one bank: 32 · 32 wavefronts, 31 · 32 more than any table needs
//     (j + lane) & 31     none more
//
// So what is cheap by its operations alone is not tried first. Accesses whose words several holes decide together cost
// nothing here: a bound.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/machine/wavefronts.h"
#include "synth/problem/problem.h"

namespace swizzle {

class WavefrontPrices {
 public:
  WavefrontPrices(const Problem& problem, SharedMemoryModel memory);

  bool are_any() const { return !accesses_.empty(); }
  bool are_all() const { return are_all_; }  // of no access several holes decide the words
  // Wavefronts of a warp beyond those that the accesses need whatever the table is.
  double of(std::size_t hole, const HoleTable& table) const;

 private:
  struct Lane {
    std::size_t position = 0;                           // in the hole's table
    std::vector<std::optional<std::int64_t>> by_value;  // bytes; one, if no point decides it
  };
  struct Access {
    SharedOperation operation = SharedOperation::kLoad;
    int bits = 32;
    double count = 0, least = 0;
    std::vector<Lane> lanes;
  };
  struct Place {  // of a point
    static constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t hole = kNone, position = 0;
  };
  std::optional<Access> of_one_hole(const Problem& problem, const SharedAccess& access,
                                    const std::vector<Place>& places, std::optional<std::size_t>& hole) const;

  SharedMemoryModel memory_;
  std::vector<std::vector<Access>> accesses_;  // by hole
  bool are_all_ = true;
};

}  // namespace swizzle
