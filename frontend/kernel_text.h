// Where the text of a file says `__global__`: also of kernels that clang makes nothing of.
//
//   __global__ vod copy(float* y) { y[threadIdx.x] = 1; }     name "copy", range from __global__ to the closing brace
#pragma once

#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct KernelText {
  SourceRange name;   // the word before the parameters
  SourceRange range;  // to the end of the file, if the braces do not close
};

// A parameter of a kernel whose type clang does not know.
struct OpaqueParameter {
  SourceRange name;
  SourceRange type;  // without const, * and &
};

// Those of the kernel that have one of `errors` in their declaration.
std::vector<OpaqueParameter> opaque_parameters(const std::string& text, const KernelText& kernel,
                                               const std::vector<std::uint32_t>& errors);

// In the order of the file, outside of comments, strings and preprocessor lines. Declarations are none.
std::vector<KernelText> kernel_texts(const std::string& text);

}  // namespace swizzle
