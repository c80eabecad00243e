// Programs that repeat themselves, against the same programs executed as a whole.
#include "synth/problem/repetitions.h"

#include <gtest/gtest.h>

#include "synth/problem/pose.h"
#include "tests/unit/problem/repeated_runs.h"

namespace swizzle::repetitions_test {
namespace {

Program parsed(const std::string& body, bool is_kernel, const std::string& before = "") {
  auto program = test::parsed_body(body, is_kernel, before);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()[0]));
  return std::move(*program);
}

TEST(Repetitions, OneIterationStandsForAll) {
  test::RepeatedRuns runs(parsed("for (int i = 0; i < n; i++) y[i] = x[i] + w[0] * x[i + 1];", false), 100);
  EXPECT_EQ(runs.groups(), 1u);
  runs.expect_equal();
}

TEST(Repetitions, IterationsPartWhereConditionsTurn) {
  const std::string kSpec =
      "for (int r = 0; r < n; r++) for (int c = 0; c < 20; c++) { int s = 0; for (int k = -2; k <= 2; k++) "
      "{ bool in = c + k >= 0 && c + k < 20; s += w[k + 2] * (in ? x[r * 20 + c + k] : 0); } y[r * 20 + c] = s; }";
  test::RepeatedRuns runs(parsed(kSpec, false), 7);
  EXPECT_EQ(runs.groups(), 5u);  // two columns at each edge, and those between them
  runs.expect_equal();
}

TEST(Repetitions, BoundsThatDependOnIterationsAreFollowed) {
  for (const std::string spec :
       {"for (int i = 0; i < n; i++) { int s = 0; for (int k = i < 8 ? 0 : i - 7; k <= i && k < 8; k++) s ^= x[k] & "
        "w[i - k]; y[i] = s; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < i + 1; j++) y[i * 64 + j] = x[j];",
        "for (int i = n - 1; i >= 0; i--) y[i] = x[n - 1 - i];",
        "for (int i = 0; i < n; i += 3) { if (i % 2 == 0) continue; y[i] = x[i]; }"})
    test::RepeatedRuns(parsed(spec, false), 15).expect_equal();
}

TEST(Repetitions, WhatDependsOnOtherIterationsIsExecutedAsAWhole) {
  for (const std::string spec :
       {"for (int i = 0; i < n; i++) y[i + 1] = y[i] + x[i];",
        "int s = 0; for (int i = 0; i < n; i++) y[i] = s += x[i];", "for (int i = 0; i < n; i++) y[i / 2] = x[i];",
        "for (int i = 0; i < n; i++) { if (i == 5) break; y[i] = x[i]; }",
        "for (int i = 0; i < n; i++) y[i] = x[0] + x[i];", "for (int i = 0; i < n; i++) y[i] = x[i] * i;"}) {
    test::RepeatedRuns runs(parsed(spec, false), 12);
    EXPECT_EQ(runs.groups(), 0u) << spec;
    runs.expect_equal();
  }
}

TEST(Repetitions, OneWarpStandsForAll) {
  const std::string kKernel =
      "int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x; int v = i < n ? x[i] : 0; "
      "v += w[0] * __shfl_sync(~0u, v, lane ^ 1); if (i < n) y[i] = v;";
  const LaunchShape shape{{8, 1, 1}, {128, 1, 1}};
  test::RepeatedRuns runs(parsed(kKernel, true), 8 * 128 - 20, shape);
  EXPECT_LE(runs.groups(), 4u);  // all warps, and the last one, of which some lanes load
  EXPECT_GE(runs.groups(), 2u);
  runs.expect_equal();
  // A warp without data issues what the others of its block do.
  test::RepeatedRuns whole(parsed(kKernel, true), 8 * 128 - 40, shape);
  EXPECT_EQ(whole.groups(), 0u);
  whole.expect_equal();
  // Where nobody asks what is issued, it is a group like others.
  test::RepeatedRuns uncounted(parsed(kKernel, true), 8 * 128 - 40, shape, {}, false);
  EXPECT_GE(uncounted.groups(), 2u);
  EXPECT_LE(uncounted.groups(), 5u);
  uncounted.expect_equal();
}

