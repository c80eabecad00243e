// sketches/real/: kernels for real use, each at the constants that sketches/real/kernels.csv names.
#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"

namespace swizzle::test::real_sizes_test {
namespace {

// A line of kernels.csv.
struct RealKernel {
  std::string name, sketch, constants;  // constants: `kPoints=3 kOutputs=8`
};

std::vector<RealKernel> listed() {
  std::vector<RealKernel> kernels;
  std::istringstream lines(read_file(std::string(SWIZZLE_SOURCE_DIR) + "/sketches/real/kernels.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "kernel,sketch,constants");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    RealKernel& kernel = kernels.emplace_back();
    std::getline(fields, kernel.name, ',');
    std::getline(fields, kernel.sketch, ',');
    std::getline(fields, kernel.constants, ',');
  }
  return kernels;
}

// A file of a sketch or spec with the kernel's constants; a spec may do without some.
std::string with_constants(const RealKernel& kernel, const std::string& path) {
  std::string text = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/" + path);
  EXPECT_FALSE(text.empty()) << path;
  std::istringstream constants(kernel.constants);
  for (std::string constant; constants >> constant;) {
    const std::size_t equals = constant.find('=');
    const std::regex declaration("constexpr int " + constant.substr(0, equals) + " = \\d+;");
    EXPECT_TRUE(path.ends_with(".cpp") || std::regex_search(text, declaration)) << path << " has no " << constant;
    text = std::regex_replace(
        text, declaration, "constexpr int " + constant.substr(0, equals) + " = " + constant.substr(equals + 1) + ";");
  }
  return text;
}

ToolResult run_real(const RealKernel& kernel, const std::string& more) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write(kernel.name + ".cu",
                                           with_constants(kernel, "sketches/real/" + kernel.sketch + ".cu")),
                    spec = scratch.write(kernel.name + ".cpp",
                                         with_constants(kernel, "specs/real/" + kernel.sketch + ".cpp"));
  return run_tool(fmt::format("'{}' --spec '{}' {}", sketch, spec, more));
}

enum class Runs { kNot, kOnCpu };

struct Expected {
  double cost;
  Runs runs = Runs::kOnCpu;
};

// A kernel without the comments at its head, which tell of the search.
std::string code_of(const std::string& kernel) {
  const std::size_t end_of_head = kernel.find("\n\n");
  return end_of_head == std::string::npos ? kernel : kernel.substr(end_of_head);
}

// Those that do not run take longer than the others to be found: that they do is enough.
const std::map<std::string, Expected> kExpected = {
    {"stencil3", {56}},
    {"stencil5", {84}},
    {"stencil9", {144}},
    {"stencil17", {264}},
    {"stencil33", {784}},
    {"conv3x3", {419}},
    {"conv5x5", {3190}},
    {"conv7x7", {7296, Runs::kNot}},
    {"load2", {92}},
    {"load3", {126}},
    {"load4", {92}},
    {"load8", {184}},
    {"load16", {368}},
    {"load32", {576, Runs::kNot}},
    {"store2", {92}},
    {"store3", {126}},
    {"store4", {184}},
    {"store8", {184}},
    {"store16", {368}},
    {"store32", {576, Runs::kNot}},
    {"transpose_float", {192}},
    {"transpose_half", {384}},
    {"transpose_bytes", {256}},
    {"product64", {2780, Runs::kNot}},
    {"conv11x11", {31070, Runs::kNot}},
    {"separable5x5", {4056, Runs::kNot}},
    {"depthwise3x3", {992}},
    {"clamp5", {100}},
    {"mirror5", {100}},
    {"stencil9_double", {108}},
    {"stencil9_half", {216}},
    {"transpose_double", {96}},
    {"transpose_batched", {192}},
    {"transpose_in_place", {384}},
    {"product32", {1400}},
    {"product128", {9648, Runs::kNot}},
    {"load3_wide", {180}},
    {"load8_wide", {544}},
    {"load16_wide", {1088, Runs::kNot}},
    {"store8_wide", {544}},
    {"store16_wide", {1088, Runs::kNot}},
    {"zero3", {54}},
    {"zero9", {144}},
    {"zero17", {272}},
    {"mirror3", {62}},
    {"mirror9", {160}},
    {"mirror17", {288}},
    {"transpose_any", {320}},
    {"transpose_batched_half", {384}},
    {"transpose_batched_bytes", {256}},
    {"transpose_batched_double", {96}},
    {"transpose_in_place_half", {768}},
    {"transpose_in_place_bytes", {256}},
    {"transpose_in_place_double", {768}},
    {"pack64x64", {88}},
    {"pack128x32", {100}},
    {"pack_second64x64", {88}},
    {"unpack64x64", {88}},
    {"unpack128x32", {100}},
    {"conv9x9", {7528, Runs::kNot}},
    {"load32_tile", {192}},
    {"store32_tile", {192}},
    {"load3_half", {180}},
    {"load4_half", {136}},
    {"load6_half", {180}},
    {"load8_half", {544}},
    {"store3_half", {180}},
    {"store4_half", {152}},
    {"store6_half", {204}},
    {"store8_half", {544}},
    {"scan1024", {95, Runs::kNot}},
    {"reduce4096", {100.75}},
    {"histogram8", {534}},
    {"softmax512", {260}},
    {"gather4", {132}},
    {"gather8", {256}},
    {"gather16", {504, Runs::kNot}},
    {"gather32", {840, Runs::kNot}},
    {"scatter4", {132}},
    {"scatter8", {256}},
    {"scatter16", {504, Runs::kNot}},
    {"scatter32", {840, Runs::kNot}},
};

// Of shared memory: by a layout, which must be free of conflicts.
bool has_layout(const RealKernel& kernel) {
  return std::ranges::any_of(std::array{"transpose", "pack", "_tile", "histogram"},
                             [&](const char* part) { return kernel.name.find(part) != std::string::npos; });
}

class RealSizes : public testing::TestWithParam<RealKernel> {};

TEST_P(RealSizes, AreFoundProvedAndCompiledWithoutSpills) {
  ASSERT_TRUE(kExpected.contains(GetParam().name)) << "kernels.csv lists what no test expects";
  const Expected& expected = kExpected.at(GetParam().name);
  const bool runs = expected.runs == Runs::kOnCpu;
  const ToolResult r = [&] {
    const AcceptingNvcc asked_below;
    return run_real(GetParam(), fmt::format("--time-limit 100 --proof=posed --run={}", runs ? "cpu" : "none"));
  }();
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["total"], expected.cost);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 2u) << "the second size has a ragged edge";
  EXPECT_EQ(code_of(r.kernel),
            code_of(read_file(fmt::format("{}/kernels/real/{}.cu", SWIZZLE_SOURCE_DIR, GetParam().name))))
      << "kernels/real has another: bench/gpu/real/complete.py writes them anew";
  if (runs) {
    EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  }
  if (has_layout(GetParam())) {
    ASSERT_EQ(r.report["layouts"].size(), 1u) << r.output;
    EXPECT_EQ(r.report["layouts"][0]["wavefronts"], r.report["layouts"][0]["ideal"]);
  }

  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: what it says of this kernel is not tested";
  ask_nvcc_later(r.kernel, Words::kNoneOfWarningsStacksAndSpills);
}

