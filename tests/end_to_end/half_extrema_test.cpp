// The least and the greatest of halves, by chains of exchanges: as of floats, whose type they are computed in.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::half_extrema_test {
namespace {

struct Extremum {
  const char *name, *type, *function, *shuffle;
};

class HalfExtrema : public testing::TestWithParam<Extremum> {};

TEST_P(HalfExtrema, OfAllLanesAreFound) {
  const auto& [name, type, function, shuffle] = GetParam();
  const ToolResult r = run_sketch(
      {name,
       fmt::format(
           "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
           "__global__ void f(const {0}* x, {0}* y, int n) {{\n"
           "  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;\n  {0} v = x[i];\n"
           "#pragma unroll\n  for (int k = 0; k < 5; k++) v = {1}(v, {2}(0xffffffffu, v, ?sw_const(1, 32, k)));\n"
           "  if (lane == 0) y[i / 32] = v;\n}}\n",
           type, function, shuffle),
       fmt::format(
           "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\nvoid f(const {0}* x, {0}* y, int n) {{\n  for (int g = 0; g < n; g += 32) {{\n    {0} m = x[g];\n"
           "    for (int k = 1; k < 32; k++) m = {1}(m, x[g + k]);\n    y[g / 32] = m;\n  }}\n}}\n",
           type, function),
       kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved") << r.output;
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << r.output;
}

INSTANTIATE_TEST_SUITE_P(Each, HalfExtrema,
                         testing::Values(Extremum{"GreatestHalf", "__half", "__hmax", "__shfl_xor_sync"},
                                         Extremum{"LeastHalf", "__half", "__hmin", "__shfl_down_sync"},
                                         Extremum{"LeastBfloat16", "__nv_bfloat16", "__hmin", "__shfl_xor_sync"}),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace swizzle::test::half_extrema_test