// What was tried in vain is not all done again.
TEST(Repetitions, OneByOneAreGroupsToo) {
  const std::string kKernel =
      "int i = blockIdx.x * 64 + threadIdx.x; for (int k = 0; k < 16; k++) if (k == i / 32) y[i] = x[i + k * k];";
  test::RepeatedRuns runs(parsed(kKernel, true), 512, LaunchShape{{8, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(runs.groups(), 16u);
  runs.expect_equal();
  // More of them take longer than all together.
  const std::string kMany =
      "int i = blockIdx.x * 64 + threadIdx.x; for (int k = 0; k < 80; k++) if (k == i / 32) y[i] = x[i + k * k];";
  test::RepeatedRuns whole(parsed(kMany, true), 40 * 64, LaunchShape{{40, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(whole.groups(), 0u);
  whole.expect_equal();
}

TEST(Repetitions, OneBlockStandsForAllWhereMemoryIsShared) {
  const std::string kKernel =
      "__shared__ int s[8][9]; int i = blockIdx.y * 16 + blockIdx.x * 8 + threadIdx.x; s[threadIdx.y][threadIdx.x] = "
      "x[i * 8 + threadIdx.y]; __syncthreads(); y[i * 8 + threadIdx.y] = s[threadIdx.y][threadIdx.x ^ 1] + w[0];";
  test::RepeatedRuns runs(parsed(kKernel, true), 64, LaunchShape{{2, 3, 1}, {8, 8, 1}});
  EXPECT_EQ(runs.groups(), 1u);
  runs.expect_equal();
}

TEST(Repetitions, RowsOfSmallBlocksAreWarps) {
  const std::string kKernel =
      "int i = (blockIdx.x * 8 + threadIdx.y) * 8 + threadIdx.x; y[i] = w[threadIdx.x] - x[i + (threadIdx.x & 1)];";
  test::RepeatedRuns runs(parsed(kKernel, true), 64, LaunchShape{{3, 1, 1}, {8, 8, 1}});
  EXPECT_EQ(runs.groups(), 1u);
  runs.expect_equal();
}

// What is asked of one group is asked of all, also where sketch and spec part them differently.
TEST(Repetitions, RefuteWhatOneGroupDoesWrong) {
  const auto refuted = [](const std::string& kernel) {
    const auto sketch = parse_kernel(
        SourceText(
            "k.cu",
            "#pragma swizzle launch grid((n + 63) / 64) block(64)\n__global__ void f(const int* x, int* y, int n) { int i = blockIdx.x * 64 + threadIdx.x; " +
                kernel + " }\n"),
        "f");
    const auto spec = parse_spec(
        SourceText(
            "s.cpp",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i + 1 < n ? x[i + 1] : x[i]; }"),
        "f");
    auto expected = expect(*sketch, *spec, {{"n", 200}});
    EXPECT_TRUE(expected.ok());
    const auto result = refute(*sketch, std::move(*expected));
    return result.ok() ? result->text : result.errors()[0].message;
  };
  EXPECT_EQ(refuted("if (i < n) y[i] = i < n - 1 ? x[i + 1] : x[i];"), "");
  EXPECT_EQ(refuted("if (i < n) y[i] = i < n - 2 ? x[i + 1] : x[i];"), "y[198] is x[198], and the spec says x[199]");
  EXPECT_EQ(refuted("if (i < n - 1) y[i] = x[i + 1];"), "y[199] is never stored");
  EXPECT_EQ(refuted("if (i < n) y[i] = blockIdx.x == 2 ? x[i] : i < n - 1 ? x[i + 1] : x[i];"),
            "y[128] is x[128], and the spec says x[129]");
  EXPECT_EQ(refuted("if (i < n) y[i] = i < n - 1 ? x[i + 1] : x[i]; if (i == 70) y[75] = x[75];"),
            "'y[75]' is written twice with different values");
}

TEST(Repetitions, AreExpandedUntilTheDeadline) {
  Provenance provenance;
  PointTable points;
  const auto run =
      execute(parsed("for (int i = 0; i < n; i++) y[i] = x[i];", false),
              {.sizes = {{"n", 5000}}, .groups = Groups::kAlike, .deadline = {}, .memory = {}}, provenance, points);
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run->repetitions.size(), 1u);
  SpecTrace spec(*run);
  const auto late = spec.expand(provenance, Deadline(-1));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.errors()[0].message, "the time limit ended the execution of the spec");
  EXPECT_EQ((*spec).repetitions.size(), 1u);
  ASSERT_TRUE(spec.expand(provenance, {}).ok());
  EXPECT_EQ((*spec).cells[2].size(), 5000u);
}

}  // namespace
}  // namespace swizzle::repetitions_test
