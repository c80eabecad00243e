#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "codegen/picture/tile_picture.h"

namespace swizzle {
namespace {

constexpr int kCell = 22, kLeft = 36, kTop = 62, kGap = 12;  // pixels
constexpr int kLevels = 5;                                   // of red: 2, 4, 8, 16, 32 words
constexpr double kLetter = 7.5;                              // of a title

constexpr const char* kLegend =
    "A cell is an element, its colour a bank, a number a lane of the access. Red: lanes wait, for their bank has other words to give; the more, the darker.";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string listed(const std::vector<int>& lanes) {
  std::string text;
  for (const int lane : lanes) text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
  return text;
}

int width_of(const TilePicture& p) {
  return std::max(kLeft + p.columns * kCell, static_cast<int>(kLetter * static_cast<double>(p.title.size()))) + kGap;
}
int height_of(const TilePicture& p) { return kTop + p.rows * kCell + kGap; }

// `.b5` fills with the colour of bank 5, `.x3` with the red of 8 words.
std::string style(int banks) {
  std::string text =
      "<style>.h{font-size:9px;fill:#666}.t{font-size:14px;text-anchor:start}.n{font-weight:bold;fill:#111}.w{font-weight:bold;fill:#fff}.a{fill:none;stroke:#111;stroke-width:2px}.x{stroke:#800;stroke-width:2px}";
  for (int level = 1; level <= kLevels; ++level)
    text += fmt::format(".x{}{{fill:hsl(0,100%,{}%)}}", level, 78 - 7 * level);
  for (int bank = 0; bank < banks; ++bank)
    text += fmt::format(".b{}{{fill:hsl({},65%,82%)}}", bank, bank * 360 / banks);
  return text + "</style>\n";
}

std::string square(const std::string& style, int x, int y, int side) {
  return fmt::format("<path class='{0}' d='M{1} {2}h{3}v{3}h-{3}z'/>", style, x, y, side);
}

std::string cell_svg(const TilePicture& p, const PictureCell& cell, int row, int column) {
  const int x = kLeft + column * kCell, y = kTop + row * kCell;
  const std::string lanes =
      cell.lanes.empty() ? ""
                         : fmt::format(", lanes {}{}", listed(cell.lanes),
                                       cell.waits() ? fmt::format(", waits: {} words of this bank", cell.words) : "");
  std::string text = fmt::format("<g><title>[{}][{}]: byte {}, bank {}{}</title>", row, column, p.address(row, column),
                                 cell.bank, lanes) +
                     square(fmt::format("b{}", cell.bank), x, y, kCell - 1);
  if (!cell.lanes.empty()) {
    text +=
        square(cell.waits()
                   ? fmt::format("x x{}", std::min<int>(kLevels, std::bit_width(static_cast<unsigned>(cell.words)) - 1))
                   : "a",
               x + 1, y + 1, kCell - 3);
    text += fmt::format("<text class='{}' x='{}' y='{}'>{}{}</text>", cell.waits() ? "w" : "n", x + kCell / 2,
                        y + kCell / 2 + 4, cell.lanes[0], cell.lanes.size() > 1 ? "+" : "");
  }
  return text + "</g>\n";
}

std::string panel(const TilePicture& p) {
  const auto cells = cells_of(p);
  const Wavefronts w = count_wavefronts(p.memory, p.operation, p.bits, p.addresses);
  std::string text = fmt::format(
      "<text class='t' x='8' y='20'>{}</text>\n<text class='t' x='8' y='40'>{} wavefront{}, ideal {}</text>\n",
      escaped(p.title), w.count, w.count == 1 ? "" : "s", w.ideal);
  for (int c = 0; c < p.columns; ++c)
    text += fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", kLeft + c * kCell + kCell / 2, kTop - 5, c);
  for (int r = 0; r < p.rows; ++r) {
    text += fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", kLeft - kCell / 2,
                        kTop + r * kCell + kCell / 2 + 4, r);
    for (int c = 0; c < p.columns; ++c)
      text += cell_svg(p, cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)], r, c);
  }
  return text;
}

}  // namespace

std::string to_svg(const PictureRows& rows) {
  constexpr int kLegendWidth = 760, kLegendHeight = 24;
  int width = kLegendWidth, height = 0, banks = 1;
  std::string panels;
  for (const std::vector<TilePicture>& row : rows) {
    int left = 0, tallest = 0;
    for (const TilePicture& p : row) {
      panels += fmt::format("<g transform='translate({} {})'>\n{}</g>\n", left, height, panel(p));
      left += width_of(p);
      tallest = std::max(tallest, height_of(p));
      banks = std::max(banks, p.memory.banks);
    }
    width = std::max(width, left);
    height += tallest;
  }
  height += kLegendHeight;
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' font-family='sans-serif' font-size='11' text-anchor='middle'>\n",
      width, height);
  text += style(banks) + fmt::format("<rect width='{}' height='{}' fill='#fff'/>\n", width, height);
  return text + panels +
         fmt::format("<text x='8' y='{}' text-anchor='start'>{}</text>\n</svg>\n", height - 10, kLegend);
}

}  // namespace swizzle
