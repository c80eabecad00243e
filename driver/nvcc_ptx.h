// What nvcc makes of a CUDA file, as PTX with its source's lines.
//
//   nvcc_ptx({.path = "k.cu"})       nvcc -ptx -lineinfo -arch=sm_90 -std=c++17 k.cu
//
// The request's macros, folders, headers and standard are passed on, and its nvcc_flags behind them. Errors: nvcc is
// not found, or does not accept the file; its first lines.
#pragma once

#include <string>

#include "driver/check.h"

namespace swizzle {

Result<std::string> nvcc_ptx(const CheckRequest& request);

}  // namespace swizzle
