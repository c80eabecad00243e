// Comparisons that hold and fail where they must, solved for what stands on their other side:
//
//   e = 0 1 2 3, to hold at points 0 and 1, to fail at 3:     e < 2, e < 3, e <= 2 written as e < 3, e != 3, …
//
// Private to synth/tables.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "synth/tables/demand.h"

namespace swizzle {

// Comparisons of values with constants and with each other that hold and fail where they must.
class SolvedComparisons {
 public:
  // Calls emit(op, constant, is_first): `e < 3`, or `3 <= e` if the constant comes first.
  template <typename Emit>
  static void with_constants(const ExpressionCatalogue::Values& e, const Truths& truths, Emit&& emit) {
    Span holds, fails;
    const auto is_hopeless = [&] {
      return holds.most >= fails.least && fails.most >= holds.least && holds.least != holds.most &&
             fails.least != fails.most;
    };
    const std::size_t both = std::max(truths.where_holds.size(), truths.where_fails.size());
    for (std::size_t i = 0; i < both; ++i) {
      if (i < truths.where_holds.size()) holds.add(e[truths.where_holds[i]]);
      if (i < truths.where_fails.size()) fails.add(e[truths.where_fails[i]]);
      if (is_hopeless()) return;
    }
    std::vector<std::int32_t> distinct(e);
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::size_t i = 1; i < distinct.size(); ++i) {
      const std::int32_t t = distinct[i];
      if (t > holds.most && t <= fails.least) emit(IndexExpr::Op::kLt, t, false);
      if (t > fails.most && t <= holds.least) emit(IndexExpr::Op::kLe, t, true);
    }
    equal(IndexExpr::Op::kEq, e, distinct, holds, truths.where_fails, emit);
    equal(IndexExpr::Op::kNe, e, distinct, fails, truths.where_holds, emit);
  }

  template <typename Emit>
  static void with_each_other(const ExpressionCatalogue::Values& a, const ExpressionCatalogue::Values& b,
                              const Truths& truths, Emit&& emit) {
    const auto consider = [&](IndexExpr::Op op, bool swapped, auto&& holds) {
      for (std::size_t p : truths.where_holds)
        if (!holds(a[p], b[p])) return;
      for (std::size_t p : truths.where_fails)
        if (holds(a[p], b[p])) return;
      emit(op, swapped);
    };
    consider(IndexExpr::Op::kLt, false, [](std::int32_t x, std::int32_t y) { return x < y; });
    consider(IndexExpr::Op::kLe, false, [](std::int32_t x, std::int32_t y) { return x <= y; });
    consider(IndexExpr::Op::kLt, true, [](std::int32_t x, std::int32_t y) { return y < x; });
    consider(IndexExpr::Op::kLe, true, [](std::int32_t x, std::int32_t y) { return y <= x; });
    consider(IndexExpr::Op::kEq, false, [](std::int32_t x, std::int32_t y) { return x == y; });
    consider(IndexExpr::Op::kNe, false, [](std::int32_t x, std::int32_t y) { return x != y; });
  }

 private:
  struct Span {
    std::int32_t least = std::numeric_limits<std::int32_t>::max(), most = std::numeric_limits<std::int32_t>::min();
    void add(std::int32_t v) {
      least = std::min(least, v);
      most = std::max(most, v);
    }
    bool is_empty() const { return least > most; }
  };

  template <typename Emit>
  static void equal(IndexExpr::Op op, const ExpressionCatalogue::Values& e, const std::vector<std::int32_t>& distinct,
                    const Span& same, const std::vector<std::size_t>& others, Emit&& emit) {
    if (distinct.size() < 2 || (!same.is_empty() && same.least != same.most)) return;
    for (std::int32_t c : same.is_empty() ? distinct : std::vector<std::int32_t>{same.least})
      if (std::ranges::none_of(others, [&](std::size_t p) { return e[p] == c; })) emit(op, c, false);
  }
};

}  // namespace swizzle
