// Nothing is emitted that does nothing, or that the sketch has a name for.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

struct Named {
  const char *name, *declarations, *lane;
};

class LaneNames : public testing::TestWithParam<Named> {};

TEST_P(LaneNames, StandWhereLoadNeedsTheLane) {
  const Sketch sketch{
      "",
      std::string("#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
                  "__global__ void f(const int* x, int* y, int n) {\n") +
          GetParam().declarations +
          "  const int base = blockIdx.x * 64 + threadIdx.x / 32 * 32;\n  auto r = load(x, base, 1, 1);\n"
          "  y[base + threadIdx.x % 32] = __shfl_sync(~0u, r[0], ?sw_xform(threadIdx.x % 32, 32));\n}\n",
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i ^ 31]; }\n", kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(std::string("r[0] = x[base + ") + GetParam().lane + "];"), std::string::npos) << kernel;
}

INSTANTIATE_TEST_SUITE_P(
    Declared, LaneNames,
    testing::Values(Named{"ByARemainder", "  const int lane = threadIdx.x % warpSize;\n", "lane"},
                    Named{"ByAVariable", "  int t = threadIdx.x, low = t & 31;\n", "low"},
                    Named{"ByAnUnsigned", "  const unsigned lane = threadIdx.x & 31u;\n", "int(lane)"},
                    Named{"ThatChanges", "  int lane = threadIdx.x % 32;\n  lane = lane + 1;\n",
                          "int(threadIdx.x % 32)"},
                    Named{"ThatIsNoLane", "  const int t = threadIdx.x;\n", "int(threadIdx.x % 32)"},
                    Named{"InAnotherBlock", "  if (n > 0) { const int lane = threadIdx.x % 32; (void)lane; }\n",
                          "int(threadIdx.x % 32)"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test
