// MatrixMoves: ldmatrix and stmatrix: 8 × 8 matrices of 16-bit units between shared memory and the lanes of a warp
// (matrix_units.h).
//
// A register is its two units side by side, whatever their type: two halves, four bytes, or parts of a word. Addresses
// of shared memory that are held in integers are pointers that count bytes.
#pragma once

#include "synth/execution/evaluator.h"
#include "synth/execution/lane_memory.h"

namespace swizzle {

class MatrixMoves {
 public:
  MatrixMoves(Lockstep& run, MemoryObjects& objects, CellAccess& cells, LaneMemory& memory,
              SharedWavefronts& wavefronts, Evaluator& operands)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        objects_(objects),
        cells_(cells),
        memory_(memory),
        wavefronts_(wavefronts),
        operands_(operands) {}

  Lanes eval_matrices(const Expr& e);

 private:
  Lanes matrix_rows(const Expr& e);
  Value matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e);
  void store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e);
  int unit_slots(Value row, SourceRange range);

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  MemoryObjects& objects_;
  CellAccess& cells_;
  LaneMemory& memory_;
  SharedWavefronts& wavefronts_;
  Evaluator& operands_;
};

}  // namespace swizzle
