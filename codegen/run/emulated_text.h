// A program's text as the warp emulation compiles it.
//
//   asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2 + 16];" : "=r"(a), "=r"(b) : "r"(p));
//   extern __shared__ float tile[];
//
// become, on the same lines,
//
//   swizzle_emulation::ldmatrix<2, false>((p) + 16, a, b);
//   float* const tile = reinterpret_cast<float*>(swizzle_emulation::dynamic_shared_memory());
//
// and `static __shared__` becomes `__shared__`, which is static there. Host code around a kernel that is the spec is
// left out.
#pragma once

#include <string>

#include "synth/program/program.h"

namespace swizzle {

// Errors: an operand of inline PTX that is spelled in the body of a macro.
Result<std::string> emulated_text(const Program& program);

// As nvcc compiles it beside a main() of ours, with the macros of the command line.
std::string text_without_host_code(const Program& program);

}  // namespace swizzle
