// Sorting networks: whom a lane compares with, and who keeps the greater.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::sorting_networks_test {
namespace {

constexpr const char* kSorted =
    "void f(const int* x, int* y, int n) {\n  for (int b = 0; b < n; b += 32) {\n"
    "    int t[32]; for (int k = 0; k < 32; k++) t[k] = x[b + k];\n"
    "    for (int a = 0; a < 32; a++) for (int c = 0; c < 31; c++)\n"
    "      if (t[c + 1] < t[c]) { int q = t[c]; t[c] = t[c + 1]; t[c + 1] = q; }\n"
    "    for (int k = 0; k < 32; k++) y[b + k] = t[k];\n  }\n}\n";

// By the bits of a lane's number: what the steps cost is told by both conditions together.
TEST(SortingNetworks, AreFoundWithTheirDirections) {
  const ToolResult r = run_sketch(
      {"",
       "  int lane = t % 32, v = x[t];\n#pragma unroll\n  for (int k = 2; k <= 32; k *= 2)\n#pragma unroll\n"
       "    for (int d = k / 2; d > 0; d /= 2) {\n      const int w = __shfl_xor_sync(~0u, v, d);\n"
       "      if (?sw_cond(lane & d, 0) != ?sw_cond(lane & k, 0)) v = max(v, w);\n      else v = min(v, w);\n"
       "    }\n  y[t] = v;",
       kSorted});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["integer_ops"], 30);
}

// Of keys and what belongs to them, compared at distances that are no network's: values that hardly any order decides.
TEST(SortingNetworks, OfWrongDistancesAreRefused) {
  const ToolResult r = run_sketch(
      {"",
       "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
       "__global__ void f(const int* keys, const float* values, int* sorted, float* with, int n) {\n"
       "  const int lane = threadIdx.x;\n  int key = keys[lane];\n  float value = values[lane];\n"
       "#pragma unroll\n  for (int size = 2; size <= 8; size *= 2)\n#pragma unroll\n"
       "    for (int d = size; d > 0; d /= 2) {\n      const int source = ?sw_xor(lane, 32, d);\n"
       "      const int other = __shfl_sync(~0u, key, source);\n"
       "      const float its_value = __shfl_sync(~0u, value, source);\n"
       "      const bool keeps_less = ((lane & size) == 0) == ((lane & d) == 0);\n"
       "      if (keeps_less ? other < key : key < other) {\n        key = other;\n        value = its_value;\n"
       "      }\n    }\n  sorted[lane] = key;\n  with[lane] = value;\n}\n",
       "void f(const int* keys, const float* values, int* sorted, float* with, int n) {\n"
       "  for (int b = 0; b < n; b += 8) {\n    int k[8]; float v[8];\n"
       "    for (int i = 0; i < 8; i++) k[i] = keys[b + i], v[i] = values[b + i];\n"
       "    for (int a = 0; a < 8; a++) for (int c = 0; c < 7; c++)\n      if (k[c + 1] < k[c]) {\n"
       "        const int q = k[c]; k[c] = k[c + 1]; k[c + 1] = q;\n"
       "        const float w = v[c]; v[c] = v[c + 1]; v[c + 1] = w;\n      }\n"
       "    for (int i = 0; i < 8; i++) sorted[b + i] = k[i], with[b + i] = v[i];\n  }\n}\n"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// The spec goes through elements one by one.
TEST(SortingNetworks, OfTheGreatestTwoAreFound) {
  expect_verified({"",
                   "  int lane = t % 32, a = x[t], b = (int)0x80000000;\n#pragma unroll\n"
                   "  for (int d = 16; d > 0; d /= 2) {\n    const int s = ?sw_xor(lane, 32, d);\n"
                   "    const int c = __shfl_sync(~0u, a, s), e = __shfl_sync(~0u, b, s);\n"
                   "    b = max(min(a, c), max(b, e));\n    a = max(a, c);\n  }\n"
                   "  if (lane == 0) y[0] = a, y[1] = b;",
                   "void f(const int* x, int* y, int n) {\n  int a = (int)0x80000000, b = a;\n"
                   "  for (int k = 0; k < 32; k++) {\n    const int v = x[k];\n    if (v > a) { b = a; a = v; }\n"
                   "    else if (v > b) b = v;\n  }\n  y[0] = a, y[1] = b;\n}\n",
                   kRuns});
}

// Whichever way the spec's cases are told apart.
TEST(Orders, OfFewElementsAreToldInEveryOrder) {
  expect_verified({"",
                   "  const int b = x[t], a = __shfl_sync(~0u, b, ?sw_xform(t, 32)),\n"
                   "            c = __shfl_sync(~0u, b, ?sw_xform(t, 32));\n"
                   "  if (t > 0 && t < 31) y[t] = max(min(a, b), min(max(a, b), c));",
                   "void f(const int* x, int* y, int n) {\n  for (int i = 1; i < 31; i++) {\n"
                   "    const int a = x[i - 1], b = x[i], c = x[i + 1];\n"
                   "    y[i] = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);\n  }\n}\n",
                   kRuns});
  expect_verified({"",
                   "__global__ void f(const float* x, float* y, int n) {\n  const int t = threadIdx.x;\n"
                   "  y[t] = fminf(fmaxf(__shfl_sync(~0u, x[t], ?sw_xform(t, 32)), 0.0f), 6.0f);\n}\n",
                   "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n"
                   "    const float v = x[31 - i];\n    if (v < 0) y[i] = 0;\n    else if (v > 6) y[i] = 6;\n"
                   "    else y[i] = v;\n  }\n}\n",
                   kRuns});
}

TEST(Orders, ThatDifferAreRefuted) {
  EXPECT_EQ(run_sketch({"", "  y[t] = max(min(x[t], x[t ^ 1]), min(max(x[t], x[t ^ 1]), x[t ^ 2]));",
                        "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) {\n"
                        "    const int a = x[i], b = x[i ^ 1], c = x[i ^ 2];\n"
                        "    y[i] = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? b : c);\n  }\n}\n"})
                .exit_code,
            10);
}

}  // namespace
}  // namespace swizzle::test::sorting_networks_test
