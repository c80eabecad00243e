// Rows that are centered by their mean, as norms do, at sizes that nobody gave: powers of two would multiply all out.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::means_test {
namespace {

const std::string kCentered =
    "__device__ float total(float v) {\n  __shared__ float s[4];\n"
    "  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);\n  __syncthreads();\n"
    "  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;\n  __syncthreads();\n  return s[0] + s[1] + s[2] + s[3];\n}\n"
    "__global__ void f(const float* x, float* y, int rows, int d) {\n  const float* row = x + blockIdx.x * d;\n"
    "  float s = 0, q = 0;\n  for (int i = threadIdx.x; i < d; i += 128) s += row[i];\n  const float mean = total(s) / d;\n"
    "  for (int i = threadIdx.x; i < d; i += 128) q += (row[i] - mean) * (row[i] - mean);\n"
    "  const float variance = total(q) / d;\n"
    "  for (int i = threadIdx.x; i < d; i += 128) y[blockIdx.x * d + i] = (row[i] - mean) * rsqrtf(variance + 1e-5f);\n}\n"
    "void go(const float* x, float* y, int rows, int d) { f<<<rows, 128>>>(x, y, rows, d); }\n";
const std::string kCenteredSpec =
    "#include <cmath>\nvoid f(const float* x, float* y, int rows, int d) {\n  for (int r = 0; r < rows; r++) {\n"
    "    float s = 0, q = 0;\n    for (int i = 0; i < d; i++) s += x[r * d + i];\n    const float mean = s / d;\n"
    "    for (int i = 0; i < d; i++) q += (x[r * d + i] - mean) * (x[r * d + i] - mean);\n"
    "    for (int i = 0; i < d; i++) y[r * d + i] = (x[r * d + i] - mean) * rsqrtf(q / d + 1e-5f);\n  }\n}\n";

class Means : public testing::TestWithParam<AsItIs> {};

TEST_P(Means, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Means,
    testing::Values(AsItIs{"Rows", kCentered, kCenteredSpec, "", 0, "at d=384, rows=3; proved for every size with"},
                    AsItIs{"RowsOfHalfOfTheWarps", changed(kCentered, "s[2] + s[3]", "s[2]"), kCenteredSpec, "", 3,
                           "at d=384, rows=3, y[0] is"},
                    AsItIs{"RowsWithoutABarrier", changed(kCentered, "  __syncthreads();\n  if", "  if"), kCenteredSpec,
                           "", 3, "without a barrier between them: a race"}),
    name_of);

const std::string kActivated =
    "__global__ void f(const float* x, float* y, int n) {\n  int i = blockIdx.x * 128 + threadIdx.x;\n"
    "  if (i < n) y[i] = x[i] / (1.0f + expf(-x[i])) + x[i] * x[i] * x[i] / 3.0f;\n}\n"
    "void go(const float* x, float* y, int n) { f<<<(n + 127) / 128, 128>>>(x, y, n); }\n";
const std::string kActivatedSpec =
    "#include <cmath>\nvoid f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++)\n"
    "    y[i] = x[i] * (1 / (1 + std::exp(-x[i]))) + std::pow(x[i], 3.0f) / 3;\n}\n";

INSTANTIATE_TEST_SUITE_P(
    DividedOtherwise, Means,
    testing::Values(AsItIs{"Roots", kCentered,
                           changed(kCenteredSpec, "(x[r * d + i] - mean) * rsqrtf(q / d + 1e-5f)",
                                   "(x[r * d + i] - mean) / std::sqrt(q / d + 1e-5f)"),
                           "", 0, "at d=384, rows=3; proved for every size with"},
                    AsItIs{"Activations", kActivated, kActivatedSpec, "", 0, "proved for every n from 1 to"},
                    AsItIs{"OfAnother", kActivated, changed(kActivatedSpec, "std::exp(-x[i])", "std::exp(x[i])"), "", 3,
                           "y[0] is"}),
    name_of);

// Scaled by the greatest of 32, and rounded: what changes that a little changes no rounded number.
const std::string kQuantized =
    "__global__ void f(const float* x, int* y, int n) {\n  const int i = blockIdx.x * 32 + threadIdx.x;\n"
    "  float m = fabsf(x[i]);\n  for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));\n"
    "  y[i] = (signed char)__float2int_rn(x[i] * (127 / m));\n}\n"
    "void go(const float* x, int* y, int n) { f<<<n / 32, 32>>>(x, y, n); }\n";
const std::string kQuantizedSpec =
    "#include <algorithm>\n#include <cmath>\nvoid f(const float* x, int* y, int n) {\n  for (int g = 0; g < n; g += 32) {\n"
    "    float m = 0;\n    for (int i = g; i < g + 32; i++) m = std::max(m, std::fabs(x[i]));\n"
    "    for (int i = g; i < g + 32; i++) y[i] = (signed char)lrintf(x[i] * (127 / m));\n  }\n}\n";

INSTANTIATE_TEST_SUITE_P(Rounded, Means,
                         testing::Values(AsItIs{"ByAnotherFunction", kQuantized, kQuantizedSpec, "", 20,
                                                "nothing tells whether they differ"},
                                         AsItIs{"ByTheSame", kQuantized,
                                                changed(kQuantizedSpec, "lrintf", "(int)rintf"), "", 0,
                                                "proved for every n that is a multiple of 32"},
                                         AsItIs{"OfOthers", changed(kQuantized, "int o = 16", "int o = 8"),
                                                kQuantizedSpec, "", 3, "y[0] is"}),
                         name_of);

}  // namespace
}  // namespace swizzle::test::means_test
