// Atomics: what is in memory and a value become what is there, in whatever order threads come.
//
//   atomicAdd(&sum, x[t]) of 4 threads, sum being 0     sum is x[0] + x[1] + x[2] + x[3]
//
// Those of one kind may meet in a word; another use of it needs a barrier between.
#pragma once

#include "synth/execution/cell_access.h"
#include "synth/execution/shared_wavefronts.h"
#include "synth/execution/value_arithmetic.h"

namespace swizzle {

class Atomics {
 public:
  Atomics(Lockstep& run, MemoryObjects& objects, CellAccess& cells, IssueCounter& issues, SharedWavefronts& wavefronts,
          ValueArithmetic& arithmetic, Evaluator& operands)
      : run_(run),
        provenance_(run.provenance),
        objects_(objects),
        cells_(cells),
        issues_(issues),
        wavefronts_(wavefronts),
        arithmetic_(arithmetic),
        operands_(operands) {}

  // Nothing is returned.
  Lanes eval_atomic(const Expr& e);

 private:
  Lockstep& run_;
  Provenance& provenance_;
  MemoryObjects& objects_;
  CellAccess& cells_;
  IssueCounter& issues_;
  SharedWavefronts& wavefronts_;
  ValueArithmetic& arithmetic_;
  Evaluator& operands_;
};

}  // namespace swizzle
