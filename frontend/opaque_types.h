// Types in the declarations of functions that clang does not know: private to frontend/.
//
//   void run(ns::Tensor<T>& a, int n) {      parameter a, type `ns::Tensor<T>`
//   Status Layer<T>::run(int n) {            neither the type `Status` nor the class `Layer<T>` is declared here
//
// Clang drops parameters behind such a type, or the whole function. With another type in its place, or without the
// class, it reads the body: host code tells launches, and a kernel's other parameters are what they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct OpaqueType {
  SourceRange type;       // without const, * and &
  SourceRange name;       // of the parameter or of the function
  bool is_class = false;  // `Layer<T>::` before the name of a function
};

// In definitions with one of `errors` (offsets in `text`) in their declaration, in the order of the text, each once.
std::vector<OpaqueType> opaque_types(const std::string& text, const std::vector<std::uint32_t>& errors);

}  // namespace swizzle
