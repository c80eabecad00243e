// Kernels that are wrong from some size on, which numbers in them tell, or at sizes where lanes that are waited for do
// not come.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::sizes_told_by_kernels_test {
namespace {

std::string kernel(const std::string& body, const std::string& grid = "(n + 127) / 128", int threads = 128) {
  return fmt::format(
      "__global__ void f(const float* x, float* y, int n) {{\n{}\n}}\n"
      "void go(const float* x, float* y, int n) {{ f<<<{}, {}>>>(x, y, n); }}\n",
      body, grid, threads);
}

std::string spec(const std::string& body) {
  return fmt::format("void f(const float* x, float* y, int n) {{ {} }}\n", body);
}

const std::string kCopied = spec("for (int i = 0; i < n; i++) y[i] = x[i];");

const std::string kRows =
    "__global__ void f(const float* x, float* y, int rows, int n) {\n  __shared__ float s[1024];\n"
    "  const float* row = x + blockIdx.x * n;\n"
    "  for (int c = threadIdx.x; c < n && c < 1024; c += 128) s[c] = row[c];\n  __syncthreads();\n"
    "  for (int c = threadIdx.x; c < n; c += 128) y[blockIdx.x * n + c] = s[c & 1023];\n}\n"
    "void go(const float* x, float* y, int rows, int n) { f<<<rows, 128>>>(x, y, rows, n); }\n";
const std::string kRowsSpec =
    "void f(const float* x, float* y, int rows, int n) { for (int i = 0; i < rows * n; i++) y[i] = x[i]; }\n";

class SizesToldByKernels : public testing::TestWithParam<AsItIs> {};

TEST_P(SizesToldByKernels, AreTried) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, SizesToldByKernels,
    testing::Values(
        AsItIs{"Arrays", kRows, kRowsSpec, "", 3, "which is none of the sizes given"},
        AsItIs{"Masks", kernel("  int i = (blockIdx.x * 128 + threadIdx.x) & 0xffff;\n  if (i < n) y[i] = x[i];"),
               kCopied, "--set n=300", 3, "y[65536] is never stored"},
        AsItIs{"ShortIntegers",
               kernel("  unsigned short i = blockIdx.x * 128 + threadIdx.x;\n  if (i < n) y[i] = x[i];"), kCopied,
               "--set n=300", 3, "y[65536] is never stored"},
        AsItIs{"Squares",
               kernel("  int i = blockIdx.x * 128 + threadIdx.x;\n  if (i < n) y[i] = x[i] + (unsigned)i * i % 7;"),
               spec("for (long i = 0; i < n; i++) y[i] = x[i] + i * i % 7;"), "--set n=300", 0, "equal to the spec"},
        AsItIs{"SquaresOfIntegers",
               kernel("  int i = blockIdx.x * 128 + threadIdx.x;\n  if (i < n) y[i] = x[i] + i * i;"),
               spec("for (long i = 0; i < n; i++) y[i] = x[i] + i * i;"), "--set n=300", 3, "at n=46342"},
        AsItIs{"LanesThatDoNotCome",
               kernel("  float a = 0;\n  for (int j = threadIdx.x; j < n; j += 32)\n"
                      "    a += x[j] + __shfl_xor_sync(0xffffffffu, x[j], 1);\n  y[threadIdx.x] = a;",
                      "1", 32),
               spec("for (int l = 0; l < 32; l++) { float a = 0; for (int j = l; j < n; j += 32) a += x[j] + x[j ^ 1]; "
                    "y[l] = a; }"),
               "--set n=64", 0, "n % 32 == 0, and wrong at n=33"},
        AsItIs{"LanesThatDoNotComeAtThisSize",
               kernel("  if (threadIdx.x < n) y[threadIdx.x] = __shfl_down_sync(~0u, x[threadIdx.x], 0);", "1", 32),
               kCopied, "--set n=20", 3, "does not reach this shuffle"},
        AsItIs{
            "Divisions", kernel("  int i = blockIdx.x * 128 + threadIdx.x;\n  if (i < n) y[i] = x[i] + 7 / (n - 1);"),
            spec("for (int i = 0; i < n; i++) y[i] = x[i] + (n < 2 ? 0 : 7 / (n - 1));"), "--set n=300", 3, "at n=1"},
        AsItIs{
            "LargeStaticArrays",
            kernel(
                "  __shared__ float s[12000], t[400];\n  int i = blockIdx.x * 128 + threadIdx.x;\n"
                "  s[threadIdx.x] = t[threadIdx.x] = 0;\n  if (i < n) y[i] = x[i] + s[threadIdx.x] + t[threadIdx.x];"),
            kCopied, "--set n=300", 1, "kernel.cu:2:30: error: with 't' the __shared__ arrays take 49600 bytes"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::sizes_told_by_kernels_test
