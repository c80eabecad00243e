// Rows of any length in dynamic shared memory.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::staged_rows_test {
namespace {

const std::string kReversed =
    "__global__ void f(const float* x, float* y, int rows, int n) {\n  extern __shared__ float s[];\n"
    "  if (blockIdx.x >= rows) return;\n  const float* row = x + blockIdx.x * n;\n"
    "  for (int j = threadIdx.x; j < n; j += blockDim.x) {\n    const float v = row[j];\n    s[j] = 2 * v;\n  }\n"
    "  __syncthreads();\n  for (int j = threadIdx.x; j < n; j += blockDim.x) y[blockIdx.x * n + j] = s[n - 1 - j];\n}\n"
    "void go(const float* x, float* y, int rows, int n) { f<<<rows, 64, n * sizeof(float)>>>(x, y, rows, n); }\n";
const std::string kReversedSpec =
    "void f(const float* x, float* y, int rows, int n) {\n  for (int r = 0; r < rows; r++)\n"
    "    for (int j = 0; j < n; j++) y[r * n + j] = 2 * x[r * n + n - 1 - j];\n}\n";

const std::string kSoftmax =
    "__global__ void f(const float* x, float* y, int rows, int n) {\n  extern __shared__ float s[];\n"
    "  const int t = threadIdx.x;\n  const float* row = x + blockIdx.x * n;\n  float m = -INFINITY, q = 0;\n"
    "  for (int j = t; j < n; j += 32) { s[j] = row[j]; m = fmaxf(m, row[j]); }\n"
    "  for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));\n"
    "  for (int j = t; j < n; j += 32) { s[j] = expf(s[j] - m); q += s[j]; }\n"
    "  for (int o = 16; o; o /= 2) q += __shfl_xor_sync(~0u, q, o);\n"
    "  for (int j = t; j < n; j += 32) y[blockIdx.x * n + j] = s[j] / q;\n}\n"
    "void go(const float* x, float* y, int rows, int n) { f<<<rows, 32, n * sizeof(float)>>>(x, y, rows, n); }\n";
const std::string kSoftmaxSpec =
    "#include <algorithm>\n#include <cmath>\nvoid f(const float* x, float* y, int rows, int n) {\n"
    "  for (int r = 0; r < rows; r++) {\n    float m = -INFINITY, q = 0;\n"
    "    for (int j = 0; j < n; j++) m = std::max(m, x[r * n + j]);\n"
    "    for (int j = 0; j < n; j++) q += std::exp(x[r * n + j] - m);\n"
    "    for (int j = 0; j < n; j++) y[r * n + j] = std::exp(x[r * n + j] - m) / q;\n  }\n}\n";

const std::string kProduct =
    "__global__ void f(const float* a, const float* x, float* y, int rows, int n) {\n  extern __shared__ float s[];\n"
    "  for (int j = threadIdx.x; j < n; j += blockDim.x) s[j] = x[j];\n  __syncthreads();\n"
    "  const int r = blockIdx.x * blockDim.x + threadIdx.x;\n  if (r >= rows) return;\n  float sum = 0;\n"
    "  for (int j = 0; j < n; j++) sum += a[r * n + j] * s[j];\n  y[r] = sum;\n}\n"
    "void go(const float* a, const float* x, float* y, int rows, int n) {\n"
    "  f<<<(rows + 63) / 64, 64, n * sizeof(float)>>>(a, x, y, rows, n);\n}\n";
const std::string kProductSpec =
    "void f(const float* a, const float* x, float* y, int rows, int n) {\n  for (int i = 0; i < rows; i++) {\n"
    "    float sum = 0;\n    for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];\n    y[i] = sum;\n  }\n}\n";

class StagedRowsOf : public testing::TestWithParam<AsItIs> {};

TEST_P(StagedRowsOf, AnyLengthAreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, StagedRowsOf,
    testing::Values(
        AsItIs{"Others", kReversed, kReversedSpec, "", 0, "1 <= n <= 58112, rows * n <= 2147483647"},
        AsItIs{"OthersWithoutABarrier", changed(kReversed, "  __syncthreads();\n", ""), kReversedSpec, "", 3, "a race"},
        AsItIs{"OthersOfHalfOfTheLoops", changed(kReversed, "j += blockDim.x) {", "j += 2 * blockDim.x) {"),
               kReversedSpec, "", 3, "is undefined"},
        AsItIs{"TooLittleMemory", changed(kReversed, "n * sizeof(float)", "(n - n / 200) * sizeof(float)"),
               kReversedSpec, "", 3, "of dynamic shared memory"},
        AsItIs{"OwnInPlace", kSoftmax, kSoftmaxSpec, "", 0, "1 <= n <= 58112, rows * n <= 2147483647"},
        AsItIs{"OwnOfBefore",
               changed(kSoftmax, "{ s[j] = expf(s[j] - m); q += s[j]; }", "{ q += s[j]; s[j] = expf(s[j] - m); }"),
               kSoftmaxSpec, "", 3, "y[0] is"},
        AsItIs{"OwnThatWereChanged",
               changed(kSoftmax, "  for (int o = 16; o; o /= 2) q", "  m = 0;\n  for (int o = 16; o; o /= 2) q"),
               kSoftmaxSpec, "", 0, "not proved for other sizes"},
        AsItIs{"AVector", kProduct, kProductSpec, "", 0, "1 <= n <= 58112"},
        AsItIs{"AVectorThatSomeDoNotPut",
               changed(kProduct, "  for (int j = threadIdx.x",
                       "  if (threadIdx.x == 9) return;\n  for (int j = threadIdx.x"),
               kProductSpec, "", 3, "the kernel failed"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::staged_rows_test
