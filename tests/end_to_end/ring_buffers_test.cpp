// Loops over sizes whose rounds take turns among a few buffers in shared memory.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::ring_buffers_test {
namespace {

std::string kernel(const std::string& before, const std::string& round) {
  return "__global__ void f(const float* x, float* y, int rows, int n) {\n  __shared__ float s[3][64];\n"
         "  const int t = threadIdx.x;\n  const float* row = x + blockIdx.x * n * 64;\n  int cur = 0;\n  float a = 0;\n" +
         before + "  for (int k = 0; k < n; k++) {\n" + round +
         "  }\n  y[blockIdx.x * 64 + t] = a;\n}\n"
         "void go(const float* x, float* y, int rows, int n) { f<<<rows, 64>>>(x, y, rows, n); }\n";
}
const std::string kSpec =
    "void f(const float* x, float* y, int rows, int n) {\n  for (int r = 0; r < rows; r++)\n"
    "    for (int t = 0; t < 64; t++) {\n      float a = 0;\n"
    "      for (int k = 0; k < n; k++) a += x[(r * n + k) * 64 + 63 - t];\n      y[r * 64 + t] = a;\n    }\n}\n";

const std::string kThree =
    kernel("", "    s[k % 3][t] = row[k * 64 + t];\n    __syncthreads();\n    a += s[k % 3][63 - t];\n");
const std::string kToggled =
    kernel("", "    s[cur][t] = row[k * 64 + t];\n    __syncthreads();\n    a += s[cur][63 - t];\n    cur ^= 1;\n");
const std::string kAhead = kernel("  s[0][t] = row[t];\n  __syncthreads();\n",
                                  "    if (k + 1 < n) s[(k + 1) & 1][t] = row[(k + 1) * 64 + t];\n"
                                  "    a += s[k & 1][63 - t];\n    __syncthreads();\n");
const std::string kInTurns = kernel(
    "", "    s[cur][t] = row[k * 64 + t];\n    __syncthreads();\n    a += s[cur][63 - t];\n    cur = (cur + 1) % 3;\n");

// Rows are fetched a tile ahead, into registers.
const std::string kColumns =
    "__global__ void f(const float* x, float* y, int n, int m) {\n  __shared__ float s[8][32];\n"
    "  const int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 32 + tx;\n  float a = 0;\n"
    "  float next = ty < m && i < n ? x[ty * n + i] : 0;\n  for (int k = 0; k < m; k += 8) {\n    s[ty][tx] = next;\n"
    "    __syncthreads();\n    const int row = k + 8 + ty;\n    next = row < m && i < n ? x[row * n + i] : 0;\n"
    "    for (int j = 0; j < 8; ++j) a += s[j][tx];\n    __syncthreads();\n  }\n  if (ty == 0 && i < n) y[i] = a;\n}\n"
    "void go(const float* x, float* y, int n, int m) { f<<<(n + 31) / 32, dim3(32, 8)>>>(x, y, n, m); }\n";
const std::string kColumnsSpec =
    "void f(const float* x, float* y, int n, int m) {\n  for (int i = 0; i < n; i++) {\n    float a = 0;\n"
    "    for (int k = 0; k < m; k++) a += x[k * n + i];\n    y[i] = a;\n  }\n}\n";

class RingBuffers : public testing::TestWithParam<AsItIs> {};

TEST_P(RingBuffers, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, RingBuffers,
    testing::Values(AsItIs{"Three", kThree, kSpec, "", 0, "proved for every size with"},
                    AsItIs{"TwoByAVariable", kToggled, kSpec, "", 0, "proved for every size with"},
                    AsItIs{"ThreeByAVariable", kInTurns, kSpec, "", 0, "proved for every size with"},
                    AsItIs{"TwoFilledAhead", kAhead, kSpec, "", 0, "proved for every size with"},
                    AsItIs{"One", changed(kThree, "s[k % 3][t]", "s[k % 1][t]"), kSpec, "", 3, "the kernel failed"},
                    AsItIs{"OneAtATime", changed(changed(kThree, "k % 3", "k % 1"), "k % 3", "k % 1"), kSpec, "", 3,
                           "without a barrier between them: a race"},
                    AsItIs{"NotFilledAtTheEnd", changed(kAhead, "k + 1 < n", "k + 2 < n"), kSpec, "", 3, "y[0] is"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Fetched, RingBuffers,
                         testing::Values(AsItIs{"Ahead", kColumns, kColumnsSpec, "", 0, "proved for every size with"},
                                         AsItIs{"AheadByOneRow", changed(kColumns, "k + 8 + ty", "k + 9 + ty"),
                                                kColumnsSpec, "", 3, "y[0] is"},
                                         AsItIs{"AheadWithoutAGuard", changed(kColumns, "row < m && i < n", "i < n"),
                                                kColumnsSpec, "", 3, "'x'"}),
                         name_of);

// At 2048 of what nobody asked for, the spec does not end.
TEST(ChosenSizes, AreSmallerWhereTheUsualOnesTakeTooLong) {
  const std::string kernel =
      "__global__ void f(const float* x, float* y, int n, int m) {\n  const int i = blockIdx.x * 1024 + threadIdx.x;\n"
      "  if (i < n) y[i] = m * x[i];\n}\n"
      "void go(const float* x, float* y, int n, int m) { f<<<(n + 1023) / 1024, 1024>>>(x, y, n, m); }\n";
  const std::string spec =
      "void f(const float* x, float* y, int n, int m) {\n  while (m > 1000) {}\n"
      "  for (int i = 0; i < n; i++) y[i] = m * x[i];\n}\n";
  const std::string flags = "--run=none --proof=posed";
  expect_judged({"", kernel, spec, "", 0, "equal to the spec for every input at m=33, n=1025", flags});
}

// K must be a multiple of 4, and the launch does not say so.
TEST(ChosenSizes, ThatAKernelIsNotForAreToBeExcluded) {
  const std::string kernel =
      "__global__ void f(const float* x, float* y, int n, int k) {\n  const int i = blockIdx.x * 64 + threadIdx.x;\n"
      "  if (i >= n) return;\n  float a = 0;\n  for (int j = 0; j < k; j += 4) {\n"
      "    const float4 v = *reinterpret_cast<const float4*>(&x[i * k + j]);\n    a += v.x + v.y + v.z + v.w;\n  }\n"
      "  y[i] = a;\n}\n"
      "void go(const float* x, float* y, int n, int k) { f<<<(n + 63) / 64, 64>>>(x, y, n, k); }\n";
  const std::string spec =
      "void f(const float* x, float* y, int n, int k) {\n  for (int i = 0; i < n; i++) {\n    float a = 0;\n"
      "    for (int j = 0; j < k; j++) a += x[i * k + j];\n    y[i] = a;\n  }\n}\n";
  const std::string note = "note: a kernel that is not for this size says so: '#pragma swizzle assume …'";
  expect_judged({"", kernel, spec, "", 3, note});
  expect_judged({"", changed(kernel, "a += v.x", "a += 2 * v.x"), spec, "", 3, note});
  expect_judged({"", "#pragma swizzle assume k % 4 == 0\n" + kernel, spec, "", 0, "k % 4 == 0"});
}

}  // namespace
}  // namespace swizzle::test::ring_buffers_test
