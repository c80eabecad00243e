// Sketches that a test writes inline: a body of `f(const int* x, int* y, int n)` with `int t = threadIdx.x`, or a whole
// file. Without directives they run as one warp at n = 32.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/tool.h"

namespace swizzle::test {

inline constexpr const char* kRotated =
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32]; }\n";
inline constexpr bool kRuns = true;

struct Sketch {
  const char* name;
  std::string text;
  std::string spec = kRotated;
  bool runs = false;  // compiled and run, too
  std::string flags = {};
};

inline ToolResult run_sketch(const Sketch& sketch) {
  std::string text = sketch.text;
  if (text.find("__global__") == std::string::npos)
    text = "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n" + text + "\n}\n";
  if (text.find("swizzle launch") == std::string::npos)
    text = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n" + text;
  const ScratchFolder scratch;
  const std::string sketch_path = scratch.write("sketch.cu", text), spec_path = scratch.write("spec.cpp", sketch.spec);
  const std::string pair = fmt::format("'{}' --spec '{}'", sketch_path, spec_path);
  if (sketch.runs && sketch.flags.empty()) return run_on_cpu(pair);
  return run_tool(fmt::format("{} --run={} {}", pair, sketch.runs ? "cpu" : "none", sketch.flags));
}

inline void expect_verified(const Sketch& sketch) {
  const ToolResult r = run_sketch(sketch);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_FALSE(r.report["checked"]["reread"].empty());
  EXPECT_EQ(r.kernel.find("?sw_"), std::string::npos) << r.kernel;
  if (!sketch.runs) return;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
}

}  // namespace swizzle::test
