// `verify` where constants are made of constants: rounded, as compilers have them.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::rounded_constants_test {
namespace {

class RoundedConstants : public testing::TestWithParam<AsItIs> {};

TEST_P(RoundedConstants, AreThoseOfCompilers) { expect_judged(GetParam()); }

AsItIs of(const std::string& name, const std::string& body, const std::string& expected, int exit_code,
          const std::string& said) {
  return {name,
          "__global__ void f(const float* x, float* y, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) { " +
              body + " }\n}\nvoid run(const float* x, float* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
          "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = " + expected + "; }\n",
          "--set n=300",
          exit_code,
          said};
}

INSTANTIATE_TEST_SUITE_P(
    Floats, RoundedConstants,
    testing::Values(
        of("Sevenths", "const int q = (int)(0.7f * 10.f); y[i] = x[i] * q;", "x[i] * 7", 0, "proved for every n"),
        of("NoSixths", "const int q = (int)(0.7f * 10.f); y[i] = x[i] * q;", "x[i] * 6", 3, "y[0] is 7 * x[0]"),
        of("ThirdsOfOne", "y[i] = (1.f / 3.f) * x[i];", "0.33333334f * x[i]", 0, "proved for every n"),
        of("ThreeTenths", "y[i] = x[i] + (0.1f + 0.2f);", "x[i] + 0.3f", 0, "proved for every n"),
        of("OneMoreThan2To24", "float t = 16777216.f, u = t + 1; y[i] = u > t ? x[i] : 0;", "0", 0,
           "proved for every n"),
        of("ProductOfThree", "const int k = (int)(1.1f * 1.1f * 100000000.f); y[i] = x[i] * k;", "x[i] * 121000000", 0,
           "proved for every n"),
        of("InAnotherOrder", "y[i] = x[i] * (0.1f + 0.2f);", "x[i] * 0.1f + x[i] * 0.2f", 20,
           "constants differ by how they are rounded"),
        of("AnotherConstant", "y[i] = x[i] * 0.3f;", "x[i] * 0.30001f", 3, "failed its verification"),
        of("LargeOnesHideNothing", "y[i] = x[i] > 1e20f ? x[i] * 7 : x[i] * 6;", "x[i] * 6", 20, "nothing tells")),
    name_of);

}  // namespace
}  // namespace swizzle::test::rounded_constants_test
