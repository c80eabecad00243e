#include "synth/consequences.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

int value_at(const Path& path, PointId point) {
  const auto found = std::find_if(path.begin(), path.end(), [&](const auto& literal) { return literal.first == point; });
  return found == path.end() ? -1 : found->second;
}

}  // namespace

Consequences::Consequences(const HoleSpace& space, Constraints constraints)
    : space_(space), constraints_(std::move(constraints)), position_of_(constraints_.size(), kNone), forced_(space.points.size() * static_cast<std::size_t>(space.domain)),
      value_(constraints_.size()) {
  for (std::size_t p = 0; p < space.points.size(); ++p) position_of_[space.points[p].value] = p;
}

void Consequences::add_choice(const std::vector<Path>& alternatives) {
  if (alternatives.empty()) return;
  for (const auto& [point, unused] : alternatives.front())
    if (position_of_[point.value] != kNone && std::all_of(alternatives.begin(), alternatives.end(), [&, p = point](const Path& path) { return value_at(path, p) >= 0; }))
      add_choice(position_of_[point.value], alternatives);
}

// All alternatives pass the point: those with one of its values force what they have in common.
void Consequences::add_choice(std::size_t position, const std::vector<Path>& alternatives) {
  const PointId point = space_.points[position];
  common_.resize(static_cast<std::size_t>(space_.domain));
  values_.clear();
  for (const Path& path : alternatives) {
    const int value = value_at(path, point);
    std::vector<Literal>& common = common_[static_cast<std::size_t>(value)];
    if (std::find(values_.begin(), values_.end(), value) == values_.end()) {
      values_.push_back(value);
      common.assign(path.begin(), path.end());
      std::erase_if(common, [](const Literal& literal) { return literal.second < 0; });
    } else if (common.size() > 1) {
      std::erase_if(common, [&](const Literal& literal) { return value_at(path, literal.first) != literal.second; });
    }
  }
  for (int value : values_)
    for (const Literal& literal : common_[static_cast<std::size_t>(value)])
      if (literal.first != point) {
        forced_[position * static_cast<std::size_t>(space_.domain) + static_cast<std::size_t>(value)].push_back(literal);
        any_ = true;
      }
}

bool Consequences::force(PointId point, int value) {
  auto& [set, known] = value_[point.value];
  if (set == test_) return known == value;
  set = test_;
  known = value;
  const auto& [constraint, position] = constraints_[point.value];
  if (!constraint || position_of_[point.value] != kNone) return true;
  auto asked = std::find_if(asked_.begin(), asked_.end(), [&, c = constraint](const auto& a) { return a.first == c; });
  if (asked == asked_.end()) asked = asked_.insert(asked_.end(), {constraint, {}});
  asked->second.emplace_back(position, static_cast<std::int16_t>(value));
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
