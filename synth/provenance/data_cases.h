// Values that are the same in each case of the comparisons of data that decide them.
//
//   r = -1; for k = 2, 1, 0: x[k] == v ? k : r      against   !gone && x[k] == v ? k : r, gone || x[k] == v
//     where x[0] == v, both are 0; where it is not, and x[1] == v, both are 1; …
#pragma once

#include "synth/provenance/provenance.h"

namespace swizzle {

// What may be looked at, of which each call takes its part.
struct CasesLeft {
  int cases = 1024;
  int steps = 100'000;  // of nodes
};

// True: the same, whatever the data are. Of values without choices; false also where too little is left, or where cases
// that do not exist tell values apart.
bool are_alike_by_cases(Provenance& provenance, Value a, Value b, CasesLeft& left);

}  // namespace swizzle
