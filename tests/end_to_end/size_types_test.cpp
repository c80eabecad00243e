// Sizes that a kernel takes as other integers than its spec.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::size_types_test {
namespace {

std::string scaled(const std::string& type) {
  return fmt::format(
      "__global__ void f(const float* x, float* y, {0} n) {{\n"
      "  {0} i = blockIdx.x * ({0})blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 2 * x[i];\n}}\n"
      "void go(const float* x, float* y, int n) {{ f<<<(n + 255) / 256, 256>>>(x, y, n); }}\n",
      type);
}
constexpr const char* kScaled =
    "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n";

std::string product(const std::string& type) {
  return fmt::format(
      "__global__ void f(const float* a, const float* b, float* c, {0} M, {0} N, {0} K) {{\n"
      "  __shared__ float s[16][16], t[16][16];\n"
      "  {0} r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;\n  float v = 0;\n"
      "  for ({0} k0 = 0; k0 < K; k0 += 16) {{\n"
      "    s[threadIdx.y][threadIdx.x] = r < M && k0 + threadIdx.x < K ? a[r * K + k0 + threadIdx.x] : 0.0f;\n"
      "    t[threadIdx.y][threadIdx.x] = q < N && k0 + threadIdx.y < K ? b[(k0 + threadIdx.y) * N + q] : 0.0f;\n"
      "    __syncthreads();\n"
      "    for (int k = 0; k < 16; k++) v += s[threadIdx.y][k] * t[k][threadIdx.x];\n    __syncthreads();\n  }}\n"
      "  if (r < M && q < N) c[r * N + q] = v;\n}}\n"
      "void go(const float* a, const float* b, float* c, int M, int N, int K) {{\n"
      "  f<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K);\n}}\n",
      type);
}
constexpr const char* kProduct =
    "void f(const float* a, const float* b, float* c, int M, int N, int K) {\n  for (int r = 0; r < M; r++)\n"
    "    for (int q = 0; q < N; q++) {\n      float s = 0;\n"
    "      for (int k = 0; k < K; k++) s += a[r * K + k] * b[k * N + q];\n      c[r * N + q] = s;\n    }\n}\n";

TEST(SizeTypes, MayDiffer) {
  for (const char* type : {"unsigned", "size_t", "long long"}) {
    expect_judged({"", scaled(type), kScaled, "--set n=1000", 0, "proved for every n from 1 to 2147483392"});
    expect_judged({"", product(type), kProduct, "--set M=20 --set N=24 --set K=20", 0,
                   "1 <= K <= 2147483632, K * M <= 2147483647"});
  }
}

TEST(SizeTypes, HoldTheSizesThatAreGiven) {
  const std::string kernel =
      "__global__ void f(const int* x, int* y, long long n) { y[threadIdx.x] = n > 4 ? x[threadIdx.x] : 0; }\n"
      "void go(const int* x, int* y, long long n) { f<<<1, 32>>>(x, y, n); }\n";
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < 32; i++) y[i] = n > 4 ? x[i] : 0;\n}\n";
  expect_judged({"", kernel, spec, "--set n=5", 0, "equal to the spec"});
  expect_judged({"", kernel, spec, "--set n=5000000000", 1, "spec.cpp:1:34: error: 5000000000 does not fit in 'int'"});
}

TEST(SizeTypes, AreIntegersOfAWordAtLeast) {
  for (const char* type : {"bool", "char", "float"})
    expect_judged({"", scaled("int"), changed(kScaled, "int n", fmt::format("{} n", type)), "--set n=1000", 1,
                   fmt::format("parameter 'n' is '{}' in the spec and 'int' in the kernel", type)});
}

}  // namespace
}  // namespace swizzle::test::size_types_test
