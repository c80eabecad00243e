// Macros in front of kernels that clang does not know: private to frontend/.
//
//   MY_API __global__ void k(float* y) {                          `MY_API`
//   template <class T> BOUNDS(512) __global__ void k(T* y) {      `BOUNDS(512)`
//   GLOBAL void k(float* y) {   …   k<<<1, 32>>>(y);              `GLOBAL`, which says __global__: k is launched
//
// Clang makes nothing of such a kernel. Without what is unknown it reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct UnknownMacro {
  SourceRange range;  // with its arguments
  SourceRange name;   // of the kernel
  bool is_global = false;
};

// With one of `errors` (offsets in `text`) there or behind it, up to `__global__`; in the order of the text.
std::vector<UnknownMacro> unknown_macros(const std::string& text, const std::vector<std::uint32_t>& errors);

// Of kernels that the text launches and also has elsewhere, by the name alone: where it is launched.
std::vector<SourceRange> launched_names(const std::string& text);

}  // namespace swizzle
