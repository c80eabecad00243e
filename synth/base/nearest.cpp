#include "synth/base/nearest.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace swizzle {
namespace {

// A bit for each letter of `word`; some share one.
std::uint64_t letters_of(std::string_view word) {
  std::uint64_t letters = 0;
  for (const char letter : word) letters |= std::uint64_t{1} << (static_cast<unsigned char>(letter) % 64);
  return letters;
}

// Each letter that only one of them has is put in, taken out or changed.
int least_distance(std::string_view a, std::string_view b) {
  const std::uint64_t in_a = letters_of(a), in_b = letters_of(b);
  return std::max(std::popcount(in_a & ~in_b), std::popcount(in_b & ~in_a));
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b, int most) {
  if (least_distance(a, b) > most) return most + 1;
  // By letters of `b`, for ever more letters of `a`.
  std::vector<int> two_back(b.size() + 1), back(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(back);
    back.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;  // beyond, no word is meant
  if (word.size() > kLongest) return "";
  const std::string* nearest = nullptr;
  int least = 0;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(word, candidate);
    if (distance * 3 > static_cast<int>(std::max(word.size(), candidate.size()))) continue;
    if (nearest == nullptr || distance < least) nearest = &candidate, least = distance;
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

}  // namespace swizzle
