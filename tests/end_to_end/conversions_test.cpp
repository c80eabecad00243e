// Integers where the data are real: warned about at once, and decided at once.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

std::string stencil(const std::string& sum) {
  return "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 128\n"
         "__global__ void f(const float* x, float* y, int n) {\n"
         "  const int tid = threadIdx.x % warpSize;\n"
         "  const int first = blockIdx.x * blockDim.x + threadIdx.x - tid;\n"
         "  auto rc = load(x, first, 1, 2);\n"
         "  " +
         sum +
         " out = 0;\n"
         "  for (int k = 0; k < 3; k++) out += __shfl_sync(~0u, rc[?sw_part(2, tid, k)], ?sw_xform(tid, warpSize, k));\n"
         "  y[first + tid] = out;\n}\n";
}

std::string spec(const std::string& sum) {
  return "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n    " + sum +
         " out = 0;\n    for (int k = 0; k < 3; k++) out += x[i + k];\n    y[i] = out;\n  }\n}\n";
}

const std::string kWarning =
    "warning: what is behind the point is lost: '+=' is computed in 'float' and kept in 'int'; write a cast if that is meant\n";

TEST(Conversions, AnIntegerSumIsNoRealOne) {
  const ToolResult r = run_sketch({"int_float", stencil("int"), spec("float")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("sketch.cu:9:31: " + kWarning), std::string::npos) << r.output;
}

TEST(Conversions, ARealSumIsNoIntegerOne) {
  const ToolResult r = run_sketch({"float_int", stencil("float"), spec("int")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("spec.cpp:4:33: " + kWarning), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find("f(f("), std::string::npos) << r.output;
}

TEST(Conversions, TheSameSumOnBothSidesIsFoundAndWarnedAbout) {
  const ToolResult r = run_sketch({"int_int", stencil("int"), spec("int")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("sketch.cu:9:31: " + kWarning), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("spec.cpp:4:33: " + kWarning), std::string::npos) << r.output;
}

TEST(Conversions, NoneOfTheSketchesLosesAnything) {
  for (const char* name : {"stencil1d", "tile_half64", "aos_sum", "ff32", "conv2d_3x3", "tile_histogram"})
    EXPECT_EQ(run_pair(name, "--run=none").output.find("warning:"), std::string::npos) << name;
}

}  // namespace
}  // namespace swizzle::test
