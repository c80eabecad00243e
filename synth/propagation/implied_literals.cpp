#include "synth/propagation/implied_literals.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

int value_at(const Path& path, PointId point) {
  const auto found =
      std::find_if(path.begin(), path.end(), [&](const auto& literal) { return literal.first == point; });
  return found == path.end() ? -1 : found->second;
}

bool all_pass(const std::vector<Path>& alternatives, PointId point) {
  return std::all_of(alternatives.begin(), alternatives.end(),
                     [&](const Path& path) { return value_at(path, point) >= 0; });
}

// By value of a point that all alternatives pass: what those with this value have in common.
struct Common {
  void find(const std::vector<Path>& alternatives, PointId point) {
    values.clear();
    for (const Path& path : alternatives) {
      const int value = value_at(path, point);
      literals.resize(std::max(literals.size(), static_cast<std::size_t>(value) + 1));
      auto& common = literals[static_cast<std::size_t>(value)];
      if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
        common.assign(path.begin(), path.end());
        std::erase_if(common, [&](const auto& literal) { return literal.second < 0 || literal.first == point; });
      } else if (!common.empty()) {
        std::erase_if(common, [&](const auto& literal) { return value_at(path, literal.first) != literal.second; });
      }
    }
  }

  std::vector<int> values;                                     // that the point has
  std::vector<std::vector<std::pair<PointId, int>>> literals;  // by value
};

}  // namespace

std::vector<Implication> implications(const std::vector<Path>& alternatives) {
  std::vector<Implication> found;
  if (alternatives.empty()) return found;
  Common common;
  for (const auto& [point, unused] : alternatives.front()) {
    if (!all_pass(alternatives, point)) continue;
    common.find(alternatives, point);
    for (int value : common.values)
      if (const auto& others = common.literals[static_cast<std::size_t>(value)]; !others.empty())
        found.push_back({point, value, others});
  }
  return found;
}

ImpliedLiterals::ImpliedLiterals(const HoleSpace& space, Constraints constraints)
    : space_(space),
      constraints_(std::move(constraints)),
      position_of_(constraints_.size(), kNone),
      forced_(space.points.size() * static_cast<std::size_t>(space.domain)),
      value_(constraints_.size()),
      place_of_(constraints_.size(), kNone) {
  for (std::size_t p = 0; p < space.points.size(); ++p) position_of_[space.points[p].value] = p;
  for (std::size_t point = 0; point < constraints_.size(); ++point) {
    TableConstraint* const constraint = constraints_[point].first;
    if (!constraint || position_of_[point] != kNone) continue;
    auto asked = std::find_if(asked_.begin(), asked_.end(), [&](const auto& a) { return a.first == constraint; });
    if (asked == asked_.end()) asked = asked_.insert(asked_.end(), {constraint, {}});
    place_of_[point] = static_cast<std::size_t>(asked - asked_.begin());
  }
}

template <typename PointOf>
void ImpliedLiterals::add(const std::vector<Implication>& implications, PointOf&& point_of) {
  for (const auto& [point, value, others] : implications) {
    const std::size_t position = position_of_[point_of(point).value];
    if (position == kNone) continue;
    auto& forced = forced_[position * static_cast<std::size_t>(space_.domain) + static_cast<std::size_t>(value)];
    for (const auto& [other, its_value] : others) forced.emplace_back(point_of(other), its_value);
    any_ = true;
  }
}

void ImpliedLiterals::add(const std::vector<Implication>& implications) {
  add(implications, [](PointId point) { return point; });
}

void ImpliedLiterals::add(const std::vector<Implication>& implications, const std::vector<PointId>& points) {
  add(implications, [&](PointId position) { return points[position.value]; });
}

bool ImpliedLiterals::force(PointId point, int value) {
  auto& [set, known] = value_[point.value];
  if (set == test_) return known == value;
  set = test_;
  known = value;
  if (const std::size_t place = place_of_[point.value]; place != kNone)
    asked_[place].second.emplace_back(constraints_[point.value].second, static_cast<std::int16_t>(value));
  return true;
}

bool ImpliedLiterals::passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) {
  ++test_;
  for (auto& [constraint, literals] : asked_) literals.clear();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!force(space_.points[positions[i]], values[i])) return false;
    for (const auto& [point, value] :
         forced_[positions[i] * static_cast<std::size_t>(space_.domain) + static_cast<std::size_t>(values[i])])
      if (!force(point, value)) return false;
  }
  return std::all_of(asked_.begin(), asked_.end(),
                     [](const auto& asked) { return asked.second.empty() || asked.first->admits(asked.second); });
}

}  // namespace swizzle
