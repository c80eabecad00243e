// `swizzle-synth check` on kernels as people write them (tests/kernels/), against figures derived by hand.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_test {
namespace {

TEST(CheckReport, SurvivesBadBytesInWhatItQuotes) {
  const ScratchFolder scratch;
  const std::string file = scratch.write(
      "bytes.cu", "#pragma swizzle launch grid(1) block(32, 2\xc3\xa4)\n__global__ void f(int* y) { y[0] = 1; }\n");
  const CheckResult r = run_check("'" + file + "'");
  EXPECT_EQ(r.exit_code, 1) << r.errors;
  EXPECT_FALSE(r.errors.empty());
}

TEST(CheckReport, SurvivesAConstantThatIsMadeOfItself) {
  const ScratchFolder scratch;
  const std::string file = scratch.write(
      "itself.cu",
      "#pragma swizzle launch grid(1) block(32)\nextern const int b;\nconst int a = b;\nconst int b = a;\n"
      "constexpr int k = k;\n__global__ void f(int* y) { int r[k], q[b]; r[0] = q[0] = 1; y[threadIdx.x] = r[0] + k; }\n");
  const CheckResult r = run_check("'" + file + "' --no-ptx");
  EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 1) << r.exit_code << r.errors;
}

// A stride of 33 has no conflicts; what the host copies over it may have.
TEST(Check, WhatTheHostCopiesIntoASymbolIsData) {
  const ScratchFolder scratch;
  const auto check_with = [&](const std::string& declared, const std::string& host) {
    const std::string file = scratch.write(
        "stride.cu", declared +
                         " int stride = 33;\n__global__ void f(float* y) {\n  __shared__ float s[32 * 33];\n"
                         "  s[threadIdx.x * stride] = 1;\n  __syncthreads();\n  y[threadIdx.x] = s[threadIdx.x];\n}\n"
                         "int main() {\n  int h = 32;\n  " +
                         host + "\n  f<<<1, 32>>>(nullptr);\n}\n");
    return run_check("'" + file + "' --no-ptx").accesses("f", "shared")[0];
  };
  EXPECT_EQ(check_with("__constant__", ""), "store s 1/1 of 1 = 1");
  EXPECT_EQ(check_with("__constant__", "cudaMemcpyToSymbol(other_stride, &h, 4); h = stride;"), "store s 1/1 of 1 = 1");
  EXPECT_EQ(check_with("__constant__", "cudaMemcpyToSymbol(stride, &h, sizeof(h));"), "store s unknown of 1");
  EXPECT_EQ(check_with("__constant__", "void* p; CHECK(cudaGetSymbolAddress(&p, stride));"), "store s unknown of 1");
  EXPECT_EQ(check_with("__constant__ const", "cudaMemcpyToSymbol(stride, &h, 4);"), "store s 1/1 of 1 = 1");
}

// 3 blocks of 8 warps, 4 rows each: 96 requests.
TEST(Check, Transpositions) {
  const CheckResult r = run_check("tests/kernels/transpose.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("transposeNaive", "global"),
            (Lines{"store odata 32/4 of 96 = 3072", "load idata 4/4 of 96 = 384"}));
  EXPECT_EQ(r.accesses("transposeCoalesced", "shared"),
            (Lines{"store tile 1/1 of 96 = 96", "load tile 32/1 of 96 = 3072"}));
  EXPECT_EQ(r.accesses("transposeNoBankConflicts", "shared"),
            (Lines{"store tile 1/1 of 96 = 96", "load tile 1/1 of 96 = 96"}));
  EXPECT_EQ(r.accesses("transposeXor", "shared"), (Lines{"store tile 1/1 of 96 = 96", "load tile 1/1 of 96 = 96"}));
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(r.report["kernels"][1]["grid"], (nlohmann::json{32, 32, 1}));
  EXPECT_EQ(r.report["kernels"][1]["blocks"], (nlohmann::json{{0, 0, 0}, {0, 16, 0}, {31, 31, 0}}));
}

