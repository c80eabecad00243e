// Sketches that stand in whole programs, emitted kernels that are handed in again, and `verify`.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::programs_test {
namespace {

constexpr const char* kSpec =
    "void turn(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + (i + 1) % 32];\n}\n";

// `shape`: what stands in <<<…>>>; `sum` is a kernel without holes.
std::string program(const std::string& shape, const std::string& more = "") {
  return R"(#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void sum(const int* x, int* total, int n) {
  for (int i = 0; i < n; i++) atomicAdd(total, x[i]);
}

__global__ void turn(const int* x, int* y, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  y[t] = __shfl_sync(0xffffffffu, x[t], ?sw_xform(t % 32, 32));
}

int main() {
  const int count = 128;
  std::vector<int> host(count);
  int *x, *y;
  cudaMalloc(&x, count * sizeof(int));
  cudaMalloc(&y, count * sizeof(int));
  const int threads = 64;
  turn<<<)" +
         shape + R"(>>>(x, y, count);
)" + more +
         R"(  std::printf("%d\n", host[0]);
  return 0;
}
)";
}

class Programs : public ::testing::Test {
 protected:
  ToolResult completed(const std::string& text, const std::string& more = "--run=cpu") const {
    return run_tool(fmt::format("'{}' --spec '{}' {}", scratch_.write("turn.cu", text), spec_, more));
  }
  // The tool's command with these arguments, in the scratch folder; standard error is in `said`.
  int exit_code_of(const std::string& arguments, std::string& said) const {
    const int status = std::system(
        fmt::format("cd '{}' && '{}' {} > out 2> err < /dev/null", scratch_.path(), SWIZZLE_SYNTH_TOOL, arguments)
            .c_str());
    said = read_file(scratch_ / "err");
    return WEXITSTATUS(status);
  }

  ScratchFolder scratch_;
  std::string spec_ = scratch_.write("turn.cpp", kSpec);
};

TEST_F(Programs, ASketchIsCompletedInPlace) {
  const std::string text = program("count / threads, threads");
  const ToolResult r = completed(text);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const std::size_t hole = text.find("?sw_xform(t % 32, 32)");
  EXPECT_NE(r.kernel.find("\n\n" + text.substr(0, hole)), std::string::npos) << r.kernel;
  EXPECT_TRUE(r.kernel.ends_with(text.substr(hole + 21))) << r.kernel;
  EXPECT_EQ(r.report["checked"]["posed"], (nlohmann::json{"n=128"}));
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

// The grid is known over the kernel's own parameter, so that it is proved for every size.
TEST_F(Programs, TheShapeOfTheLaunchIsOneForAllSizes) {
  const ToolResult r = completed(program("count / threads, threads"), "--run=none --set n=64");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["posed"], (nlohmann::json{"n=64"}));
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved");
  const ToolResult constant = completed(program("dim3(2), dim3(64, 1)"), "--run=none");
  EXPECT_EQ(constant.exit_code, 0) << constant.output;
}

TEST_F(Programs, ADirectiveCountsMoreThanALaunch) {
  const ToolResult r = completed(
      "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n" + program("count / 7, 7"),
      "--run=none");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["posed"], (nlohmann::json{"n=32"}));
}

TEST_F(Programs, WhatALaunchDoesNotTellIsAskedFor) {
  const ToolResult open = completed(program("x[0], threads"), "--run=none");
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_NE(open.output.find("turn.cu:21:3: error: nothing here tells the shape of this launch"), std::string::npos)
      << open.output;
  const ToolResult two =
      completed(program("count / 64, 64", "  turn<<<count / 32, 32>>>(x, y, count);\n"), "--run=none");
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_NE(two.output.find("turn.cu:22:3: error: this launch has another shape than the first one"), std::string::npos)
      << two.output;
}

