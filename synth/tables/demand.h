// Demand: what a hole's points may be, as expressions are held against it.
//
//   ?sw_expr(0, 4, lane) where lane 2 must be 3, lanes 0 and 1 may be 0 or 1:
//     order()  2 0 1      allowed(0)  0 1      told_apart(1, 0)  lane 2 is neither: nothing
//
// Private to synth/tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/tables/expressions.h"
#include "synth/tables/tables.h"

namespace swizzle {

// What the points of a hole may be, the value itself rather than its distance from the least.
class Demand {
 public:
  Demand(const HoleSpace& space, const Domains& domains)
      : space_(space),
        domains_(domains),
        allowed_(space.points.size()) {
    for (std::size_t p = 0; p < space.points.size(); ++p) {
      order_.push_back(p);
      for (int v = 0; v < space.domain; ++v)
        if (domains.allows(space.points[p], v)) allowed_[p].push_back(static_cast<std::int32_t>(space.least + v));
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return allowed_[a].size() < allowed_[b].size(); });
  }

  const std::vector<std::size_t>& order() const { return order_; }  // those that may be the fewest first
  const std::vector<std::int32_t>& allowed(std::size_t point) const { return allowed_[point]; }  // ascending
  bool allows(std::size_t point, std::int64_t value) const {
    const std::int64_t v = value - space_.least;
    return v >= 0 && v < space_.domain && domains_.allows(space_.points[point], static_cast<int>(v));
  }
  bool fits(const ExpressionCatalogue::Values& values) const {
    for (std::size_t p : order_)
      if (!allows(p, values[p])) return false;
    return true;
  }

 private:
  const HoleSpace& space_;
  const Domains& domains_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::int32_t>> allowed_;  // by point
};

// Points at which a condition must hold, and at which it must not.
struct Truths {
  PointSet holds, fails;
  std::vector<std::size_t> where_holds, where_fails;

  explicit Truths(std::size_t points) : holds(no_points(points)), fails(holds) {}
  void add(bool is_true, std::size_t p) {
    insert(is_true ? holds : fails, p);
    (is_true ? where_holds : where_fails).push_back(p);
  }
  bool admit(const PointSet& set) const {
    for (std::size_t w = 0; w < set.size(); ++w)
      if ((holds[w] & ~set[w]) != 0 || (fails[w] & set[w]) != 0) return false;
    return true;
  }
};

// The points at which only `one` will do, and at which only `other`. Nothing: at some point neither does.
template <typename One, typename Other>
std::optional<Truths> told_apart(const Demand& demand, One&& one, Other&& other) {
  Truths truths(demand.order().size());
  for (std::size_t p : demand.order()) {
    const bool is_one = demand.allows(p, one(p)), is_other = demand.allows(p, other(p));
    if (!is_one && !is_other) return std::nullopt;
    if (is_one != is_other) truths.add(is_one, p);
  }
  return truths;
}

}  // namespace swizzle
