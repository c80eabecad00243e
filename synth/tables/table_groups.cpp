#include "synth/tables/table_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace swizzle {
namespace {

std::size_t first_difference(const std::vector<const HoleTable*>& tables) {
  for (const HoleTable* table : tables) {
    const auto [a, b] = std::mismatch(table->values.begin(), table->values.end(), tables.front()->values.begin());
    if (a != table->values.end()) return static_cast<std::size_t>(a - table->values.begin());
  }
  return 0;
}

}  // namespace

TableGroups divide(const std::vector<const HoleTable*>& tables, const std::function<std::size_t(std::size_t)>& weight) {
  constexpr std::size_t kSample = 16, kEnough = 6;
  std::size_t best = 0;
  std::tuple<std::size_t, std::size_t, std::size_t> best_score{0, 0, 0};
  std::vector<std::int16_t> seen;
  for (std::size_t position = 0; position < tables[0]->values.size(); ++position) {
    seen.clear();
    for (std::size_t i = 0; i < kSample; ++i) {
      const std::int16_t v = tables[i * (tables.size() - 1) / (kSample - 1)]->values[position];
      if (std::find(seen.begin(), seen.end(), v) == seen.end()) seen.push_back(v);
    }
    if (seen.size() < 2) continue;
    const std::tuple score{std::min(seen.size(), kEnough), weight(position), seen.size()};
    if (score > best_score) {
      best = position;
      best_score = score;
    }
  }
  if (std::get<0>(best_score) == 0) best = first_difference(tables);
  std::vector<std::vector<const HoleTable*>> groups;
  std::map<std::int16_t, std::size_t> group_of;
  for (const HoleTable* table : tables) {
    const auto [it, fresh] = group_of.try_emplace(table->values[best], groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(table);
  }
  return {best, std::move(groups)};
}

}  // namespace swizzle