INSTANTIATE_TEST_SUITE_P(Every, RealSizes, testing::ValuesIn(listed()),
                         [](const auto& info) { return info.param.name; });

TEST(RealSizes, AreProvedForEverySize) {
  const std::map<std::string, std::string> holds_for = {
      {"stencil9", "1 <= n <= "},      {"load8", "1 <= n <= "},
      {"store3", "1 <= n <= "},        {"transpose_float", "1 <= h <= "},
      {"clamp5", "1 <= n <= "},        {"mirror17", "1 <= n <= "},
      {"zero9", "1 <= n <= "},         {"conv3x3", "1 <= w <= "},
      {"transpose_any", "1 <= h <= "}, {"transpose_batched_half", "1 <= h <= "},
      {"pack64x64", "1 <= w"},         {"load3_half", "1 <= n <= "},
      {"load32_tile", "1 <= n <= "},   {"store32_tile", "1 <= n <= "},
      {"unpack64x64", "1 <= w"},       {"transpose_in_place", "1 <= n <= 46340"},
      {"scan1024", "1 <= n <= "},      {"reduce4096", "1 <= n <= "},
      {"histogram8", "1 <= n <= "},    {"softmax512", "1 <= h <= "},
      {"depthwise3x3", "1 <= w"}};
  for (const RealKernel& kernel : listed()) {
    if (!holds_for.contains(kernel.name)) continue;
    const ScratchFolder scratch;
    const std::string spec =
        scratch.write(kernel.name + ".cpp", with_constants(kernel, "specs/real/" + kernel.sketch + ".cpp"));
    const ToolResult r =
        run_tool(fmt::format("verify kernels/real/{}.cu --spec '{}' --proof=all --run=none", kernel.name, spec));
    const auto& all = r.report["checked"]["all_sizes"];
    EXPECT_EQ(all["outcome"], "proved") << kernel.name << ": " << all["reason"];
    EXPECT_EQ(all["holds_for"].get<std::string>().find(holds_for.at(kernel.name)), 0u) << all["holds_for"];
  }
}

