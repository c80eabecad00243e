// Blocks whose warps share nothing: one of them is looked at where each has a share of the iterations of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"

namespace swizzle::one_warp_for_all_test {
namespace {

// Of blocks of 128 threads; `i` is the element of thread `t` of the first dimension, `spec` stands in a loop over i.
AllSizesProof proof_of(const char* block, const std::string& body, const char* spec) {
  const auto kernel = parse_kernel(
      SourceText("k.cu",
                 fmt::format("#pragma swizzle launch grid((n + 127) / 128) {}\n__global__ void f(const int* x, "
                             "int* y, int n) {{\n  const int t = threadIdx.x, i = blockIdx.x * 128 + t;\n  {}\n}}\n",
                             block, body)),
      "f");
  const auto of_spec = parse_spec(
      SourceText("s.cpp",
                 fmt::format("void f(const int* x, int* y, int n) {{ for (int i = 0; i < n; i++) {{ {} }} }}", spec)),
      "f");
  EXPECT_TRUE(kernel.ok() && of_spec.ok()) << body;
  return prove_all_sizes(*kernel, *of_spec, {{{"n", 128}}, {{"n", 77}}}, {});
}

AllSizesProof proof_of_warps(const char* index, const char* body, const char* spec = "y[i] = x[i];") {
  return proof_of("block(32, 4)", fmt::format("const int j = blockIdx.x * 128 + {}; {}", index, body), spec);
}

constexpr const char *kInRows = "32 * threadIdx.y + t", *kInTurns = "4 * t + threadIdx.y";

TEST(OneWarpForAll, LooksAtOneWarpWhereEachHasAShareOfItsOwn) {
  const AllSizesProof in_rows =
      proof_of_warps(kInRows, "const int v = __shfl_sync(~0u, j < n ? x[j] : 0, t ^ 0); if (j < n) y[j] = v;");
  EXPECT_TRUE(in_rows.is_proved) << in_rows.reason;
  EXPECT_EQ(in_rows.regions, 1);
  const AllSizesProof in_line = proof_of("block(128)", "if (i < n) y[i] = x[i];", "y[i] = x[i];");
  EXPECT_TRUE(in_line.is_proved) << in_line.reason;
  EXPECT_EQ(in_line.regions, 1);
  const AllSizesProof in_turns = proof_of_warps(kInTurns, "if (j < n) y[j] = x[j];");  // then at all of them
  EXPECT_TRUE(in_turns.is_proved) << in_turns.reason;
  EXPECT_EQ(in_turns.regions, 2);
  const AllSizesProof of_numbers =
      proof_of_warps(kInRows, "if (j < n) y[j] = x[j] + threadIdx.y;", "y[i] = x[i] + i / 32 % 4;");
  EXPECT_TRUE(of_numbers.is_proved) << of_numbers.reason;
}

TEST(OneWarpForAll, DoesNotHoldWhereOneWarpIsWrong) {
  for (const char* index : {kInRows, kInTurns})
    for (const char* body :
         {"if (j < n && threadIdx.y != 2) y[j] = x[j];", "if (j < n && threadIdx.y < 3) y[j] = x[j];",
          "if (j < n) y[j] = x[j] + (threadIdx.y == 3);", "if (j < n) y[j] = threadIdx.y ? x[j] : x[j ^ 1];",
          "if (j < n) y[threadIdx.y == 1 ? j - 32 : j] = x[j];", "if (j < n) y[j] = x[j] * threadIdx.y;",
          "if (j < n - threadIdx.y) y[j] = x[j];", "int v; if (threadIdx.y > 0) v = x[j]; if (j < n) y[j] = v;",
          "if (threadIdx.y == 1) __syncthreads(); if (j < n) y[j] = x[j];"})
      EXPECT_FALSE(proof_of_warps(index, body).is_proved) << body;
}

}  // namespace
}  // namespace swizzle::one_warp_for_all_test
