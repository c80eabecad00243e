// Tiles of shared memory behind ?sw_layout.
#include <gtest/gtest.h>

#include <regex>

#include "tests/end_to_end/accepting_nvcc.h"

namespace swizzle::test::layouts_test {
namespace {

const char* const kTranspose =
    "void k(const float* x, float* y, int n) {\n  for (int row = 0; row < 32; row++)\n    for (int column = 0; column < 32; column++) y[column * 32 + row] = x[row * 32 + column];\n}\n";

std::string transpose(const std::string& array, const std::string& store,
                      const std::string& load = "tile[L(lane, warp + 8 * i)]") {
  return "#pragma swizzle launch grid(1) block(256)\n#pragma swizzle instance n = 1024\n"
         "__global__ void k(const float* x, float* y, int n) {\n"
         "  auto L = ?sw_layout(32, 32);\n  __shared__ float tile" +
         array +
         ";\n"
         "  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n  " +
         store +
         "\n  __syncthreads();\n"
         "  for (int i = 0; i < 4; i++) y[(warp + 8 * i) * 32 + lane] = " +
         load + ";\n}\n";
}

const char* const kByRows = "for (int i = 0; i < 4; i++) tile[L(warp + 8 * i, lane)] = x[(warp + 8 * i) * 32 + lane];";

ToolResult complete(const std::string& sketch, const std::string& spec, const std::string& flags = "--run=none") {
  const ScratchFolder scratch;
  const std::string pair =
      fmt::format("'{}' --spec '{}' ", scratch.write("k.cu", sketch), scratch.write("k.cpp", spec));
  return flags == "--run=cpu" ? run_on_cpu(pair) : run_tool(pair + flags);
}

TEST(Layouts, AnArrayOfTheLayoutsSizeIsPadded) {
  const ToolResult c = complete(transpose("[L.size()]", kByRows), kTranspose, "--run=cpu");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("__shared__ float tile[1056];"), std::string::npos) << c.kernel;
  EXPECT_NE(c.kernel.find("tile[lane * 33 + (warp + 8 * i)]"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["layouts"][0]["wavefronts"], 8);
  EXPECT_EQ(c.report["layouts"][0]["ideal"], 8);
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 8);
  EXPECT_EQ(c.report["optimality"], "proved");
  EXPECT_EQ(c.report["accesses"].size(), 2u);
  EXPECT_NE(c.output.find("8 wavefronts, the ideal"), std::string::npos) << c.output;
}

// A place in a tile is told by two ints.
TEST(Layouts, WiderIndicesBecomeInts) {
  const char* const wide =
      "for (int i = 0; i < 4; i++) tile[L(warp + 4294967304 * i, lane)] = x[(warp + 8 * i) * 32 + lane];";
  const ToolResult c = complete(transpose("[32 * 32]", wide), kTranspose, "--run=cpu");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("int(warp + 4294967304 * i)"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(Layouts, AnArrayWithoutSlackIsXored) {
  const ToolResult c = complete(transpose("[1024]", kByRows), kTranspose, "--run=cpu");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("tile[lane * 32 + ((warp + 8 * i) ^ lane)]"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["layouts"][0]["wavefronts"], 8);
}

TEST(Layouts, MayBeConstexprAndShared) {
  std::string text = transpose("[L.size()]", kByRows);
  text.replace(text.find("auto L"), 6, "constexpr auto L");
  text.replace(text.find("  __syncthreads"), 0,
               "  __shared__ double other[L.size()];\n  other[L(lane, warp)] = x[0];\n");
  const ToolResult c = complete(text, kTranspose);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("other[1056]"), std::string::npos) << c.kernel;
}

TEST(Layouts, AreDeclaredByThemselves) {
  std::string text = transpose("[1024]", kByRows, "tile[?sw_layout(32, 32)(lane, warp + 8 * i)]");
  EXPECT_EQ(complete(text, kTranspose).exit_code, 1);
  text = transpose("[1024]", kByRows);
  text.replace(text.find("(32, 32)"), 8, "(n, 32)");
  const std::string said = complete(text, kTranspose).output;
  const std::size_t error = said.find("error: the shape of ?sw_layout(rows, columns) must be constant");
  EXPECT_NE(error, std::string::npos) << said;
  EXPECT_EQ(said.find("error: ", error + 1), std::string::npos) << said;
}

TEST(Layouts, ATileIsOneOfSeveralSideBySide) {
  std::string store = kByRows;
  store.replace(store.find("tile["), 5, "tile[1][");
  const ToolResult c =
      complete(transpose("[2][L.size()]", store, "tile[1][L(lane, warp + 8 * i)]"), kTranspose, "--run=cpu");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("tile[2][1056]"), std::string::npos) << c.kernel;
}

// Of 33 columns, a rotation by 32 is one by -1.
TEST(Layouts, RowsThatAreNoWholeLinesAreRotatedByMoreThanOne) {
  const std::string place = "(j * 32 + t) % 32, ((j * 32 + t) / 32 + (j * 32 + t) % 32) % 33";
  const ToolResult c = complete(
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 1056\n"
      "__global__ void f(const float* x, float* y, int n) {\n  auto L = ?sw_layout(32, 33);\n"
      "  __shared__ float s[1056];\n  const int t = threadIdx.x;\n"
      "  for (int j = 0; j < 33; j++) s[L(" +
          place +
          ")] = x[j * 32 + t];\n  __syncwarp();\n"
          "  for (int j = 0; j < 33; j++) y[j * 32 + t] = s[L(" +
          place + ")];\n}\n",
      "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["layouts"][0]["wavefronts"], 66);
}

TEST(Layouts, WhereNoLayoutIsIdealTheWitnessIsNamed) {
  const ToolResult c = complete(
      transpose("[L.size()]",
                "const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;\n"
                "  *reinterpret_cast<float4*>(&tile[L(r, c)]) = *reinterpret_cast<const float4*>(&x[r * 32 + c]);"),
      kTranspose, "--run=cpu");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["layouts"][0]["wavefronts"], 4 + 4 * 4);
  EXPECT_EQ(c.report["layouts"][0]["ideal"], 8);
  EXPECT_EQ(c.report["optimality"], "proved");
  const auto& load = c.report["accesses"][1];
  EXPECT_EQ(load["operation"], "load");
  EXPECT_EQ(load["wavefronts"]["worst"], 4);
  EXPECT_EQ(load["witness"]["lanes"].size(), 4u);
  EXPECT_NE(c.output.find("20 wavefronts where 8 would be ideal, and no layout does better"), std::string::npos)
      << c.output;
}

struct Figures {
  std::string name;
  double wavefronts, ideal;  // per warp
};

class TileSketches : public testing::TestWithParam<Figures> {};

// The emitted addresses, executed as they stand, take what was promised.
TEST_P(TileSketches, TakeAsManyWavefrontsAsTheyPromise) {
  const ToolResult c = run_pair(GetParam().name, "--run=none --proof=posed");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], GetParam().wavefronts) << c.output;
  EXPECT_EQ(c.report["layouts"][0]["ideal"], GetParam().ideal) << c.output;
  const std::string kernel = std::regex_replace(c.kernel, std::regex("\n// swizzle "), "\n#pragma swizzle ");
  const ScratchFolder scratch;
  const ToolResult again = run_tool(fmt::format("'{}' --spec specs/{}.cpp --run=none --proof=posed",
                                                scratch.write("again.cu", kernel), GetParam().name));
  ASSERT_EQ(again.exit_code, 0) << again.output;
  EXPECT_EQ(again.report["cost"]["shared_wavefronts"], GetParam().wavefronts);
}

