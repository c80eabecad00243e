// Dynamic shared memory, as the launch in the file gives it.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::launched_memory_test {
namespace {

AsItIs given(const std::string& name, const std::string& bytes, int exit_code, const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int n) {\n  extern __shared__ float s[];\n"
      "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n  s[t] = x[i];\n  __syncthreads();\n"
      "  y[i] = s[63 - t];\n}\nvoid run(float* x, float* y, int n) {\n  const int threads = 64;\n  f<<<n / 64, threads" +
          bytes + ">>>(x, y, n);\n}\n",
      "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i ^ 63]; }\n",
      "",
      exit_code,
      said};
}

class LaunchedMemory : public testing::TestWithParam<AsItIs> {};

TEST_P(LaunchedMemory, IsWhatTheKernelUses) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Launches, LaunchedMemory,
    testing::Values(given("Enough", ", threads * sizeof(float)", 0, "equal to the spec"),
                    given("Half", ", threads * 2", 3,
                          "this launch gives 128 bytes of dynamic shared memory, and 256 are used"),
                    given("None", "", 3, "this launch gives 0 bytes of dynamic shared memory, and 256 are used"),
                    given("OfASize", ", n", 3, "dynamic shared memory, and 256 are used"),
                    given("NotKnown", ", bytes()", 0, "equal to the spec")),
    name_of);

}  // namespace
}  // namespace swizzle::test::launched_memory_test
