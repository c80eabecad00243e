// Posing of one assignment of the ?sw_const holes: see constant_search.h. Private to synth/synthesis/.
#pragma once

#include "synth/synthesis/constant_search.h"

namespace swizzle {

// `spec`: its runs at the instances; null, where there is no other assignment to share them with.
Result<PosedAssignment> pose_assignment(const SynthesisTask& task, const SpecRuns* spec,
                                        const ConstantAssignment& assignment);

// Of PosedAssignments::rejected: for what is not followed, so that nothing is known of its completions.
inline bool is_refusal(const std::pair<ConstantAssignment, Diagnostics>& rejected) {
  return rejected.second.front().is_refused;
}

}  // namespace swizzle
