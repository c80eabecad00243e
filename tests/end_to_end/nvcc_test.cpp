// What nvcc says about emitted kernels: no warning, no stack frame, no spill. Skipped aloud where nvcc is absent.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

std::string find_nvcc() {
  std::vector<std::string> candidates = {"/usr/local/cuda/bin/nvcc"};
  if (const char* home = std::getenv("CUDA_HOME"))
    candidates.insert(candidates.begin(), std::string(home) + "/bin/nvcc");
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) candidates.push_back(folder + "/nvcc");
  for (const std::string& path : candidates)
    if (access(path.c_str(), X_OK) == 0) return path;
  return "";
}

// nvcc's words on a kernel, every warning an error.
ToolResult compile(const std::string& nvcc, const std::string& kernel_path,
                   const std::string& to = "-cubin -Xptxas -v -o /dev/null") {
  ToolResult result;
  const std::string command =
      fmt::format("'{}' -std=c++17 -arch=sm_90 --Werror all-warnings {} '{}' 2>&1 < /dev/null", nvcc, to, kernel_path);
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
    EXPECT_EQ(functions, occurrences(r.output, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"))
        << r.output;
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

INSTANTIATE_TEST_SUITE_P(Every, NvccOnSketches, testing::ValuesIn(names_in("sketches")),
                         [](const auto& info) { return info.param; });

using NvccOnGoldens = Nvcc;

TEST_P(NvccOnGoldens, AcceptsWhatIsEmitted) {
  expect_clean(std::string(SWIZZLE_SOURCE_DIR) + "/tests/golden/" + GetParam() + ".cu");
}

INSTANTIATE_TEST_SUITE_P(Every, NvccOnGoldens, testing::ValuesIn(names_in("tests/golden")),
                         [](const auto& info) { return info.param; });

// How nvcc chooses among registers: by selects, or by branches around moves.
struct Choices {
  std::size_t selects = 0, branches = 0;
};

// A warp that reads (or fills) %S registers in its own order in each lane.
struct Order {
  const char* line;  // of the sketch: fills `out` from `r`
  const char* from;  // of the spec: the register whose value is out[j] of thread t
  std::size_t (*selects)(std::size_t registers);
};

std::size_t bits_below(std::size_t n) {
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < n) ++bits;
  return bits;
}
std::size_t of_a_barrel_shifter(std::size_t registers) { return registers * bits_below(registers); }
std::size_t of_one_choice(std::size_t registers) { return registers - 1; }
std::size_t of_no_choice(std::size_t) { return 0; }

class NvccSelects : public Nvcc {
 protected:
  Choices choices(const std::string& kernel) const {
    const ScratchFolder scratch;
    const std::string path = scratch.write("kernel.cu", kernel), ptx = (scratch / "kernel.ptx").string();
    expect_clean(path);
    EXPECT_EQ(compile(nvcc_, path, "-ptx -o '" + ptx + "'").exit_code, 0);
    const std::string text = read_file(ptx);
    EXPECT_NE(text.find(".entry"), std::string::npos);
    return {occurrences(text, "selp."), occurrences(text, "bra")};
  }
  void expect_selects(const Order& order, const std::vector<std::size_t>& sizes = {3, 4, 5, 6, 7, 8, 16, 32}) const {
    for (std::size_t registers : sizes) {
      const auto filled_in = [&](std::string text) {
        for (std::size_t at = text.find("%S"); at != std::string::npos; at = text.find("%S", at))
          text.replace(at, 2, std::to_string(registers));
        return text;
      };
      const ToolResult r = run_sketch(Sketch{
          "",
          filled_in("  int r[%S], out[%S];\n#pragma unroll\n  for (int j = 0; j < %S; j++) r[j] = x[n * j + t];\n  " +
                    std::string(order.line) +
                    "\n"
                    "#pragma unroll\n  for (int j = 0; j < %S; j++) y[n * j + t] = out[j];"),
          filled_in(
              "void f(const int* x, int* y, int n) {\n  for (int t = 0; t < n; t++)\n    for (int j = 0; j < %S; j++) y[n * j + t] = x[n * (" +
              std::string(order.from) + ") + t];\n}\n")});
      ASSERT_EQ(r.exit_code, 0) << r.output;
      const Choices made = choices(r.kernel);
      EXPECT_EQ(made.selects, order.selects(registers)) << r.kernel;
      EXPECT_EQ(made.branches, 0u) << r.kernel;
    }
  }
};

TEST_F(NvccSelects, AreLogarithmicPerRegisterWhereRegistersTurn) {
  expect_selects(
      {"for (int j = 0; j < %S; j++) out[j] = r[?sw_xform(j, %S, t)];", "(j + t) % %S", of_a_barrel_shifter});
  expect_selects(
      {"for (int j = 0; j < %S; j++) out[j] = r[?sw_xform(j, %S, t)];", "(t + %S - j) % %S", of_a_barrel_shifter});
}

TEST_F(NvccSelects, AreLogarithmicPerRegisterWhereStoresTurn) {
  expect_selects({"for (int j = 0; j < %S; j++) out[?sw_xform(j, %S, t)] = r[j];", "(j + t) % %S", of_a_barrel_shifter},
                 {3, 4, 5, 6, 7, 8});
}

TEST_F(NvccSelects, AreAsManyAsRegistersBesidesTheChosenOne) {
  expect_selects({"for (int j = 0; j < %S; j++) out[j] = r[j];\n  out[0] = r[?sw_xform(t % %S, %S)];",
                  "j == 0 ? t % %S : j", of_one_choice});
}

TEST_F(NvccSelects, AreNotNeededWhereTheIndexIsKnown) {
  expect_selects({"for (int j = 0; j < %S; j++) out[j] = r[?sw_xform(j, %S, t)];", "%S - 1 - j", of_no_choice});
}

}  // namespace
}  // namespace swizzle::test
