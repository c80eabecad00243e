// Whether the emitted kernel is the spec at sizes that nobody gave: the step between re-reading and running.
//
//   AllSizes all = judge_all_sizes(reread, posed.task.spec, {.proof = Proof::kAuto});
//   all.outcome          kRefuted: all.counterexample->sizes is {n=96}, all.ending says what is wrong there
//                        kNotProved: all.reason says why; the sizes that were tried agree
//
// A refutation is an execution of kernel and spec at an admissible size (synth/proof), and nothing less.
#pragma once

#include <optional>
#include <string>

#include "driver/completion.h"

namespace swizzle {

enum class Proof { kAuto, kAll, kPosed };  // auto: for two seconds at most; posed: at the given sizes alone

struct AllSizes {
  Report::AllSizes said;
  std::optional<Ending> ending = {};  // of a kernel that is refuted
};

AllSizes judge_all_sizes(const RereadKernel& reread, const Program& spec, Proof proof, Observer& observer = nobody());

}  // namespace swizzle
