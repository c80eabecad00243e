// Strides: integers and pointers that grow evenly from one group of threads to the next, so that one group stands for
// all of them.
//
//   i = blockIdx.x * 4 + threadIdx.x   of 3 blocks of 4 threads, lane 1:   1 + 4 · b, b = 0, 1, 2
//     Value     bits 1, and a stride of {4}: the first group's value, and the steps along each axis
//     i < 12    1 for each b: the same in all groups
//     i < 8     1, 1, 0: no group stands for all; is_lost(), and cut() says where to part them: b < 2 | b >= 2
//
// A box of groups has one or more axes: the blocks of a grid, the warps of a block, the iterations of loops. What an
// operation makes of such values is worked out for all of the box, or the box is lost; nothing is assumed. A value
// without a stride is the same in all groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "synth/program/operators.h"
#include "synth/provenance/value.h"

namespace swizzle {

using Steps = std::vector<std::int64_t>;  // by axis

// Groups `at` and beyond of an axis are to be looked at by themselves.
struct Cut {
  std::size_t axis = 0;
  std::int64_t at = 0;
};

class Strides {
 public:
  // How many groups there are along each axis, 1 or more.
  explicit Strides(std::vector<std::int64_t> counts) : counts_(std::move(counts)), steps_{Steps(counts_.size(), 0)} {}

  // The integer or pointer v, growing by these steps. Steps along an axis of one group count for nothing.
  Value growing(Value v, Steps steps);
  const Steps& steps_of(Value v) const { return steps_[v.stride]; }
  const std::vector<std::int64_t>& counts() const { return counts_; }

  // C's operators in type s, where one operand grows at least. Undefined, and lost: this does not grow evenly.
  Value binary(Operator op, Scalar s, Value lhs, Value rhs);
  Value convert(Value v, Scalar to);
  // Whether v <= bound in all groups (true) or in none (false); otherwise lost.
  bool is_at_most(Value v, std::int64_t bound);
  // Pointers to other objects must not grow.
  void let_grow(std::uint32_t object);

  std::pair<std::int64_t, std::int64_t> range(Value v) const;  // least, most

  bool is_lost() const { return is_lost_; }
  const std::optional<Cut>& cut() const { return cut_; }
  Value lose();
  Value lose_at(Value v, std::int64_t bound);  // where v passes the bound

 private:
  std::optional<Cut> cut_of(Value v, std::int64_t bound) const;
  Value with_bits(Operator op, Scalar s, Value lhs, std::int64_t rhs);
  Value sum(Operator op, Scalar s, Value lhs, Value rhs);
  Value product(Scalar s, Value v, std::int64_t factor);
  Value quotient(Value v, std::int64_t divisor, bool is_rest);
  Value comparison(Operator op, Value lhs, Value rhs);
  Value fitting(Scalar s, Value v);

  std::vector<std::int64_t> counts_;
  std::vector<Steps> steps_;  // by Value::stride
  std::map<Steps, std::uint16_t> known_;
  std::vector<std::uint32_t> growing_objects_;
  bool is_lost_ = false;
  std::optional<Cut> cut_;
};

// Data would be made of what grows, which is lost then. Null: nothing grows.
inline bool loses(Strides* strides, Value lhs, Value rhs) {
  if ((lhs.stride | rhs.stride) == 0) return false;
  strides->lose();
  return true;
}

}  // namespace swizzle
