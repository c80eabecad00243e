// Runs an emitted kernel against the natively compiled spec, on random inputs with poisoned outputs.
//
//   RunRequest request;
//   request.kernel_path = "out.cu";            request.kernel_name = "shift";
//   request.spec_text = "void shift(const float* x, float* y, int n) { for (…) y[i] = x[i + 1]; }";
//   request.spec_function = "shift";
//   request.parameters = {BufferSpec{"x", packed_item(Scalar::kF32, 1), "float", true},
//                         BufferSpec{"y", packed_item(Scalar::kF32, 1), "float", false}, ScalarParameter{"n", "int"}};
//   request.sizes = {{{{"n", 4}}, {{1, 1, 1}, {4, 1, 1}}, {5, 4}}};      // one block of 4 threads; x has 5 elements
//   Result<RunOutcome> outcome = run(request, Where::kCpu);             // mismatches == 0
//
// One test program (test_program.h) is generated, compiled and run in a scratch folder that is gone afterwards; see
// emulation/harness.h for what is compared. No state is shared between calls: several may run at once.
//
// Errors: no compiler, a kernel or spec that does not compile, a spec that crashes or writes outside its buffers,
// a size that is not given. A kernel that deadlocks, crashes, hangs or writes astray is no error of the request: it
// is an outcome with a mismatch.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/run/run_request.h"
#include "synth/base/diagnostic.h"

namespace swizzle {

struct RunOutcome {
  std::string where;            // "cpu: warp emulation", "gpu: NVIDIA H200"
  std::int64_t inputs = 0;      // how many random inputs were tried: sizes × rounds
  std::int64_t mismatches = 0;  // elements and guard zones that differ, over all inputs
  std::string first_mismatch;   // "y[3]: expected 2, got 5 (n=128, round 0)"; empty when there is none
};

Result<RunOutcome> run(const RunRequest& request, Where where);

}  // namespace swizzle
