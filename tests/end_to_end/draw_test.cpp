// --draw of a completion: the tile before and after its layout.
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
  EXPECT_TRUE(r.output.starts_with(
      "before, r * 8 + c: load at 13:53           after, L(r, c) = r * 8 + (c ^ r): load at 13:53\n"
      "row 0 |  0!  1   2   3   4   5   6   7     row 0 |  0*  1   2   3   4   5   6   7\n"
      "row 1 |  0!  1   2   3   4   5   6   7     row 1 |  1*  0   3   2   5   4   7   6\n"))
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

TEST(Draw, ASketchWithoutSharedMemoryIsAnError) {
  const Drawn d = draw("reverse");
  EXPECT_EQ(d.result.exit_code, 1);
  EXPECT_NE(d.result.output.find("error: there is no shared memory to draw in this sketch"), std::string::npos)
      << d.result.output;
  EXPECT_EQ(d.result.kernel, "");
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
