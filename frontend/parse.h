// Parsing: a CUDA sketch, a spec or an emitted kernel becomes a Program.
//
//   y[tid] = rc[?sw_part(2, tid, k)];      is given to clang as      y[tid] = rc[$sw_part(2, tid, k)];
//
// clang takes `$` in identifiers, so every source location stays true to the user's file. No CUDA header is read: a
// prelude of ours declares what kernels use, and `#include <cuda_runtime.h>` and its kin add nothing.
//
// Errors: what clang rejects, what a sketch cannot use (named, at the narrowest range), holes whose arguments do not
// fit, no kernel or several, malformed directives.
#pragma once

#include <string>

#include "synth/program/program.h"

namespace swizzle {

// `kernel_name` picks among several __global__ functions; empty: there is one. Quoted includes are found beside the
// file and in `include_folder`.
Result<Program> parse_kernel(SourceText file, const std::string& kernel_name, const std::string& include_folder = ".",
                             const CompileFlags& flags = {});

// The spec is the function that is named; else the one named like the kernel, or `spec`, or the one kernel of the file,
// which is executed at its own launch directive, or the only function that no other one calls.
Result<Program> parse_spec(SourceText file, const std::string& kernel_name, const CompileFlags& flags = {},
                           const std::string& named = {});

// Reads a file, or standard input where the path is "-". Errors: missing, unreadable, a directory.
Result<SourceText> read_source(const std::string& path);

// The plain C++ that clang is given for `text`: holes and the accumulators' sugar rewritten.
std::string desugar(const std::string& text);

}  // namespace swizzle
