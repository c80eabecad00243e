// Where data decide that an iteration, a loop or a function ends early, what comes behind, as arms of conditions.
//
//   if (x[k] < 0) continue;              if (x[k] < 0) {
//   s += x[k];                           } else { s += x[k]; }
//
//   for (int k = 0; k < 4; ++k)          bool gone = false;  int result;
//     if (x[k] == v) return k;           for (int k = 0; k < 4; ++k)
//   return -1;                             if (!gone && x[k] == v) { result = k; gone = true; }
//                                        if (!gone) result = -1;
//                                        return result;
//
// So all threads come to the end of everything together, as an execution of values that are not known has them do. What
// indices alone decide stays as it is, and so do loops that would not end by themselves.
#pragma once

#include "synth/program/program.h"

namespace swizzle {

void put_exits_into_arms(Program& program);

}  // namespace swizzle
