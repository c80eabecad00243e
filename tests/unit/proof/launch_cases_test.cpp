#include "synth/proof/launch_cases.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::launch_cases_test {
namespace {

Program launched_by(const std::string& grid, const std::string& more = "") {
  return *parse_kernel(SourceText("k.cu", "#pragma swizzle launch grid(" + grid + ") block(32)\n" + more +
                                              "__global__ void f(int* y, int n, int m) { y[n] = m; }\n"),
                       "f");
}

// "(n + 63) / 64; 8"
std::string cases_of(const std::string& grid) {
  std::string texts;
  for (const Program& kernel : launch_cases(launched_by(grid), true).kernels)
    texts += (texts.empty() ? "" : "; ") + kernel.directives.launch->grid[0].text;
  return texts;
}

TEST(LaunchCases, AreNoneOfWhatIsFollowed) {
  for (const char* grid : {"4", "n", "n / 64", "(n + 63) / 64", "(n / 4 + 255) / 256", "(n - 1) / 64"})
    EXPECT_EQ(cases_of(grid), "") << grid;
}

TEST(LaunchCases, RoundUpInOneWay) {
  EXPECT_EQ(cases_of("(n - 1) / 64 + 1"), "(n + 63) / 64");
  EXPECT_EQ(cases_of("n / 64 + 1"), "(n + 64) / 64");
  EXPECT_EQ(cases_of("max(1, (n + 63) / 64)"), "(n + 63) / 64");
  EXPECT_EQ(cases_of("((n + 3) / 4 + 15) / 16"), "(n + 63) / 64");
  EXPECT_EQ(cases_of("max(2, n)"), "");
}

TEST(LaunchCases, AreAllThatAMinimumMayBe) {
  EXPECT_EQ(cases_of("min((n + 63) / 64, 8)"), "(n + 63) / 64; 8");
  EXPECT_EQ(cases_of("max(1, min((n + 63) / 64, 8))"), "(n + 63) / 64; 8");
  EXPECT_EQ(cases_of("min(min(n, m), 65535)"), "n; m; 65535");
  EXPECT_EQ(cases_of("min(min(min(n, m), min(n, 2)), 3)"), "") << "too many";
}

TEST(LaunchCases, LeaveUpperBoundsToBeAddedToWhatIsProved) {
  const Program kernel = launched_by("(n + 31) / 32", "#pragma swizzle assume n <= 100000, m < 5000, n >= 2, m != 7\n");
  const LaunchCases cases = launch_cases(kernel, false);
  ASSERT_EQ(cases.kernels.size(), 1u);
  EXPECT_EQ(cases.most, (Sizes{{"m", 4999}, {"n", 100000}}));
  EXPECT_EQ(cases.kernels[0].directives.assumptions.size(), 2u);
  EXPECT_TRUE(launch_cases(kernel, true).kernels.empty());
  EXPECT_TRUE(launch_cases(launched_by("n", "#pragma swizzle assume n <= 64\n"), false).kernels.empty());
}

}  // namespace
}  // namespace swizzle::launch_cases_test
