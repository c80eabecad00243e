// What nvcc says about emitted kernels: no warning, no stack frame, no spill. Skipped aloud where nvcc is absent.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {
namespace {

std::string find_nvcc() {
  std::vector<std::string> candidates = {"/usr/local/cuda/bin/nvcc"};
  if (const char* home = std::getenv("CUDA_HOME")) candidates.insert(candidates.begin(), std::string(home) + "/bin/nvcc");
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) candidates.push_back(folder + "/nvcc");
  for (const std::string& path : candidates)
    if (access(path.c_str(), X_OK) == 0) return path;
  return "";
}

// nvcc's words on a kernel, every warning an error.
ToolResult compile(const std::string& nvcc, const std::string& kernel_path) {
  ToolResult result;
  const std::string command = fmt::format("'{}' -cubin -std=c++17 -arch=sm_90 -Xptxas -v --Werror all-warnings '{}' -o /dev/null 2>&1 < /dev/null", nvcc, kernel_path);
  std::FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, n);
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

class Nvcc : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    nvcc_ = find_nvcc();
    if (nvcc_.empty()) GTEST_SKIP() << "no nvcc: what it says of emitted kernels is not tested";
  }
  void expect_clean(const std::string& kernel_path) const {
    const ToolResult r = compile(nvcc_, kernel_path);
    EXPECT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.output.find("warning"), std::string::npos) << r.output;
    const std::size_t functions = occurrences(r.output, "bytes stack frame");
    EXPECT_GT(functions, 0u) << r.output;
    EXPECT_EQ(functions, occurrences(r.output, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")) << r.output;
  }
  std::string nvcc_;
};

using NvccOnSketches = Nvcc;

TEST_P(NvccOnSketches, AcceptsWhatIsEmitted) {
  const ToolResult r = run_pair(GetParam(), "--run=none");
  if (r.exit_code == 10) GTEST_SKIP() << GetParam() << " is infeasible: nothing is emitted";
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const ScratchFolder scratch;
  expect_clean(scratch.write("kernel.cu", r.kernel));
}

INSTANTIATE_TEST_SUITE_P(Every, NvccOnSketches, testing::ValuesIn(names_in("sketches")), [](const auto& info) { return info.param; });

using NvccOnGoldens = Nvcc;

TEST_P(NvccOnGoldens, AcceptsWhatIsEmitted) { expect_clean(std::string(SWIZZLE_SOURCE_DIR) + "/tests/golden/" + GetParam() + ".cu"); }

INSTANTIATE_TEST_SUITE_P(Every, NvccOnGoldens, testing::ValuesIn(names_in("tests/golden")), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace swizzle::test
