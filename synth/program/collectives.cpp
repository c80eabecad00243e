#include "synth/program/collectives.h"

#include <algorithm>

#include "synth/program/intrinsics.h"

namespace swizzle {

bool meets_lanes(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kCall || (e.kind == ExprKind::kIntrinsic && is_collective(lane_behavior(e.intrinsic))))
    return true;
  return std::any_of(e.operands.begin(), e.operands.end(),
                     [&](ExprId operand) { return meets_lanes(program, operand); });
}

}  // namespace swizzle