void expect_same(const ToolResult& each, const ToolResult& alike) {
  EXPECT_EQ(each.exit_code, alike.exit_code) << alike.output;
  for (const char* key : {"outcome", "reason", "optimality", "cost"})
    EXPECT_EQ(each.report[key], alike.report[key]) << key;
  EXPECT_EQ(each.kernel.empty(), each.exit_code != 0);
  EXPECT_EQ(code_of(each.kernel), code_of(alike.kernel));
}

// All sketches: bench/launches.py.
TEST(RealSizes, AreTheSameWhereOneGroupStandsForThoseThatAreAlike) {
  const std::set<std::string> some = {"stencil9", "load3",   "store8",        "zero9",
                                      "mirror17", "conv3x3", "transpose_any", "pack64x64"};
  for (const RealKernel& kernel : listed()) {
    if (!some.contains(kernel.name)) continue;
    SCOPED_TRACE(kernel.name);
    expect_same(run_real(kernel, "--proof=posed --run=none --execute=each"),
                run_real(kernel, "--proof=posed --run=none"));
  }
  for (const char* sketch : {"reverse", "window_max", "walsh_hadamard32", "tile_transpose32", "infeasible_far",
                             "infeasible_load", "infeasible_scatter", "aos_load_scatter", "bits_pack4",
                             "conv1d_stride2", "scatter_split", "ff32", "stencil_aos"}) {
    SCOPED_TRACE(sketch);
    const std::string more = "--proof=posed --run=none --no-suggestions ";
    expect_same(run_pair(sketch, more + "--execute=each"), run_pair(sketch, more));
  }
}

// Executing each of its warps passes the limit of steps.
TEST(RealSizes, ElevenByElevenWeightsInBlocksOfFourWarps) {
  const RealKernel kernel{"conv11x11_4", "conv2d_wide", "kSize=11 kRows=8 kWarps=4"};
  const ToolResult r = run_real(kernel, "--time-limit 100 --proof=posed --run=none");
  EXPECT_EQ(r.report["outcome"], "found") << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["reread"].size(), 2u);
}

// bench/gpu/real/h200.csv: of each kernel, its time and its peers', over that of a copy. What was not there has no
// times.
struct Raced {
  std::string synthesized, naive;
  std::pair<std::string, std::string> best_peer;  // name and time
};

std::map<std::string, Raced> raced() {
  std::map<std::string, Raced> works;
  std::istringstream lines(read_file(std::string(SWIZZLE_SOURCE_DIR) + "/bench/gpu/real/h200.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "work,kernel,median_ms,least_ms,gb_per_s,over_copy,wrong,device");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string work, kernel, skipped, over_copy, wrong;
    std::getline(fields, work, ',');
    std::getline(fields, kernel, ',');
    for (int i = 0; i < 3; ++i) std::getline(fields, skipped, ',');
    std::getline(fields, over_copy, ',');
    std::getline(fields, wrong, ',');
    EXPECT_EQ(wrong, "0") << line;
    if (work == "absent") continue;
    Raced& one = works[work];
    if (kernel == "copy") continue;
    if (kernel == "synthesized") {
      one.synthesized = over_copy;
      continue;
    }
    if (kernel == "naive") one.naive = over_copy;
    if (one.best_peer.second.empty() || std::stod(over_copy) < std::stod(one.best_peer.second))
      one.best_peer = {kernel, over_copy};
  }
  return works;
}

// Rows `| kernel | synthesized | best peer | naive | …` of a page that stand for what was measured.
std::size_t rows_as_measured(const std::string& text) {
  std::size_t rows = 0;
  for (const auto& [work, one] : raced()) {
    if (text.find(fmt::format("\n| {} | ", work)) == std::string::npos) continue;
    const std::string row = fmt::format("\n| {} | {} | {} ({}) | {} |", work, one.synthesized, one.best_peer.second,
                                        one.best_peer.first, one.naive);
    EXPECT_NE(text.find(row), std::string::npos) << "a page has other figures than" << row;
    ++rows;
  }
  return rows;
}

TEST(RealSizes, FiguresAreThoseMeasured) {
  const std::string root = SWIZZLE_SOURCE_DIR, page = read_file(root + "/docs/real_sizes.md");
  for (const RealKernel& kernel : listed()) {
    const bool timed = raced().contains(kernel.name);
    EXPECT_TRUE(timed || page.find(fmt::format("\n| {} | not timed", kernel.name)) != std::string::npos) << kernel.name;
  }
  EXPECT_EQ(rows_as_measured(page), raced().size());
  EXPECT_GT(rows_as_measured(read_file(root + "/README.md")), 0u);
}

}  // namespace
}  // namespace swizzle::test::real_sizes_test
