// What the bit functions of intrinsic_table.inc need besides the compiler's own, for the emulation and for synth/.
//
//   reversed(0b0001, 4) == 0b1000     chosen_bytes(0x33221100, 0x77665544, 0x7531) == 0x77553311
//   dot_product<signed char, signed char>(0x01ff0000, 0x02030000, 0, 10) == 10 + 1·2 − 1·3
#pragma once

namespace swizzle_emulation {

// The lowest `width` bits in reverse.
constexpr unsigned long long reversed(unsigned long long x, int width) {
  unsigned long long r = 0;
  for (int i = 0; i < width; ++i) r |= (x >> i & 1u) << (width - 1 - i);
  return r;
}

// Selector nibble: bits 0-2 pick one of the 8 bytes of (y, x), bit 3 replicates its sign (PTX ISA, prmt).
constexpr unsigned chosen_bytes(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> (4 * i) & 0xfu;
    const unsigned byte = unsigned(bytes >> (8 * (nibble & 7u))) & 0xffu;
    r |= (nibble & 8u ? (byte & 0x80u ? 0xffu : 0u) : byte) << (8 * i);
  }
  return r;
}

// c + Σ aᵢ·bᵢ over the parts of a, and as many of b from `first` on.
template <typename A, typename B>
constexpr unsigned dot_product(unsigned a, unsigned b, int first, unsigned c) {
  for (int i = 0; i < 4 / int(sizeof(A)); ++i)
    c += unsigned(int(A(a >> (8 * int(sizeof(A)) * i))) * int(B(b >> (8 * (first + i)))));
  return c;
}

// The bits of a value as a value of another type of the same size.
template <typename To, typename From>
inline To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits are neither added nor lost");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace swizzle_emulation
