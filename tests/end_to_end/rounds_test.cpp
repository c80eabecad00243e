// Rounds that each sum up some lanes and then move the sums to where they belong: in what order lanes add, from where
// the sums are fetched and which lanes keep them are open together.
#include <gtest/gtest.h>

#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::rounds_test {
namespace {

// Products of rows of `row` elements, 32 rows a warp: `add`, for each d = 1, 2, … below row, sums up those of a row.
struct Rounds {
  std::string name;
  int row;
  std::string add;   // of p
  std::string keep;  // p, as s
};

class RowProducts : public ::testing::TestWithParam<Rounds> {};

TEST_P(RowProducts, AreSummedUpAndPutInPlace) {
  const auto& [name, row, add, keep] = GetParam();
  const std::string kernel = fmt::format(
      "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 192\n"
      "constexpr int kRow = {0};\n"
      "__global__ void f(const float* v, const float* x, float* y, int n) {{\n"
      "  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;\n  float s = 0;\n"
      "  for (int j = 0; j < kRow; j++) {{\n    const int from = kRow * (i - lane) + 32 * j + lane;\n"
      "    float p = v[from] * x[from];\n    for (int d = 1; d < kRow; d *= 2) {1}\n    {2}\n  }}\n  y[i] = s;\n}}\n",
      row, add, keep);
  const std::string spec = fmt::format(
      "constexpr int kRow = {};\nvoid f(const float* v, const float* x, float* y, int n) {{\n"
      "  for (int i = 0; i < n; i++) {{\n    float s = 0;\n"
      "    for (int k = 0; k < kRow; k++) s += v[kRow * i + k] * x[kRow * i + k];\n    y[i] = s;\n  }}\n}}\n",
      row);
  const ToolResult r = run_sketch({"", kernel, spec, !kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << r.report["checked"];
}

const char* const kExchange = "p += __shfl_sync(~0u, p, ?sw_xor(lane, 32, d));";
const char* const kTurn = "p += __shfl_sync(~0u, p, ?sw_xform(lane, 32, d));";
const char* const kFetched = "const float w = __shfl_sync(~0u, p, ?sw_xform(lane, 32, j)); ";

INSTANTIATE_TEST_SUITE_P(
    Each, RowProducts,
    ::testing::Values(Rounds{"Two", 2, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 16, j)) s = w;"},
                      Rounds{"Four", 4, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 8, j)) s = w;"},
                      Rounds{"FourTurned", 4, kTurn, std::string(kFetched) + "s = ?sw_cond(lane, j * 8) ? w : s;"},
                      Rounds{"Eight", 8, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 4, j)) s = w;"}),
    [](const auto& each) { return each.param.name; });

// Constants for each round: distances, and the lanes that take part, beyond those with which a round does nothing.
struct Constants {
  std::string name;
  std::string kernel;  // of x, and i and t, which is where a thread stands among `threads`
  std::string spec;    // of x + i, a group of as many
  int threads = 32;
  std::string store = "y[i] = v;";
};

class RoundsOfConstants : public ::testing::TestWithParam<Constants> {};

TEST_P(RoundsOfConstants, AreFound) {
  const auto& [name, kernel, spec, threads, store] = GetParam();
  const std::string sketch = fmt::format(
      "#pragma swizzle launch grid(n / {0}) block({0})\n#pragma swizzle instance n = {0}\n"
      "#pragma swizzle extent y(n)\n"
      "__global__ void f(const float* x, float* y, int n) {{\n"
      "  const int t = threadIdx.x, i = blockIdx.x * {0} + t;\n  float v = x[i];\n  {1}\n  {2}\n}}\n",
      threads, kernel, store);
  const std::string whole = fmt::format(
      "void f(const float* x, float* y, int n) {{\n  for (int i = 0; i < n; i += {}) {{\n    {}\n  }}\n}}\n", threads,
      spec);
  const ToolResult r = run_sketch({"", sketch, whole, !kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

const char* const kRunningSums = "float s = 0; for (int k = 0; k < 32; k++) y[i + k] = s += x[i + k];";

INSTANTIATE_TEST_SUITE_P(
    Each, RoundsOfConstants,
    ::testing::Values(
        Constants{"ThresholdsBeyondTheWarp",
                  "for (int k = 0; k < 5; k++) { const float w = __shfl_up_sync(~0u, v, 1 << k);\n"
                  "    if (t >= ?sw_const(0, 33, k)) v += w; }",
                  kRunningSums},
        Constants{"ThresholdsFromOneOn",
                  "for (int k = 0; k < 5; k++) { const float w = __shfl_up_sync(~0u, v, 1 << k);\n"
                  "    if (t >= ?sw_const(1, 33, k)) v += w; }",
                  kRunningSums},
        Constants{"DistancesAndThresholds",
                  "for (int k = 0; k < 5; k++) { const float w = __shfl_up_sync(~0u, v, ?sw_const(0, 32, k));\n"
                  "    if (t >= ?sw_const(0, 33, k)) v += w; }",
                  kRunningSums},
        Constants{"DistancesAndThresholdsDownwards",
                  "for (int k = 0; k < 5; k++) { const float w = __shfl_down_sync(~0u, v, ?sw_const(0, 32, k));\n"
                  "    if (t < ?sw_const(0, 33, k)) v = fmaxf(v, w); }",
                  "for (int k = 0; k < 32; k++) { float s = x[i + k];\n"
                  "      for (int j = k; j < 32; j++) s = fmaxf(s, x[i + j]); y[i + k] = s; }"},
        Constants{"DistancesAndWhereTheyEnd",
                  "for (int k = 0; k < 5; k++) { const float w = __shfl_down_sync(~0u, v, ?sw_const(0, 32, k));\n"
                  "    if (t + ?sw_const(0, 33, k) < 32) v += w; }",
                  "float s = 0; for (int k = 31; k >= 0; k--) y[i + k] = s += x[i + k];"},
        Constants{"DistancesAndThresholdsInSharedMemory",
                  "__shared__ float s[2][32]; s[0][t] = v; __syncthreads();\n"
                  "  for (int k = 0; k < 5; k++) {\n    float w = s[k & 1][t];\n"
                  "    if (t >= ?sw_const(0, 33, k)) w += s[k & 1][t - ?sw_const(0, 32, k)];\n"
                  "    s[(k + 1) & 1][t] = w; __syncthreads();\n  }\n  v = s[1][t];",
                  kRunningSums},
        Constants{
            "WhereSumsComeFromInSharedMemory",
            "__shared__ float s[32]; s[t] = v; __syncthreads();\n"
            "  for (int k = 1; k < 32; k *= 2) {\n    float w = 0; if (?sw_cond(t, k)) w = s[?sw_xform(t, 32, k)];\n"
            "    __syncthreads(); s[t] += w; __syncthreads();\n  }\n  v = s[t];",
            kRunningSums},
        Constants{"OneRoundTooMany",
                  "for (int k = 0; k < 6; k++) { const float w = __shfl_xor_sync(~0u, v, ?sw_const(1, 32, k));\n"
                  "    if (?sw_cond(k)) v += w; }",
                  "float s = 0; for (int k = 0; k < 32; k++) s += x[i + k];\n"
                  "    for (int k = 0; k < 32; k++) y[i + k] = s;"},
        Constants{"TwoRoundsTooMany",
                  "for (int k = 0; k < 7; k++) { const float w = __shfl_xor_sync(~0u, v, ?sw_const(0, 32, k));\n"
                  "    if (?sw_cond(k)) v += w; }",
                  "float s = 0; for (int k = 0; k < 32; k++) s += x[i + k];\n"
                  "    for (int k = 0; k < 32; k++) y[i + k] = s;"},
        Constants{
            "TreesOfTwoWarps",
            "__shared__ float s[64]; s[t] = v; __syncthreads();\n"
            "  for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + ?sw_const(1, 33, d)]; __syncthreads(); }",
            "float s = 0; for (int k = 0; k < 64; k++) s += x[i + k]; y[i / 64] = s;", 64,
            "if (t == 0) y[blockIdx.x] = s[0];"},
        Constants{"TreesWithAnOpenGuard",
                  "__shared__ float s[64]; s[t] = v; __syncthreads();\n"
                  "  for (int d = 32; d > 0; d /= 2) {\n"
                  "    if (?sw_cond(t, d)) s[t] += s[t + ?sw_const(1, 33, d)];\n    __syncthreads();\n  }",
                  "float s = 0; for (int k = 0; k < 64; k++) s += x[i + k]; y[i / 64] = s;", 64,
                  "if (t == 0) y[blockIdx.x] = s[0];"}),
    [](const auto& each) { return each.param.name; });

// So many pairs of linear maps that the search lists none of them: Z3 finds one.
TEST(Rounds, OfLinearMapsAreHandedOver) {
  const std::string kernel =
      "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) {\n"
      "  int t = threadIdx.x, i = blockIdx.x * 32 + t, v = x[i];\n"
      "  for (int k = 0; k < 2; k++) v = __shfl_sync(~0u, v, ?sw_linear(t, 32, k));\n  y[i] = v;\n}\n";
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) {\n    int t = i % 32;\n"
      "    y[i] = x[i - t + ((t & 1) << 4 | (t & 2) << 2 | (t & 4) | (t & 8) >> 2 | t >> 4)];\n  }\n}\n";
  const ToolResult r = run_sketch({"", kernel, spec, !kRuns, "--first"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// All of a few maps are gone through.
TEST(Rounds, OfFewLinearMapsAreDecided) {
  const std::string kernel =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) {\n  int i = threadIdx.x, t = i % 8, v = x[i];\n"
      "  for (int k = 0; k < 2; k++) v = __shfl_sync(~0u, v, ?sw_linear(t, 8, k), 8);\n  y[i] = v;\n}\n";
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n  static const int from[8] = {0, 3, 5, 6, 1, 2, 4, 7};\n"
      "  for (int i = 0; i < 32; i++) y[i] = x[i / 8 * 8 + from[i % 8]];\n}\n";
  const ToolResult r = run_sketch({"", kernel, spec});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// What no single reason tells is told by the outputs that clash.
TEST(Rounds, ThatServeNotAllOutputsNameSome) {
  const std::string kernel =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x, v = x[t];\n"
      "  for (int d = 1; d < 32; d *= 2) {\n    int w = __shfl_sync(~0u, v, ?sw_xform(t, 32, d));\n"
      "    if (?sw_cond(t, d)) v = w;\n  }\n  y[t] = v;\n}\n";
  const std::string spec =
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k <= i; k++) s += x[k]; y[i] = s; } }\n";
  const ToolResult r = run_sketch({"", kernel, spec});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("no completion makes y[1], written by thread 1, what the spec stores"), std::string::npos)
      << r.output;
}

}  // namespace
}  // namespace swizzle::test::rounds_test
