// sketches/real/: kernels for real use, each at the constants that sketches/real/kernels.csv names.
#include <map>
#include <regex>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/nvcc.h"

namespace swizzle::test {
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

// A file of a sketch or spec with the kernel's constants.
std::string with_constants(const RealKernel& kernel, const std::string& path) {
  std::string text = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/" + path);
  EXPECT_FALSE(text.empty()) << path;
  std::istringstream constants(kernel.constants);
  for (std::string constant; constants >> constant;) {
    const std::size_t equals = constant.find('=');
    const std::regex declaration("constexpr int " + constant.substr(0, equals) + " = \\d+;");
    EXPECT_TRUE(std::regex_search(text, declaration)) << path << " has no " << constant;
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

// Those that do not run take longer than the others to be found: that they do is enough.
const std::map<std::string, Expected> kExpected = {
    {"stencil3", {68}},
    {"stencil5", {112}},
    {"stencil9", {206}},
    {"stencil17", {390}},
    {"stencil33", {758, Runs::kNot}},
    {"conv3x3", {1358}},
    {"conv5x5", {3636}},
    {"conv7x7", {6938, Runs::kNot}},
    {"load2", {46}},
    {"load3", {63}},
    {"load4", {92}},
    {"load8", {184}},
    {"load16", {368}},
    {"load32", {576, Runs::kNot}},
    {"store2", {46}},
    {"store3", {66}},
    {"store4", {92}},
    {"store8", {184}},
    {"store16", {368}},
    {"store32", {576, Runs::kNot}},
    {"transpose_float", {192}},
    {"transpose_half", {384}},
    {"transpose_bytes", {256}},
    {"product64", {2780, Runs::kNot}},
};

class RealSizes : public testing::TestWithParam<RealKernel> {};

TEST_P(RealSizes, AreFoundProvedAndCompiledWithoutSpills) {
  ASSERT_TRUE(kExpected.contains(GetParam().name)) << "kernels.csv lists what no test expects";
  const Expected& expected = kExpected.at(GetParam().name);
  const bool runs = expected.runs == Runs::kOnCpu;
  const ToolResult r = run_real(GetParam(), runs ? "--proof=posed --run=cpu" : "--proof=posed --run=none");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["total"], expected.cost);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 2u) << "the second size has a ragged edge";
  if (runs) {
    EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  }

  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc: what it says of this kernel is not tested";
  const ScratchFolder scratch;
  expect_clean(nvcc, scratch.write("kernel.cu", r.kernel));
}

INSTANTIATE_TEST_SUITE_P(Every, RealSizes, testing::ValuesIn(listed()),
                         [](const auto& info) { return info.param.name; });

TEST(RealSizes, OfSharedMemoryHaveNoConflicts) {
  for (const RealKernel& kernel : listed()) {
    if (kernel.name.find("transpose") == std::string::npos) continue;
    const ToolResult r = run_real(kernel, "--proof=posed --run=none");
    ASSERT_EQ(r.report["layouts"].size(), 1u) << r.output;
    EXPECT_EQ(r.report["layouts"][0]["wavefronts"], r.report["layouts"][0]["ideal"]);
  }
}

}  // namespace
}  // namespace swizzle::test
