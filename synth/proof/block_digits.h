// Blocks along one axis that a product of sizes counts: private to this room.
//
//   grid(…, n * c)      block number r · c + k,  0 <= r < n,  0 <= k < c:  r and k are blocks along dimensions of their
//   own grid(…, h * 2)      blocks of the size h, two for each of its elements
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "synth/proof/thread_digits.h"

namespace swizzle {

// In which orders the sizes may be digits, as they stand in the product or another one; 1: it is none.
std::size_t orders_of_block_digits(const SizeTree& count);

// Makes them dimensions of the region; false: the count is none of such a product, and the region is of no use then
// where it has become another one.
bool add_block_digits(SizeRegion& whole, std::size_t axis, const SizeTree& count, std::size_t order,
                      const AddDimension& add);

// Of one size and a number, h * 2.
struct Multiple {
  std::string size;
  std::int64_t times = 1;
};
std::optional<Multiple> multiple_in(const SizeTree& count);

}  // namespace swizzle
