// Shuffles past the last lane of a small warp.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::toy_warp_test {
namespace {

TEST(ToyWarp, ALanePastTheEndReadsItsOwn) {
  const char* const toy =
      "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle instance n = 8\n#pragma swizzle machine toy8\n";
  expect_verified(
      {"", body("  y[t] = __shfl_down_sync(~0u, x[t], 1);", "int", toy), each("x[t < n - 1 ? t + 1 : t]"), kRuns});
  expect_verified(
      {"", body("  y[t] = __shfl_up_sync(~0u, x[t], 1);", "int", std::string(toy) + "#pragma swizzle extent x(n)\n"),
       each("x[t > 0 ? t - 1 : t]"), kRuns});
}

}  // namespace
}  // namespace swizzle::test::toy_warp_test