// Lane 8a + b of ofTiles stores to word 8a + 4b: lanes 0 and 14 meet in bank 0.
TEST(Check, CopiesAndTiles) {
  const CheckResult r = run_check("tests/kernels/copies.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("ofThreads", "shared"), (Lines{"store tile 4/4 of 16 = 64", "load tile 16/1 of 4 = 64"}));
  EXPECT_EQ(r.accesses("ofThreads", "global"), (Lines{"load x 16/16 of 16 = 256", "store y 4/4 of 4 = 16"}));
  EXPECT_EQ(r.accesses("ofAGroup", "shared"), (Lines{"store tile 1/1 of 16 = 16", "load tile 1/1 of 4 = 4"}));
  EXPECT_EQ(r.accesses("ofABlock", "shared"), (Lines{"store staged 1/1 of 8 = 8", "load staged 1/1 of 8 = 8"}));
  EXPECT_EQ(r.accesses("ofTiles", "shared"), (Lines{"store tile 2/1 of 1 = 2", "load tile 1/1 of 1 = 1"}));
  EXPECT_EQ(r.errors, "");
}

TEST(Check, CountsInEveryBlockIfAskedTo) {
  const CheckResult r = run_check("tests/kernels/transpose.cu --kernel transposeCoalesced --all-blocks");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.report["kernels"][0]["blocks"].size(), 1024u);
  const CheckResult some = run_check("tests/kernels/transpose.cu --kernel transposeCoalesced");
  for (std::size_t a = 0; a < r.report["accesses"].size(); ++a)
    EXPECT_EQ(r.report["accesses"][a]["requests"].get<int>() * 3,
              some.report["accesses"][a]["requests"].get<int>() * 1024);
}

TEST(Check, TheWitnessNamesLanesAddressesAndBank) {
  const CheckResult r = run_check("tests/kernels/transpose.cu --kernel transposeCoalesced");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  ASSERT_EQ(r.report["kernels"].size(), 1u);
  const auto conflict = std::find_if(r.report["accesses"].begin(), r.report["accesses"].end(),
                                     [](const auto& a) { return a.contains("witness") && a["space"] == "shared"; });
  ASSERT_NE(conflict, r.report["accesses"].end());
  EXPECT_EQ((*conflict)["location"], "tests/kernels/transpose.cu:33:79");
  EXPECT_EQ((*conflict)["bits"], 32);
  const auto& witness = (*conflict)["witness"];
  EXPECT_EQ(witness["bank"], 0);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(witness["lanes"][lane], lane);
    EXPECT_EQ(witness["word_addresses"][lane], 128 * lane);
    EXPECT_EQ(witness["addresses"][lane], 128 * lane);
  }
}

// 4 tiles of 32 products: 12288 requests of 3 · 32 warps; a row of As is one word for all lanes.
TEST(Check, MatrixProductsAsTemplates) {
  const CheckResult r = run_check("tests/kernels/matmul.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("MatrixMulCUDA<32>", "shared"),
            (Lines{"store As 1/1 of 384 = 384", "store Bs 1/1 of 384 = 384", "load As 1/1 of 12288 = 12288",
                   "load Bs 1/1 of 12288 = 12288"}));
  EXPECT_EQ(r.accesses("matmul_transposed_b<float, 32>", "shared"),
            (Lines{"store as 1/1 of 384 = 384", "store bs 1/1 of 384 = 384", "load as 1/1 of 12288 = 12288",
                   "load bs 32/1 of 12288 = 393216"}));
  EXPECT_EQ(r.report["kernels"][1]["grid"], (nlohmann::json{4, 4, 1}));
  EXPECT_LT(r.report["seconds"]["check"].get<double>(), 5);
}

