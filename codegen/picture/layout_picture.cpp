#include "codegen/picture/layout_picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr int kMostRows = 128, kMostColumns = 136;

int excess(const TileProblem& tile, const TileAccess& access, const Layout& layout) {
  const Wavefronts w = count_wavefronts(tile.memory, access.operation, access.bits, addresses_of(access, layout));
  return w.count - w.ideal;
}

// The furthest from its ideal by rows; of several, behind the layout.
const TileAccess* worst_access(const TileProblem& tile, const Layout& layout) {
  const Layout plain = Layout::plain(tile.rows, tile.columns);
  const TileAccess* worst = nullptr;
  std::pair<int, int> most;
  for (const TileAccess& access : tile.accesses) {
    if (access.weight == 0) continue;
    const std::pair<int, int> wasted{excess(tile, access, plain), excess(tile, access, layout)};
    if (!worst || wasted > most) worst = &access, most = wasted;
  }
  return worst;
}

// A part of the rows, or of the columns.
struct Window {
  int first = 0, count = 0;
};

Window window(const TileAccess& access, int TileCell::* coordinate, int all, int most) {
  int low = all, high = 0;
  for (const auto& cell : access.lanes)
    if (cell) low = std::min(low, (*cell).*coordinate), high = std::max(high, (*cell).*coordinate);
  const int first = all <= most || high < most ? 0 : low;
  return {first, std::min(all - first, most)};
}

TilePicture picture(const TileProblem& tile, const TileAccess& access, const Layout& layout) {
  const Window rows = window(access, &TileCell::row, tile.rows, kMostRows),
               columns = window(access, &TileCell::column, tile.columns, kMostColumns);
  const auto active =
      std::find_if(access.lanes.begin(), access.lanes.end(), [](const auto& cell) { return cell.has_value(); });
  const std::int64_t base =
      active == access.lanes.end() ? 0 : (*active)->tile * access.tile_stride.value_or(layout.size());
  TilePicture p;
  p.rows = rows.count;
  p.columns = columns.count;
  p.element_bytes = access.element_bytes;
  p.address = [=, bytes = access.element_bytes](int r, int c) {
    return (base + layout.address(rows.first + r, columns.first + c)) * bytes;
  };
  p.memory = tile.memory;
  p.operation = access.operation;
  p.bits = access.bits;
  p.addresses = addresses_of(access, layout);
  if (rows.first > 0) p.title += fmt::format("; rows from {}", rows.first);
  if (columns.first > 0) p.title += fmt::format("; columns from {}", columns.first);
  return p;
}

}  // namespace

std::vector<TilePicture> before_and_after(const SourceText& source, const TileLayout& named, const TileProblem& tile,
                                          const Layout& layout) {
  const TileAccess* access = worst_access(tile, layout);
  if (!access) return {};
  const Layout plain = Layout::plain(tile.rows, tile.columns);
  const LineColumn at = source.locate(access->range.begin);
  const std::string where = fmt::format(": {} at {}:{}", name_of(access->operation), at.line, at.column);
  TilePicture before = picture(tile, *access, plain), after = picture(tile, *access, layout);
  before.title = fmt::format("before, {}{}{}", plain.expression().print({"r", "c"}), where, before.title);
  after.title =
      fmt::format("after, {}(r, c) = {}{}{}", named.name, layout.expression().print({"r", "c"}), where, after.title);
  return {before, after};
}

}  // namespace swizzle
