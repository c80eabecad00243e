#include "codegen/run/run_request.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"

namespace swizzle::run_request_test {
namespace {

TEST(RunRequestOf, NamesParametersAndRoundsExtentsUpToItems) {
  const auto kernel = parse_kernel(
      SourceText("k.cu", "__global__ void k(const float4* x, double a, unsigned* y, int n) { y[threadIdx.x] = n; }\n"),
      "");
  ASSERT_TRUE(kernel.ok());
  const Posed posed{{{"n", 64}}, {{2, 1, 1}, {32, 1, 1}}, {253, 0, 64, 0}};
  const RunRequest request = run_request(*kernel, {posed, posed});
  EXPECT_EQ(request.kernel_name, "k");
  ASSERT_EQ(request.parameters.size(), 4u);
  const auto& x = std::get<BufferSpec>(request.parameters[0]);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.item, packed_item(Scalar::kF32, 4));
  EXPECT_EQ(x.type_spelling, "float4");
  EXPECT_TRUE(x.is_const);
  EXPECT_EQ(std::get<ScalarParameter>(request.parameters[1]).type_spelling, "double");
  const auto& y = std::get<BufferSpec>(request.parameters[2]);
  EXPECT_EQ(y.item, packed_item(Scalar::kU32, 1));
  EXPECT_FALSE(y.is_const);
  ASSERT_EQ(request.sizes.size(), 2u);
  EXPECT_EQ(request.sizes[1].sizes.at("n"), 64);
  EXPECT_EQ(request.sizes[1].shape.grid[0], 2);
  EXPECT_EQ(request.sizes[1].extents, (std::vector<std::int64_t>{64, 64}));
}

TEST(RunRequestOf, NamesTheMacrosOfTheKernel) {
  const auto kernel =
      parse_kernel(SourceText("k.cu",
                              "#define N 32\n  # define AT(i) (i)\n#ifdef N\n#endif\n"
                              "__global__ void k(int* y) { y[AT(threadIdx.x)] = N; }\n// #define not\n"),
                   "");
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(run_request(*kernel, {}).kernel_macros, (std::vector<std::string>{"N", "AT"}));
}

TEST(RunRequestOf, AMachineOfFewerLanesIsForTheEmulation) {
  const auto kernel = parse_kernel(
      SourceText("k.cu", "#pragma swizzle machine toy8\n__global__ void k(int* y) { y[threadIdx.x] = 1; }\n"), "");
  ASSERT_TRUE(kernel.ok());
  const RunRequest request = run_request(*kernel, {});
  EXPECT_EQ(request.warp_lanes, 8);
  EXPECT_TRUE(check_request(request, Where::kCpu).empty());
  EXPECT_EQ(check_request(request, Where::kGpu).size(), 1u);
}

}  // namespace
}  // namespace swizzle::run_request_test
