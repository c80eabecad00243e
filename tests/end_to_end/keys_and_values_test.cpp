// Values that go with their keys: data decide who moves, and holes decide by which comparison.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::keys_and_values_test {
namespace {

// Rows of 32 keys x and values v. `rounds`: of key and val, lane by lane; `spec`: of keys a and values c of a row.
Sketch sorted(const std::string& rounds, const std::string& spec) {
  return {
      "",
      "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 192\n"
      "__global__ void f(const int* x, const float* v, int* y, float* z, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;\n  int key = x[i];\n  float val = v[i];\n" +
          rounds + "  y[i] = key, z[i] = val;\n}\n",
      "void f(const int* x, const float* v, int* y, float* z, int n) {\n  for (int b = 0; b < n; b += 32) {\n"
      "    int a[32];\n    float c[32];\n    for (int q = 0; q < 32; q++) a[q] = x[b + q], c[q] = v[b + q];\n" +
          spec + "    for (int q = 0; q < 32; q++) y[b + q] = a[q], z[b + q] = c[q];\n  }\n}\n",
      kRuns};
}

const std::string kSwap =
    "{ int t = a[q]; a[q] = a[q + d]; a[q + d] = t; float u = c[q]; c[q] = c[q + d]; c[q + d] = u; }\n";

// The hole chooses between two comparisons.
TEST(KeysAndValues, MoveByAComparisonThatAHoleChooses) {
  expect_verified(
      sorted("  for (int d = 1; d < 4; d *= 2) {\n    const int k = __shfl_xor_sync(~0u, key, d);\n"
             "    const float w = __shfl_xor_sync(~0u, val, d);\n"
             "    if (?sw_cond(lane & d) ? k < key : key < k) { key = k; val = w; }\n  }\n",
             "    for (int d = 1; d < 4; d *= 2)\n      for (int q = 0; q < 32; q++)\n"
             "        if ((q & d) == 0 && a[q + d] < a[q]) " +
                 kSwap));
}

TEST(KeysAndValues, AreSortedInBothDirections) {
  expect_verified(sorted(
      "#pragma unroll\n  for (int s = 2; s <= 8; s *= 2)\n    for (int d = s / 2; d > 0; d /= 2) {\n"
      "      const int k = __shfl_xor_sync(~0u, key, d);\n      const float w = __shfl_xor_sync(~0u, val, d);\n"
      "      const bool up = ?sw_cond(lane & s), low = ?sw_cond(lane & d);\n"
      "      if (up == low ? k < key : key < k) { key = k; val = w; }\n    }\n",
      "    for (int s = 2; s <= 8; s *= 2)\n      for (int d = s / 2; d > 0; d /= 2)\n"
      "        for (int q = 0; q < 32; q++)\n          if ((q & d) == 0 && ((q & s) == 0 ? a[q + d] < a[q] : a[q] < a[q + d])) " +
          kSwap));
}

// The keys alone say how far they go; how far values go is looked for then.
TEST(KeysAndValues, MoveByDistancesOfTheirOwn) {
  expect_verified(
      sorted("#pragma unroll\n  for (int d = 2; d > 0; d /= 2) {\n"
             "    const int k = __shfl_xor_sync(~0u, key, ?sw_const(1, 32, d));\n"
             "    const float w = __shfl_xor_sync(~0u, val, ?sw_const(1, 32, d));\n"
             "    if (?sw_cond(lane & d) ? k < key : key < k) { key = k; val = w; }\n  }\n",
             "    for (int d = 2; d > 0; d /= 2)\n      for (int q = 0; q < 32; q++)\n"
             "        if ((q & d) == 0 && a[q + d] < a[q]) " +
                 kSwap));
}

// The last of the least, among eight.
TEST(KeysAndValues, AreScannedForTheLeast) {
  expect_verified({"",
                   "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
                   "__global__ void f(const int* x, int* y, int n) {\n"
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;\n  int v = x[i], at = lane;\n"
                   "#pragma unroll\n  for (int d = 1; d < 8; d *= 2) {\n    const int from = ?sw_xform(lane, 32, d);\n"
                   "    const int w = __shfl_sync(~0u, v, from), p = __shfl_sync(~0u, at, from);\n"
                   "    if (?sw_cond(lane, d) && w <= v) { v = w; at = p; }\n  }\n  y[i] = at;\n}\n",
                   "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) {\n"
                   "    int g = i / 32 * 32, m = x[i], p = i - g;\n    for (int j = i - 1; j >= g && j > i - 8; j--)\n"
                   "      if (x[j] <= m) m = x[j], p = j - g;\n    y[i] = p;\n  }\n}\n",
                   kRuns});
}

// The first lane begins a segment whatever the data are.
TEST(KeysAndValues, SegmentsThatBeginSomewhereAreScanned) {
  expect_verified(
      {"",
       "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
       "#pragma swizzle extent head(n)\n__global__ void f(const int* x, const int* head, int* y, int n) {\n"
       "  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;\n"
       "  int v = x[i], begun = lane == 0 ? 1 : head[i];\n#pragma unroll\n  for (int d = 1; d < 32; d *= 2) {\n"
       "    const int w = __shfl_sync(~0u, v, (lane - d) & 31), e = __shfl_sync(~0u, begun, (lane - d) & 31);\n"
       "    if (?sw_cond(lane, d)) {\n      if (begun == 0) v = max(v, w);\n      begun |= e;\n    }\n  }\n"
       "  y[i] = v;\n}\n",
       "void f(const int* x, const int* head, int* y, int n) {\n  for (int w = 0; w < n; w += 32) {\n    int m = 0;\n"
       "    for (int i = w; i < w + 32; i++) {\n      m = i == w || head[i] != 0 ? x[i] : max(m, x[i]);\n"
       "      y[i] = m;\n    }\n  }\n}\n",
       kRuns});
}

// Any step that adds up a warp may be the loop's own.
TEST(ReadableConstants, AreTheArgumentWhereThatServes) {
  const ToolResult r = run_sketch(
      {"",
       "int v = x[t];\n#pragma unroll\n  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, ?sw_const(1, 32, d));\n  if (t == 0) y[0] = v;",
       "void f(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }\n"});
  EXPECT_EQ(r.report["holes"][0]["expression"], "d") << r.output << r.kernel;
}

TEST(ReadableConstants, AreSumsOfSeveralArguments) {
  const ToolResult r = run_sketch(
      {"",
       "int v = 0;\n#pragma unroll\n  for (int a = 0; a < 3; a++)\n    for (int b = 0; b < 3; b++) v += x[t + ?sw_const(0, 100, a, b)] << a << (3 * b);\n  y[t] = v;",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = 0; for (int a = 0; a < 3; a++)\n"
       "  for (int b = 0; b < 3; b++) y[i] += x[i + 40 * a + 2 * b] << a << (3 * b); } }\n"});
  EXPECT_EQ(r.report["holes"][0]["expression"], "a * 40 + b * 2") << r.output << r.kernel;
}

}  // namespace
}  // namespace swizzle::test::keys_and_values_test
