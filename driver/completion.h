// From a completion to a kernel that was verified: emit, re-read, run. What is verified is the text, not the solver's
// word.
//
//   const CompletionRequest request{.sketch_path = "reverse.cu", .spec_path = "reverse.cpp", .run = RunAt::kCpu};
//   auto emitted = emit_kernel(posed, searched, request);           // "… y[i] = __shfl_sync(~0u, x[i], 31 - lane) …"
//   RereadKernel reread = reread_kernel(*emitted, posed, *searched.best, request);
//   reread.at;                                                      // {"n=64", "n=128"}: parsed again, executed, equal
//   to the spec KernelRun run = run_kernel(*emitted, reread, posed.task.spec, request); run.outcome->mismatches; // 0,
//   on random inputs
//
// A step that ends early says so in `ending`, and keeps what it had come to: the report tells it. After an ending, no
// further step is taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/run/run.h"
#include "driver/ending.h"
#include "driver/observer.h"
#include "driver/synthesis.h"

namespace swizzle {

enum class RunAt { kAuto, kCpu, kGpu, kNone };  // auto: on the GPU, if there is one

struct CompletionRequest {
  std::string sketch_path, spec_path;
  std::string shown_as = "emitted.cu";  // what diagnostics call the emitted kernel
  std::string tool = "swizzle-synth";   // with its version: who completed it
  std::string arch = "sm_90";
  Sizes set = {};  // of the instances, on the command line: the head tells
  RunAt run = RunAt::kAuto;
  double reread_seconds = 60;  // at most, to execute what was found
  std::string tuned = {};      // what ?sw_tune became, lines for the head: "  sw_tune at 14:26 = 8\n"
};

struct EmittedKernel {
  std::string text;
  std::vector<Posed> posed;  // the instances, then the checks
  double seconds = 0;
};

// Errors: as emit().
Result<EmittedKernel> emit_kernel(const PosedPair& posed, const Searched& searched, const CompletionRequest& request,
                                  Observer& observer = nobody());

struct RereadKernel {
  std::optional<Program> kernel;  // nothing, if it does not parse
  std::vector<Posed> posed;       // with the dynamic shared memory that the kernel uses
  std::vector<std::string> at;    // where it equals the spec: "n=64"
  std::optional<Ending> ending = {};
  std::optional<Sizes> refuted_at = {};  // where it is not the spec
  std::optional<double> seconds = {};    // if it came to its end
};

// Parses the text and executes it at every size, without the solver. Uses up posed.at_checks. Ends in failed
// verification; in bad input, where the sketch itself is at fault at a check size; in unknown, where a size takes
// longer than was asked for.
RereadKernel reread_kernel(const EmittedKernel& emitted, PosedPair& posed, const PosedAssignment& best,
                           const CompletionRequest& request, Observer& observer = nobody());

struct KernelRun {
  std::optional<RunOutcome> outcome;  // nothing: not run
  std::string summary;                // "ran on cpu: warp emulation for 6 inputs; compiled for sm_90"
  std::optional<Ending> ending = {};
  std::optional<double> seconds = {};  // if it came to its end
};

// Ends in bad input (no compiler, a spec that crashes) or failed verification.
KernelRun run_kernel(const EmittedKernel& emitted, const RereadKernel& reread, const Program& spec,
                     const CompletionRequest& request, Observer& observer = nobody());

}  // namespace swizzle
