// The source text of a test program: spec, kernel and a main() that lets emulation/harness.h compare them.
//
// For a kernel `k(const float* x, float* y, int n)` the part that depends on the request comes out as
//
//   #include "kernel.cu"
//   namespace swizzle_test_program { … namespace swizzle_test_spec { …the spec's text… } }
//   static void swizzle_test_run_kernel(…) {
//     swizzle_emulation::launch(swizzle_test_grid, swizzle_test_block, [&] { ::k((const float*)swizzle_test_buffer[0],
//     …); });
//   }
//
// and tables of buffers and sizes. On the GPU the launch is `::k<<<…>>>(…)`, errors checked. Kernel and spec may have
// any names: what is defined here begins with swizzle_test_, and macros that would change what follows them are undone.
#pragma once

#include <string>

#include "codegen/run/run_request.h"

namespace swizzle {

// `kernel_include` is how the program names the kernel's file. Precondition: check_request() found nothing.
std::string test_program_source(const RunRequest& request, Where where, const std::string& kernel_include);

// The spec's text in two parts: its includes (with the conditionals around them), which must stand outside every
// namespace, and the rest, in which those lines are empty so that line numbers stay true.
struct SplitSpec {
  std::string includes;
  std::string rest;
};
SplitSpec split_includes(const std::string& spec_text);

}  // namespace swizzle
