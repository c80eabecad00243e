#include "synth/network/exclusive_guards.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kMostPoints = 4;

// By the values of all points, the first one's in the lowest bit.
using Coefficients = std::vector<Value>;

std::optional<std::vector<PointId>> asked(const std::vector<GuardedCoefficient>& added,
                                          const std::function<int(PointId)>& domain) {
  std::vector<PointId> points;
  for (const GuardedCoefficient& one : added)
    for (const auto& [point, value] : one.guard) {
      if (domain(point) != 2 || value < 0) return std::nullopt;
      if (std::ranges::find(points, point) == points.end()) points.push_back(point);
    }
  if (points.size() > kMostPoints) return std::nullopt;
  std::ranges::sort(points);
  return points;
}

bool holds(const Guard& guard, const std::vector<PointId>& points, std::size_t values) {
  return std::ranges::all_of(guard, [&](const auto& step) {
    const auto at = static_cast<std::size_t>(std::ranges::find(points, step.first) - points.begin());
    return static_cast<int>(values >> at & 1) == step.second;
  });
}

bool depends_on(const Coefficients& by_values, std::size_t point) {
  for (std::size_t values = 0; values < by_values.size(); ++values)
    if (!(by_values[values] == by_values[values ^ std::size_t{1} << point])) return true;
  return false;
}

}  // namespace

bool exclude_each_other(const Guard& a, const Guard& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& step) {
    return std::any_of(b.begin(), b.end(), [&](const auto& other) {
      return step.first == other.first && step.second != other.second && step.second >= 0 && other.second >= 0;
    });
  });
}

std::optional<std::vector<GuardedCoefficient>> exclusive(const std::vector<GuardedCoefficient>& added,
                                                         const std::function<int(PointId)>& domain,
                                                         const std::function<Value(Value, Value)>& sum) {
  const auto points = asked(added, domain);
  if (!points) return std::nullopt;
  Coefficients by_values(std::size_t{1} << points->size(), Value::integer(0));
  for (std::size_t values = 0; values < by_values.size(); ++values)
    for (const GuardedCoefficient& one : added)
      if (holds(one.guard, *points, values))
        by_values[values] =
            truth(by_values[values]) == false ? one.coefficient : sum(by_values[values], one.coefficient);
  std::vector<std::size_t> telling;
  for (std::size_t p = 0; p < points->size(); ++p)
    if (depends_on(by_values, p)) telling.push_back(p);
  std::vector<GuardedCoefficient> made;
  for (std::size_t values = 0; values < by_values.size(); ++values) {
    std::size_t of_others = values;
    GuardedCoefficient one{{}, by_values[values]};
    for (std::size_t p : telling) {
      one.guard.emplace_back((*points)[p], static_cast<int>(values >> p & 1));
      of_others &= ~(std::size_t{1} << p);
    }
    if (of_others == 0 && truth(one.coefficient) != false) made.push_back(std::move(one));
  }
  return made;
}

}  // namespace swizzle
