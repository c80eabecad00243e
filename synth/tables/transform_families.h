// The tables of a transformation by their parts.
//
//   (i + R(k) + c) mod 4:   base 0, shift i, modulus 4; rotations: R by key k
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace swizzle {

// base(p) + (shift(p) + R(key of p) + c) mod modulus for each R and c.
struct TransformFamily {
  using Rotations = std::vector<std::vector<std::int16_t>>;
  int modulus = 1;
  const Rotations* rotations = nullptr;  // each by key, < modulus; none: any values at all
};

struct TransformFamilies {
  std::size_t keys = 0;
  std::vector<std::uint32_t> key_of;  // by position
  std::vector<TransformFamily> families;
  std::vector<std::int16_t> base, shift;                // by at(); shift < modulus
  std::map<int, TransformFamily::Rotations> rotations;  // by modulus

  std::size_t at(std::size_t position, std::size_t family) const { return position * families.size() + family; }
};

}  // namespace swizzle
