#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "codegen/picture/tile_picture.h"

namespace swizzle {
namespace {

constexpr int kLeftEdge = 36, kUpperEdge = 62,
              kLeftOut = 14;  // pixels; between rows or columns of which some are left out
constexpr int kLevels = 5;    // of red: 2, 4, 8, 16, 32 words

std::string listed(const std::vector<int>& lanes) {
  std::string text;
  for (const int lane : lanes) text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
  return text;
}

// Where each shown row or column begins, and where the last one ends.
std::vector<int> offsets(const std::vector<int>& shown, int first) {
  std::vector<int> at = {first};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0 && shown[i] != shown[i - 1] + 1) at.back() += kLeftOut;
    at.push_back(at.back() + kSvgCell);
  }
  return at;
}

std::string square(const std::string& style, int x, int y, int side) {
  return fmt::format("<path class='{0}' d='M{1} {2}h{3}v{3}h-{3}z'/>", style, x, y, side);
}

// The number of a bank alone, or that of a lane above it.
std::string numbers(const PictureCell& cell, int x, int y) {
  const int middle = x + kSvgCell / 2;
  if (cell.lanes.empty()) return fmt::format("<text class='k' x='{}' y='{}'>{}</text>", middle, y + 14, cell.bank);
  return fmt::format("<text class='{0}' x='{1}' y='{2}'>{3}{4}</text><text class='{0} l' x='{1}' y='{5}'>{6}</text>",
                     cell.waits() ? "w" : "n", middle, y + 12, cell.lanes[0], cell.lanes.size() > 1 ? "+" : "", y + 19,
                     cell.bank);
}

std::string cell_svg(const TilePicture& p, const PictureCell& cell, int row, int column, int x, int y) {
  const std::string lanes =
      cell.lanes.empty() ? ""
                         : fmt::format(", lanes {}{}", listed(cell.lanes),
                                       cell.waits() ? fmt::format(", waits: {} words of this bank", cell.words) : "");
  std::string text = fmt::format("<g><title>[{}][{}]: byte {}, bank {}{}</title>", row, column, p.address(row, column),
                                 cell.bank, lanes) +
                     square(fmt::format("b{}", cell.bank), x, y, kSvgCell - 1);
  if (!cell.lanes.empty())
    text +=
        square(cell.waits()
                   ? fmt::format("x x{}", std::min<int>(kLevels, std::bit_width(static_cast<unsigned>(cell.words)) - 1))
                   : "a",
               x + 1, y + 1, kSvgCell - 3);
  return text + numbers(cell, x, y) + "</g>\n";
}

}  // namespace

// `.b5` fills with the colour of bank 5, `.x3` with the red of 8 words.
std::string tile_style(int banks) {
  std::string text =
      ".h{font-size:9px;fill:#666}.t{font-size:14px;text-anchor:start}.k{font-size:9px;fill:#777}"
      ".n{font-weight:bold;fill:#111}.w{font-weight:bold;fill:#fff}.l{font-size:7px;font-weight:normal}"
      ".a{fill:none;stroke:#111;stroke-width:2px}.x{stroke:#800;stroke-width:2px}";
  for (int level = 1; level <= kLevels; ++level)
    text += fmt::format(".x{}{{fill:hsl(0,100%,{}%)}}", level, 78 - 7 * level);
  for (int bank = 0; bank < banks; ++bank)
    text += fmt::format(".b{}{{fill:hsl({},65%,82%)}}", bank, bank * 360 / banks);
  return text;
}

SvgPanel tile_panel(const TilePicture& p) {
  const auto cells = cells_of(p);
  const std::vector<int> x = offsets(p.columns, kLeftEdge), y = offsets(p.rows, kUpperEdge);
  SvgPanel panel;
  panel.body = fmt::format("<text class='t' x='8' y='20'>{}</text>\n<text class='t' x='8' y='40'>{}</text>\n",
                           svg_escaped(p.title), count_text(p));
  for (std::size_t c = 0; c < p.columns.size(); ++c)
    panel.body +=
        fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", x[c] + kSvgCell / 2, kUpperEdge - 5, p.columns[c]);
  for (std::size_t r = 0; r < p.rows.size(); ++r) {
    panel.body +=
        fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", kLeftEdge - 13, y[r] + kSvgCell / 2 + 4, p.rows[r]);
    for (std::size_t c = 0; c < p.columns.size(); ++c)
      panel.body += cell_svg(p, cells[r][c], p.rows[r], p.columns[c], x[c], y[r]);
  }
  panel.width = std::max(x.back(), static_cast<int>(kSvgTitleLetter * static_cast<double>(p.title.size()))) + kSvgGap;
  panel.height = y.back() + kSvgGap;
  return panel;
}

}  // namespace swizzle
