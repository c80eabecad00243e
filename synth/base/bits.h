// Sets of small integers as machine words: element e is bit e % 64 of word e / 64, and all sets of a kind have equally
// many words.
//
//   {0, 2} of 4 lanes is 0101 and meets {2, 3}, 1100; it exceeds {0, 1}, 0011, by 2; its size is 2, its first element 0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace swizzle {

// a and b have some element in common.
inline bool meets(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

// a has something that b has not.
inline bool exceeds(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if ((a[i] & ~b[i]) != 0) return true;
  return false;
}

inline int size(const std::uint64_t* mask, std::size_t words) {
  int count = 0;
  for (std::size_t i = 0; i < words; ++i) count += std::popcount(mask[i]);
  return count;
}

// The smallest element; 64 times `words`, if there is none.
inline std::size_t first(const std::uint64_t* mask, std::size_t words) {
  std::size_t w = 0;
  while (w < words && mask[w] == 0) ++w;
  return w == words ? w * 64 : w * 64 + static_cast<std::size_t>(std::countr_zero(mask[w]));
}

}  // namespace swizzle
