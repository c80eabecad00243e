// What nvcc says about emitted kernels. Skipped aloud where nvcc is absent.
#include <algorithm>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
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
  ask_nvcc_later(read_file(fmt::format("{}/tests/golden/{}.cu", SWIZZLE_SOURCE_DIR, GetParam())),
                 Words::kNoneOfWarningsStacksAndSpills);
}

INSTANTIATE_TEST_SUITE_P(Every, NvccOnGoldens, testing::ValuesIn(names_in("tests/golden")),
                         [](const auto& info) { return info.param; });

TEST(Nvcc, IsAskedAboutEachKernelAsIfItWereAlone) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: nothing is asked";
  const auto kernel = [](const std::string& value) {
    return "__global__ void f(float* y) { y[0] = " + value + "; }\n";
  };
  const std::string half = kernel("__half2float(__float2half(y[1]))");
  NvccBatch batch;
  for (const std::string& text :
       {"#define TWO 2\n__device__ float twice(float x) { return TWO * x; }\n" + kernel("twice(y[1])"), kernel("TWO"),
        kernel("twice(y[1])"), "#include <cuda_fp16.h>\n" + half, half})
    batch.add(text, Words::kAny);
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    batch.TearDown();
  }
  ASSERT_EQ(failures.size(), 3);
  const char* const missing[] = {"\"TWO\" is undefined", "\"twice\" is undefined", "\"__float2half\" is undefined"};
  for (int i = 0; i < failures.size(); ++i)
    EXPECT_NE(std::string(failures.GetTestPartResult(i).message()).find(missing[i]), std::string::npos)
        << failures.GetTestPartResult(i).message();
}

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
  // Of each kernel; they are compiled together.
  std::vector<Choices> choices(const std::vector<EmittedKernel>& kernels) const {
    const ScratchFolder scratch;
    const Words words = Words::kNoneOfWarningsStacksAndSpills;
    const ToolResult r = compile(nvcc_, scratch.write("kernel.cu", of_one_file(kernels)),
                                 fmt::format("{} --keep --keep-dir '{}'", flags_for(words), scratch.path()));
    EXPECT_TRUE(is_accepted(r, words)) << r.output;
    const std::string text = read_file(scratch / "kernel.ptx");
    std::vector<Choices> made;
    for (std::size_t at = text.find(".entry"), end; at != std::string::npos; at = end) {
      end = text.find(".entry", at + 1);
      const std::string entry = text.substr(at, end - at);
      made.push_back({occurrences(entry, "selp."), occurrences(entry, "bra")});
    }
    return made;
  }
  void expect_selects(const Order& order, const std::vector<std::size_t>& sizes = {3, 4, 5, 6, 7, 8, 16, 32}) const {
    std::vector<EmittedKernel> kernels;
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
      kernels.push_back({fmt::format("{} registers", registers), r.kernel});
    }
    const std::vector<Choices> made = choices(kernels);
    ASSERT_EQ(made.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(made[i].selects, order.selects(sizes[i])) << kernels[i].text;
      EXPECT_EQ(made[i].branches, 0u) << kernels[i].text;
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
