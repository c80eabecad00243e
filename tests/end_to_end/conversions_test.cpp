// Integers where the data are real: warned about at once, and decided at once.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::conversions_test {
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

// A product of polynomials with 32 coefficients each, in this type.
Sketch product(const std::string& type) {
  const std::string signature = "(const int* a, const int* b, " + type + "* y, int n)";
  return {"product",
          R"(
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
__global__ void f)" +
              signature + R"( {
  const int lane = threadIdx.x % 32, first = blockIdx.x * 32;
  int x = a[first + lane], w = b[first + lane];
  )" + type + R"( low = 0, high = 0;
  for (int k = 0; k < 32; k++) {
    int u = __shfl_sync(~0u, x, ?sw_xform(lane, 32, k)), v = __shfl_sync(~0u, w, ?sw_xform(lane, 32, k));
    )" + type +
              " p = (" + type + R"()u * v;
    if (?sw_cond(lane, k)) low += p;
    if (?sw_cond(lane, k)) high += p;
  }
  y[2 * first + lane] = low;
  y[2 * first + 32 + lane] = high;
})",
          "void f" + signature + R"( {
  for (int t = 0; t < n / 32; t++)
    for (int i = 0; i < 64; i++) {
      )" + type +
              R"( sum = 0;
      for (int j = 0; j < 32; j++) if (i - j >= 0 && i - j < 32) sum += ()" +
              type + R"()a[32 * t + j] * b[32 * t + i - j];
      y[64 * t + i] = sum;
    }
})"};
}

TEST(Conversions, WidenedProductsAreFoundAsNarrowOnesAre) {
  const ToolResult narrow = run_sketch(product("int")), wide = run_sketch(product("long long"));
  ASSERT_EQ(narrow.exit_code, 0) << narrow.output;
  ASSERT_EQ(wide.exit_code, 0) << wide.output;
  EXPECT_EQ(wide.report["optimality"], "proved");
  EXPECT_EQ(wide.report["holes"][0]["expression"], narrow.report["holes"][0]["expression"]);
}

TEST(Conversions, NoneOfTheSketchesLosesAnything) {
  for (const char* name : {"stencil1d", "tile_half64", "aos_sum", "ff32", "conv2d_3x3", "tile_histogram"})
    EXPECT_EQ(run_pair(name, "--run=none").output.find("warning:"), std::string::npos) << name;
}

// A sum that is kept in a narrower type than the spec's ends the search before it begins.
TEST(Conversions, OfSumsThatTheirTypeDoesNotHoldAreInfeasibleAtOnce) {
  for (const auto& [narrow, wide] : {std::pair{"int", "long long"}, {"short", "int"}, {"unsigned char", "int"}}) {
    const auto sketch = [&](const char* type) {
      return fmt::format(
          "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n"
          "__global__ void f(const {0}* x, {0}* y, int n) {{\n  int t = threadIdx.x, b = blockIdx.x * 32;\n"
          "  auto r = load(x, b, 1, 2);\n  {1} o = 0;\n  for (int k = 0; k < 4; k++)\n"
          "    o += __shfl_sync(~0u, r[?sw_part(2, t, k)], ?sw_xform(t, 32, k));\n  y[b + t] = o;\n}}\n",
          wide, type);
    };
    const std::string spec = fmt::format(
        "void f(const {0}* x, {0}* y, int n) {{\n  for (int i = 0; i < n; i++) {{ {0} o = 0; for (int k = 0; k < 4; k++) o += x[i + "
        "k]; y[i] = o; }}\n}}\n",
        wide);
    const ToolResult r = run_sketch({"", sketch(narrow), spec, false, "--time-limit 10 --no-suggestions"});
    EXPECT_EQ(r.exit_code, 10) << r.output;
    EXPECT_NE(r.output.find(fmt::format("is kept in '{}' before it is stored", narrow)), std::string::npos) << r.output;
    EXPECT_EQ(run_sketch({"", sketch(wide), spec}).exit_code, 0);
  }
}

}  // namespace
}  // namespace swizzle::test::conversions_test
