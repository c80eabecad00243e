// emit: the user's file with its holes replaced, standing alone.
//
//   float tmp = __shfl_sync(~0u, rc[?sw_part(2, tid, k)], ?sw_xform(tid, 32, k));       becomes
//   float tmp = __shfl_sync(~0u, (tid < k ? rc[1] : rc[0]), (tid + k) & 31);
//
// All other bytes stay, except what speed or standing alone needs: a local array that a hole indexes is read through
// selects (a dynamic index would put it into local memory: see register_choice.h), load() becomes an array,
// accumulators become variables, and `#pragma swizzle` becomes a comment. A comment on top says what was found and
// proved.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "synth/problem/pose.h"
#include "synth/search/solve.h"

namespace swizzle {

struct EmitInput {
  const Program& sketch;  // specialized, if it has ?sw_const
  const Completion& completion;
  const std::map<ExprId, int>& hole_indexed;  // Trace::hole_indexed
  const PointTable& points;                   // of the holes: which arguments they are asked with
  const Program& spec;
  const std::vector<Posed>& posed;  // to guard load() by the buffers' extents
  std::string header;               // lines of the comment on top, without `//`
};

// Errors: load(), store() or an accumulator in a form that cannot be written out, an extent that no polynomial of the
// parameters gives.
Result<std::string> emit(const EmitInput& input);

}  // namespace swizzle
