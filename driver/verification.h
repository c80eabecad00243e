// A kernel without holes against its spec, as it is: the way of an emitted kernel, without a search before it.
//
//   auto executed = execute_at_sizes(pair, sizes, deadline);     executed.kernel.at {"n=64"}: equal there for every
//   input judge_all_sizes(executed.kernel, pair.spec, Proof::kAuto);   and at sizes that nobody gave
//   run_kernel(as_it_is(pair), executed.kernel, pair.spec, …);   and as compiled
//
// y[t] = x[(t + 1) % 4] against y[i] = x[i]:  refuted at y[0], which thread 0 stores: it is x[1], and the spec says
// x[0].
#pragma once

#include "driver/all_sizes.h"
#include "driver/completion.h"

namespace swizzle {

struct ExecutedKernel {
  RereadKernel kernel;  // up to the size at which it ended; with all words followed bit by bit, if that was needed
  std::optional<Report::Counterexample> counterexample = {};  // of a kernel that is refuted
};

// Executes kernel and spec at every size given, on symbols for the inputs. Ends in failed verification, unknown or bad
// input; a kernel that has holes is a bad one.
ExecutedKernel execute_at_sizes(const Pair& pair, const PairSizes& sizes, const Deadline& deadline,
                                Observer& observer = nobody());

// Longer buffers, which say so, where the kernel reads somewhat further than the spec; false: it ended otherwise.
bool take_longer_buffer(Pair& pair, const ExecutedKernel& executed);

EmittedKernel as_it_is(const Pair& pair, const RereadKernel& kernel);

// "k.cu: equal to the spec for every input at n=64, and for every n from 1 to …; ran on cpu: …; 0.2 s"
std::string equal_text(const std::string& kernel_path, const RereadKernel& kernel, const AllSizes* all,
                       const KernelRun& run, double seconds);

}  // namespace swizzle
