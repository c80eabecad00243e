// Unwritten: cells that were written under conditions on data alone, which perhaps leave out some input.
//
//   int r; if (x[0] > 3) r = 1;                          where x[0] is 0, r is what was never written: undefined
//   int r; if (x[0] > 3) r = 1; if (x[0] < 4) r = 2;     no input is seen to leave it so
//
// Until then such a cell holds `cond ? value : what was never written`, an operation without laws.
#pragma once

#include "synth/provenance/provenance.h"

namespace swizzle {

// Some input brings the value what was never written. Of values that holes decide, none is seen.
bool is_seen_unwritten(Provenance& provenance, Value v);

}  // namespace swizzle
