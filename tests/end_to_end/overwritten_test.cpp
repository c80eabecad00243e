// Elements of buffers that one thread stores to after another one: with a barrier between, and without.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::overwritten_test {
namespace {

// Two blocks of 64 threads, t in the block and i in the launch; each element of y is 0 where `spec` does not say else.
AsItIs phases(const std::string& name, const std::string& kernel, const std::string& spec, const std::string& said,
              int exit_code = 0) {
  return {name,
          fmt::format("#pragma swizzle launch grid(2) block(64)\n#pragma swizzle extent x(128), y(128)\n"
                      "__global__ void f(const int* x, int* y) {{\n  const int t = threadIdx.x, b = blockIdx.x * 64;\n"
                      "  {}\n}}\n",
                      kernel),
          fmt::format("void f(const int* x, int* y) {{\n  for (int i = 0; i < 128; i++) y[i] = 0;\n"
                      "  for (int b = 0; b < 128; b += 64)\n    for (int t = 0; t < 64; t++) {}\n}}\n",
                      spec),
          "",
          exit_code,
          said};
}

constexpr const char *kEqual = "equal to the spec for every input", *kTwice = "is written twice with different values";

class Overwritten : public testing::TestWithParam<AsItIs> {};

TEST_P(Overwritten, IsWhatTheLastPhaseStored) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Overwritten,
    testing::Values(phases("Filled", "y[b + t] = 0;\n  __syncthreads();\n  y[b + 63 - t] = x[b + t];",
                           "y[b + 63 - t] = x[b + t];", kEqual),
                    phases("FilledByOne", "y[b + t] = 0;\n  __syncthreads();\n  if (t == 9) y[b + 1] = x[b];",
                           "if (t == 9) y[b + 1] = x[b];", kEqual),
                    phases("WithoutABarrier", "y[b + t] = 0;\n  if (t == 9) y[b + 1] = x[b];",
                           "if (t == 9) y[b + 1] = x[b];", kTwice, 3),
                    phases("InAWarp", "y[b + t] = 0;\n  __syncwarp();\n  y[b + (t ^ 1)] = x[b + t];",
                           "y[b + (t ^ 1)] = x[b + t];", kEqual),
                    phases("AcrossWarps", "y[b + t] = 0;\n  __syncwarp();\n  y[b + (t ^ 32)] = x[b + t];",
                           "y[b + (t ^ 32)] = x[b + t];", kTwice, 3),
                    phases("OfBothBlocks", "y[b + t] = 0;\n  __syncthreads();\n  y[64 - b + t] = x[b + t];",
                           "y[64 - b + t] = x[b + t];", kTwice, 3),
                    phases("AsDataDecide",
                           "y[b + t] = 0;\n  __syncthreads();\n  if (x[b + t] > 0) y[b + 63 - t] = x[b + t];",
                           "if (x[b + t] > 0) y[b + 63 - t] = x[b + t];", kEqual),
                    phases("SinceTheBarrier",
                           "y[b + t] = 0;\n  __syncthreads();\n  if (t < 2) y[b] = x[b];\n  __syncthreads();\n"
                           "  if (t > 60) y[b] = x[b + 1];",
                           "y[b] = x[b + 1];", kEqual),
                    phases("TwoSinceTheBarrier", "y[b + t] = 0;\n  __syncthreads();\n  if (t < 2) y[b] = x[b + t];",
                           "y[b] = x[b + 1];", kTwice, 3)),
    name_of);

// Data decide one index of a buffer that is stored to at another one.
TEST(DataIndex, BesideAStoreAtANumberIsNoCrash) {
  const AsItIs pair{"",
                    "#pragma swizzle launch grid(1) block(1)\n#pragma swizzle instance n = 2\n"
                    "#pragma swizzle range idx(0, n)\n"
                    "__global__ void f(const int* idx, float* x, int n) { x[0] = x[idx[0]]; x[1] = 0; }\n",
                    "void f(const int* idx, float* x, int n) { x[0] = x[idx[0]]; x[1] = 0; }\n",
                    "",
                    0,
                    kEqual};
  expect_judged(pair);
}

}  // namespace
}  // namespace swizzle::test::overwritten_test
