// The bits of real numbers of 16 bits, rounded to nearest even: half (5 bits of exponent, 10 of fraction) and bfloat16
// (8, 7).
//
//   half_bits(1.0f) == 0x3c00     half_value(0x3555) ≈ 0.33325     bfloat16_bits(1.0f) == 0x3f80
#pragma once

#include <math.h>

namespace swizzle_emulation {

inline unsigned short half_bits(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, 4);
  const unsigned sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (unsigned short)(sign | 0x7e00u | (magnitude >> 13 & 0x1ffu));
  if (magnitude >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);  // 65520 and more
  if (magnitude >= 0x38800000u)
    return (unsigned short)(sign | ((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13));
  return (unsigned short)(sign | (unsigned)(int)nearbyintf(fabsf(value) * 16777216.0f));  // subnormal: units of 2^-24
}

inline float half_value(unsigned short bits) {
  const unsigned exponent = bits >> 10 & 31u, fraction = bits & 1023u;
  const float magnitude = exponent == 31 ? (fraction ? __builtin_nanf("") : __builtin_inff())
                          : exponent     ? ldexpf(float(1024 + fraction), int(exponent) - 25)
                                         : float(fraction) / 16777216.0f;
  return bits & 0x8000u ? -magnitude : magnitude;
}

inline unsigned short bfloat16_bits(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, 4);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)(bits >> 16 | 0x40u);
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

inline float bfloat16_value(unsigned short bits) {
  const unsigned word = (unsigned)bits << 16;
  float value;
  __builtin_memcpy(&value, &word, 4);
  return value;
}

}  // namespace swizzle_emulation
