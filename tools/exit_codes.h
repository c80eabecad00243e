// What the process returns. Scripts and CI rely on these: see docs/report.md.
//
//   0 found and verified · 1 bad input · 2 usage · 3 the kernel failed its own verification · 4 bank conflicts, where
//   they are to fail · 5 no GPU where one was asked for · 6 a committed kernel is not up to date · 10 infeasible · 20
//   unknown
#pragma once

#include "driver/ending.h"

namespace swizzle {

enum ExitCode {
  kExitFound = 0,
  kExitBadInput = 1,
  kExitUsage = 2,
  kExitFailedVerification = 3,
  kExitConflicts = 4,
  kExitNoGpu = 5,
  kExitStale = 6,
  kExitInfeasible = 10,
  kExitUnknown = 20
};

inline ExitCode exit_code(Ending::Kind kind) {
  switch (kind) {
    case Ending::Kind::kFound: return kExitFound;
    case Ending::Kind::kBadInput: return kExitBadInput;
    case Ending::Kind::kFailedVerification: return kExitFailedVerification;
    case Ending::Kind::kInfeasible: return kExitInfeasible;
    case Ending::Kind::kUnknown: return kExitUnknown;
  }
  return kExitUnknown;
}

}  // namespace swizzle
