// --draw of a completion: the tile before and after its layout, and what moves between registers.
#include <iterator>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::draw_test {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

struct Drawn {
  ToolResult result;
  std::string svg;
};

Drawn draw(const std::string& pair) {
  const ScratchFolder scratch;
  const std::string path = (scratch / "tile.svg").string();
  Drawn drawn{run_pair(pair, fmt::format("--run=none --draw '{}'", path)), ""};
  drawn.svg = read_file(path);
  return drawn;
}

// 1024 cells each; 32 lanes in one bank before, in 32 banks after.
TEST(Draw, ATranspositionBeforeAndAfter) {
  const Drawn d = draw("tile_transpose32");
  ASSERT_EQ(d.result.exit_code, 0) << d.result.output;
  EXPECT_EQ(count(d.svg, "<g><title>"), 2048u);
  EXPECT_EQ(count(d.svg, "class='x x5'"), 32u);
  EXPECT_EQ(count(d.svg, "class='a'"), 32u);
  EXPECT_NE(d.svg.find(">before, r * 32 + c: load at 12:70<"), std::string::npos);
  EXPECT_NE(d.svg.find(">32 wavefronts, ideal 1<"), std::string::npos);
  EXPECT_NE(d.svg.find(">after, L(r, c) = r * 33 + c: load at 12:70<"), std::string::npos);
  EXPECT_NE(d.svg.find(">1 wavefront, ideal 1<"), std::string::npos);
  EXPECT_NE(d.svg.find("[31][0]: byte 3968, bank 0, lanes 31, waits"), std::string::npos);
  EXPECT_NE(d.svg.find("[31][0]: byte 4092, bank 31, lanes 31<"), std::string::npos);
  EXPECT_EQ(count(d.svg, "bank 5<") + count(d.svg, "bank 5,"), 64u);
}

TEST(Draw, WhatNoLayoutSolvesStaysRed) {
  const Drawn d = draw("tile_transpose32_float4");
  ASSERT_EQ(d.result.exit_code, 0) << d.result.output;
  EXPECT_EQ(count(d.svg, "class='x x5'"), 32u);
  EXPECT_EQ(count(d.svg, "class='x x2'"), 32u);
}

TEST(Draw, AToyTileAsText) {
  const ToolResult r = run_pair("toy_transpose8", "--run=none --draw -");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_TRUE(
      r.output.starts_with("before, r * 8 + c: load at 13:53    after, L(r, c) = r * 8 + (c ^ r): load at 13:53\n"
                           "8 wavefronts, ideal 1               1 wavefront, ideal 1\n"
                           "row 0 | 0! 1  2  3  4  5  6  7      row 0 | 0* 1  2  3  4  5  6  7\n"
                           "row 1 | 0! 1  2  3  4  5  6  7      row 1 | 1* 0  3  2  5  4  7  6\n"))
      << r.output;
  EXPECT_EQ(count(r.output, "!"), 8u);
  EXPECT_NE(r.kernel.find("__global__"), std::string::npos);
}

// A lane that is a hole, and an array without a layout.
TEST(Draw, WithoutALayoutTheEmittedKernelsWorstAccess) {
  const Drawn d = draw("ff32_shared");
  ASSERT_EQ(d.result.exit_code, 0) << d.result.output;
  EXPECT_NE(d.svg.find("in ff32_shared, "), std::string::npos);
  EXPECT_EQ(count(d.svg, "<g transform="), 1u);
}