TEST_F(Programs, AShapeThatIsChangedIsNotReadAtItsFirstValue) {
  for (const char* change : {"block.x = 32;", "block = dim3(32);", "if (count > 100) block.x = 32;"}) {
    std::string text = program("count / block.x, block");
    const std::string threads = "const int threads = 64;";
    text.replace(text.find(threads), threads.size(), std::string("dim3 block(64); ") + change);
    const ToolResult r = completed(text, "--run=none");
    EXPECT_EQ(r.exit_code, 1) << change;
    EXPECT_NE(r.output.find("nothing here tells the shape of this launch"), std::string::npos) << r.output;
  }
}

TEST_F(Programs, AnErrorOfTheKernelIsOne) {
  std::string text = program("count / 64, 64");
  text.replace(text.find("x[t], ?sw"), 4, "w[t]");
  const ToolResult r = completed(text, "--run=none");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("turn.cu:11:35: error: use of undeclared identifier 'w'"), std::string::npos) << r.output;
}

TEST_F(Programs, AnEmittedKernelIsHandedInAgain) {
  const ToolResult first = run_pair("stencil1d", "--run=none");
  const std::string kernel = scratch_.write("again.cu", first.kernel);
  const ToolResult second = run_tool(fmt::format("'{}' --spec specs/stencil1d.cpp --run=none", kernel));
  ASSERT_EQ(second.exit_code, 0) << second.output;
  EXPECT_EQ(second.report["checked"]["reread"], first.report["checked"]["reread"]);
}

// verify

TEST_F(Programs, AKernelThatEqualsItsSpecIsVerified) {
  const std::string kernel = scratch_.write("k.cu", run_pair("stencil1d", "--run=none").kernel);
  std::string said;
  ASSERT_EQ(
      exit_code_of(
          fmt::format("verify k.cu --spec {}/specs/stencil1d.cpp --run=cpu --report r.json", SWIZZLE_SOURCE_DIR), said),
      0)
      << said;
  EXPECT_NE(said.find("k.cu: equal to the spec for every input at n=64; n=256; n=1024; proved for every n that is a "
                      "multiple of 64"),
            std::string::npos)
      << said;
  const nlohmann::json report = valid_report(read_file(scratch_ / "r.json"), "docs/report.schema.json");
  EXPECT_EQ(report["outcome"], "equal");
  EXPECT_EQ(report["checked"]["all_sizes"]["outcome"], "proved");
  EXPECT_EQ(report["checked"]["run"]["mismatches"], 0);
  EXPECT_TRUE(report["counterexample"].is_null());
}

TEST_F(Programs, AKernelThatDiffersIsRefuted) {
  std::string text = program("count / threads, threads");
  text.replace(text.find("?sw_xform(t % 32, 32)"), 21, "(t + 2) % 32");
  scratch_.write("k.cu", text);
  std::string said;
  ASSERT_EQ(exit_code_of("verify k.cu --spec turn.cpp --kernel turn --run=cpu --report r.json", said), 3) << said;
  EXPECT_NE(said.find("at n=128, y[0] is x[2], and the spec says x[1], stored by thread 0 of block 0"),
            std::string::npos)
      << said;
  const nlohmann::json report = valid_report(read_file(scratch_ / "r.json"), "docs/report.schema.json");
  EXPECT_EQ(report["outcome"], "refuted");
  EXPECT_EQ(report["counterexample"], (nlohmann::json{{"n", 128}, {"block", 0}, {"thread", 0}, {"output", "y[0]"}}));
  EXPECT_NE(report["checked"]["run"]["mismatches"], 0);
  EXPECT_NE(report["checked"]["run"]["first_mismatch"].get<std::string>().find("y["), std::string::npos);
}

