// Inputs that stand outside of the kernel: `__constant__` arrays and numbers that the host fills, of a spec its
// globals.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::symbols_test {
namespace {

const std::string kDirectives =
    "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 96\n"
    "#pragma swizzle extent x(n + 32)\n";

// A filter of three points; `weights` declares what `weight` reads.
std::string filter(const std::string& weights, const std::string& weight, const std::string& parameters = "") {
  return kDirectives + weights + "__global__ void filter(const float* x, float* y, int n" + parameters + R"() {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  const float r[2] = {x[i], x[i + 32]};
  float sum = 0;
  for (int k = 0; k < 3; k++)
    sum += )" +
         weight + R"( * __shfl_sync(~0u, r[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
  y[i] = sum;
}
)";
}

std::string spec(const std::string& weights, const std::string& weight, const std::string& parameters = "") {
  return weights + "void filter(const float* x, float* y, int n" + parameters +
         ") {\n  for (int i = 0; i < n; i++) {\n    float sum = 0;\n    for (int k = 0; k < 3; k++) sum += " + weight +
         " * x[i + k];\n    y[i] = sum;\n  }\n}\n";
}

const std::string kWeights = "__constant__ float weights[3];\n", kHostWeights = "float weights[3];\n";

TEST(Symbols, AreInputsThatBothSidesHaveOutside) {
  const Sketch sketch{"both", filter(kWeights, "weights[k]"), spec(kHostWeights, "weights[k]"), kRuns};
  expect_verified(sketch);
  const ToolResult r = run_sketch(sketch);
  EXPECT_NE(r.kernel.find(kWeights), std::string::npos) << r.kernel;
  EXPECT_NE(r.kernel.find("equal to the spec for every n that is a multiple of 32"), std::string::npos) << r.kernel;
}

TEST(Symbols, MayBeParametersOfTheSpec) {
  expect_verified({"parameter", filter(kWeights, "weights[k]"), spec("", "h[k]", ", const float* h"), kRuns});
}

TEST(Symbols, MayBeParametersOfTheKernel) {
  expect_verified({"of_spec", filter("", "w[k]", ", const float* w"), spec("float w[3];\n", "w[k]"), kRuns});
}

TEST(Symbols, HaveRowsAndNamespaces) {
  expect_verified({"rows", filter("namespace taps { __constant__ float weights[3][2]; }\n", "taps::weights[k][1]"),
                   spec("float weights[3][2];\n", "weights[k][1]"), kRuns});
  expect_verified({"unnamed", filter("namespace { __constant__ float weights[3]; }\n", "weights[k]"),
                   spec("namespace {\nfloat weights[3];\n}\n", "weights[k]"), kRuns});
}

TEST(Symbols, AreSortedByTheirNames) {
  expect_verified({"several",
                   filter("__constant__ float weights[3];\n__constant__ float gain;\n__device__ float scaled(int k) { "
                          "return gain * weights[k]; }\n",
                          "scaled(k)"),
                   spec("float gain, weights[3];\n", "(gain * weights[k])"), kRuns});
}

TEST(Symbols, ArePassedToFunctions) {
  expect_verified({"passed",
                   filter(kWeights + "__device__ float at(const float* w, int k) { return w[k]; }\n", "at(weights, k)"),
                   spec(kHostWeights, "weights[k]"), kRuns});
}

TEST(Symbols, AreToldApart) {
  const ToolResult r = run_sketch({"swapped", filter("__constant__ float u[3], v[3];\n", "u[k] * v[0]"),
                                   spec("float u[3], v[3];\n", "v[k] * u[0]")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

struct Wrong {
  const char* name;
  std::string text, spec, error;
};

class WrongSymbols : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSymbols, AreErrors) {
  const ToolResult r = run_sketch({GetParam().name, GetParam().text, GetParam().spec});
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find(GetParam().error), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongSymbols,
    testing::Values(
        Wrong{"Missing", filter(kWeights, "weights[k]"), spec("", "1.f"),
              "spec.cpp:1:6: error: the spec takes 3 parameters, and the kernel 4 with 'weights' outside of it"},
        Wrong{"Shorter", filter(kWeights, "weights[k]"), spec("float weights[4];\n", "weights[k]"),
              "spec.cpp:1:7: error: 'weights' has 4 elements, and the kernel's 3"},
        Wrong{
            "Renamed", filter("__constant__ float u[3], v[3];\n", "u[k] * v[k]"),
            spec("float u[3], w[3];\n", "u[k] * w[k]"),
            "spec.cpp:1:13: error: 'w' and the kernel's 'v' stand outside of what they are inputs of, and would have to "
            "have one name"},
        Wrong{"Typed", filter("__constant__ double weights[3];\n", "float(weights[k])"),
              spec(kHostWeights, "weights[k]"), "parameter 'weights' is"},
        Wrong{"PastTheEnd", filter(kWeights, "weights[k + 1]"), spec(kHostWeights, "weights[k]"),
              "is outside 'weights'"},
        Wrong{"Written", filter(kWeights, "(weights[k] = 1)"), spec(kHostWeights, "weights[k]"),
              "stores to 'weights[0]', which the spec does not write"},
        Wrong{"OnDevice", filter("__device__ float weights[3];\n", "weights[k]"), spec(kHostWeights, "weights[k]"),
              "'weights' has no value here: a global needs an initializer, or __constant__"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test::symbols_test
