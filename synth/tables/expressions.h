// ExpressionCatalogue: integer expressions over a hole's arguments, by how many operations they have and with the value
// of each at every point. Of those with the same values everywhere one is kept.
//
//   lane in 0 … 3, k in 0, 1:   leaves   lane   0 1 2 3 0 1 2 3      k      0 0 0 0 1 1 1 1
//                               ones     lane + 1, lane & 1, lane * k, 3 - lane, k << lane, …
//
// Operations are + - * & | ^ << >> on arguments and on constants up to 64, powers of two up to 1024 and one less; near
// ones go no further than the arguments do. Values beyond ±2^20 are left out, and shifts by what is not in [0, 31].
//
// Observational equality in enumeration: A. Udupa et al., TRANSIT, PLDI 2013.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "synth/program/index_expr.h"
#include "synth/tables/point_set.h"
#include "synth/tables/tables.h"

namespace swizzle {

struct Expression {
  IndexExpr form;                    // over the hole's argument positions
  std::vector<std::int32_t> values;  // by point
};

// One operation with a constant: e + c, e - c, c - e, e * c, e & c, e | c, e ^ c, e >> c, c << e, c >> e.
enum class ConstantOp : std::uint8_t { kAdd, kSub, kFrom, kMul, kAnd, kOr, kXor, kShr, kShlOf, kShrOf };
// One operation on two expressions.
enum class PairOp : std::uint8_t { kAdd, kSub, kMul, kAnd, kOr, kXor, kShl, kShr };

inline constexpr ConstantOp kConstantOps[] = {
    ConstantOp::kAdd, ConstantOp::kSub, ConstantOp::kFrom, ConstantOp::kMul,   ConstantOp::kAnd,
    ConstantOp::kOr,  ConstantOp::kXor, ConstantOp::kShr,  ConstantOp::kShlOf, ConstantOp::kShrOf};
inline constexpr PairOp kPairOps[] = {PairOp::kAdd, PairOp::kSub, PairOp::kMul, PairOp::kAnd,
                                      PairOp::kOr,  PairOp::kXor, PairOp::kShl, PairOp::kShr};
constexpr bool commutes(PairOp join) { return join != PairOp::kSub && join != PairOp::kShl && join != PairOp::kShr; }

IndexExpr form_of(ConstantOp step, IndexExpr e, std::int64_t c);
IndexExpr form_of(PairOp join, IndexExpr a, IndexExpr b);

// first ⊙ second, or ⊙ with a constant in the place of one of them.
struct Comparison {
  PointSet holds;
  IndexExpr::Op op = IndexExpr::Op::kLt;
  const Expression *first = nullptr, *second = nullptr;  // null: the constant
  std::int32_t constant = 0;
  IndexExpr form() const;
};

class ExpressionCatalogue {
 public:
  using Values = std::vector<std::int32_t>;

  ExpressionCatalogue(const ArgumentList& arguments, std::size_t first_argument);

  std::size_t points() const { return points_; }
  const std::vector<Expression>& leaves() const { return leaves_; }                              // the arguments
  const std::vector<Expression>& ones() const;                                                   // of one operation
  std::span<const Expression> near_ones() const { return std::span(ones()).first(near_ones_); }  // with near constants
  const std::vector<std::int32_t>& constants() const { return constants_; }                      // near ones first
  std::span<const std::int32_t> near_constants() const { return std::span(constants_).first(near_constants_); }

  // Distinct ones of so many operations, 1 or 2, without those of fewer; none holds everywhere, or nowhere.
  const std::vector<Comparison>& comparisons(int ops) const;
  const std::vector<Expression>& truths() const;  // comparisons of one operation, as values

  // Calls visit(values, make) for those of two operations with near constants, some of them several times, until it
  // returns false.
  template <typename Visit>
  void for_each_two(Visit&& visit) const {
    Values values(points_);
    for (const Expression& one : near_ones()) {
      if (!for_each_step(one, near_constants(), values, visit)) return;
      for (const Expression& leaf : leaves_)
        if (!for_each_join(one, leaf, values, visit)) return;
    }
  }

  // One operation more: with a constant, or with another expression in either order. False: visit() returned false.
  template <typename Visit>
  bool for_each_step(const Expression& e, std::span<const std::int32_t> constants, Values& values,
                     Visit&& visit) const {
    for (ConstantOp step : kConstantOps)
      for (std::int32_t c : constants)
        if (apply(step, e.values, c, values) && !visit(values, [&] { return form_of(step, e.form, c); })) return false;
    return true;
  }
  template <typename Visit>
  bool for_each_join(const Expression& a, const Expression& b, Values& values, Visit&& visit) const {
    for (PairOp join : kPairOps) {
      if (apply(join, a.values, b.values, values) && !visit(values, [&] { return form_of(join, a.form, b.form); }))
        return false;
      if (!commutes(join) && apply(join, b.values, a.values, values) &&
          !visit(values, [&] { return form_of(join, b.form, a.form); }))
        return false;
    }
    return true;
  }

  // False: the operation is not defined for some value, changes nothing, or leads too far.
  static bool apply(ConstantOp step, const Values& e, std::int32_t c, Values& result);
  static bool apply(PairOp join, const Values& a, const Values& b, Values& result);

 private:
  class ComparisonLister;

  void choose_constants();
  std::vector<Expression> list_ones() const;

  std::size_t points_ = 0;
  std::vector<Expression> leaves_;
  std::vector<std::int32_t> constants_;
  std::size_t near_constants_ = 0;
  mutable std::size_t near_ones_ = 0;
  mutable std::once_flag ones_listed_, comparisons_listed_, truths_listed_;  // when first asked for
  mutable std::vector<Expression> ones_, truths_;
  mutable std::vector<Comparison> comparisons_[2];  // by operations but one
};

}  // namespace swizzle