TEST_F(Programs, AKernelThatIsWrongAtOtherSizesIsRefuted) {
  scratch_.write("k.cu",
                 "#pragma swizzle launch grid((n + 31) / 32) block(32)\n#pragma swizzle instance n = 64\n"
                 "__global__ void f(const int* x, int* y, int n) {\n"
                 "  const int t = blockIdx.x * 32 + threadIdx.x;\n  if (t < 64) y[t] = x[t] + 1;\n}\n");
  scratch_.write("s.cpp", "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }\n");
  std::string said;
  EXPECT_EQ(exit_code_of("verify k.cu --spec s.cpp --run=none", said), 3) << said;
  EXPECT_EQ(exit_code_of("verify k.cu --spec s.cpp --run=none --proof=posed", said), 0) << said;
}

TEST_F(Programs, AKernelThatTakesTooManyStepsIsNeitherEqualNorRefuted) {
  scratch_.write("k.cu",
                 "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 10000000\n"
                 "#pragma swizzle extent x(32)\n#pragma swizzle extent y(32)\n"
                 "__global__ void f(const int* x, int* y, int n) {\n  int turns = 0;\n"
                 "  for (int k = 0; k < n; k++) turns++;\n  if (turns == n) y[threadIdx.x] = x[threadIdx.x];\n}\n");
  scratch_.write("s.cpp", "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i]; }\n");
  std::string said;
  EXPECT_EQ(exit_code_of("verify k.cu --spec s.cpp --run=none", said), 20) << said;
  EXPECT_NE(said.find("k.cu: unknown: executing it at n=10000000 takes too long\nk.cu:7:26: note: execution passed"),
            std::string::npos)
      << said;
}

TEST_F(Programs, VerifyTakesNoSketch) {
  std::string said;
  EXPECT_EQ(exit_code_of(fmt::format("verify {0}/sketches/reverse.cu --spec {0}/specs/reverse.cpp", SWIZZLE_SOURCE_DIR),
                         said),
            1);
  EXPECT_NE(said.find("a kernel that is verified has no holes"), std::string::npos) << said;
}

TEST_F(Programs, VerifyTakesFlagsOfCompilers) {
  scratch_.write("k.cu",
                 "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                 "__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[threadIdx.x] + BIAS; }\n");
  scratch_.write("s.cpp", "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 7; }\n");
  std::string said;
  EXPECT_EQ(exit_code_of("verify k.cu --spec s.cpp -DBIAS=7 --run=cpu", said), 0) << said;
  EXPECT_EQ(exit_code_of("verify k.cu --spec s.cpp -DBIAS=8 --run=none", said), 3) << said;
}

// Launches and specs are the host's, whose compiler does not define __CUDA_ARCH__.
TEST_F(Programs, AreReadAsTheHostAndTheDeviceReadThem) {
  const std::string threads = "#if __CUDA_ARCH__ >= 200\nconst int T = 512;\n#else\nconst int T = 256;\n#endif\n",
                    launch = "void run(const float* x, float* y, int n) { f<<<(n + T - 1) / T, T>>>(x, y, n); }\n";
  const auto judged = [&](const std::string& index) {
    const ScratchFolder scratch;
    const std::string kernel = scratch.write(
                          "k.cu", threads + "__global__ void f(const float* x, float* y, int n) { const int i = " +
                                      index + "; if (i < n) y[i] = x[i] + 1; }\n" + launch),
                      spec = scratch.write("s.cpp",
                                           "#ifdef __CUDA_ARCH__\n#define ADD 2\n#else\n#define ADD 1\n#endif\n"
                                           "void f(const float* x, float* y, int n) "
                                           "{ for (int i = 0; i < n; i++) y[i] = x[i] + ADD; }\n");
    return run_tool(fmt::format("verify '{}' --spec '{}' --run=none", kernel, spec));
  };
  const ToolResult wrong = judged("blockIdx.x * T + threadIdx.x"),
                   right = judged("blockIdx.x * blockDim.x + threadIdx.x");
  EXPECT_EQ(wrong.exit_code, 3) << wrong.output;
  EXPECT_NE(right.output.find("proved for every n"), std::string::npos) << right.output;
}

}  // namespace
}  // namespace swizzle::test::programs_test
