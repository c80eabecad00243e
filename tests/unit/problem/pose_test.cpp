#include "synth/problem/pose.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::pose_test {
namespace {

// What is wrong with `store` on 4 lanes t, where the spec stores `value` in y[i].
std::string refuted(const std::string& store, const std::string& value, const Deadline& deadline = {}) {
  const auto kernel = parse_kernel(
      SourceText(
          "f.cu",
          "#pragma swizzle launch grid(1) block(4)\n__global__ void f(const float* x, float* y) { int t = threadIdx.x; " +
              store + " }\n"),
      "");
  const auto spec = parse_spec(
      SourceText("f.cpp", "void f(const float* x, float* y) { for (int i = 0; i < 4; i++) y[i] = " + value + "; }"),
      "f");
  EXPECT_TRUE(kernel.ok()) << render(kernel.errors()[0]);
  EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
  auto expected = expect(*kernel, *spec, {});
  EXPECT_TRUE(expected.ok());
  EXPECT_EQ(expected->posed.extents, (std::vector<std::int64_t>{4, 4}));
  const auto result = refute(*kernel, std::move(*expected), deadline);
  return result.ok() ? result->text : render(result.errors()[0]);
}

// … with y[t] = `value`, where the spec reverses x.
std::string refuted(const std::string& value) { return refuted("y[t] = " + value + ";", "x[3 - i]"); }

TEST(Refute, IsSilentAboutAKernelThatIsEqual) { EXPECT_EQ(refuted("x[t ^ 3]"), ""); }

TEST(Refute, NamesTheFirstOutputThatDiffers) { EXPECT_EQ(refuted("x[t]"), "y[0] is x[0], and the spec says x[3]"); }

TEST(Refute, TellsOfAnAddressOutsideOfWhatTheSpecUses) {
  EXPECT_NE(refuted("x[t + 1]").find("outside 'x'"), std::string::npos);
}

// Nothing says whether sinf(2 x) is 2 sinf(x) cosf(x); that y[3] is never stored is plain.
TEST(Refute, TellsOfAMissingOutputRatherThanOfADoubt) {
  EXPECT_EQ(refuted("if (t < 3) y[t] = sinf(2 * x[t]);", "2 * sinf(x[i]) * cosf(x[i])"), "y[3] is never stored");
}

}  // namespace
}  // namespace swizzle::pose_test
