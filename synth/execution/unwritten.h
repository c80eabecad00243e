// Unwritten: cells that were written under conditions on data alone, which perhaps leave out some input.
//
//   int r; if (x[0] > 3) r = 1;                          where x[0] is 0, r is what was never written: undefined
//   int r; if (x[0] > 3) r = 1; if (x[0] < 4) r = 2;     no input is seen to leave it so
//
// Until then such a cell holds `cond ? value : what was never written`, an operation without laws.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "synth/provenance/provenance.h"

namespace swizzle {

// Of values that share what they are made of, it is looked through once.
class UnwrittenParts {
 public:
  explicit UnwrittenParts(Provenance& provenance) : provenance_(provenance) {}

  // Some input brings the value what was never written. Of values that holes decide, none is seen.
  bool are_seen_in(Value v);

 private:
  bool are_in(Value v);

  Provenance& provenance_;
  std::unordered_map<std::uint32_t, bool> are_in_;  // by node
  DecidedValues others_;                            // by node: what it is with other numbers there
};

}  // namespace swizzle
