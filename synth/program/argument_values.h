// ArgumentValues: what the arguments of a hole may be, and what an expression of them can therefore do without.
//
//   t in {0 … 7}, k in {0, 1, 2}:    ((t >> 2) & 7)    t >> 2          nothing is above bit 0
//                                    k % 6             k               nothing reaches 6
//                                    (t + 8) & 7       t               all lie in [8, 16)
//                                    ((t & 3) + k) & 3 (t + k) & 3     what is reduced needs no reduced terms
//
// Arguments are taken to be independent of each other: any t may meet any k. An argument is *open* if its values grow
// with a size; it then has bounds, however wide, and no list of values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "synth/program/index_expr.h"

namespace swizzle {

struct ValueBounds {
  std::int64_t least = 0, most = 0;
  bool is_one() const { return least == most; }
  friend auto operator<=>(const ValueBounds&, const ValueBounds&) = default;
};

// Wider than any value; sums and products of such do not overflow.
inline constexpr ValueBounds kAnyValue{-(std::int64_t{1} << 40), std::int64_t{1} << 40};

// An argument, by position as in Hole::arguments, whose values grow with a size.
struct OpenArgument {
  std::size_t argument = 0;
  ValueBounds bounds;
  friend auto operator<=>(const OpenArgument&, const OpenArgument&) = default;
};

class ArgumentValues {
 public:
  // Those that an argument was met with.
  void add(std::size_t argument, std::int64_t value);
  // Whatever it was met with, it may be anything in these bounds.
  void open(std::size_t argument, ValueBounds bounds);

  ValueBounds bounds(const IndexExpr& e) const;
  // Whether the expression lies in [least, most], whatever the arguments are. False if there are too many to tell.
  bool always_within(const IndexExpr& e, ValueBounds within) const;
  // The same values in no more operations.
  IndexExpr simplified(const IndexExpr& e) const;

 private:
  template <typename Holds>
  bool at_all(const IndexExpr& e, Holds&& holds) const;
  ValueBounds bounds_of_remainder(const IndexExpr& e) const;
  IndexExpr reduced(const IndexExpr& e, std::int64_t modulus) const;
  IndexExpr without_inner_reductions(IndexExpr e, std::int64_t modulus, bool is_added) const;

  struct Values {
    std::vector<std::int64_t> met;  // ascending
    bool is_open = false;
    ValueBounds bounds;
  };
  std::map<std::size_t, Values> by_argument_;
};

}  // namespace swizzle
