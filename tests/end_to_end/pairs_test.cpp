// Each pair of sketches/ and specs/ that has a completion, completed once: its search, its proofs, its run, what the
// docs show of its kernel, and what nvcc says of it.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/docs_blocks.h"

namespace swizzle::test::pairs_test {
namespace {

enum class OnCpu { kRuns, kDoesNotRun };
using enum OnCpu;

struct Expected {
  std::map<std::string, double> cost;  // parts of that of a warp
  std::size_t reread;                  // sizes
  OnCpu on_cpu;
};

const std::map<std::string, Expected> kExpected = {
    // Stencils. A lane is `(lane + k) & 31` and a register `lane < k ? 1 : 0`: two operations each, at each fetch.
    {"stencil1d", {{{"shuffles", 3}, {"integer_ops", 12}}, 3, kRuns}},
    {"stencil1d_9pt", {{{"shuffles", 9}, {"integer_ops", 36}}, 3, kRuns}},
    {"conv1d", {{{"shuffles", 3}, {"integer_ops", 12}}, 3, kRuns}},
    {"stencil2d_3x3", {{{"shuffles", 9}, {"integer_ops", 72}}, 3, kRuns}},
    {"stencil2d_7x7", {{{"shuffles", 49}, {"integer_ops", 490}}, 3, kRuns}},
    {"stencil1d_outputs4", {{{"shuffles", 12}, {"integer_ops", 48}}, 3, kRuns}},
    {"stencil2d_5x5", {{{"shuffles", 25}, {"integer_ops", 200}}, 3, kRuns}},
    {"stencil2d_3x3_16x2", {{{"shuffles", 9}, {"integer_ops", 72}}, 3, kRuns}},
    {"stencil2d_5x5_16x2", {{{"shuffles", 25}, {"integer_ops", 250}}, 3, kRuns}},
    {"stencil2d_7x7_16x2", {{{"shuffles", 49}, {"integer_ops", 588}}, 3, kRuns}},
    {"conv2d_3x3", {{{"shuffles", 9}, {"integer_ops", 72}}, 3, kRuns}},
    {"conv2d_5x5", {{{"shuffles", 25}, {"integer_ops", 200}}, 3, kRuns}},
    {"conv2d_7x7", {{{"shuffles", 49}, {"integer_ops", 539}}, 3, kRuns}},
    // Whose loads are holes, too. The weights of a convolution are loads: four.
    {"stencil1d_load", {{{"loads", 2}, {"shuffles", 3}, {"integer_ops", 12}}, 3, kRuns}},
    {"dilated1d_load", {{{"loads", 2}, {"shuffles", 3}, {"integer_ops", 6}}, 3, kRuns}},
    {"conv1d_stride2_load", {{{"loads", 8}, {"shuffles", 4}, {"integer_ops", 16}}, 3, kRuns}},
    {"stencil2d_3x3_load", {{{"loads", 4}, {"shuffles", 9}, {"integer_ops", 72}}, 3, kRuns}},
    // Whose steps build on each other.
    {"allreduce32", {{{"shuffles", 5}, {"integer_ops", 5}}, 2, kRuns}},
    {"reduce32", {{{"shuffles", 5}, {"integer_ops", 10}}, 2, kRuns}},
    {"scan32", {{{"shuffles", 5}, {"integer_ops", 15}}, 2, kRuns}},
    {"scan_max32", {{{"shuffles", 5}, {"integer_ops", 15}}, 2, kRuns}},
    {"linear_recurrence32", {{{"shuffles", 10}, {"integer_ops", 15}}, 2, kRuns}},
    {"walsh_hadamard32", {{{"shuffles", 5}, {"integer_ops", 10}}, 2, kRuns}},
    {"bitonic_merge16", {{{"shuffles", 4}, {"integer_ops", 8}}, 2, kRuns}},
    {"bitonic_sort32", {{{"shuffles", 15}, {"integer_ops", 15}}, 2, kRuns}},
    {"bitonic_directions32", {{{"shuffles", 15}, {"integer_ops", 45}}, 2, kRuns}},
    {"sklansky_scan32", {{{"shuffles", 5}, {"integer_ops", 15}}, 2, kRuns}},
    {"broadcast32", {{{"shuffles", 5}, {"integer_ops", 10}}, 2, kRuns}},
    {"bit_reverse16", {{{"shuffles", 3}, {"integer_ops", 21}}, 2, kRuns}},
    {"bit_reverse32", {{{"shuffles", 4}, {"integer_ops", 25}}, 2, kRuns}},
    {"fft8", {{{"shuffles", 6}, {"integer_ops", 6}}, 2, kRuns}},
    {"fft32", {{{"shuffles", 10}, {"integer_ops", 10}}, 2, kRuns}},
    {"transposed_sums8", {{{"shuffles", 7}, {"integer_ops", 14}}, 2, kRuns}},
    {"brent_kung_scan32", {{{"shuffles", 9}, {"integer_ops", 18}}, 2, kRuns}},
    {"argmax32", {{{"shuffles", 10}, {"integer_ops", 10}}, 2, kRuns}},
    {"second_max32", {{{"shuffles", 10}, {"integer_ops", 5}}, 2, kRuns}},
    {"sort_pairs8", {{{"shuffles", 12}, {"integer_ops", 6}}, 2, kRuns}},
    {"segmented_scan32", {{{"shuffles", 10}, {"integer_ops", 15}}, 2, kRuns}},
    // Of mixed kinds: no iteration variable, a computed one, several buffers, structs, maxima, two outputs, values that
    // pass
    // several shuffles, a condition on its own.
    {"reverse", {{{"shuffles", 1}, {"integer_ops", 1}}, 3, kRuns}},
    {"rotate5", {{{"shuffles", 1}, {"integer_ops", 2}}, 3, kRuns}},
    {"conv1d_stride2", {{{"shuffles", 4}, {"integer_ops", 16}}, 3, kRuns}},
    {"interleave2", {{{"shuffles", 4}, {"integer_ops", 6}}, 3, kRuns}},
    {"transpose8x4", {{{"shuffles", 1}, {"integer_ops", 4}}, 3, kRuns}},
    {"butterfly_quads", {{{"shuffles", 2}, {"integer_ops", 10}}, 3, kRuns}},
    {"scan_quads", {{{"shuffles", 2}, {"integer_ops", 6}}, 3, kRuns}},
    {"bit_reverse8", {{{"shuffles", 2}, {"integer_ops", 14}}, 3, kRuns}},
    {"slope_curvature", {{{"shuffles", 3}, {"integer_ops", 12}}, 3, kRuns}},
    {"stencil_structs", {{{"shuffles", 6}, {"integer_ops", 12}}, 3, kRuns}},
    {"stencil_aos", {{{"shuffles", 6}, {"integer_ops", 21}}, 3, kRuns}},
    {"dilate1d", {{{"shuffles", 7}, {"integer_ops", 24}}, 3, kRuns}},
    {"circular_conv32", {{{"shuffles", 64}, {"integer_ops", 64}}, 3, kRuns}},
    {"reverse_stencil", {{{"shuffles", 5}, {"integer_ops", 25}}, 3, kRuns}},
    {"deinterleave2", {{{"shuffles", 2}, {"integer_ops", 20}}, 3, kRuns}},
    {"fir_symmetric", {{{"shuffles", 7}, {"integer_ops", 34}}, 3, kRuns}},
    {"compact_offsets", {{{"shuffles", 1}, {"integer_ops", 0}}, 3, kRuns}},
    // Holes that decide where a store goes.
    {"scatter_reverse", {{{"integer_ops", 1}}, 3, kRuns}},
    {"scatter_split", {{{"integer_ops", 8}}, 3, kRuns}},
    {"scatter_tile8", {{{"integer_ops", 4}}, 3, kRuns}},
    // Multiplication of bit-sliced polynomials over GF(2).
    {"ff32", {{{"shuffles", 64}, {"accumulates", 126}}, 3, kRuns}},
    {"ff32_shared", {{{"shuffles", 0}, {"accumulates", 126}}, 3, kRuns}},
    {"ff32_bytes", {{{"shuffles", 64}, {"accumulates", 1855}}, 3, kDoesNotRun}},
    {"ff64", {{{"shuffles", 128}, {"accumulates", 380}}, 3, kDoesNotRun}},
    {"ff64_karatsuba", {{{"shuffles", 128}, {"accumulates", 355}}, 3, kRuns}},
    {"wide_product32", {{{"shuffles", 64}, {"accumulates", 63}}, 2, kRuns}},
    {"ff64_shared", {{{"shuffles", 0}, {"accumulates", 380}}, 3, kDoesNotRun}},
    {"ff64_slides", {{{"shuffles", 128}, {"accumulates", 380}}, 3, kDoesNotRun}},
    {"ff128", {{{"shuffles", 256}, {"accumulates", 1272}}, 3, kDoesNotRun}},
    // Words that are followed bit by bit.
    {"bits_shuffle32", {{{"total", 58}}, 2, kRuns}},
    {"bits_shuffle8", {{{"total", 38}}, 2, kRuns}},
    {"bits_shared", {{{"total", 78}}, 2, kRuns}},
    {"bits_hybrid", {{{"total", 66}}, 2, kRuns}},
    {"bits_ballot", {{{"total", 264}}, 2, kRuns}},
    {"bits_bytes4", {{{"total", 24}}, 2, kRuns}},
    {"bits_reverse", {{{"total", 48}}, 2, kRuns}},
    {"bits_pack4", {{{"total", 22}}, 1, kRuns}},
    {"bits_wide", {{{"total", 224}}, 2, kRuns}},
    {"bits_wide4", {{{"total", 124}}, 2, kRuns}},
    {"bits_wide64", {{{"total", 144}}, 2, kRuns}},
    {"bits_half16", {{{"total", 48}}, 2, kRuns}},
    {"bits_crumbs32", {{{"total", 108}}, 2, kRuns}},
    {"bits_nibbles32", {{{"total", 168}}, 2, kRuns}},
    {"bits_interleave4", {{{"total", 44}}, 2, kRuns}},
    {"bits_morton", {{{"total", 52}}, 2, kRuns}},
    {"bits_slices", {{{"total", 184}}, 2, kRuns}},
    // Tiles of shared memory.
    {"tile_half64_ldmatrix", {{{"shared_wavefronts", 48}}, 2, kRuns}},
    {"tile_half128x32_ldmatrix", {{{"shared_wavefronts", 32}}, 2, kRuns}},
    {"tile_half64_stmatrix", {{{"shared_wavefronts", 32}}, 1, kRuns}},
    {"toy_transpose8_xor", {{{"shared_wavefronts", 16}}, 2, kRuns}},
    {"toy_transpose8", {{{"shared_wavefronts", 16}}, 2, kDoesNotRun}},
    {"toy_transpose16", {{{"shared_wavefronts", 16}}, 1, kDoesNotRun}},
    {"toy_columns2x3", {{{"shared_wavefronts", 5}}, 1, kDoesNotRun}},
    {"toy_columns4x6", {{{"shared_wavefronts", 10}}, 1, kDoesNotRun}},
    {"tile_transpose32", {{{"shared_wavefronts", 8}}, 2, kDoesNotRun}},
    {"tile_transpose32_exact", {{{"shared_wavefronts", 8}}, 2, kDoesNotRun}},
    {"tile_transpose32_float2", {{{"shared_wavefronts", 12}}, 2, kDoesNotRun}},
    {"tile_transpose32_float4", {{{"shared_wavefronts", 20}}, 2, kDoesNotRun}},
    {"tile_stencil3", {{{"shared_wavefronts", 12}}, 2, kDoesNotRun}},
    {"tile_histogram", {{{"shared_wavefronts", 48}}, 2, kDoesNotRun}},
    {"tile_half64", {{{"shared_wavefronts", 48}}, 1, kDoesNotRun}},
    {"tile_half128x32", {{{"shared_wavefronts", 32}}, 1, kDoesNotRun}},
    {"tile_half16_columns", {{{"shared_wavefronts", 8}}, 2, kDoesNotRun}},
    {"tile_half16_rows", {{{"shared_wavefronts", 8}}, 2, kDoesNotRun}},
    {"tile_fields8_lanes", {{{"shared_wavefronts", 16}}, 2, kDoesNotRun}},
    // Arrays of structs.
    {"aos_load_addresses", {{{"shuffles", 3}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_load_crc", {{{"shuffles", 3}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_load_extra", {{{"shuffles", 6}, {"integer_ops", 156}}, 3, kDoesNotRun}},
    {"aos_load_rcr", {{{"shuffles", 6}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_load_scatter", {{{"shuffles", 3}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_store_crc", {{{"shuffles", 3}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_store_extra", {{{"shuffles", 6}, {"integer_ops", 174}}, 3, kDoesNotRun}},
    {"aos_store_rcr", {{{"shuffles", 6}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    {"aos_sum", {{{"shuffles", 3}, {"integer_ops", 27}}, 3, kDoesNotRun}},
    // Linear maps.
    {"linear_morton32", {{{"shuffles", 1}, {"integer_ops", 13}}, 2, kDoesNotRun}},
    {"linear_reverse32", {{{"shuffles", 1}, {"integer_ops", 2}}, 2, kDoesNotRun}},
    {"linear_stride256", {{{"shuffles", 0}, {"integer_ops", 24}}, 2, kDoesNotRun}},
    {"linear_tile16", {{{"shuffles", 0}, {"integer_ops", 16}}, 2, kDoesNotRun}},
    // Others.
    {"match1d", {{{"shuffles", 9}, {"integer_ops", 36}}, 3, kDoesNotRun}},
    {"transpose32", {{{"shuffles", 32}, {"integer_ops", 192}}, 3, kDoesNotRun}},
    {"window_max", {{{"shuffles", 11}, {"integer_ops", 44}}, 2, kDoesNotRun}},
};

std::vector<std::string> feasible_pairs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / "sketches"))
    if (const std::string name = entry.path().stem().string();
        entry.path().extension() == ".cu" && !name.starts_with("infeasible_"))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

class Pairs : public testing::TestWithParam<std::string> {};

TEST_P(Pairs, AreFoundProvedRereadRunAndAcceptedByNvcc) {
  ASSERT_TRUE(kExpected.contains(GetParam())) << "no test expects this sketch";
  const Expected& expected = kExpected.at(GetParam());
  const std::string pair = fmt::format("sketches/{0}.cu --spec specs/{0}.cpp", GetParam());
  const ToolResult r = expected.on_cpu == kRuns ? run_on_cpu(pair, Words::kNoneOfWarningsStacksAndSpills)
                                                : run_tool(pair + " --run=none");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  for (const auto& [part, amount] : expected.cost) EXPECT_EQ(r.report["cost"][part], amount) << part;
  EXPECT_EQ(r.report["checked"]["reread"].size(), expected.reread);
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << r.report["checked"]["all_sizes"];
  EXPECT_EQ(r.kernel.find("?sw_"), std::string::npos) << r.kernel;
  expect_shown_lines(GetParam(), r.kernel);
  if (expected.on_cpu == kRuns) {
    EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
    EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
  }
  const auto& space = r.report["search_space"];
  EXPECT_LE(space["distinct"], space["raw"]);
  if ((GetParam().starts_with("stencil") || GetParam().starts_with("conv")) && space["distinct"].is_number()) {
    EXPECT_GT(space["distinct"], 0);
    EXPECT_LT(space["distinct"], space["raw"]);
  }

  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: what it says of this kernel is not tested";
  if (expected.on_cpu == kDoesNotRun) ask_nvcc_later(r.kernel, Words::kNoneOfWarningsStacksAndSpills);
}

INSTANTIATE_TEST_SUITE_P(Every, Pairs, testing::ValuesIn(feasible_pairs()), [](const auto& i) { return i.param; });

}  // namespace
}  // namespace swizzle::test::pairs_test
