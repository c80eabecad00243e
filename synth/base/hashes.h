// Hashes of integers and of sequences of them, for tables of what is found by its parts.
#pragma once

#include <cstddef>

namespace swizzle {

inline std::size_t mix(std::size_t seed, std::size_t v) { return (seed ^ v) * 0x9e3779b97f4a7c15ull + (seed >> 29); }

// `value_of` an element is an integer. With a hash as the seed, the sequence goes on where that one ended.
template <typename Elements, typename ValueOf>
std::size_t hash_of(std::size_t seed, const Elements& elements, ValueOf&& value_of) {
  for (const auto& element : elements) seed = mix(seed, value_of(element));
  return seed;
}

template <typename Integers>
std::size_t hash_of(std::size_t seed, const Integers& integers) {
  return hash_of(seed, integers, [](auto integer) { return integer; });
}

}  // namespace swizzle
