#include "elements.h"

#include "small_reals.h"

#include <string.h>

#include <cmath>

namespace swizzle_harness {
namespace {

float small_value(Element element, const unsigned char* at) {
  uint16_t bits;
  memcpy(&bits, at, 2);
  return element == Element::kF16 ? swizzle_emulation::half_value(bits) : swizzle_emulation::bfloat16_value(bits);
}

template <typename Real>
Real real_at(const unsigned char* at) {
  Real value;
  memcpy(&value, at, sizeof value);
  return value;
}

template <typename Real>
bool reals_agree(Real e, Real g, bool nans_agree, Real relative = Real(1e-5)) {
  if (std::isnan(e) || std::isnan(g)) return nans_agree && std::isnan(e) && std::isnan(g);
  if (std::isinf(e) || std::isinf(g)) return e == g;
  return std::fabs(e - g) <= std::fmax(relative / 10, relative * std::fabs(e));
}

}  // namespace

size_t bytes_of(Element element) {
  switch (element) {
    case Element::kBool:
    case Element::kI8:
    case Element::kU8: return 1;
    case Element::kI16:
    case Element::kU16:
    case Element::kF16:
    case Element::kBF16: return 2;
    case Element::kI32:
    case Element::kU32:
    case Element::kF32: return 4;
    default: return 8;
  }
}

double small_real(uint64_t random) { return static_cast<double>(random % 17) - 8; }

void put_random(Element element, uint64_t random, unsigned char* to) {
  if (element == Element::kF32) {
    const float value = static_cast<float>(small_real(random));
    memcpy(to, &value, 4);
  } else if (element == Element::kF64) {
    const double value = small_real(random);
    memcpy(to, &value, 8);
  } else if (element == Element::kF16 || element == Element::kBF16) {
    const auto value = static_cast<float>(small_real(random));
    const uint16_t bits =
        element == Element::kF16 ? swizzle_emulation::half_bits(value) : swizzle_emulation::bfloat16_bits(value);
    memcpy(to, &bits, 2);
  } else {
    if (element == Element::kBool) random &= 1;
    memcpy(to, &random, bytes_of(element));
  }
}

void put_poison(Element element, uint64_t random, unsigned char* to) {
  if (element == Element::kF32) random = 0xffc00000u | (random & 0x3fffffu);  // NaNs that tell their index
  if (element == Element::kF16) random = 0xfe00u | (random & 0x1ffu);
  if (element == Element::kBF16) random = 0xffc0u | (random & 0x3fu);
  if (element == Element::kF64) random = 0xfff8000000000000u | (random & 0x7ffffffffffffu);
  memcpy(to, &random, bytes_of(element));
}

std::string text_of(Element element, const unsigned char* at) {
  char text[64];
  const auto as = [&](auto value, const char* format) {
    memcpy(&value, at, sizeof value);
    snprintf(text, sizeof text, format, value);
    return std::string(text);
  };
  switch (element) {
    case Element::kBool:
    case Element::kU8: return as(static_cast<unsigned char>(0), "%hhu");
    case Element::kI8: return as(static_cast<signed char>(0), "%hhd");
    case Element::kI16: return as(static_cast<short>(0), "%hd");
    case Element::kU16: return as(static_cast<unsigned short>(0), "%hu");
    case Element::kI32: return as(0, "%d");
    case Element::kU32: return as(0u, "%u");
    case Element::kI64: return as(0ll, "%lld");
    case Element::kU64: return as(0ull, "%llu");
    case Element::kF16:
    case Element::kBF16:
      snprintf(text, sizeof text, "%.9g", static_cast<double>(small_value(element, at)));
      return text;
    case Element::kF32: {
      float value;
      memcpy(&value, at, 4);
      snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
      return text;
    }
    case Element::kF64: return as(0.0, "%.17g");
  }
  return "";
}

bool agree(Element element, const unsigned char* initial, const unsigned char* expected, const unsigned char* got) {
  const size_t step = bytes_of(element);
  if (memcmp(expected, got, step) == 0) return true;
  // Poison is a NaN: "never written" is not "computed NaN".
  const bool touched = memcmp(initial, expected, step) != 0 && memcmp(initial, got, step) != 0;
  if (element == Element::kF32) return reals_agree(real_at<float>(expected), real_at<float>(got), touched);
  if (element == Element::kF64) return reals_agree(real_at<double>(expected), real_at<double>(got), touched);
  constexpr float kHalf = 1.0f / 256, kBfloat16 = 1.0f / 64;
  if (element == Element::kF16 || element == Element::kBF16)
    return reals_agree(small_value(element, expected), small_value(element, got), touched,
                       element == Element::kF16 ? kHalf : kBfloat16);
  return false;
}

}  // namespace swizzle_harness
