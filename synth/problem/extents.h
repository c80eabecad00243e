// Extents: how long a buffer is at every size, as C text over the kernel's parameters.
//
//   spec: y[i] = x[i] + x[i + 4 * d] for i < n, posed at n = 64 and 128, d = 4; the directives do not name x
//     what is posed has x[0 … 79] and x[0 … 143]: n + 16, n + 4 * d, …; the spec at d = 5 and n = 64 has x[0 … 83]
//     the text is `n + 4 * d`
//
// It is a polynomial of degree 2 at most, the simplest that has the value of every sample: what is posed, and the spec
// at sizes near by. A parameter that has one value in all samples may have any part in it: the text holds there alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "synth/problem/pose.h"

namespace swizzle {

struct ExtentText {
  std::string text;  // in items of the buffer
  Sizes fixed;       // parameters that it holds for alone
};

struct ExtentQuestion {
  const Program& sketch;
  const Program& spec;
  const std::vector<Posed>& posed;  // at least one
};

// Of a parameter of the kernel. Error, at `asked`: no such polynomial.
Result<ExtentText> extent_text(const ExtentQuestion& question, std::size_t buffer, SourceRange asked);

}  // namespace swizzle
