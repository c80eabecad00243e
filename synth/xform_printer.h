// XformPrinter: the expression of one setting of a transformation swizzle's parameters (see tables.h).
//
//   group 4 of 4, fan 1, period 4, factor 3 of k, constant 2:   (i + 3·k + 2) mod 4   prints as   (i - k + 2) & 3
//
// What it returns is what is printed, and so what is costed: settings of one table may differ in cost.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/index_expr.h"
#include "synth/tables.h"

namespace swizzle {

struct XformParameters {
  struct Rotation {
    int factor = 0, divisor = 0;  // factor·k + ⌊k / divisor⌋; divisor 0: no quotient
  };
  int group = 1, fan = 0, period = 1;
  bool wrapped = false;
  std::vector<Rotation> rotations;  // by k…
  int constant = 0;

  // The rotation counts modulo this.
  int modulus() const { return wrapped ? group / period : group; }
};

class XformPrinter {
 public:
  explicit XformPrinter(const HoleSpace& space);
  IndexExpr print(const XformParameters& parameters) const;

 private:
  IndexExpr rotated(std::vector<IndexExpr> plus, std::vector<IndexExpr> minus, const XformParameters& parameters) const;
  bool is_reversal(const XformParameters& parameters) const;
  std::int64_t least_rotation(const XformParameters& parameters) const;

  const HoleSpace& space_;
  std::vector<bool> negative_;  // by k…: some point has a negative one
  bool leaves_range_ = false;   // some i is not in [0, n)
};

}  // namespace swizzle
