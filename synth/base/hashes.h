// Hashes of integers and of sequences of them, for tables of what is found by its parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace swizzle {

// Cheap, for keys of tables: what differs in few bits may stay near.
inline std::size_t mix(std::size_t seed, std::size_t v) { return (seed ^ v) * 0x9e3779b97f4a7c15ull + (seed >> 29); }

// For what stands for a random number: each bit of x changes half of them (splitmix64, Steele et al., OOPSLA 2014).
inline std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

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
