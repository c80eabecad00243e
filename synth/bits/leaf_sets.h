// Sets of leaves as bits of words: private to reach.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace swizzle::leaf_sets {

inline constexpr std::size_t kBits = 64;
inline constexpr std::uint32_t kZero = 0, kOne = 1;  // leaves

inline bool has(const std::uint64_t* words, std::uint32_t leaf) {
  return (words[leaf / kBits] >> (leaf % kBits) & 1) != 0;
}
inline void put(std::vector<std::uint64_t>& words, std::uint32_t leaf) {
  words[leaf / kBits] |= std::uint64_t{1} << (leaf % kBits);
}

// Of the numbers below kBits that are in a word, one after the other.
template <typename F>
void for_each_bit(std::uint64_t word, F&& f) {
  for (; word != 0; word &= word - 1) f(static_cast<std::uint32_t>(std::countr_zero(word)));
}

}  // namespace swizzle::leaf_sets
