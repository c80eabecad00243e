#include "synth/search/readable_constants.h"

#include <optional>
#include <utility>

namespace swizzle {
namespace {

// At each point the argument, as far as the hole may be that; nothing: it is that already, or has several arguments.
std::optional<HoleTable> by_argument(const HoleSpace& space, const HoleTable& table) {
  if (space.traits().grammar != HoleGrammar::kConstants || space.arguments.empty() || space.arguments[0].size() != 1)
    return std::nullopt;
  std::vector<std::int16_t> values = table.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t own = space.arguments[i][0] - space.least;
    if (own >= 0 && own < space.domain) values[i] = static_cast<std::int16_t>(own);
  }
  return values == table.values ? std::nullopt : std::optional(constant_table(space, std::move(values)));
}

}  // namespace

void prefer_arguments(const Problem& problem, const TableCosts& costs, std::vector<HoleTable>& tables,
                      Assignment& assignment, const std::function<bool(const Assignment&)>& holds) {
  for (std::size_t h = 0; h < tables.size(); ++h) {
    const HoleSpace& space = problem.holes[h];
    if (tables[h].values.size() != space.points.size()) continue;
    auto table = by_argument(space, tables[h]);
    if (!table) continue;
    std::vector<HoleTable> others = tables;
    Assignment at = assignment;
    for (std::size_t i = 0; i < table->values.size(); ++i) at[space.points[i].value] = table->values[i];
    others[h] = *std::move(table);
    if (costs.total(others).total > costs.total(tables).total || !holds(at)) continue;
    tables = std::move(others);
    assignment = std::move(at);
  }
}

}  // namespace swizzle
