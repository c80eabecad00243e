#include "codegen/picture/layout_picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

int excess(const TileProblem& tile, const TileAccess& access, const Layout& layout) {
  const Wavefronts w = count_wavefronts(tile.memory, access.operation, access.bits, addresses_of(access, layout));
  return w.count - w.ideal;
}

// That which the layout improves most; of several (or none), the furthest from its ideal behind the layout.
const TileAccess* shown_access(const TileProblem& tile, const Layout& layout) {
  const Layout plain = Layout::plain(tile.rows, tile.columns);
  const TileAccess* shown = nullptr;
  std::pair<int, int> most;
  for (const TileAccess& access : tile.accesses) {
    if (access.weight == 0) continue;
    const int after = excess(tile, access, layout);
    const std::pair<int, int> told{std::max(0, excess(tile, access, plain) - after), after};
    if (!shown || told > most) shown = &access, most = told;
  }
  return shown;
}

// Rows, or columns, where lanes access, each with as many beside it as one lane takes.
std::vector<int> accessed(const TileAccess& access, int TileCell::* coordinate, int all, int beside) {
  std::vector<int> found;
  for (const auto& cell : access.lanes)
    for (int i = 0; cell && i < beside; ++i)
      if ((*cell).*coordinate + i < all) found.push_back((*cell).*coordinate + i);
  return found;
}

TilePicture picture(const TileProblem& tile, const TileAccess& access, const Layout& layout) {
  const int in_word = std::max(1, tile.memory.bank_bytes / access.element_bytes);
  const auto active =
      std::find_if(access.lanes.begin(), access.lanes.end(), [](const auto& cell) { return cell.has_value(); });
  const std::int64_t base =
      active == access.lanes.end() ? 0 : (*active)->tile * access.tile_stride.value_or(layout.size());
  TilePicture p;
  p.rows = shown_part(tile.rows, accessed(access, &TileCell::row, tile.rows, 1), kMostRows);
  p.columns =
      shown_part(tile.columns,
                 accessed(access, &TileCell::column, tile.columns, std::max(1, access.bits / 8 / access.element_bytes)),
                 kMostWords * in_word);
  p.element_bytes = access.element_bytes;
  p.address = [=, bytes = access.element_bytes](int r, int c) { return (base + layout.address(r, c)) * bytes; };
  p.memory = tile.memory;
  p.operation = access.operation;
  p.bits = access.bits;
  p.addresses = addresses_of(access, layout);
  return p;
}

}  // namespace

std::vector<TilePicture> before_and_after(const SourceText& source, const TileLayout& named, const TileProblem& tile,
                                          const Layout& layout) {
  const TileAccess* access = shown_access(tile, layout);
  if (!access) return {};
  const Layout plain = Layout::plain(tile.rows, tile.columns);
  const LineColumn at = source.locate(access->range.begin);
  const std::string where = fmt::format(": {} at {}:{}", name_of(access->operation), at.line, at.column);
  TilePicture before = picture(tile, *access, plain), after = picture(tile, *access, layout);
  before.title = fmt::format("before, {}{}", plain.expression().print({"r", "c"}), where);
  after.title = fmt::format("after, {}(r, c) = {}{}", named.name, layout.expression().print({"r", "c"}), where);
  return {before, after};
}

}  // namespace swizzle
