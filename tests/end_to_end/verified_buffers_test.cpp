// Buffers whose length nobody says.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::verified_buffers_test {
namespace {

// x may have n elements, of which the spec leaves out the last.
AsItIs shifted(const std::string& name, const std::string& guard, const std::string& directive, int exit_code,
               const std::string& said) {
  return {name,
          fmt::format("{}__global__ void f(const int* x, int* y, int n) {{\n"
                      "  const int i = blockIdx.x * 32 + threadIdx.x, v = {} ? x[i] : 0;\n"
                      "  const int w = __shfl_up_sync(~0u, v, 1);\n  if (i < n) y[i] = i % 32 ? w : 0;\n}}\n"
                      "void run(const int* x, int* y, int n) {{ f<<<(n + 31) / 32, 32>>>(x, y, n); }}\n",
                      directive, guard),
          "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i % 32 ? x[i - 1] : 0; }\n",
          "--set n=48",
          exit_code,
          said};
}

// The spec stores the element in the middle as it was.
AsItIs turned(const std::string& name, const std::string& spec_count, int exit_code, const std::string& said) {
  return {name,
          "__global__ void f(int* y, int n) {\n  const int i = blockIdx.x * 32 + threadIdx.x;\n"
          "  if (i < n / 2) {\n    const int a = y[n - 1 - i];\n    y[n - 1 - i] = y[i];\n    y[i] = a;\n  }\n}\n"
          "void run(int* y, int n) { f<<<(n / 2 + 31) / 32, 32>>>(y, n); }\n",
          "void f(int* y, int n) { for (int i = 0; i < " + spec_count +
              "; i++) { const int a = y[i]; y[i] = y[n - 1 - i]; y[n - 1 - i] = a; } }\n",
          "--set n=65",
          exit_code,
          said};
}

class VerifiedBuffers : public testing::TestWithParam<AsItIs> {};

TEST_P(VerifiedBuffers, MayBeLongerThanTheSpecUsesThem) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Shifted, VerifiedBuffers,
    testing::Values(
        shifted("Open", "i < n", "", 1, "'#pragma swizzle extent x(…)' makes it longer"),
        shifted("Said", "i < n", "#pragma swizzle extent x(n)\n", 0, "proved for every n"),
        shifted("Shorter", "i < n", "#pragma swizzle extent x(n - 1)\n", 3, "index 47 is outside 'x' of 47 elements"),
        shifted("BehindTheEnd", "i <= n", "#pragma swizzle extent x(n)\n", 3, "index 48 is outside 'x' of 48 elements"),
        turned("StoredAsItWas", "(n + 1) / 2", 0, "equal to the spec"),
        turned("StoredLess", "n / 2", 0, "equal to the spec"),
        turned("StoredAgain", "(n + 2) / 2", 3, "and the spec says"),
        shifted("AsTheSpec", "i + 1 < n", "", 0, "equal to the spec")),
    name_of);

}  // namespace
}  // namespace swizzle::test::verified_buffers_test
