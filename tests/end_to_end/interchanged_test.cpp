// Specs that add to all elements of a row, one summand after the other, and kernels that have a thread for each.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::interchanged_test {
namespace {

constexpr const char* kMatrices = "float* c, const float* a, const float* b, int M, int N, int K";
const std::string kProduct = fmt::format(
    "__global__ void f({0}) {{\n  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;\n"
    "  if (i >= M || j >= N) return;\n  float s = 0;\n"
    "  for (int k = 0; k < K; k++) s += a[i * K + k] * b[k * N + j];\n  c[i * N + j] = s;\n}}\n"
    "void go({0}) {{ f<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(c, a, b, M, N, K); }}\n",
    kMatrices);
std::string row_by_row(const std::string& add) {
  return fmt::format(
      "void f({}) {{\n  for (int i = 0; i < M; i++) {{\n    for (int j = 0; j < N; j++) c[i * N + j] = 0;\n"
      "    for (int k = 0; k < K; k++)\n      for (int j = 0; j < N; j++) {}\n  }}\n}}\n",
      kMatrices, add);
}
const std::string kAdds = "c[i * N + j] += a[i * K + k] * b[k * N + j];";

// Of tokens before it, each token takes a part.
constexpr const char* kTokens = "float* y, const float* w, const float* x, int T, int n";
const std::string kMixed = fmt::format(
    "__global__ void f({0}) {{\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n  if (t >= T) return;\n"
    "  float* o = y + t * n;\n  for (int i = 0; i < n; i++) o[i] = 0.0f;\n  for (int k = 0; k <= t; k++) {{\n"
    "    const float* v = x + k * n;\n    float part = w[t * T + k];\n"
    "    for (int i = 0; i < n; i++) o[i] += part * v[i];\n  }}\n}}\n"
    "void go({0}) {{ f<<<(T + 63) / 64, 64>>>(y, w, x, T, n); }}\n",
    kTokens);
const std::string kMixedSpec = fmt::format(
    "void f({}) {{\n  for (int t = 0; t < T; t++)\n    for (int i = 0; i < n; i++) {{\n      float s = 0;\n"
    "      for (int k = 0; k <= t; k++) s += w[t * T + k] * x[k * n + i];\n      y[t * n + i] = s;\n    }}\n}}\n",
    kTokens);

constexpr const char *kSizes = "--set M=20 --set N=24 --set K=10", *kOfTokens = "--set T=20 --set n=12";

class Interchanged : public testing::TestWithParam<AsItIs> {};

TEST_P(Interchanged, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Loops, Interchanged,
    testing::Values(AsItIs{"RowByRow", kProduct, row_by_row(kAdds), kSizes, 0,
                           "proved for every size with 1 <= N <= 2147483632, 1 <= M <= 1048560"},
                    AsItIs{"RowByRowOfOthers", kProduct,
                           row_by_row("c[i * N + j] += a[i * K + k] * b[j * K + k % 10];"), kSizes, 3, "c[0]"},
                    AsItIs{"OfElementsThatMeet", kProduct,
                           row_by_row("c[i * N + j % 24] += a[i * K + k] * b[k * N + j];"), kSizes, 3, "at K="},
                    AsItIs{"InAThread", kMixed, kMixedSpec, kOfTokens, 0, "proved for every size with 1 <= T <= 46340"},
                    AsItIs{"InAThreadButTheFirst", changed(kMixed, "int k = 0;", "int k = T / 21;"), kMixedSpec,
                           kOfTokens, 3, "at T="}),
    name_of);

}  // namespace
}  // namespace swizzle::test::interchanged_test
