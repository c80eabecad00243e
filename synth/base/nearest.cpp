#include "synth/base/nearest.h"

#include <algorithm>

namespace swizzle {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      int& best = d[i][j];
      if (i == 0 || j == 0) {
        best = static_cast<int>(i + j);
        continue;
      }
      best = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = std::min(best, d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
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
