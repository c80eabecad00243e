// load() and store(): what guards them in the emitted kernel.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::loads_test {
namespace {

constexpr const char* kAtSizes =
    "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
    "#pragma swizzle check n = 256\n#pragma swizzle check n = 1024\n";

// Three neighbors of each element; there is none before the first.
constexpr const char* kCentered =
    "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n    float o = 0;\n"
    "    for (int k = 0; k < 3; k++)\n      if (i + k >= 1) o += x[i + k - 1];\n    y[i] = o;\n  }\n}\n";

std::string centered(const std::string& load) {
  return std::string(kAtSizes) +
         "__global__ void f(const float* x, float* y, int n) {\n  const int lane = threadIdx.x % 32;\n"
         "  const int base = blockIdx.x * blockDim.x + threadIdx.x - lane;\n  auto rc = " +
         load +
         ";\n  float o = 0;\n  for (int k = 0; k < 3; k++) {\n"
         "    const float v = __shfl_sync(~0u, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));\n"
         "    if (base + lane + k >= 1) o += v;\n  }\n  y[base + lane] = o;\n}\n";
}

struct Below {
  const char *name, *load, *guard;
};

class LoadBelow : public testing::TestWithParam<Below> {};

TEST_P(LoadBelow, ReadsNothingBeforeTheBuffer) {
  const Sketch sketch{"", centered(GetParam().load), kCentered, kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(GetParam().guard), std::string::npos) << kernel;
}

INSTANTIATE_TEST_SUITE_P(
    Offsets, LoadBelow,
    testing::Values(Below{"OfAnInt", "load(x, base - 1, 1, 2)", "if (unsigned(base - 1 + "},
                    Below{"OfALong", "load(x, base - 1L, 1, 2)", "if (size_t(base - 1L + "},
                    Below{"OfAnUnsigned", "load(x, unsigned(base) - 1, 1, 2)", "if (unsigned(base) - 1 + "},
                    Below{"OfAnUnsignedIndex", "load(x, blockIdx.x * blockDim.x + threadIdx.x - lane - 1, 1, 2)",
                          "if (blockIdx.x * blockDim.x + threadIdx.x - lane - 1 + "}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LoadBelow, IsNotGuardedWhereNoIndexIsNegative) {
  for (const char* name : {"stencil1d", "reverse_stencil", "ff64", "stencil1d_outputs4", "dilate1d"})
    EXPECT_EQ(run_pair(name, "--run=none").kernel.find("unsigned("), std::string::npos) << name;
}

TEST(LoadBelow, StoresNothingBeforeTheBuffer) {
  const Sketch sketch{
      "",
      std::string(kAtSizes) +
          "__global__ void f(const int* x, int* y, int n) {\n  const int base = blockIdx.x * 64 + threadIdx.x / 32 * 32;\n"
          "  auto r = load(x, base, 1, 1);\n  int moved[1];\n"
          "  moved[0] = __shfl_sync(~0u, r[0], ?sw_xform(threadIdx.x % 32, 32));\n  store(y, base - 2, 1, 1, moved);\n}\n",
      "void f(const int* x, int* y, int n) { for (int i = 0; i + 2 < n; i++) y[i] = x[(i + 2) / 32 * 32 + 31 - (i + 2) % 32]; }\n",
      kRuns};
  expect_verified(sketch);
}

// An extent with something subtracted may be negative itself, which no unsigned number is.
TEST(LoadBelow, IsGuardedWhereTheExtentMayBeNegative) {
  const std::string kernel =
      run_sketch({"", centered("load(x, base - 1, 1, 2)"),
                  "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n    float o = 0;\n"
                  "    for (int k = 0; k < 3; k++)\n      if (i + k >= 1 && i + k < n - 3) o += x[i + k - 1];\n"
                  "    y[i] = i % 32 < 20 ? o : 0;\n  }\n}\n"})
          .kernel;
  EXPECT_TRUE(kernel.empty() || kernel.find("0 <= base - 1 + ") != std::string::npos) << kernel;
}

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

// Posed at 4 it is 4 from there on; at 2 the buffer ends earlier.
TEST(LoadBounds, HoldForTheSizeAloneWhereOneLessIsOtherwise) {
  const Bound bound{"", "#pragma swizzle instance n = 64, d = 4\n#pragma swizzle check n = 256, d = 4\n",
                    "int n, int d", "i + (d < 4 ? d : 4)", "< n + 4)"};
  const Sketch sketch = reaching(bound);
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(bound.bound), std::string::npos) << kernel;
  EXPECT_NE(kernel.find("if (d != 4) __trap();"), std::string::npos) << kernel;
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
}  // namespace swizzle::test::loads_test
