// HolePoints: the point that a thread asks about, and the choice that stands for its value.
//
//   ?sw_xform(4, t) of thread 2       a choice of 0, 1, 2, 3 at the point (t = 2)
//   ?sw_part(2, ?sw_xform(4, t))      one choice for each value that the inner hole may have
#pragma once

#include <cstdint>
#include <vector>

#include "synth/execution/evaluator.h"
#include "synth/execution/lockstep.h"

namespace swizzle {

class HolePoints {
 public:
  static constexpr std::int64_t kNoCell = -1;  // outside of every tile

  HolePoints(Lockstep& run, Evaluator& operands)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        operands_(operands) {}

  Lanes eval_hole(const Expr& e);

 private:
  Value hole_value(const Expr& e, const Hole& hole, const std::vector<Value>& arguments, std::size_t next,
                   std::vector<std::int64_t> known);
  Value open_value(const Expr& e, const Hole& hole, const std::vector<std::int64_t>& known);
  Value digits_of(const Expr& e, const Hole& hole, std::vector<std::int64_t> known);
  // The number of a cell of a layout, by rows.
  Value cell_of(const Hole& hole, const std::vector<std::int64_t>& arguments) const;
  void stay_inside_layout(const Expr& e, const std::vector<Value>& arguments, Value guard);

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  Evaluator& operands_;
};

}  // namespace swizzle
