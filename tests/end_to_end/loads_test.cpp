// load() and store(): what guards them in the emitted kernel.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

constexpr const char* kAtSizes =
    "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
    "#pragma swizzle check n = 256\n#pragma swizzle check n = 1024\n";

struct Bound {
  const char *name, *sizes, *parameters, *spec_index, *bound;
};

// x[i] and what is further on, in a warp's own registers.
Sketch reaching(const Bound& bound) {
  const std::string parameters = bound.parameters;
  return {"",
          std::string("#pragma swizzle launch grid(n / 64) block(64)\n") + bound.sizes +
              "__global__ void f(const int* x, int* y, " + parameters +
              ") {\n  const int lane = threadIdx.x % 32;\n"
              "  const int base = blockIdx.x * 64 + threadIdx.x - lane;\n  auto r = load(x, base, 1, 2);\n"
              "  y[base + lane] = __shfl_sync(~0u, r[?sw_part(2, lane)], ?sw_xform(lane, 32));\n}\n",
          "void f(const int* x, int* y, " + parameters + ") { for (int i = 0; i < n; i++) y[i] = x[" +
              bound.spec_index + "]; }\n",
          kRuns};
}

class LoadBounds : public testing::TestWithParam<Bound> {};

TEST_P(LoadBounds, AreInTheParameters) {
  const Sketch sketch = reaching(GetParam());
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(GetParam().bound), std::string::npos) << kernel;
  EXPECT_EQ(kernel.find("__trap"), std::string::npos) << kernel;
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, LoadBounds,
    testing::Values(
        Bound{"OfTwoAndOne", "#pragma swizzle instance n = 64, d = 4\n#pragma swizzle check n = 256, d = 4\n",
              "int n, int d", "i + 4 * d", "< 4 * d + n)"},
        Bound{"OfOneEach", "#pragma swizzle instance n = 64, d = 4\n", "int n, int d", "i + d", "< d + n)"},
        Bound{"OfOne", "#pragma swizzle instance n = 64\n", "int n", "i + 3", "< n + 3)"},
        Bound{"OfProducts", "#pragma swizzle instance n = 64, d = 3, e = 2\n", "int n, int d, int e", "i + d * e",
              "< d * e + n)"},
        Bound{"OfSquares", "#pragma swizzle instance n = 64, d = 3\n", "int n, int d", "i + d * d", "< d * d + n)"},
        Bound{"OfMultiples", "#pragma swizzle instance n = 64\n", "int n", "i / 32 * 32 + 31 - i % 32", "< n)"},
        Bound{"OfUnusedSizes", "#pragma swizzle instance n = 64, d = 4\n", "int n, int d", "i + 2", "< n + 2)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LoadBounds, HoldForTheSizeAloneWhereTheSpecHasNoOther) {
  const Bound bound{"", "#pragma swizzle instance n = 64, d = 3\n#pragma swizzle check n = 256, d = 3\n",
                    "int n, int d", "i + shift[d]", "< n + 5)"};
  Sketch sketch = reaching(bound);
  sketch.spec = "static const int shift[] = {0, 1, 4, 5};\n" + sketch.spec;
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(bound.bound), std::string::npos) << kernel;
  EXPECT_NE(kernel.find("if (d != 3) __trap();"), std::string::npos) << kernel;
}

TEST(LoadBounds, CountItemsOfSeveralScalars) {
  const Sketch sketch{
      "",
      std::string(kAtSizes) +
          "__global__ void f(const float2* x, float* y, int n) {\n  const int lane = threadIdx.x % 32;\n"
          "  const int base = blockIdx.x * 64 + threadIdx.x - lane;\n  auto r = load(x, base, 1, 2);\n"
          "  float mine[2] = {r[0].x, r[1].x};\n"
          "  y[base + lane] = __shfl_sync(~0u, mine[?sw_part(2, lane)], ?sw_xform(lane, 32));\n}\n",
      "void f(const float2* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i + 1].x; }\n", kRuns};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("< n + 1)"), std::string::npos);
}

}  // namespace
}  // namespace swizzle::test
