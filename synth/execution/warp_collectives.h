// WarpCollectives: what the lanes of a warp or the threads of a block do together: shuffles, votes, reductions,
// barriers.
//
//   __shfl_xor_sync(~0u, v, 1) of 4 lanes with v = a b c d      b a d c
//   __any_sync(~0u, p)                                          p0 | p1 | p2 | p3, for each lane
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "synth/execution/evaluator.h"
#include "synth/execution/race_detector.h"
#include "synth/execution/value_arithmetic.h"

namespace swizzle {

class WarpCollectives {
 public:
  WarpCollectives(Lockstep& run, RaceDetector& races, ValueArithmetic& arithmetic, Evaluator& operands)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        races_(races),
        arithmetic_(arithmetic),
        operands_(operands) {}

  Lanes eval_shuffle(const Expr& e);
  Lanes eval_vote(const Expr& e);
  Lanes eval_match(const Expr& e);
  Lanes eval_reduction(const Expr& e);
  void barrier(const Expr& e);
  // Who takes part must be known, or lanes would wait for lanes that never come.
  void reach_together(const Expr& e);

 private:
  using Masks = std::vector<std::uint32_t>;  // by thread

  Masks warp_masks(const Expr& e, ExprId mask);
  void meet_in_warp(int first, const Masks& masks);
  Lanes eval_vote_on_data(const Lanes& predicate, const Masks& masks, const Expr& e);
  Lanes eval_ballot(const Lanes& predicate, const Masks& masks, const Expr& e);
  // What the lanes that each thread's mask names put together: f of their threads, asked once for those of a warp that
  // have the same mask. `given`: what the lanes give to it.
  Lanes fold(const Masks& masks, const Lanes& given, const Expr& e, const char* what,
             const std::function<Value(const std::vector<int>&)>& f);
  void tell_shuffle(const Expr& e, int thread, int source, const Lanes& result);

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  RaceDetector& races_;
  ValueArithmetic& arithmetic_;
  Evaluator& operands_;
};

}  // namespace swizzle
