// Rows that a block normalizes where it stores them: read again by names of their own, after they were stored.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::softmax_rows_test {
namespace {

constexpr const char* kParameters = "float* y, const float* x, int rows, int n";

// By pointers that are moved from what is read to what is stored; `result`: of a thread for its block.
std::string rows_by(const std::string& memory, int threads, const std::string& of_max, const std::string& of_sum) {
  return fmt::format(
      "__device__ float greatest(float v) {{\n  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));\n"
      "  return v;\n}}\n"
      "__device__ float total(float v) {{\n  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);\n"
      "  return v;\n}}\n"
      "__global__ void f({0}) {{\n  {1}\n  int r = blockIdx.x, t = threadIdx.x;\n  const float* p = x + r * n;\n"
      "  float m = -INFINITY;\n  for (int c = t; c < n; c += blockDim.x) m = fmaxf(m, p[c]);\n  {3}\n"
      "  for (int c = t; c < n; c += blockDim.x) y[r * n + c] = expf(p[c] - most);\n  p = y + r * n;\n"
      "  float s = 0;\n  for (int c = t; c < n; c += blockDim.x) s += p[c];\n  {4}\n"
      "  for (int c = t; c < n; c += blockDim.x) y[r * n + c] = p[c] / all;\n}}\n"
      "void go({0}) {{ f<<<rows, {2}>>>(y, x, rows, n); }}\n",
      kParameters, memory, threads, of_max, of_sum);
}
const std::string kByWarp =
    rows_by("extern __shared__ float unused[];", 32, "float most = greatest(m);", "float all = total(s);");
std::string by_block(const std::string& behind_max) {
  const auto of_block = [](const std::string& v, const std::string& reduce, const std::string& join,
                           const std::string& result) {
    return fmt::format(
        "{0} = {1}({0});\n  if (t % 32 == 0) part[t / 32] = {0};\n  __syncthreads();\n"
        "  if (t == 0) {{ float w = part[0]; for (int i = 1; i < 4; i++) w = {2}; part[0] = w; }}\n"
        "  __syncthreads();\n  float {3} = part[0];",
        v, reduce, join, result);
  };
  return rows_by("__shared__ float memory[4]; float* part = memory;", 128,
                 of_block("m", "greatest", "fmaxf(w, part[i])", "most") + behind_max,
                 of_block("s", "total", "w + part[i]", "all"));
}
const std::string kRows = fmt::format(
    "#include <cmath>\nvoid f({}) {{\n  for (int r = 0; r < rows; r++) {{\n    const float* from = x + r * n;\n"
    "    float* to = y + r * n;\n    float m = -INFINITY, s = 0;\n"
    "    for (int c = 0; c < n; c++) if (from[c] > m) m = from[c];\n"
    "    for (int c = 0; c < n; c++) {{ to[c] = expf(from[c] - m); s += to[c]; }}\n"
    "    for (int c = 0; c < n; c++) to[c] /= s;\n  }}\n}}\n",
    kParameters);

constexpr const char *kSizes = "--set rows=5 --set n=300", *kBarrier = "\n  __syncthreads();";

class SoftmaxRows : public testing::TestWithParam<AsItIs> {};

TEST_P(SoftmaxRows, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, SoftmaxRows,
    testing::Values(
        AsItIs{"Warps", kByWarp, kRows, kSizes, 0,
               "proved for every size with 1 <= rows <= 2147483647, 1 <= n <= 2147483616, rows * n <= 2147483647"},
        AsItIs{"Blocks", by_block(kBarrier), kRows, kSizes, 0,
               "proved for every size with 1 <= rows <= 2147483647, 1 <= n <= 2147483520, rows * n <= 2147483647"},
        AsItIs{"BlocksWithoutABarrier", by_block(""), kRows, kSizes, 3, "a race"},
        // A launch of `rows` blocks may be for one n.
        AsItIs{"WarpsOfTheNextRow", changed(kByWarp, "p = y + r * n;", "p = y + (r + n / 301) * n;"), kRows, kSizes, 0,
               "not proved for other sizes"},
        AsItIs{"WarpsButTheLast", changed(kByWarp, "s += p[c];", "if (c < 512) s += p[c];"), kRows, kSizes, 0,
               "n == 300, 1 <= rows <= 7158278, and wrong at n="}),
    name_of);

}  // namespace
}  // namespace swizzle::test::softmax_rows_test
