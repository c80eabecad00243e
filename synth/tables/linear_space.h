// LinearSpace: the points of a hole as vectors over GF(2), and what a linear map's value at one says of others.
//
//   i in [0, 4), k in {0, 1}: point (i, k) is the vector (1, i0, i1, k0), whose first bit stands for the constant
//     read     the constant, i0, i1, k0: none of them is a sum of those before
//     (3, 1)   is the sum of (1, 0), (2, 0) and (0, 1): a map's value there is the sum of its values at these
//
// A bit that is a sum of bits before, at all points, adds no map, but other ways to write one: with d in {1, 2, 4}, the
// third bit of d is 1 ^ d0 ^ d1, and d is cheaper than what that makes of it. A few such bits are read, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/tables/hole_space.h"

namespace swizzle {

class LinearSpace {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kMostBits = 64;  // that are read, with the constant
  static constexpr int kMostOfArgument = 31;    // lower bits of an argument that may be read

  LinearSpace(const HoleSpace& space, std::size_t most_sums);

  // More bits than are looked at: nothing below is to be relied on.
  bool is_too_wide() const { return is_too_wide_; }
  struct Bit {
    std::size_t argument;
    int bit;
  };
  const std::vector<Bit>& read() const { return read_; }  // bit 1 + n of a vector, by n
  struct Sum {
    Bit bit;
    Word of;  // of these bits of a vector it is the sum
  };
  const std::vector<Sum>& sums() const { return sums_; }  // as many as are asked for, at most
  std::size_t rank() const { return 1 + read_.size(); }
  Word vector(std::size_t point) const { return vectors_[point]; }
  std::uint64_t set(std::size_t argument) const { return set_[argument]; }  // bits that it may have

  // Points whose values decide all others, those that come first in the order.
  struct Basis {
    std::vector<std::size_t> points;
    std::vector<Word> sums;   // by point: of which of these its value is the sum
    std::vector<Word> units;  // likewise, of what the constant and each bit that is read adds
  };
  Basis basis(const std::vector<std::size_t>& order) const;

 private:
  std::vector<Bit> read_;
  std::vector<Sum> sums_;
  std::vector<Word> vectors_;       // by point
  std::vector<std::uint64_t> set_;  // by argument
  bool is_too_wide_ = false;
};

}  // namespace swizzle
