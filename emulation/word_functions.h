// What the bit functions of intrinsic_table.inc need besides the compiler's own, for the emulation and for synth/.
//
//   reversed(0b0001, 4) == 0b1000     chosen_bytes(0x33221100, 0x77665544, 0x7531) == 0x77553311
//   dot_product<signed char, signed char>(0x01ff0000, 0x02030000, 0, 10) == 10 + 1·2 − 1·3
//   of_parts<unsigned char>(0x01ff0000, 0x01010000, [](auto a, auto b) { return a + b; }) == 0x02000000
#pragma once

namespace swizzle_emulation {

// The lowest `width` bits in reverse.
constexpr unsigned long long reversed(unsigned long long x, int width) {
  unsigned long long r = 0;
  for (int i = 0; i < width; ++i) r |= (x >> i & 1u) << (width - 1 - i);
  return r;
}

// The low three bits of each selector nibble pick one of the 8 bytes of (y, x). The fourth is ignored, where the
// instruction it becomes, prmt, would replicate a sign (CUDA Math API, __byte_perm).
constexpr unsigned chosen_bytes(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned byte = selector >> (4 * i) & 7u;
    r |= (unsigned(bytes >> (8 * byte)) & 0xffu) << (8 * i);
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

// A function of each short or byte of words, whose lowest bits it gives.
template <typename Part, typename F, typename... Words>
constexpr unsigned each_part(F f, Words... words) {
  constexpr int kBits = 8 * int(sizeof(Part));
  unsigned r = 0;
  for (int i = 0; i < 32; i += kBits) r |= (unsigned(f(Part(words >> i)...)) & (0xffffffffu >> (32 - kBits))) << i;
  return r;
}
template <typename Part, typename F>
constexpr unsigned of_parts(unsigned x, F f) {
  return each_part<Part>(f, x);
}
template <typename Part, typename F>
constexpr unsigned of_parts(unsigned x, unsigned y, F f) {
  return each_part<Part>(f, x, y);
}
template <typename Part, typename F>
constexpr unsigned of_parts(unsigned x, unsigned y, unsigned z, F f) {
  return each_part<Part>(f, x, y, z);
}
template <typename Part, typename F>
constexpr unsigned sum_of_parts(unsigned x, unsigned y, F f) {
  unsigned sum = 0;
  for (int i = 0; i < 32; i += 8 * int(sizeof(Part))) sum += unsigned(f(Part(x >> i), Part(y >> i)));
  return sum;
}

// The nearest value that a part may have.
template <typename Part>
constexpr int saturated(int v) {
  constexpr int kBits = 8 * int(sizeof(Part)), kLeast = Part(-1) < Part(0) ? -(1 << (kBits - 1)) : 0;
  constexpr int kGreatest = kLeast + (1 << kBits) - 1;
  return v < kLeast ? kLeast : v > kGreatest ? kGreatest : v;
}
constexpr int least(int a, int b) { return b < a ? b : a; }
constexpr int least(int a, int b, int c) { return least(least(a, b), c); }
constexpr int greatest(int a, int b) { return a < b ? b : a; }
constexpr int greatest(int a, int b, int c) { return greatest(greatest(a, b), c); }
constexpr int greatest(int a, int b, int c, int d) { return greatest(greatest(a, b, c), d); }

// The place of the bit that is `offset` set bits from `base` on, upwards or downwards; 1: the first that is at `base`
// or above it (PTX ISA, fns).
constexpr unsigned nth_set_bit(unsigned mask, unsigned base, int offset) {
  if (base > 31 || (offset == 0 && !(mask >> base & 1))) return 0xffffffffu;
  if (offset == 0) return base;
  const int step = offset > 0 ? 1 : -1;
  for (int bit = int(base), left = offset * step; bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1) && --left == 0) return unsigned(bit);
  return 0xffffffffu;
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
