// Stores that data decide, in one arm of a condition or in both: at every size.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::decided_stores_test {
namespace {

constexpr const char* kParameters = "(const float* x, const float* g, float* y, int n)";
constexpr const char* kEvery = "; proved for every n from 1 to 2147483584";

AsItIs element(const std::string& name, const std::string& kernel, const std::string& each, const std::string& said,
               int exit_code = 0) {
  return {name,
          fmt::format("__global__ void f{0} {{\n  const int i = blockIdx.x * 64 + threadIdx.x;\n  {1}\n}}\n"
                      "void run{0} {{ f<<<(n + 63) / 64, 64>>>(x, g, y, n); }}\n",
                      kParameters, kernel),
          fmt::format("void f{} {{\n  for (int i = 0; i < n; i++) {{ {} }}\n}}\n", kParameters, each),
          "--set n=130",
          exit_code,
          said};
}

constexpr const char* kGradient = "if (x[i] <= 0) y[i] = 0; else y[i] = g[i];";

class DecidedStores : public testing::TestWithParam<AsItIs> {};

TEST_P(DecidedStores, AreProvedForEverySize) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, DecidedStores,
    testing::Values(
        element("BothArms", std::string("if (i < n) { ") + kGradient + " }", kGradient, kEvery),
        element("AValueOfTheSpec", std::string("if (i < n) { ") + kGradient + " }", "y[i] = x[i] <= 0 ? 0 : g[i];",
                kEvery),
        element("OneArm", "if (i < n && x[i] > 0) y[i] = g[i];", "if (x[i] > 0) y[i] = g[i];", kEvery),
        element("OverWhatIsThere", "if (i >= n) return;\n  y[i] = 0;\n  if (x[i] > 0) y[i] = g[i];",
                "y[i] = x[i] > 0 ? g[i] : 0;", kEvery),
        element("ThreeArms",
                "if (i >= n) return;\n  if (x[i] > 1) y[i] = 1; else if (x[i] < -1) y[i] = -1; else y[i] = x[i];",
                "float v = x[i]; if (v > 1) v = 1; else if (v < -1) v = -1; y[i] = v;", kEvery),
        element("SharedMemory",
                "__shared__ float s[64];\n  s[threadIdx.x] = 1;\n  if (i < n && x[i] > 0) s[threadIdx.x] = g[i];\n"
                "  __syncthreads();\n  if (i < n) y[i] = s[threadIdx.x];",
                "if (x[i] > 0) y[i] = g[i]; else y[i] = 1;", kEvery),
        element("BelowTheLastElement", "if (i + (n > 130) < n && x[i] > 0) y[i] = g[i];", "if (x[i] > 0) y[i] = g[i];",
                "failed its verification: at n=", 3),
        element("WhatOthersReadIsNotFollowed",
                "if (i >= n) return;\n  const float v = y[i];\n  __syncwarp();\n  if (x[i] > 0) y[i] = v + g[i];",
                "if (x[i] > 0) y[i] += g[i];", kEvery)),
    name_of);

}  // namespace
}  // namespace swizzle::test::decided_stores_test
