#include "synth/layouts/layout.h"

#include <algorithm>
#include <bit>

#include "synth/base/integers.h"
#include "synth/program/moved_bits.h"

namespace swizzle {
namespace {

MovedBits row_bits(const Layout& l) { return {l.rows - 1, l.row_xor.down, l.row_xor.up, l.row_xor.mask}; }

// Where the swizzle's source bits come from: an argument, if the pitch is a power of two and all lie on one side of it.
enum class Source { kIndex, kRow, kColumn };

Source source_of(const Layout& l) {
  if (!is_power_of_two(l.pitch)) return Source::kIndex;
  const std::int64_t source = l.swizzle.source_mask();
  if (source % l.pitch == 0) return Source::kRow;
  return source < l.pitch && l.row_xor.mask == 0 && l.rotation.factor == 0 ? Source::kColumn : Source::kIndex;
}

MovedBits swizzle_bits(const Layout& l, Source source) {
  const BitSwizzle& s = l.swizzle;
  const int from = s.base + std::max(0, s.shift) - (source == Source::kRow ? log2_of(l.pitch) : 0);
  const std::int64_t largest = source == Source::kRow      ? l.rows - 1
                               : source == Source::kColumn ? l.columns - 1
                                                           : std::int64_t{l.rows} * l.pitch - 1;
  return {largest, from, s.base - std::min(0, s.shift), (std::int64_t{1} << s.bits) - 1};
}

int column_ops(const Layout& l) {
  int ops = 0;
  if (l.row_xor.mask != 0 && l.rows > 1) ops += 1 + row_bits(l).integer_ops();
  if (l.rotation.factor != 0 && l.rows > 1) {
    const bool masks = l.rotation.down > 0 && l.rotation.factor == 1 << l.rotation.down;  // (r >> d) << d
    ops += 1 + (masks ? 1 : (l.rotation.down > 0 ? 1 : 0) + (l.rotation.factor > 1 ? 1 : 0));
    ops += is_power_of_two(l.rotation.width) ? 1 : 4;
  }
  return ops;
}

}  // namespace

bool Layout::is_injective() const {
  if (pitch < columns) return false;
  const int width = rotation.factor == 0 ? pitch : rotation.width;
  if (width > pitch || width < columns) return false;
  if (row_xor.mask == 0) return true;
  for (int r = 0; r < rows; ++r) {
    const int x = row_xor.of(r);
    if (x == 0 || (is_power_of_two(width) && x < width)) continue;
    for (int c = 0; c < columns; ++c)
      if ((c ^ x) >= width) return false;
  }
  return true;
}

std::int64_t Layout::extent() const {
  // The swizzle permutes every aligned block: the largest address is in the last one.
  const std::int64_t whole = std::int64_t{rows} * pitch;
  const std::int64_t block = swizzle.bits == 0 ? 1 : std::int64_t{1} << (log2_of(swizzle.target_mask()) + 1);
  std::int64_t extent = 0;
  for (int r = static_cast<int>((whole - 1) / block * block / pitch); r < rows; ++r)
    for (int c = 0; c < columns; ++c) extent = std::max(extent, address(r, c) + 1);
  return extent;
}

std::int64_t Layout::size() const {
  const std::int64_t whole = std::int64_t{rows} * pitch;
  const bool stays = swizzle.bits == 0 || whole % (std::int64_t{1} << (log2_of(swizzle.target_mask()) + 1)) == 0;
  return stays ? whole : std::max(whole, extent());
}

IndexExpr Layout::column_expression() const {
  const IndexExpr r = IndexExpr::argument(0);
  IndexExpr column = IndexExpr::argument(1);
  if (rows == 1) return column;
  if (row_xor.mask != 0) column = IndexExpr::bit_xor(std::move(column), row_bits(*this).of(r));
  if (rotation.factor == 0) return column;
  IndexExpr turn = IndexExpr::mul(IndexExpr::div(r, std::int64_t{1} << rotation.down), rotation.factor);
  return IndexExpr::mod(IndexExpr::add(std::move(column), std::move(turn)), rotation.width);
}

IndexExpr Layout::expression() const {
  const IndexExpr r = IndexExpr::argument(0);
  IndexExpr index = column_expression();
  if (rows > 1) index = IndexExpr::add(IndexExpr::mul(r, pitch), std::move(index));
  if (swizzle.bits == 0) return index;
  const Source source = source_of(*this);
  IndexExpr from = source == Source::kRow ? r : source == Source::kColumn ? IndexExpr::argument(1) : index;
  return IndexExpr::bit_xor(std::move(index), swizzle_bits(*this, source).of(std::move(from)));
}

int Layout::integer_ops() const {
  const int index = column_ops(*this) + (rows > 1 ? 1 + (pitch > 1 ? 1 : 0) : 0);
  if (swizzle.bits == 0) return index;
  const Source source = source_of(*this);
  return index + 1 + swizzle_bits(*this, source).integer_ops() + (source == Source::kIndex ? index : 0);
}

}  // namespace swizzle
