// Launches that `swizzle-synth check` reads out of host code.
#pragma once

#include <string>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test {

inline constexpr const char* kKernels =
    "__global__ void f(float* x, int n) { __shared__ float s[1024]; s[threadIdx.x] = n; }\n"
    "template <int N> __global__ void g(float* x, int n) { __shared__ float s[1024]; s[threadIdx.x] = n * N; }\n";

// "f (4) (32, 2) n = 3; …" of each launch that was counted: grid, block and sizes; "assumed" where sizes that nobody
// tells decide the block.
inline std::string launches(const CheckResult& r) {
  std::string text;
  for (const auto& kernel : r.report["kernels"]) {
    const auto shape = [&](const char* key) {
      const auto d = kernel[key].get<std::vector<int>>();
      return d[2] != 1   ? fmt::format("({}, {}, {})", d[0], d[1], d[2])
             : d[1] != 1 ? fmt::format("({}, {})", d[0], d[1])
                         : fmt::format("({})", d[0]);
    };
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", kernel["name"].get<std::string>(), shape("grid"),
                        shape("block"));
    if (kernel["launch"].get<std::string>().find("(block '") != std::string::npos) text += " assumed";
    for (const auto& [name, value] : kernel["sizes"].items())
      text += fmt::format(" {} = {}", name, value.get<std::int64_t>());
  }
  return text;
}

// Of the body of a host function.
inline std::string launches_in(const std::string& body, const std::string& before = "") {
  return launches(check_text(kKernels + before + "void run(float* x, int n, bool b) {\n" + body + "\n}\n"));
}

}  // namespace swizzle::test
