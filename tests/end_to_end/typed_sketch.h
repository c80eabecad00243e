// Sketches and specs of one type of data: `f(const T* x, T* y, int n)`, with t the thread or the element.
#pragma once

#include <string>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {

inline std::string each(const std::string& value, const std::string& type = "int") {
  return fmt::format("void f(const {0}* x, {0}* y, int n) {{ for (int t = 0; t < n; t++) y[t] = {1}; }}\n", type,
                     value);
}

inline std::string body(const std::string& text, const std::string& type, const std::string& directives = "") {
  return fmt::format("{1}__global__ void f(const {0}* x, {0}* y, int n) {{\n  int t = threadIdx.x;\n{2}\n}}\n", type,
                     directives, text);
}

}  // namespace swizzle::test
