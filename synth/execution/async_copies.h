// AsyncCopies: cp.async, a load, and a store that happens when the thread waits for it. Until then the destination is
// undefined, and both the copy and its arrival use it: what another thread reads must have a barrier behind the wait.
//
//   copy a, copy b, commit, copy c, commit, wait(1)     a and b are there; c is not
//   commit, wait(0)                                      c is there
//
// Of two copies under way to one place nobody knows which comes last: it is undefined. A store to where one is under
// way is a race. (PTX ISA, cp.async, cp.async.commit_group and cp.async.wait_group.)
#pragma once

#include <cstdint>
#include <vector>

#include "synth/execution/cell_access.h"
#include "synth/execution/shared_wavefronts.h"
#include "synth/execution/warp_collectives.h"

namespace swizzle {

class AsyncCopies {
 public:
  AsyncCopies(Lockstep& run, MemoryObjects& objects, CellAccess& cells, IssueCounter& issues,
              SharedWavefronts& wavefronts, WarpCollectives& collectives, Evaluator& operands)
      : run_(run),
        provenance_(run.provenance),
        objects_(objects),
        cells_(cells),
        issues_(issues),
        wavefronts_(wavefronts),
        collectives_(collectives),
        operands_(operands) {}

  void start_block() { copies_.clear(); }
  Lanes eval_copies(const Expr& e);

 private:
  // Under way: what comes to lie at `to`, slot by slot, when its thread waits for it.
  struct Copy {
    Value to, guard;
    std::vector<Value> values;
    SourceRange range;
  };
  struct CopiesOfThread {
    std::vector<Copy> open;                    // since the last commit
    std::vector<std::vector<Copy>> committed;  // oldest first
  };

  Lanes copy_async(const Expr& e);
  std::vector<Value> copied(int thread, Value to, Value from, std::int64_t bytes, Value zeros, SourceRange range);
  void arrive(int thread, std::vector<Copy>& group);
  bool is_fixed(const Copy& copy) const;
  bool is_overwritten(const Copy& copy, Value to) const;
  void meet(int thread, const Copy& there, Copy& other);

  Lockstep& run_;
  Provenance& provenance_;
  MemoryObjects& objects_;
  CellAccess& cells_;
  IssueCounter& issues_;
  SharedWavefronts& wavefronts_;
  WarpCollectives& collectives_;
  Evaluator& operands_;
  std::vector<CopiesOfThread> copies_;  // by thread, if there are any
};

}  // namespace swizzle
