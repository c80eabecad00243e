#include "codegen/picture/tile_picture.h"

#include <algorithm>
#include <map>
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

std::string first_lane(const std::vector<int>& lanes) {
  return lanes.size() == 1 ? std::to_string(lanes[0]) : fmt::format("{}+", lanes[0]);
}

std::string lane_text(const PictureCell& cell) {
  return fmt::format(" {:>2}{}", cell.lanes.empty() ? "." : first_lane(cell.lanes), cell.waits() ? "!" : " ");
}
std::string bank_text(const PictureCell& cell) {
  return fmt::format(" {:>2}{}", cell.bank, cell.waits() ? "!" : cell.lanes.empty() ? " " : "*");
}

std::vector<std::string> lines_of(const TilePicture& p, std::string (*text)(const PictureCell&)) {
  const auto cells = cells_of(p);
  const int step = std::max(1, p.memory.bank_bytes / p.element_bytes);
  const int digits = static_cast<int>(std::to_string(p.rows - 1).size());
  std::vector<std::string> lines = {p.title};
  for (int r = 0; r < p.rows; ++r) {
    lines.push_back(fmt::format("row {:>{}} |", r, digits));
    for (int c = 0; c < p.columns; c += step)
      lines.back() += text(cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]);
  }
  return lines;
}

std::string line_of_text(std::string line) { return line.erase(line.find_last_not_of(' ') + 1) + "\n"; }

}  // namespace

std::vector<std::vector<PictureCell>> cells_of(const TilePicture& p) {
  const std::map<std::int64_t, int> most = contention(p);
  std::vector<std::vector<PictureCell>> cells(static_cast<std::size_t>(p.rows),
                                              std::vector<PictureCell>(static_cast<std::size_t>(p.columns)));
  for (int r = 0; r < p.rows; ++r)
    for (int c = 0; c < p.columns; ++c) {
      PictureCell& cell = cells[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      const std::int64_t at = p.address(r, c), word = at / p.memory.bank_bytes;
      cell.bank = static_cast<int>(word % p.memory.banks);
      for (std::size_t lane = 0; lane < p.addresses.size(); ++lane) {
        const auto& a = p.addresses[lane];
        if (a && *a < at + p.element_bytes && at < *a + p.bits / 8) cell.lanes.push_back(static_cast<int>(lane));
      }
      if (!cell.lanes.empty()) cell.words = most.at(word);
    }
  return cells;
}

std::string lanes_text(const TilePicture& p) {
  std::string text;
  for (const std::string& line : lines_of(p, lane_text)) text += line_of_text(line);
  return text;
}

std::string banks_text(const PictureRows& rows) {
  constexpr std::size_t kBetween = 4;
  std::string text;
  for (const std::vector<TilePicture>& row : rows) {
    std::vector<std::string> beside;
    for (const TilePicture& p : row) {
      std::size_t width = 0;
      for (const std::string& line : beside) width = std::max(width, line.size() + kBetween);
      const std::vector<std::string> lines = lines_of(p, bank_text);
      beside.resize(std::max(beside.size(), lines.size()));
      for (std::size_t i = 0; i < lines.size(); ++i) beside[i] = fmt::format("{:{}}{}", beside[i], width, lines[i]);
    }
    if (!text.empty()) text += "\n";
    for (const std::string& line : beside) text += line_of_text(line);
  }
  return text;
}

}  // namespace swizzle
