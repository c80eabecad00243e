// Blocks that do other work than those that are sampled.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"
#include "tests/end_to_end/nvcc.h"

namespace swizzle::test::check_blocks_test {
namespace {

CheckResult checked(const std::string& body, const std::string& launch, const std::string& flags) {
  return check_text(
      "__global__ void f(const float* x, float* y) {\n  __shared__ float s[33 * 32], p[32][32];\n"
      "  const int t = threadIdx.x, bx = blockIdx.x, by = blockIdx.y;\n  " +
          body + "\n}\nvoid run(float* x, float* y) { f<<<" + launch + ">>>(x, y); }\n",
      flags);
}

TEST(CheckBlocks, ThatUseSharedMemoryInAnotherWayAreWalked) {
  const std::string pitches = "const int pitch = bx / 8 == 1 ? 32 : 33; s[t * pitch] = x[t]; y[t] = s[t * pitch];";
  EXPECT_EQ(checked(pitches, "32, 32", "--no-ptx --fail-on-conflicts").exit_code, 4);
  if (!find_nvcc().empty()) EXPECT_EQ(checked(pitches, "32, 32", "--ptx --fail-on-conflicts").exit_code, 4);
  const std::string pairs =
      "if (bx == by) s[t * 33] = x[t]; else if (bx < by) p[t][0] = x[t]; y[t] = bx == by ? s[t * 33] : 0;";
  EXPECT_EQ(checked(pairs, "dim3(5, 5), 32", "--no-ptx --fail-on-conflicts").exit_code, 4);
  EXPECT_EQ(checked(pairs, "dim3(512, 512), 32", "--no-ptx --fail-on-conflicts").exit_code, 4);
  EXPECT_EQ(checked("s[t * 33] = x[t]; y[t] = s[t * 33];", "512, 32", "--no-ptx --fail-on-conflicts").exit_code, 0);
}

}  // namespace
}  // namespace swizzle::test::check_blocks_test
