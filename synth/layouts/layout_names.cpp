#include "synth/layouts/layout_names.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr int kTmaBase = 4, kTmaShift = 3;             // Swizzle<b, 4, 3> of the byte address
constexpr int kTmaRowBytes = 16, kMostOfTmaBox = 256;  // rows have multiples of that, a box so many rows and columns

bool are_equal(const Layout& a, const Layout& b) {
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c)
      if (a.address(r, c) != b.address(r, c)) return false;
  return true;
}

Layout pitched(const Layout& layout) {
  Layout result = Layout::plain(layout.rows, layout.columns);
  result.pitch = layout.pitch;
  return result;
}

}  // namespace

std::optional<BitSwizzle> cute_swizzle(const Layout& layout) {
  Layout candidate = pitched(layout);
  if (are_equal(candidate, layout)) return BitSwizzle{};
  const int top = std::bit_width(static_cast<unsigned>(layout.rows * layout.pitch));
  for (int bits = 1; bits < top; ++bits)
    for (int base = 0; base + bits < top; ++base)
      for (int shift = bits; base + shift < top; ++shift)
        for (const int sign : {1, -1}) {
          candidate.swizzle = {bits, base, sign * shift};
          if (are_equal(candidate, layout)) return candidate.swizzle;
        }
  return std::nullopt;
}

std::optional<Layout> from_triton(int rows, int columns, const TritonSwizzle& s) {
  if (!is_power_of_two(s.vec) || !is_power_of_two(s.per_phase) || !is_power_of_two(s.max_phase)) return std::nullopt;
  Layout layout = Layout::plain(rows, columns);
  layout.row_xor = {log2_of(s.per_phase), log2_of(s.vec), s.max_phase - 1};
  return layout.is_injective() ? std::optional(layout) : std::nullopt;
}

std::optional<Layout> from_pitch(int rows, int columns, int pitch) {
  Layout layout = Layout::plain(rows, columns);
  layout.pitch = pitch;
  return pitch >= columns ? std::optional(layout) : std::nullopt;
}

std::optional<Layout> from_cute(int rows, int columns, const BitSwizzle& s) {
  constexpr int kMostBits = 30;
  const int distance = s.shift < 0 ? -s.shift : s.shift;
  if (s.bits < 0 || s.base < 0 || distance < s.bits || s.bits + s.base + distance > kMostBits) return std::nullopt;
  Layout layout = Layout::plain(rows, columns);
  layout.swizzle = s;
  return layout;
}

std::optional<Layout> layout_named(const NamedLayout& named, int rows, int columns, int element_bytes) {
  const auto [a, b, c] = named.numbers;
  switch (named.kind) {
    case NamedLayout::Kind::kPitch: return from_pitch(rows, columns, a);
    case NamedLayout::Kind::kCute: return from_cute(rows, columns, {a, b, c});
    case NamedLayout::Kind::kTriton: return from_triton(rows, columns, {a, b, c});
    case NamedLayout::Kind::kTma: return from_tma(rows, columns, a, element_bytes);
  }
  return std::nullopt;
}

std::optional<TritonSwizzle> triton_swizzle(const Layout& layout) {
  // Triton's tensors have powers of two of rows and columns.
  if (layout.pitch != layout.columns || !is_power_of_two(layout.rows) || !is_power_of_two(layout.columns))
    return std::nullopt;
  for (int max_phase = 1; max_phase <= layout.rows; max_phase *= 2)
    for (int per_phase = 1; per_phase <= layout.rows; per_phase *= 2)
      for (int vec = 1; vec <= layout.columns; vec *= 2)
        if (const auto named = from_triton(layout.rows, layout.columns, {vec, per_phase, max_phase});
            named && are_equal(*named, layout))
          return TritonSwizzle{vec, per_phase, max_phase};
  return std::nullopt;
}

std::optional<Layout> from_tma(int rows, int columns, int bytes, int element_bytes) {
  Layout layout = Layout::plain(rows, columns);
  if (std::max(rows, columns) > kMostOfTmaBox || columns * element_bytes % kTmaRowBytes != 0) return std::nullopt;
  if (bytes == 0) return layout;
  if ((bytes != 32 && bytes != 64 && bytes != 128) || columns * element_bytes != bytes ||
      !is_power_of_two(element_bytes) || element_bytes > 16)
    return std::nullopt;
  layout.swizzle = {log2_of(bytes) - kTmaBase, kTmaBase - log2_of(element_bytes), kTmaShift};
  return layout;
}

std::optional<int> tma_swizzle_bytes(const Layout& layout, int element_bytes) {
  for (const int bytes : {0, 32, 64, 128})
    if (const auto named = from_tma(layout.rows, layout.columns, bytes, element_bytes);
        named && layout.pitch == layout.columns && are_equal(*named, layout))
      return bytes;
  return std::nullopt;
}

std::string cute_text(const Layout& layout, const BitSwizzle& s) {
  const std::string plain =
      fmt::format("Layout<Shape<_{}, _{}>, Stride<_{}, _1>>", layout.rows, layout.columns, layout.pitch);
  return s.bits == 0 ? plain
                     : fmt::format("composition(Swizzle<{}, {}, {}>{{}}, {}{{}})", s.bits, s.base, s.shift, plain);
}

}  // namespace swizzle
