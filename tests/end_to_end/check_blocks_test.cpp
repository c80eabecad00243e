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

TEST(CheckBlocks, ThatTheKernelComparesWithAreWalked) {
  const auto worst = [](const std::string& condition, const std::string& launch) {
    return checked("if (" + condition + ") p[t][0] = x[t]; else s[t] = x[t];", launch, "--no-ptx --fail-on-conflicts")
        .exit_code;
  };
  EXPECT_EQ(worst("bx == 777", "2000, 32"), 4);
  EXPECT_EQ(worst("bx % 256 == 37", "2048, 32"), 4);
  EXPECT_EQ(worst("bx == by + 3", "dim3(64, 64), 32"), 4);
  EXPECT_EQ(worst("bx == 5 && by == 41", "dim3(64, 64), 32"), 4);
  EXPECT_EQ(worst("bx == 2000", "2000, 32"), 0);
}

TEST(CheckBlocks, OfManyTheFirstAndTheLastAreNamed) {
  const std::string said = checked("s[t] = x[t];", "100, 32", "--no-ptx --all-blocks").output;
  EXPECT_NE(said.find("counted in 100 blocks of 100: (0, 0, 0), (1, 0, 0)"), std::string::npos) << said;
  EXPECT_NE(said.find("(14, 0, 0), …, (99, 0, 0); 1 warp each"), std::string::npos) << said;
  EXPECT_EQ(
      checked("s[t] = x[t];", "1 << 30, 32", "--no-ptx --all-blocks --fail-on-conflicts --step-limit 9000").exit_code,
      20);
}

}  // namespace
}  // namespace swizzle::test::check_blocks_test