INSTANTIATE_TEST_SUITE_P(Every, TileSketches,
                         testing::Values(Figures{"toy_transpose8", 16, 16}, Figures{"toy_transpose16", 16, 16},
                                         Figures{"toy_columns2x3", 5, 5}, Figures{"toy_columns4x6", 10, 10},
                                         Figures{"tile_transpose32", 8, 8}, Figures{"tile_transpose32_exact", 8, 8},
                                         Figures{"tile_transpose32_float2", 12, 8},
                                         Figures{"tile_transpose32_float4", 20, 8}, Figures{"tile_stencil3", 12, 12},
                                         Figures{"tile_histogram", 48, 48}, Figures{"tile_half64", 48, 48},
                                         Figures{"tile_half128x32", 32, 32}, Figures{"tile_half64_ldmatrix", 48, 48},
                                         Figures{"tile_half128x32_ldmatrix", 32, 32},
                                         Figures{"tile_half64_stmatrix", 32, 32}, Figures{"tile_half16_columns", 8, 8},
                                         Figures{"tile_half16_rows", 8, 8}, Figures{"tile_fields8_lanes", 16, 16}),
                         [](const auto& info) { return info.param.name; });

// Transposed through a tile of R x C elements, by 64 threads.
class OddTiles : public testing::TestWithParam<std::tuple<int, int, bool>> {};

TEST_P(OddTiles, StayInTheirArrays) {
  const auto [rows, columns, exact] = GetParam();
  const std::string sketch = fmt::format(
      "#pragma swizzle launch grid(1) block(64)\n#pragma swizzle instance n = {2}\n"
      "__global__ void k(const int* x, int* y, int n) {{\n  auto L = ?sw_layout({0}, {1});\n  __shared__ int tile[{3}];\n"
      "  for (int e = threadIdx.x; e < {2}; e += 64) tile[L(e / {1}, e % {1})] = x[e];\n  __syncthreads();\n"
      "  for (int e = threadIdx.x; e < {2}; e += 64) y[e] = tile[L(e % {0}, e / {0})];\n}}\n",
      rows, columns, rows * columns, exact ? std::to_string(rows * columns) : "L.size()");
  const std::string spec = fmt::format(
      "void k(const int* x, int* y, int n) {{\n  for (int e = 0; e < {2}; e++) y[e] = x[e % {0} * {1} + e / {0}];\n}}\n",
      rows, columns, rows * columns);
  const ToolResult c = complete(sketch, spec);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  const nlohmann::json layout = c.report["layouts"][0];
  EXPECT_LE(layout["ideal"], layout["wavefronts"]);
  EXPECT_TRUE(!exact || layout["elements"] == rows * columns) << layout;
}

