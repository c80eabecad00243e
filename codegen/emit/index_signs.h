// Index signs: whether an index of a load() can lie before the buffer, in some launch.
//
//   const int lane = threadIdx.x % 32;
//   const int base = blockIdx.x * blockDim.x + threadIdx.x - lane;
//   load(x, base, 1, 2)         never: blocks and threads count from 0, and no remainder is larger than what it is of
//   load(x, base - 1, 1, 2)     it can, or nothing says that it cannot
//
// Sizes may be anything that the user passes. Overflow is left out of account.
#pragma once

#include <map>

#include "synth/program/program.h"

namespace swizzle {

class IndexSigns {
 public:
  explicit IndexSigns(const Program& program);

  // False if in doubt.
  bool is_never_negative(ExprId value) const;

 private:
  ExprId behind(ExprId value) const;
  bool is_at_most(ExprId part, ExprId whole) const;
  bool is_same(ExprId a, ExprId b) const;

  const Program& program_;
  std::map<VariableId, ExprId> initial_;  // of those that nothing changes
  std::map<VariableId, ExprId> growing_;  // of those that only `++` changes
};

}  // namespace swizzle
