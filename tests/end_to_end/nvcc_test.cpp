// What nvcc says about emitted kernels. Skipped aloud where nvcc is absent.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/docs_blocks.h"
#include "tests/end_to_end/nvcc.h"
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::nvcc_test {
namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Nvcc : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    nvcc_ = find_nvcc();
    if (nvcc_.empty()) GTEST_SKIP() << "no nvcc: what it says of emitted kernels is not tested";
  }
  std::string nvcc_;
};

class EmittedKernels : public testing::TestWithParam<std::string> {};

TEST_P(EmittedKernels, AreAsDocsShowThemAndNvccAcceptsThem) {
  const ToolResult r = run_pair(GetParam(), "--run=none");
  expect_shown_lines(GetParam(), r.kernel);
  if (r.exit_code == 10) GTEST_SKIP() << GetParam() << " is infeasible: nothing is emitted";
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc: what it says of this kernel is not tested";
  const ScratchFolder scratch;
  expect_clean(nvcc, scratch.write("kernel.cu", r.kernel));
}

INSTANTIATE_TEST_SUITE_P(Every, EmittedKernels, testing::ValuesIn(names_in("sketches")),
                         [](const auto& info) { return info.param; });

// run_pair_on_cpu() leaves its kernels to the above.
TEST(Nvcc, TheKernelIsTheSameWhereItIsRun) {
  const std::string kernel = run_pair("stencil1d", "--run=none").kernel;
  EXPECT_NE(kernel.find("__global__"), std::string::npos);
  EXPECT_EQ(run_pair_on_cpu("stencil1d").kernel, kernel);
}

TEST(Nvcc, IsAskedAboutAKernelThatRan) {
  {
    const AcceptingNvcc refusing("echo 'kernel.cu(1): error: not this' >&2\nexit 1\n");
    const ToolResult r = run_pair("reverse", "--run=cpu");
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_NE(r.output.find("nvcc does not accept the emitted kernel"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("not this"), std::string::npos) << r.output;
  }
  const AcceptingNvcc warning("echo 'kernel.cu(1): warning: is that so'\n");
  const ToolResult r = run_pair("reverse", "--run=cpu");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_NE(r.output.find("warning: nvcc on the emitted kernel:"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("is that so"), std::string::npos) << r.output;
}

// sm_70 went with CUDA 13.
TEST(Nvcc, TellsWhichArchitecturesItHas) {
  const AcceptingNvcc old(
      "case \"$*\" in --list-gpu-code) printf 'sm_75\\nsm_90\\n';;\n"
      "*) echo \"nvcc fatal   : Unsupported gpu architecture 'sm_70'\" >&2; exit 1;; esac\n");
  const ToolResult r = run_pair("reverse", "--run=cpu --arch sm_70");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("error: this nvcc does not compile for 'sm_70'; with --arch, it takes sm_75, sm_90; "
                          "--run=none compiles nothing"),
            std::string::npos)
      << r.output;
}

using NvccOnGoldens = Nvcc;

TEST_P(NvccOnGoldens, AcceptsWhatIsEmitted) {
  expect_clean(nvcc_, std::string(SWIZZLE_SOURCE_DIR) + "/tests/golden/" + GetParam() + ".cu");
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
    expect_clean(nvcc_, scratch.write("kernel.cu", kernel), scratch.path());
    const std::string text = read_file(scratch / "kernel.ptx");
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
}  // namespace swizzle::test::nvcc_test
