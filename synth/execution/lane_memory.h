// LaneMemory: what all threads read from their places, and write to them.
//
//   float2 v[4]; v[t] of 4 threads     8 values, two of each thread; one load instruction, if v is a buffer
//
// A place is a pointer of each thread. What all threads do alike, at one place of their registers or of a buffer, is
// done once.
#pragma once

#include <optional>

#include "synth/execution/cell_access.h"
#include "synth/execution/shared_wavefronts.h"

namespace swizzle {

class LaneMemory {
 public:
  LaneMemory(Lockstep& run, MemoryObjects& objects, CellAccess& cells, IssueCounter& issues,
             SharedWavefronts& wavefronts)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        objects_(objects),
        cells_(cells),
        issues_(issues),
        wavefronts_(wavefronts) {}

  bool has_cases(const Lanes& places) const;  // see CellAccess
  Lanes read(const Lanes& places, TypeId type, SourceRange range);
  void write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range);

 private:
  Lanes read_each(const Lanes& places, TypeId type, SourceRange range);
  // Nothing, false: threads may differ, and are to be looked at one by one.
  std::optional<Lanes> read_alike(const Lanes& places, TypeId type, SourceRange range);
  bool write_alike(const Lanes& places, const Lanes& values, TypeId type);
  const Object* registers_at(const Lanes& places, TypeId type) const;
  bool is_held_as(Value place, TypeId type) const;
  Value seen(Value v, Scalar from, Scalar to, SourceRange range);
  bool nobody_writes(const Object& object) const;

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  MemoryObjects& objects_;
  CellAccess& cells_;
  IssueCounter& issues_;
  SharedWavefronts& wavefronts_;
};

// That one access of a thread takes. An aligned item is loaded at once, up to 16 bytes (float4); any other, piece by
// piece.
double load_instructions(const Type& type);

}  // namespace swizzle
