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

// In the order of the file, outside of comments, strings and preprocessor lines. Declarations are none.
std::vector<KernelText> kernel_texts(const std::string& text);

}  // namespace swizzle
