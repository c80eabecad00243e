// Choices within choices: c1 ? d : c2 ? a : b, of comparisons of one operation, and of arguments and constants.
//
//   lane 0 … 9 to be 1, 10 … 19 to be 0, 20 … 31 to be 2:     lane < 10 ? 1 : lane < 20 ? 0 : 2
//
// Private to synth/tables.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "synth/tables/demand.h"

namespace swizzle {

class NestedChoices {
 public:
  using Values = ExpressionCatalogue::Values;

  NestedChoices(const ExpressionCatalogue& catalogue, const Demand& demand, std::span<const Expression> plain)
      : comparisons_(catalogue.comparisons(1)),
        demand_(demand),
        plain_(plain) {}

  // Calls add(values, make) for those that fit, until is_over(); not where so much is open that a simpler one may do.
  template <typename Add, typename IsOver>
  void each(const Add& add, const IsOver& is_over) const {
    std::vector<Outer> outer;
    for (const Expression& d : plain_) {
      if (is_over() || outer.size() > kMostOuter) return;
      add_largest(d, outer);
    }
    for (const auto& [condition, first] : outer) {
      const auto or_first = [&](const Expression& e) {
        return [&, first = first, condition = condition](std::size_t p) {
          return contains(condition->holds, p) ? first->values[p] : e.values[p];
        };
      };
      for (const Expression& a : plain_)
        for (const Expression& b : plain_) {
          if (is_over()) return;
          const auto truths = told_apart(demand_, or_first(a), or_first(b));
          if (!truths || truths->where_holds.empty() || truths->where_fails.empty()) continue;
          for (const Comparison& inner : comparisons_)
            if (truths->admit(inner.holds)) make(*condition, *first, inner, a, b, add);
        }
    }
  }

 private:
  static constexpr std::size_t kMostOuter = 64;
  struct Outer {
    const Comparison* condition;
    const Expression* first;
  };

  // Where a condition holds at more points, there is less to choose at the others.
  void add_largest(const Expression& d, std::vector<Outer>& outer) const {
    const auto is_within = [](const PointSet& a, const PointSet& b) {
      return std::ranges::equal(a, b, [](auto x, auto y) { return (x & ~y) == 0; });
    };
    std::vector<const Comparison*> largest;
    for (const Comparison& c : comparisons_) {
      const auto holds_too = [&](const Comparison* other) { return is_within(c.holds, other->holds); };
      if (!serves(c.holds, d) || std::ranges::any_of(largest, holds_too)) continue;
      std::erase_if(largest, [&](const Comparison* other) { return is_within(other->holds, c.holds); });
      largest.push_back(&c);
    }
    for (const Comparison* c : largest) outer.push_back({c, &d});
  }

  bool serves(const PointSet& where, const Expression& e) const {
    for (const std::size_t p : demand_.order())
      if (contains(where, p) && !demand_.allows(p, e.values[p])) return false;
    return true;
  }

  template <typename Add>
  static void make(const Comparison& outer, const Expression& first, const Comparison& inner, const Expression& a,
                   const Expression& b, const Add& add) {
    Values values(first.values.size());
    for (std::size_t p = 0; p < values.size(); ++p)
      values[p] = contains(outer.holds, p) ? first.values[p] : contains(inner.holds, p) ? a.values[p] : b.values[p];
    add(values,
        [&] { return IndexExpr::select(outer.form(), first.form, IndexExpr::select(inner.form(), a.form, b.form)); });
  }

  const std::vector<Comparison>& comparisons_;
  const Demand& demand_;
  const std::span<const Expression> plain_;
};

}  // namespace swizzle
