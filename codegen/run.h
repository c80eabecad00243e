// Runs an emitted kernel against the natively compiled spec, on random inputs with poisoned outputs.
//
//   RunRequest request;
//   request.kernel_path = "out.cu";            request.kernel_name = "shift";
//   request.spec_text = "void shift(const float* x, float* y, int n) { for (…) y[i] = x[i + 1]; }";
//   request.spec_function = "shift";
//   request.parameters = {BufferSpec{"x", Scalar::kF32, 1, "float", true},
//                         BufferSpec{"y", Scalar::kF32, 1, "float", false}, ScalarParameter{"n", "int"}};
//   request.sizes = {{{{"n", 4}}, {{1, 1, 1}, {4, 1, 1}}, {5, 4}}};      // one block of 4 threads; x has 5 elements
//   Result<RunOutcome> outcome = run(request, Where::kCpu);             // mismatches == 0
//
// One driver is generated, compiled and run in a scratch folder that is gone afterwards; see emulation/harness.h for
// what is compared. No state is shared between calls: several may run at once.
//
// Errors: no compiler, a kernel or spec that does not compile, a spec that crashes or writes outside its buffers,
// a size that is not given. A kernel that deadlocks, crashes, hangs or writes astray is no error of the request: it
// is an outcome with a mismatch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/toolchain.h"
#include "synth/base/diagnostic.h"
#include "synth/program/directives.h"
#include "synth/program/operators.h"

namespace swizzle {

enum class Where { kCpu, kGpu };

struct BufferSpec {
  std::string name;
  Scalar element = Scalar::kF32;
  int elements_per_item = 1;  // float: 1, float4: 4
  std::string type_spelling;  // the pointee without const: "float", "float4", "unsigned"
  bool is_const = false;
};

struct ScalarParameter {
  std::string name;
  std::string type_spelling;  // integers take their value from RunSize::sizes, float and double a random one
};

using RunParameter = std::variant<BufferSpec, ScalarParameter>;

struct RunSize {
  Sizes sizes;
  LaunchShape shape;
  std::vector<std::int64_t> extents;           // items per buffer, in parameter order
  std::optional<LaunchShape> spec_shape = {};  // if the spec is a kernel, which only Where::kCpu runs
  std::int64_t dynamic_shared_bytes = 0;       // of the launch on Where::kGpu
};

struct RunRequest {
  std::string kernel_path;  // the emitted file
  std::string sketch_path;  // its quoted includes are found there; empty: beside the kernel
  std::string kernel_name;
  std::string spec_function;
  std::string spec_text;                 // plain C++, already desugared
  std::string spec_path;                 // for messages
  std::vector<RunParameter> parameters;  // in the kernel's order, which is the spec's too
  std::vector<RunSize> sizes;
  std::string arch = "sm_90";  // Where::kGpu
  std::uint64_t seed = 1;
  int rounds = 2;  // random inputs per size
};

struct RunOutcome {
  std::string where;            // "cpu: warp emulation", "gpu: NVIDIA H200"
  std::int64_t inputs = 0;      // how many random inputs were tried: sizes × rounds
  std::int64_t mismatches = 0;  // elements and guard zones that differ, over all inputs
  std::string first_mismatch;   // "y[3]: expected 2, got 5 (n=128, round 0)"; empty when there is none
};

Result<RunOutcome> run(const RunRequest& request, Where where);

}  // namespace swizzle
