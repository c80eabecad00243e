// Barriers of some lanes of a warp, which order these lanes.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::warp_parts_test {
namespace {

// Each tile of `lanes` elements from its end.
AsItIs reversed(const std::string& name, int lanes, const std::string& barrier, int exit_code,
                const std::string& said) {
  return {
      name,
      fmt::format("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                  "__global__ void f(const float* x, float* y, int n) {{\n  __shared__ float s[64];\n"
                  "  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * 64 + t;\n  s[t] = x[i];\n  {}\n"
                  "  y[i] = s[t ^ {}];\n}}\nvoid run(float* x, float* y, int n) {{ f<<<n / 64, 64>>>(x, y, n); }}\n",
                  barrier, lanes - 1),
      fmt::format("void f(const float* x, float* y, int n) {{ for (int i = 0; i < n; i++) y[i] = x[i ^ {}]; }}\n",
                  lanes - 1),
      "",
      exit_code,
      said};
}

// The first half leaves before the other one meets.
AsItIs left(const std::string& name, const std::string& mask, int exit_code, const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int n) {\n  __shared__ float s[32];\n"
      "  const int t = threadIdx.x, i = blockIdx.x * 32 + t;\n"
      "  if (t < 16) {\n    s[t] = x[i];\n    y[i] = x[i];\n    return;\n  }\n  __syncwarp(" +
          mask + ");\n  y[i] = s[t - 16];\n}\nvoid run(float* x, float* y, int n) { f<<<n / 32, 32>>>(x, y, n); }\n",
      "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i % 32 < 16 ? i : i - 16]; }\n",
      "",
      exit_code,
      said};
}

class WarpParts : public testing::TestWithParam<AsItIs> {};

TEST_P(WarpParts, OrderTheirLanes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Barriers, WarpParts,
    testing::Values(
        reversed("Tile", 16, "cg::tiled_partition<16>(cg::this_thread_block()).sync();", 0, "equal to the spec"),
        reversed("SmallTile", 8, "cg::tiled_partition<8>(cg::this_thread_block()).sync();", 0, "equal to the spec"),
        reversed("TileThatIsTooSmall", 16, "cg::tiled_partition<8>(cg::this_thread_block()).sync();", 3, ": a race"),
        reversed("Masks", 16, "__syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);", 0, "equal to the spec"),
        reversed("MasksOfHalves", 32, "__syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);", 3, ": a race"),
        reversed("Branches", 16, "if (lane < 16) __syncwarp(0xffffu); else __syncwarp(0xffff0000u);", 0,
                 "equal to the spec"),
        left("LeftByName", "~0u", 0, "equal to the spec"), left("Left", "0xffff0000u", 3, ": a race"),
        reversed("OneBranch", 16, "if (lane < 16) __syncwarp(0xffffu);", 3, ": a race"),
        reversed("OneAfterAnother", 32,
                 "__syncwarp(lane < 16 ? 0xffffu : 0xffff0000u); s[t] = s[t ^ 15]; __syncwarp(); s[t] = s[t];", 3,
                 ": a race")),
    name_of);

}  // namespace
}  // namespace swizzle::test::warp_parts_test