TEST(Draw, TextNeedsAPlaceForTheKernel) {
  const ScratchFolder scratch;
  const std::string out = (scratch / "out").string();
  const int status = std::system(
      fmt::format("cd '{}' && '{}' sketches/toy_transpose8.cu --spec specs/toy_transpose8.cpp --draw - > '{}' 2>&1",
                  SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, out)
          .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(read_file(out).find("--draw: - needs -o"), std::string::npos) << read_file(out);
}

// The three shuffles of 3 points: each an arrow for each lane, of which as many leave the second register as the step
// says.
TEST(Draw, ShufflesAsLanesByRegisters) {
  const Drawn d = draw("stencil1d");
  ASSERT_EQ(d.result.exit_code, 0) << d.result.output;
  EXPECT_EQ(count(d.svg, "<line class='m'"), 96u);
  EXPECT_EQ(count(d.svg, "<title>rc[1] of lane "), 96u);
  EXPECT_EQ(count(d.svg, "<title>tmp of lane "), 96u);
  EXPECT_NE(d.svg.find("<title>tmp of lane 31: x[33]</title>"), std::string::npos);
  EXPECT_NE(d.svg.find(">sw_xform at 19:21 = (tid + k) &amp; 31<"), std::string::npos);
  EXPECT_NE(d.svg.find(">2 of 3, k = 1, at 30:17: __shfl_sync(FULL_MASK, (idx == 0 ? rc[0] : rc[1]), recv_from)<"),
            std::string::npos);
}

TEST(Draw, ShufflesAsText) {
  const ToolResult r = run_pair("stencil1d", "--run=none --draw -");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("from    a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29 a30 a31  b0  b1\n"
                          "tmp      18  19  20  21  22  23  24  25  26  27  28  29  30  31  32  33\n"),
            std::string::npos)
      << r.output;
  std::istringstream lines(r.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

// Registers rotate within their lanes before the lanes shuffle.
TEST(Draw, CopiesThatChangeTheRegisterAreSteps) {
  const Drawn d = draw("aos_load_rcr");
  ASSERT_EQ(d.result.exit_code, 0) << d.result.output;
  const std::size_t rotation = d.svg.find(": rotated[j] = "), shuffle = d.svg.find("__shfl_sync(FULL_MASK, rotated[j]");
  ASSERT_NE(rotation, std::string::npos) << d.svg.substr(0, 2000);
  EXPECT_LT(rotation, shuffle);
  const std::string step = d.svg.substr(rotation, d.svg.find(" of 6,", rotation) - rotation);
  EXPECT_EQ(count(step, "<title>rotated["), 96u);
  EXPECT_EQ(count(step, "<line"), 0u);
}

// Words that no shuffle moves are drawn bit by bit, in 120 columns.
class DrawnWords : public ::testing::TestWithParam<const char*> {};
TEST_P(DrawnWords, AreShownAssignmentByAssignment) {
  const ToolResult r = run_pair(GetParam(), "--run=none --proof=posed --draw -");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("\nlane 0, bit by bit"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("\nbit "), std::string::npos) << r.output;
  std::istringstream lines(r.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}
INSTANTIATE_TEST_SUITE_P(Draw, DrawnWords,
                         ::testing::Values("bits_ballot", "bits_bytes4", "bits_interleave4", "bits_morton",
                                           "bits_pack4", "bits_reverse", "bits_slices", "bits_shuffle8"),
                         [](const auto& i) { return std::string(i.param); });

TEST(Draw, TheLastWordIsWhatTheSpecStores) {
  const ToolResult r = run_pair("bits_reverse", "--run=none --proof=posed --draw -");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const std::size_t row = r.output.rfind("\ny[0], at ");
  ASSERT_NE(row, std::string::npos) << r.output;
  std::istringstream words(r.output.substr(row, r.output.find('\n', row + 1) - row));
  std::vector<std::string> cells{std::istream_iterator<std::string>(words), {}};
  ASSERT_EQ(cells.size(), 35u) << r.output;  // "y[0],", "at", its place, and 32 bits
  for (int bit = 31; bit >= 0; --bit)
    EXPECT_EQ(cells[static_cast<std::size_t>(3 + 31 - bit)], std::to_string(31 - bit));
}

TEST(Draw, WhatMovesNothingIsAnError) {
  const ScratchFolder scratch;
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n__global__ void k(const int* x, int* y, int n) {\n"
      "  y[threadIdx.x] = x[?sw_xform(threadIdx.x, 32)];\n}\n";
  const std::string spec =
      "void k(const int* x, int* y, int n) {\n  for (int i = 0; i < 32; i++) y[i] = x[31 - i];\n}\n";
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --draw '{}'", scratch.write("k.cu", text),
                                            scratch.write("k.cpp", spec), (scratch / "k.svg").string()));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("error: there is nothing to draw"), std::string::npos) << r.output;
  EXPECT_EQ(r.kernel, "");
}

TEST(Draw, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_EQ(run_pair("toy_transpose8", "--run=none --draw /no/such/folder/tile.svg").exit_code, 1);
}

TEST(Draw, NothingIsDrawnOfWhatIsNotFound) {
  const ScratchFolder scratch;
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n__global__ void k(const float* x, float* y, int n) {\n"
      "  auto L = ?sw_layout(1, 32);\n  __shared__ float s[L.size()];\n  s[L(0, threadIdx.x)] = x[threadIdx.x];\n  __syncthreads();\n"
      "  const int c = ?sw_xform(threadIdx.x, 32);\n  y[threadIdx.x] = s[L(0, c)];\n}\n";
  const std::string spec =
      "void k(const float* x, float* y, int n) {\n  for (int i = 0; i < 32; i++) y[i] = x[i] + x[31 - i];\n}\n";
  const std::string path = (scratch / "tile.svg").string();
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --draw '{}'", scratch.write("k.cu", text),
                                            scratch.write("k.cpp", spec), path));
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace swizzle::test::draw_test
