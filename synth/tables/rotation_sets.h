// Sets of rotations in [0, m), as bits. Private to synth/.
//
//   a point may be 1 or 2, its base is 1, m = 4:   window 0011
//   rotated_down(1): what y may be where the value is (1 + y) mod 4:   1001
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

#include "synth/tables/domains.h"
#include "synth/tables/tables.h"

namespace swizzle {

// In a machine word.
struct WordSet {
  std::uint64_t bits = 0;
  static WordSet window(const Domains& domains, PointId p, int base, int m) {
    const std::uint64_t* w = domains.values(p);
    const auto word = static_cast<std::size_t>(base) / 64, offset = static_cast<std::size_t>(base) % 64;
    std::uint64_t bits = w[word] >> offset;
    if (offset != 0 && word + 1 < domains.words()) bits |= w[word + 1] << (64 - offset);
    return {bits & first(m).bits};
  }
  static WordSet first(int m) { return {m == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m) - 1}; }
  WordSet rotated_down(int by, int m) const {
    return by == 0 ? *this : WordSet{((bits >> by) | (bits << (m - by))) & first(m).bits};
  }
  WordSet& operator&=(const WordSet& other) {
    bits &= other.bits;
    return *this;
  }
  bool none() const { return bits == 0; }
  bool has(int r) const { return (bits >> r & 1) != 0; }
  void drop(int r) { bits &= ~(std::uint64_t{1} << r); }
};

// For a larger m.
struct WideSet {
  std::bitset<kMaxDomain> bits;
  static WideSet window(const Domains& domains, PointId p, int base, int m) {
    WideSet set;
    for (int r = 0; r < m; ++r) set.bits[static_cast<std::size_t>(r)] = domains.allows(p, base + r);
    return set;
  }
  static WideSet first(int m) { return {~std::bitset<kMaxDomain>{} >> static_cast<std::size_t>(kMaxDomain - m)}; }
  WideSet rotated_down(int by, int m) const {
    if (by == 0) return *this;
    return {((bits >> static_cast<std::size_t>(by)) | (bits << static_cast<std::size_t>(m - by))) & first(m).bits};
  }
  WideSet& operator&=(const WideSet& other) {
    bits &= other.bits;
    return *this;
  }
  bool none() const { return bits.none(); }
  bool has(int r) const { return bits[static_cast<std::size_t>(r)]; }
  void drop(int r) { bits[static_cast<std::size_t>(r)] = false; }
};

}  // namespace swizzle
