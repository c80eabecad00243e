// `swizzle-synth check`: what CUB's blocks do in shared memory, against a GPU's counters of code that nvcc left as it
// is.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"
#include "tests/end_to_end/nvcc.h"

namespace swizzle::test::check_cub_test {
namespace {

// kernel, loads, stores.
std::vector<std::string> counted_rows() {
  std::ifstream file(SWIZZLE_SOURCE_DIR "/tests/data/cub_blocks_h200.csv");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("#") && !line.starts_with("kernel,")) rows.push_back(line);
  return rows;
}

// Of the same launches: in the order of the lines that launch them.
std::vector<std::string> checked_rows(const nlohmann::json& report) {
  std::vector<std::string> rows;
  for (const auto& kernel : report["kernels"]) {
    int loads = 0, stores = 0;
    for (const auto& access : report["accesses"])
      if (access["kernel"] == kernel["name"] && access["space"] == "shared" && access.contains("wavefronts"))
        (access["operation"] == "load" ? loads : stores) += access["wavefronts"]["total"].get<int>();
    rows.push_back(fmt::format("{},{}", loads, stores));
  }
  return rows;
}

TEST(CheckCub, CountsWhatAGpuCounts) {
  const CheckResult r = run_check("tests/data/cub_blocks.cu --no-ptx --all-blocks");
  if (r.errors.find("is not read") != std::string::npos) GTEST_SKIP() << "no CUB: its headers are not read";
  std::vector<std::string> counted = counted_rows();
  ASSERT_EQ(counted.size(), 8u);
  for (std::string& row : counted) row = row.substr(row.find("\",") + 2);
  EXPECT_EQ(checked_rows(r.report), counted) << r.errors;
  EXPECT_TRUE(r.report["uncounted"].empty()) << r.report["uncounted"].dump();
}

// cub::Max and its kin are gone from CUDA 13.
TEST(CheckCub, TakesTheOperatorsOfBefore) {
  const CheckResult r = check_text(
      "#include <cub/block/block_reduce.cuh>\n"
      "__global__ void __launch_bounds__(64) k(float* p) {\n  using Reduce = cub::BlockReduce<float, 64>;\n"
      "  __shared__ typename Reduce::TempStorage s;\n"
      "  const float most = Reduce(s).Reduce(p[threadIdx.x], cub::Max());\n"
      "  if (threadIdx.x == 0) p[0] = most;\n}\n",
      "--no-ptx");
  if (r.errors.find("is not read") != std::string::npos) GTEST_SKIP() << "no CUB: its headers are not read";
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(r.report["kernels"][0]["block"], nlohmann::json({64, 1, 1}));
  EXPECT_EQ(checked_rows(r.report), std::vector<std::string>{"1,2"});
}

}  // namespace
}  // namespace swizzle::test::check_cub_test
