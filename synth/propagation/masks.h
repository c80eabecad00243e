// Sets of monomials or alternatives, as machine words of equal number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "synth/network/constraint_network.h"

namespace swizzle {

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

// The point still allows the value, or (negative) any but ~value.
inline bool holds(PointId point, int value, const Domains& domains) {
  return value >= 0 ? domains.allows(point, value) : domains.count(point) > 1 || !domains.allows(point, ~value);
}

// So does every point of the path (or guard).
template <typename Steps>
bool holds(const Steps& path, const Domains& domains) {
  for (const auto& [point, value] : path)
    if (!holds(point, value, domains)) return false;
  return true;
}

}  // namespace swizzle