INSTANTIATE_TEST_SUITE_P(Shapes, OddTiles,
                         testing::Combine(testing::Values(2, 4, 7, 32), testing::Values(3, 6, 33, 48, 80),
                                          testing::Bool()),
                         [](const auto& info) {
                           return fmt::format("{}x{}{}", std::get<0>(info.param), std::get<1>(info.param),
                                              std::get<2>(info.param) ? "Exact" : "");
                         });

TEST(Layouts, AreNamedAsOthersNameThem) {
  const nlohmann::json layout = run_pair("tile_half64", "--run=none").report["layouts"][0];
  EXPECT_EQ(layout["cute"], "composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})");
  EXPECT_EQ(layout["triton"], "vec 8, perPhase 1, maxPhase 8");
  EXPECT_EQ(layout["tma"], "CU_TENSOR_MAP_SWIZZLE_128B");
}

std::string with_layout(const std::string& named) {
  std::string text = transpose("[L.size()]", kByRows);
  text.replace(text.find("?sw_layout(32, 32)"), 18, "?sw_layout(32, 32, " + named + ")");
  return text;
}

TEST(Layouts, TheBestCompletionIsListedFirst) {
  const ToolResult c = run_pair("tile_fields8_lanes", "--run=none --all=3");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  ASSERT_EQ(c.report["completions"].size(), 3u);
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 16);
}

// A transposition whose rows are turned on the way in and on the way out: what is cheap by its operations has 32
// lanes in one bank.
TEST(Layouts, OfATileByTransformationsOnBothSidesAreWeighedByTheirWavefronts) {
  const ToolResult r = complete(
      "#pragma swizzle launch grid(1) block(32)\n__global__ void turn(const float* x, float* y) {\n"
      "  __shared__ float tile[1024];\n  const int lane = threadIdx.x;\n"
      "  for (int j = 0; j < 32; j++) tile[32 * j + ?sw_xform(lane, 32, j)] = x[32 * j + lane];\n  __syncwarp();\n"
      "  for (int j = 0; j < 32; j++) y[32 * j + lane] = tile[32 * lane + ?sw_xform(j, 32, lane)];\n}\n",
      "void turn(const float* x, float* y) {\n  for (int i = 0; i < 32; i++)\n    for (int j = 0; j < 32; j++) y[32 * j + i] "
      "= x[32 * i + j];\n}\n");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shared_wavefronts"], 64);
  EXPECT_EQ(r.report["cost"]["total"], 640);
}

TEST(Layouts, AGivenLayoutIsCounted) {
  const auto wavefronts = [](const std::string& named) {
    return complete(with_layout(named), kTranspose).report["layouts"][0]["wavefronts"].get<double>();
  };
  EXPECT_EQ(wavefronts("sw_pitch(32)"), 4 + 4 * 32);
  EXPECT_EQ(wavefronts("sw_pitch(33)"), 8);
  EXPECT_EQ(wavefronts("sw_cute(5, 0, 5)"), 8);
  EXPECT_EQ(wavefronts("sw_triton(1, 1, 32)"), 8);
  EXPECT_EQ(wavefronts("sw_tma(128)"), 4 + 4 * 4);
  const ToolResult none = complete(with_layout("sw_pitch(20)"), kTranspose);
  EXPECT_EQ(none.exit_code, 10);
  EXPECT_NE(none.output.find("there is no sw_pitch(20) of 32 x 32 elements of 4 bytes"), std::string::npos)
      << none.output;
}

std::string error_of(const std::string& sketch) {
  const ToolResult c = complete(sketch, kTranspose);
  EXPECT_EQ(c.exit_code, 1) << c.output;
  return c.output;
}

TEST(Layouts, WhatALayoutDoesNotDecideIsRefused) {
  EXPECT_NE(error_of(transpose("[1000]", kByRows)).find("'tile' has 1000 elements, and 'L' places 32 x 32"),
            std::string::npos);
  EXPECT_NE(error_of(transpose("[1024]", kByRows, "tile[lane * 32 + warp + 8 * i]"))
                .find("'tile' is used with a layout elsewhere, and without one here"),
            std::string::npos);
  EXPECT_NE(error_of(transpose("[1024]", kByRows, "(&tile[L(lane, warp + 8 * i)])[1]"))
                .find("steps from one cell of a tile to another"),
            std::string::npos);
  EXPECT_NE(error_of(transpose("[1024]", kByRows, "tile[L(lane + 1, warp + 8 * i)]"))
                .find("row 32, column 0 is outside of the 32 x 32 elements of 'L'"),
            std::string::npos);
  EXPECT_NE(error_of(transpose("[2 * L.size()]", kByRows)).find("for several tiles write tile[2][L.size()]"),
            std::string::npos);
  EXPECT_NE(error_of(transpose("[1024]", kByRows, "tile[L(lane, warp + 8 * i) + 0]"))
                .find("the whole index of a __shared__ array"),
            std::string::npos);
}

}  // namespace
}  // namespace swizzle::test::layouts_test
