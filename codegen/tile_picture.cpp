#include "codegen/tile_picture.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr int kCell = 22, kLeft = 46, kTop = 54;  // pixels

// The words that share a bank with another word of their phase.
std::set<std::int64_t> waiting_words(const TilePicture& p) {
  std::set<std::int64_t> waiting;
  for (const std::vector<int>& phase : phases_of(p.memory, p.operation, p.bits, p.addresses)) {
    std::map<std::int64_t, std::set<std::int64_t>> words;  // by bank
    for (const int lane : phase) {
      const std::int64_t begin = *p.addresses[static_cast<std::size_t>(lane)], end = begin + p.bits / 8;
      for (std::int64_t word = begin / p.memory.bank_bytes; word * p.memory.bank_bytes < end; ++word) words[word % p.memory.banks].insert(word);
    }
    for (const auto& [bank, in_bank] : words)
      if (in_bank.size() > 1) waiting.insert(in_bank.begin(), in_bank.end());
  }
  return waiting;
}

std::string lanes_text(const std::vector<int>& lanes) {
  if (lanes.empty()) return "";
  return lanes.size() == 1 ? std::to_string(lanes[0]) : fmt::format("{}+", lanes[0]);
}

std::string all_lanes(const std::vector<int>& lanes) {
  std::string text;
  for (const int lane : lanes) text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string cell_svg(const TilePicture& p, const TileCell& cell, int row, int column) {
  const int x = kLeft + column * kCell, y = kTop + row * kCell;
  const int hue = cell.bank * 360 / p.memory.banks;
  std::string text = fmt::format("<g><title>[{}][{}]: byte {}, bank {}{}</title>", row, column, p.address(row, column), cell.bank, cell.lanes.empty() ? "" : fmt::format(", lanes {}{}", all_lanes(cell.lanes), cell.waits ? ", waits" : ""));
  text += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='hsl({},65%,{}%)'/>", x, y, kCell - 1, kCell - 1, hue, cell.lanes.empty() ? 88 : 70);
  if (!cell.lanes.empty()) {
    text += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='{}' fill-opacity='{}' stroke='{}' stroke-width='2'/>", x + 1, y + 1, kCell - 3, kCell - 3, cell.waits ? "#d00" : "none",
                        cell.waits ? "0.85" : "0", cell.waits ? "#800" : "#111");
    text += fmt::format("<text x='{}' y='{}' font-weight='bold' fill='{}'>{}</text>", x + kCell / 2, y + kCell / 2 + 4, cell.waits ? "#fff" : "#111", lanes_text(cell.lanes));
  }
  return text + "</g>\n";
}

}  // namespace

std::vector<std::vector<TileCell>> cells_of(const TilePicture& p) {
  const std::set<std::int64_t> waiting = waiting_words(p);
  std::vector<std::vector<TileCell>> cells(static_cast<std::size_t>(p.rows), std::vector<TileCell>(static_cast<std::size_t>(p.columns)));
  for (int r = 0; r < p.rows; ++r)
    for (int c = 0; c < p.columns; ++c) {
      TileCell& cell = cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      const std::int64_t at = p.address(r, c), word = at / p.memory.bank_bytes;
      cell.bank = static_cast<int>(word % p.memory.banks);
      for (std::size_t lane = 0; lane < p.addresses.size(); ++lane) {
        const auto& a = p.addresses[lane];
        if (a && *a < at + p.element_bytes && at < *a + p.bits / 8) cell.lanes.push_back(static_cast<int>(lane));
      }
      cell.waits = !cell.lanes.empty() && waiting.contains(word);
    }
  return cells;
}

std::string to_svg(const TilePicture& p) {
  const auto cells = cells_of(p);
  const Wavefronts w = count_wavefronts(p.memory, p.operation, p.bits, p.addresses);
  const int width = std::max(kLeft + p.columns * kCell + 12, 560), height = kTop + p.rows * kCell + 12;
  std::string text = fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' font-family='sans-serif' font-size='11' text-anchor='middle'>\n", width, height);
  text += fmt::format("<rect width='{}' height='{}' fill='#fff'/>\n<text x='8' y='18' font-size='14' text-anchor='start'>{}</text>\n", width, height, escaped(p.title));
  text += fmt::format("<text x='8' y='36' text-anchor='start'>{} wavefront{}, ideal {}; colours are banks, numbers are lanes, red ones wait for another word of their bank</text>\n", w.count, w.count == 1 ? "" : "s", w.ideal);
  for (int c = 0; c < p.columns; ++c) text += fmt::format("<text x='{}' y='{}' font-size='9' fill='#666'>{}</text>\n", kLeft + c * kCell + kCell / 2, kTop - 5, c);
  for (int r = 0; r < p.rows; ++r) {
    text += fmt::format("<text x='{}' y='{}' font-size='9' fill='#666' text-anchor='end'>{}</text>\n", kLeft - 6, kTop + r * kCell + kCell / 2 + 4, r);
    for (int c = 0; c < p.columns; ++c) text += cell_svg(p, cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)], r, c);
  }
  return text + "</svg>\n";
}

std::string to_text(const TilePicture& p) {
  const auto cells = cells_of(p);
  const int step = std::max(1, p.memory.bank_bytes / p.element_bytes);
  const int digits = static_cast<int>(std::to_string(p.rows - 1).size());
  std::string text = p.title + "\n";
  for (int r = 0; r < p.rows; ++r) {
    std::string line = fmt::format("row {:>{}} |", r, digits);
    for (int c = 0; c < p.columns; c += step) {
      const TileCell& cell = cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      line += fmt::format(" {:>2}{}", cell.lanes.empty() ? "." : lanes_text(cell.lanes), cell.waits ? "!" : " ");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace swizzle
