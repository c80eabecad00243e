// Parameters that a launch hands a number, as one that repeats how many threads a block has.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::handed_numbers_test {
namespace {

const std::string kMeans =
    "__global__ void f(float* y, const float* x, int rows, int n, int threads) {\n  extern __shared__ float part[];\n"
    "  int r = blockIdx.x, t = threadIdx.x;\n  const float* row = x + r * n;\n  float s = 0;\n"
    "  for (int c = t; c < n; c += threads) s += row[c];\n  part[t] = s;\n"
    "  for (int d = threads / 2; d >= 1; d /= 2) {\n    __syncthreads();\n    if (t < d) part[t] += part[t + d];\n  }\n"
    "  if (t == 0) y[r] = part[0] / n;\n}\n"
    "void go(float* y, const float* x, int rows, int n) {\n"
    "  f<<<rows, 128, 128 * sizeof(float)>>>(y, x, rows, n, 128);\n}\n";
std::string means_of(const std::string& parameters) {
  return fmt::format(
      "void f({}) {{\n  for (int r = 0; r < rows; r++) {{\n    float s = 0;\n"
      "    for (int c = 0; c < n; c++) s += x[r * n + c];\n    y[r] = s / n;\n  }}\n}}\n",
      parameters);
}
const std::string kOfAll = means_of("float* y, const float* x, int rows, int n, int threads"),
                  kOfOthers = means_of("float* y, const float* x, int rows, int n");
constexpr const char* kSizes = "--set rows=10 --set n=300";

class HandedNumbers : public testing::TestWithParam<AsItIs> {};

TEST_P(HandedNumbers, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Launched, HandedNumbers,
    testing::Values(
        AsItIs{"StayWhatTheyAre", kMeans, kOfAll, kSizes, 0,
               "proved for every size with threads == 128, 1 <= rows <= 2147483647, 1 <= n <= 2147483520"},
        AsItIs{"AreNoneOfTheSpec", kMeans, kOfOthers, kSizes, 0,
               "proved for every size with 1 <= rows <= 2147483647, 1 <= n <= 2147483520, n * rows <= 2147483647"},
        AsItIs{"OfAnotherBlock", changed(kMeans, "rows, n, 128);", "rows, n, 96);"), kOfOthers, kSizes, 3, "y[0]"}),
    name_of);

// What the launch hands may be any: it is proved for every one of them then.
TEST(HandedNumbers, ThatAreSizesMayBeOthers) {
  const std::string kernel =
      "__global__ void f(float* y, const float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];\n}\n"
      "void go(float* y, const float* x) { f<<<4, 64>>>(y, x, 1000); }\n";
  expect_judged({"", kernel, "void f(float* y, const float* x, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
                 "", 0, "proved for every n from 1 to"});
}

}  // namespace
}  // namespace swizzle::test::handed_numbers_test
