// Rounds that each sum up some lanes and then move the sums to where they belong: in what order lanes add, from where
// the sums are fetched and which lanes keep them are open together.
#include <gtest/gtest.h>

#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::rounds_test {
namespace {

// Products of rows of `row` elements, 32 rows a warp: `add`, for each d = 1, 2, … below row, sums up those of a row.
struct Rounds {
  std::string name;
  int row;
  std::string add;   // of p
  std::string keep;  // p, as s
};

class RowProducts : public ::testing::TestWithParam<Rounds> {};

TEST_P(RowProducts, AreSummedUpAndPutInPlace) {
  const auto& [name, row, add, keep] = GetParam();
  const std::string kernel = fmt::format(
      "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 192\n"
      "constexpr int kRow = {0};\n"
      "__global__ void f(const float* v, const float* x, float* y, int n) {{\n"
      "  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;\n  float s = 0;\n"
      "  for (int j = 0; j < kRow; j++) {{\n    const int from = kRow * (i - lane) + 32 * j + lane;\n"
      "    float p = v[from] * x[from];\n    for (int d = 1; d < kRow; d *= 2) {1}\n    {2}\n  }}\n  y[i] = s;\n}}\n",
      row, add, keep);
  const std::string spec = fmt::format(
      "constexpr int kRow = {};\nvoid f(const float* v, const float* x, float* y, int n) {{\n"
      "  for (int i = 0; i < n; i++) {{\n    float s = 0;\n"
      "    for (int k = 0; k < kRow; k++) s += v[kRow * i + k] * x[kRow * i + k];\n    y[i] = s;\n  }}\n}}\n",
      row);
  const ToolResult r = run_sketch({"", kernel, spec, !kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << r.report["checked"];
}

const char* const kExchange = "p += __shfl_sync(~0u, p, ?sw_xor(lane, 32, d));";
const char* const kTurn = "p += __shfl_sync(~0u, p, ?sw_xform(lane, 32, d));";
const char* const kFetched = "const float w = __shfl_sync(~0u, p, ?sw_xform(lane, 32, j)); ";

INSTANTIATE_TEST_SUITE_P(
    Each, RowProducts,
    ::testing::Values(Rounds{"Two", 2, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 16, j)) s = w;"},
                      Rounds{"Four", 4, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 8, j)) s = w;"},
                      Rounds{"FourTurned", 4, kTurn, std::string(kFetched) + "s = ?sw_cond(lane, j * 8) ? w : s;"},
                      Rounds{"Eight", 8, kExchange, std::string(kFetched) + "if (?sw_cond(lane / 4, j)) s = w;"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace swizzle::test::rounds_test
