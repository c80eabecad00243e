// Words of shared memory that several threads write without a barrier between: the same value, or another one.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::same_values_test {
namespace {

// A word s of blocks of 64 threads, of x and t; `spec` is what y[t] has, of x and b, where the block begins.
AsItIs word(const std::string& name, const std::string& writes, const std::string& spec, const std::string& said,
            int exit_code = 0) {
  return {name,
          fmt::format("__global__ void f(const int* x, int* y, int n) {{\n  __shared__ int s;\n"
                      "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n  {}\n  y[i] = s;\n}}\n"
                      "void run(const int* x, int* y, int n) {{ f<<<n / 64, 64>>>(x, y, n); }}\n",
                      writes),
          fmt::format("void f(const int* x, int* y, int n) {{\n  for (int b = 0; b < n; b += 64) {{\n    {}\n"
                      "    for (int t = 0; t < 64; t++) y[b + t] = s;\n  }}\n}}\n",
                      spec),
          "--set n=128",
          exit_code,
          said};
}

constexpr const char *kProved = "; proved for every n that is a multiple of 64",
                     *kRace = "without a barrier between them: a race";

class SameValues : public testing::TestWithParam<AsItIs> {};

TEST_P(SameValues, MayMeetInAWord) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, SameValues,
    testing::Values(word("Constant", "s = 3; __syncthreads();", "const int s = 3;", kProved),
                    word("Element", "s = x[blockIdx.x * 64]; __syncthreads();", "const int s = x[b];", kProved),
                    word("OneEach", "s = t; __syncthreads();", "const int s = 63;", kRace, 3),
                    word("TwoValues", "s = t < 32 ? 3 : 4; __syncthreads();", "const int s = 4;", kRace, 3),
                    word("ReadTooSoon", "s = 3;", "const int s = 3;", kRace, 3),
                    word("Flag", "s = 0; __syncthreads(); if (x[i] > 5) s = 1; __syncthreads();",
                         "int s = 0; for (int t = 0; t < 64; t++) if (x[b + t] > 5) s = 1;",
                         "equal to the spec for every input")),
    name_of);

}  // namespace
}  // namespace swizzle::test::same_values_test
