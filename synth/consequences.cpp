#include "synth/consequences.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

int value_at(const Path& path, PointId point) {
  const auto found = std::find_if(path.begin(), path.end(), [&](const auto& literal) { return literal.first == point; });
  return found == path.end() ? -1 : found->second;
}

bool all_pass(const std::vector<Path>& alternatives, PointId point) {
  return std::all_of(alternatives.begin(), alternatives.end(), [&](const Path& path) { return value_at(path, point) >= 0; });
}

}  // namespace

Consequences::Consequences(const HoleSpace& space, Constraints constraints)
    : space_(space), constraints_(std::move(constraints)), position_of_(constraints_.size(), kNone), forced_(space.points.size() * static_cast<std::size_t>(space.domain)),
      value_(constraints_.size()), place_of_(constraints_.size(), kNone) {
  for (std::size_t p = 0; p < space.points.size(); ++p) position_of_[space.points[p].value] = p;
  for (std::size_t point = 0; point < constraints_.size(); ++point) {
    HoleConstraint* const constraint = constraints_[point].first;
    if (!constraint || position_of_[point] != kNone) continue;
    auto asked = std::find_if(asked_.begin(), asked_.end(), [&](const auto& a) { return a.first == constraint; });
    if (asked == asked_.end()) asked = asked_.insert(asked_.end(), {constraint, {}});
    place_of_[point] = static_cast<std::size_t>(asked - asked_.begin());
  }
}

void Consequences::add_choice(const std::vector<Path>& alternatives) {
  if (alternatives.empty()) return;
  for (const auto& [point, unused] : alternatives.front()) {
    if (position_of_[point.value] == kNone || !all_pass(alternatives, point)) continue;
    common_.find(alternatives, point);
    for (int value : common_.values)
      for (const Literal& literal : common_.literals[static_cast<std::size_t>(value)])
        if (literal.first != point) {
          forced_[position_of_[point.value] * static_cast<std::size_t>(space_.domain) + static_cast<std::size_t>(value)].push_back(literal);
          any_ = true;
        }
  }
}

// By value of a point that all alternatives pass: what those with this value have in common.
void Consequences::Common::find(const std::vector<Path>& alternatives, PointId point) {
  values.clear();
  for (const Path& path : alternatives) {
    const int value = value_at(path, point);
    literals.resize(std::max(literals.size(), static_cast<std::size_t>(value) + 1));
    std::vector<Literal>& common = literals[static_cast<std::size_t>(value)];
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
      common.assign(path.begin(), path.end());
      std::erase_if(common, [](const Literal& literal) { return literal.second < 0; });
    } else if (common.size() > 1) {
      std::erase_if(common, [&](const Literal& literal) { return value_at(path, literal.first) != literal.second; });
    }
  }
}

bool Consequences::forces(const std::vector<Path>& alternatives) {
  Common common;
  return !alternatives.empty() && std::any_of(alternatives.front().begin(), alternatives.front().end(), [&](const auto& step) {
    if (!all_pass(alternatives, step.first)) return false;
    common.find(alternatives, step.first);
    return std::any_of(common.values.begin(), common.values.end(), [&](int value) { return common.literals[static_cast<std::size_t>(value)].size() > 1; });
  });
}

bool Consequences::force(PointId point, int value) {
  auto& [set, known] = value_[point.value];
  if (set == test_) return known == value;
  set = test_;
  known = value;
  if (const std::size_t place = place_of_[point.value]; place != kNone) asked_[place].second.emplace_back(constraints_[point.value].second, static_cast<std::int16_t>(value));
  return true;
}

bool Consequences::passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) {
  ++test_;
  for (auto& [constraint, literals] : asked_) literals.clear();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!force(space_.points[positions[i]], values[i])) return false;
    for (const auto& [point, value] : forced_[positions[i] * static_cast<std::size_t>(space_.domain) + static_cast<std::size_t>(values[i])])
      if (!force(point, value)) return false;
  }
  return std::all_of(asked_.begin(), asked_.end(), [](const auto& asked) { return asked.second.empty() || asked.first->admits(asked.second); });
}

}  // namespace swizzle
