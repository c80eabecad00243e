// The source text of a test program: spec, kernel and a main() that lets emulation/harness.h compare them.
//
// For a kernel `k(const float* x, float* y, int n)` the part that depends on the request comes out as
//
//   #include "kernel.cu"
//   namespace swizzle_test_program { … namespace spec { …the spec's text… } }
//   static void swizzle_run_kernel(…) {
//     swizzle_emulation::launch(grid, block, [&] { k((const float*)b[0], (float*)b[1], (int)s[0].integer); });
//   }
//
// and tables of buffers and sizes. On the GPU the launch is `k<<<grid, block>>>(…)`, errors checked.
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
