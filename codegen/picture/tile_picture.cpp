#include "codegen/picture/tile_picture.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace swizzle {
namespace {

// For each accessed word: how many words its bank has to give, in the phase where they are most.
std::map<std::int64_t, int> contention(const TilePicture& p) {
  std::map<std::int64_t, int> most;
  for (const std::vector<int>& phase : phases_of(p.memory, p.operation, p.bits, p.addresses)) {
    std::map<std::int64_t, std::set<std::int64_t>> words;  // by bank
    for (const int lane : phase) {
      const std::int64_t begin = *p.addresses[static_cast<std::size_t>(lane)], end = begin + p.bits / 8;
      for (std::int64_t word = begin / p.memory.bank_bytes; word * p.memory.bank_bytes < end; ++word)
        words[word % p.memory.banks].insert(word);
    }
    for (const auto& [bank, in_bank] : words)
      for (const std::int64_t word : in_bank) most[word] = std::max(most[word], static_cast<int>(in_bank.size()));
  }
  return most;
}

// Both of three letters: a number and a mark.
std::string lane_text(const PictureCell& cell) {
  if (cell.lanes.empty()) return " . ";
  return fmt::format("{:>2}{}", cell.lanes[0], cell.waits() ? "!" : cell.lanes.size() > 1 ? "+" : " ");
}
std::string bank_text(const PictureCell& cell) {
  return fmt::format("{:>2}{}", cell.bank, cell.waits() ? "!" : cell.lanes.empty() ? " " : "*");
}

// Of elements of less than a bank, the first that is shown of each bank.
std::vector<std::size_t> columns_of_words(const TilePicture& p) {
  const int in_word = std::max(1, p.memory.bank_bytes / p.element_bytes);
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < p.columns.size(); ++c)
    if (c == 0 || p.columns[c] / in_word != p.columns[columns.back()] / in_word) columns.push_back(c);
  return columns;
}

std::vector<std::string> lines_of(const TilePicture& p, std::string (*text)(const PictureCell&)) {
  const auto cells = cells_of(p);
  const std::vector<std::size_t> columns = columns_of_words(p);
  const std::size_t digits = p.rows.empty() ? 1 : std::to_string(p.rows.back()).size();
  std::vector<std::string> lines = {p.title, count_text(p)};
  for (std::size_t r = 0; r < p.rows.size(); ++r) {
    if (r > 0 && p.rows[r] != p.rows[r - 1] + 1) lines.emplace_back("...");
    lines.push_back(fmt::format("row {:>{}} |", p.rows[r], digits));
    for (const std::size_t c : columns) lines.back() += text(cells[r][c]);
  }
  return lines;
}

std::string line_of_text(std::string line) { return line.erase(line.find_last_not_of(' ') + 1) + "\n"; }

std::size_t width_of(const std::vector<std::string>& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, line.size());
  return width;
}

}  // namespace

std::vector<std::vector<PictureCell>> cells_of(const TilePicture& p) {
  const std::map<std::int64_t, int> most = contention(p);
  std::vector<std::vector<PictureCell>> cells(p.rows.size(), std::vector<PictureCell>(p.columns.size()));
  for (std::size_t r = 0; r < p.rows.size(); ++r)
    for (std::size_t c = 0; c < p.columns.size(); ++c) {
      PictureCell& cell = cells[r][c];
      const std::int64_t at = p.address(p.rows[r], p.columns[c]), word = at / p.memory.bank_bytes;
      cell.bank = static_cast<int>(word % p.memory.banks);
      for (std::size_t lane = 0; lane < p.addresses.size(); ++lane) {
        const auto& a = p.addresses[lane];
        if (a && *a < at + p.element_bytes && at < *a + p.bits / 8) cell.lanes.push_back(static_cast<int>(lane));
      }
      if (!cell.lanes.empty()) cell.words = most.at(word);
    }
  return cells;
}

std::vector<int> shown_part(int count, std::vector<int> accessed, int most) {
  if (count <= most) {
    accessed.resize(static_cast<std::size_t>(count));
    std::iota(accessed.begin(), accessed.end(), 0);
    return accessed;
  }
  std::ranges::sort(accessed);
  accessed.erase(std::ranges::unique(accessed).begin(), accessed.end());
  accessed.resize(std::min(accessed.size(), static_cast<std::size_t>(most)));
  return accessed;
}

std::string count_text(const TilePicture& p) {
  const Wavefronts w = count_wavefronts(p.memory, p.operation, p.bits, p.addresses);
  return fmt::format("{} wavefront{}, ideal {}", w.count, w.count == 1 ? "" : "s", w.ideal);
}

std::string lanes_text(const TilePicture& p) {
  std::string text;
  for (const std::string& line : lines_of(p, lane_text)) text += line_of_text(line);
  return text;
}

std::string banks_text(const PictureRows& rows) {
  constexpr std::size_t kBetween = 4, kMostColumns = 120;
  std::string text;
  for (const std::vector<TilePicture>& row : rows) {
    std::vector<std::string> block;
    for (const TilePicture& p : row) {
      const std::vector<std::string> lines = lines_of(p, bank_text);
      const std::size_t left = block.empty() ? 0 : width_of(block) + kBetween;
      if (left + width_of(lines) > kMostColumns) {
        block.emplace_back();
        block.insert(block.end(), lines.begin(), lines.end());
        continue;
      }
      block.resize(std::max(block.size(), lines.size()));
      for (std::size_t i = 0; i < lines.size(); ++i) block[i] = fmt::format("{:{}}{}", block[i], left, lines[i]);
    }
    if (!text.empty()) text += "\n";
    for (const std::string& line : block) text += line_of_text(line);
  }
  return text;
}

}  // namespace swizzle