// 256 threads at stride 2s: 8, 4, 2, 1, … active warps of min(2s, 32 / …) ways: 8·2 + 4·4 + 2·8 + 1·8 + 1·4 + … a step.
TEST(Check, Reductions) {
  const CheckResult r = run_check("tests/kernels/reduction.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  // s = 1: 4 warps of 2 ways; 2: 2 of 4; 4: 1 of 8; 8: 16 lanes, 8 words a bank; 16: 8; 32: 4; 64: 2; 128: 1. 47
  // wavefronts a block.
  EXPECT_EQ(r.accesses("reduce_interleaved", "shared"),
            (Lines{"store sdata 1/1 of 24 = 24", "load sdata 8/1 of 36 = 141", "store sdata 8/1 of 36 = 141",
                   "load sdata 8/1 of 36 = 141", "load sdata 1/1 of 3 = 3"}));
  EXPECT_EQ(r.accesses("reduce_sequential", "shared"),
            (Lines{"store sdata 1/1 of 24 = 24", "load sdata 1/1 of 36 = 36", "store sdata 1/1 of 36 = 36",
                   "load sdata 1/1 of 36 = 36", "load sdata 1/1 of 3 = 3"}));
  EXPECT_EQ(r.accesses("reduce_cg<256U>", "shared"),
            (Lines{"store partial 1/1 of 24 = 24", "load partial 1/1 of 3 = 3"}));
}

TEST(Check, ScansAndTheirPadding) {
  const CheckResult r = run_check("tests/kernels/scan.cu --set n=512");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  // d = 256, 128, 64, 32: 8, 4, 2, 1 warps of 2, 4, 8, 16 words a bank at most; then 16, 8, 4, 2, 1 lanes in one bank.
  const Lines naive = r.accesses("prescan", "shared");
  ASSERT_EQ(naive.size(), 8u);
  EXPECT_EQ(naive[0], "store temp 2/1 of 8 = 16");
  EXPECT_EQ(naive[2], "load temp 16/1 of 20 = 95");
  for (const std::string& line : r.accesses("prescan_padded", "shared"))
    EXPECT_NE(line.find(" 1/1 of "), std::string::npos) << line;
}

TEST(Check, BinsOfDataAreNotCounted) {
  const CheckResult r = run_check("tests/kernels/histogram.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("histogram_smem_atomics", "shared"),
            (Lines{"store smem 1/1 of 75 = 75", "atomic smem unknown of 96", "load smem 1/1 of 24 = 24",
                   "load smem 1/1 of 24 = 24"}));
  EXPECT_EQ(r.accesses("histogram_columns", "shared"),
            (Lines{"store bins 1/1 of 64 = 64", "atomic bins unknown of 16", "load bins 32/1 of 64 = 2048"}));
  EXPECT_NE(r.errors.find("histogram.cu:20:23: warning: this depends on data"), std::string::npos) << r.errors;
  EXPECT_NE(r.errors.find("histogram.cu:38:9: warning: data decide this condition"), std::string::npos) << r.errors;
}

TEST(Check, StencilsWithAHalo) {
  const CheckResult r = run_check("tests/kernels/stencil.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  // 10 rows of 34: warps of 32 and of 2 lanes.
  EXPECT_EQ(r.accesses("stencil9", "shared"), (Lines{"store tile 1/1 of 60 = 60", "load tile 1/1 of 216 = 216"}));
  EXPECT_NE(r.errors.find("stencil.cu:2:11: warning: 'stencil_common.h' is not read"), std::string::npos) << r.errors;
  EXPECT_NE(
      r.errors.find("stencil.cu:32:17: error: nothing here tells how many threads a block of 'stencil_1d<3, 128>' has"),
      std::string::npos)
      << r.errors;
  const CheckResult one = run_check("tests/kernels/stencil.cu --kernel 'stencil_1d<3, 128>' --launch 'block(128)'");
  ASSERT_EQ(one.exit_code, 0) << one.errors;
  EXPECT_EQ(one.accesses("stencil_1d<3, 128>", "shared"),
            (Lines{"store temp 1/1 of 12 = 12", "store temp 1/1 of 3 = 3", "store temp 1/1 of 3 = 3",
                   "load temp 1/1 of 84 = 84"}));
}

TEST(Check, SoftmaxOfRows) {
  const CheckResult r = run_check("tests/kernels/softmax.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(
      r.accesses("softmax_block<128>", "shared"),
      (Lines{"store warp_values 1/1 of 24 = 24", "load warp_values 1/1 of 24 = 24", "store shared_buf 1/1 of 96 = 96",
             "load shared_buf 1/1 of 96 = 96", "store shared_buf 1/1 of 96 = 96", "load shared_buf 2/1 of 48 = 96",
             "load shared_buf 2/1 of 48 = 96"}));
  EXPECT_EQ(r.accesses("softmax_block<128>", "global"), (Lines{"load x 16/16 of 24 = 384", "store y 4/4 of 48 = 192"}));
}

TEST(Check, HalfTilesAndTheirMatrices) {
  const CheckResult r = run_check("tests/kernels/half_tile.cu");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("tile_pitch<0>", "shared"),
            (Lines{"store tile 4/4 of 16 = 64", "ldmatrix tile 32/4 of 16 = 512"}));
  EXPECT_EQ(r.accesses("tile_pitch<8>", "shared"),
            (Lines{"store tile 4/4 of 16 = 64", "ldmatrix tile 4/4 of 16 = 64"}));
  EXPECT_EQ(r.accesses("tile_swizzled", "shared"),
            (Lines{"store smem 4/4 of 16 = 64", "ldmatrix smem 4/4 of 16 = 64", "ldmatrix smem 2/2 of 16 = 32"}));
  EXPECT_EQ(r.accesses("tile_wmma", "shared"), (Lines{"store as 4/4 of 1 = 4", "ldmatrix as 8/4 of 1 = 8"}));
  EXPECT_EQ(r.accesses("tile_wmma", "global"), (Lines{"load a 16/16 of 1 = 16", "store c 8/8 of 4 = 32"}));
  EXPECT_NE(r.errors.find("half_tile.cu:68:3: warning: wmma goes to global memory here"), std::string::npos)
      << r.errors;
}

TEST(Check, FailsOnConflictsOnlyIfAsked) {
  EXPECT_EQ(run_check("tests/kernels/transpose.cu").exit_code, 0);
  EXPECT_EQ(run_check("tests/kernels/transpose.cu --fail-on-conflicts").exit_code, 4);
  EXPECT_EQ(run_check("tests/kernels/transpose.cu --kernel transposeXor --fail-on-conflicts").exit_code, 0);
}

constexpr const char* kCounted =
    "__global__ void __launch_bounds__(32) g(int* y) {\n  __shared__ int s[32];\n  s[threadIdx.x] = 1;\n"
    "  y[threadIdx.x] = s[threadIdx.x];\n}\n";

// `more` beside a kernel without conflicts.
void expect_uncounted(const std::string& more, const std::string& kernel, const std::string& why) {
  const CheckResult r = check_text(kCounted + more, "--fail-on-conflicts");
  EXPECT_EQ(r.exit_code, 20) << more << r.errors;
  EXPECT_TRUE(r.report["conflicts"].is_null()) << more;
  const auto& uncounted = r.report["uncounted"];
  ASSERT_EQ(uncounted.size(), 1u) << uncounted.dump(1) << r.errors;
  EXPECT_EQ(uncounted[0]["kernel"], kernel);
  EXPECT_NE(uncounted[0]["message"].get<std::string>().find(why), std::string::npos) << uncounted.dump(1);
  EXPECT_NE(uncounted[0]["location"].get<std::string>().find("k.cu:"), std::string::npos) << uncounted.dump(1);
  EXPECT_NE(r.errors.find(why), std::string::npos) << r.errors;
  EXPECT_EQ(check_text(kCounted + more, "--fail-on-conflicts --allow-uncounted").exit_code, 0) << more;
  EXPECT_EQ(check_text(kCounted + more).exit_code, 0) << more;
}

TEST(Check, TheGateMayLetPassThatNothingWasCounted) {
  const std::string alone = "__global__ void g(int* y) { y[threadIdx.x] = 1; }\n";
  EXPECT_EQ(check_text(alone, "--fail-on-conflicts").exit_code, 1);
  EXPECT_EQ(check_text(alone, "--fail-on-conflicts --allow-uncounted").exit_code, 0);
  EXPECT_EQ(check_text(alone, "--allow-uncounted").exit_code, 1);
  EXPECT_EQ(check_text("int a = ;\n", "--fail-on-conflicts --allow-uncounted").exit_code, 1);
}

TEST(Check, TheGateFailsOnWhatWasNotCounted) {
  const CheckResult all = check_text(kCounted, "--fail-on-conflicts");
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_EQ(all.report["conflicts"], false);
  EXPECT_TRUE(all.report["uncounted"].empty());
  expect_uncounted("__global__ void f(int* y) { y[0] = 1; }\n", "f", "nothing here tells how many threads");
  expect_uncounted("template <int N> __global__ void f(int* y) { y[0] = N; }\n", "f", "template arguments of 'f'");
  expect_uncounted("__global__ void f(int* y { __shared__ int t[32]; y[0] = t[0]; }\n", "f", "expected");
  const std::string begin = "__global__ void __launch_bounds__(32) f(int* y, int* z) {\n  __shared__ int s[64];\n";
  expect_uncounted(begin + "  s[y[threadIdx.x]] = 1;\n}\n", "f", "not counted");
  expect_uncounted(begin + "  elsewhere(s);\n}\n", "f", "not followed");
  expect_uncounted(begin + "  for (int i = 0; i < y[0]; i++) s[threadIdx.x] = i;\n}\n", "f", "one iteration");
}

TEST(Check, WhatDataAddressInGlobalMemoryIsNoBankConflict) {
  const CheckResult r = check_text(
      std::string(kCounted) + "__global__ void __launch_bounds__(32) f(int* y, int* z) { z[y[threadIdx.x]] = 1; }\n",
      "--fail-on-conflicts");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_TRUE(r.report["uncounted"].empty()) << r.report["uncounted"].dump(1);
}

TEST(Check, AConflictCountsOverWhatWasNotCounted) {
  const CheckResult r = check_text(
      "__global__ void __launch_bounds__(32) f(int* y) { __shared__ int s[1024]; s[threadIdx.x * 32] = 1; }\n"
      "__global__ void g(int* y) { y[0] = 1; }\n",
      "--fail-on-conflicts");
  EXPECT_EQ(r.exit_code, 4);
  EXPECT_EQ(r.report["conflicts"], true);
  EXPECT_EQ(r.report["uncounted"].size(), 1u);
}

TEST(Check, AReportIsWrittenWhereNoKernelCouldBeCounted) {
  const CheckResult r = check_text("__global__ void f(int* y) { y[0] = 1; }\n");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_TRUE(r.report["conflicts"].is_null());
  EXPECT_EQ(r.report["uncounted"][0]["kernel"], "f");
}

}  // namespace
}  // namespace swizzle::test::check_test
