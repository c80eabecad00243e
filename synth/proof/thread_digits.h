// Threads that are numbered through a product of sizes: private to this room.
//
//   grid((n * c + 255) / 256) block(256)     thread number i = r · c + k,   0 <= r < n,  0 <= k < c
//
// The digits of the number are looked at like blocks along dimensions of their own, and each thread by itself: what
// stands in the kernel as i / c and i % c is r and k then. Of numbers in the product, n * c * 4, all digits are looked
// at together. A thread of the last block may be beyond the product.
#pragma once

#include <functional>

#include "synth/program/size_tree.h"
#include "synth/proof/size_region.h"

namespace swizzle {

// In which orders sizes and numbers may be digits: as they stand in the product, any other, and with the primes of the
// numbers.
std::size_t orders_of_digits(const SizeTree& count);

// Makes them dimensions of the region; false: the count is none of such a product, or leaves elements without a thread
// at a size that is known; the region is of no use then. `threads`: of a block. `add`: makes a factor that a size
// decides the dimension at a position.
using AddDimension = std::function<bool(std::size_t position, const SizeTree& factor)>;
bool add_digits(SizeRegion& whole, const SizeTree& count, int threads, const std::vector<Sizes>& known,
                std::size_t order, const AddDimension& add);

// Of (n * c + 255) / 256 "n * c"; empty: there is no such product.
std::string text_of_product(const SizeTree& count);

// The same for threads beyond the product; nothing: there are none.
std::optional<SizeRegion> beyond_digits(const SizeRegion& whole);

// quotient · b + rest, 0 <= rest < b, of polynomials that are at least 0 and 1; nothing: that is not seen.
// `is_known`: whether a polynomial is at least 0.
std::optional<Polynomial::Division> divided(const Polynomial& a, const Polynomial& b,
                                            const std::function<bool(const Polynomial&)>& is_known);

}  // namespace swizzle
