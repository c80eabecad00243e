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

}  // namespace
}  // namespace swizzle::test::check_cub_test
