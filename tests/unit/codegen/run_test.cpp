#include "codegen/run/run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "codegen/run/test_program.h"
#include "codegen/run/toolchain.h"

namespace swizzle::run_test {
namespace {

constexpr const char* kStencilKernel = R"(
#include <cuda_runtime.h>
// y[i] = x[i] + x[i + 1] + x[i + 2]; lanes hold 34 elements between them
__global__ void stencil(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x & 31;
  const int base = blockIdx.x * blockDim.x + threadIdx.x - lane;
  float rc[2];
  rc[0] = x[base + lane];
  rc[1] = lane < 2 ? x[base + 32 + lane] : 0.0f;
  float out = 0.0f;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const float mine = lane < k ? rc[1] : rc[0];
    out += __shfl_sync(0xffffffffu, mine, (lane + k) & 31);
  }
  y[base + lane] = out;
}
)";

constexpr const char* kStencilSpec = R"(
void stencil(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i + 1] + x[i + 2];
}
)";

class Run : public testing::Test {
 protected:
  RunRequest request(const std::string& kernel, const std::string& spec = kStencilSpec) {
    RunRequest request;
    request.kernel_path = *scratch_.write("it's a \"kernel\".cu", kernel);
    request.kernel_name = "stencil";
    request.spec_function = "stencil";
    request.spec_text = spec;
    request.spec_path = scratch_.path() + "/stencil.cpp";
    request.parameters = {BufferSpec{"x", packed_item(Scalar::kF32, 1), "float", true},
                          BufferSpec{"y", packed_item(Scalar::kF32, 1), "float", false}, ScalarParameter{"n", "int"}};
    for (const int n : {64, 128, 4096}) {
      request.sizes.push_back({{{"n", n}}, {{n / 64, 1, 1}, {64, 1, 1}}, {n + 2, n}});
    }
    return request;
  }

  // Two inputs that are no parameters: an array of the kernel and of the spec, and a number of the kernel alone.
  RunRequest request_with_symbols() {
    RunRequest asked =
        request("namespace taps { __constant__ float w[1]; }\n__constant__ float gain;\n" +
                    replaced(kStencilKernel, "= out", "= gain * taps::w[0] * out"),
                replaced(replaced("float u[1];" + std::string(kStencilSpec), "int n", "int n, float gain"),
                         "x[i] + x[i + 1] + x[i + 2]", "gain * u[0] * (x[i] + x[i + 1] + x[i + 2])"));
    asked.parameters.push_back(ScalarParameter{"gain", "float", {"gain", ""}});
    asked.parameters.push_back(BufferSpec{"w", packed_item(Scalar::kF32, 1), "float", true, {"taps::w", "u"}});
    for (RunSize& size : asked.sizes) size.extents.push_back(1);
    return asked;
  }

  // A kernel, a type, symbols and macros of names that a test program might have for itself.
  RunRequest request_with_its_names() {
    RunRequest asked = request(R"(
struct Order { float a; };
__constant__ float b[1], swizzle_check[1];
__constant__ float s;
#define check(call) call;;
#define size 64
#define Size 64
#define block 64
#define launch {
__global__ void grid(const Order* x, Order* y, int n) {
  const int i = blockIdx.x * size + threadIdx.x;
  y[i].a = s * b[0] * x[i].a + swizzle_check[0];
}
)",
                               "struct Order { float a; };\nfloat b[1], swizzle_run[1];\n"
                               "void s(const Order* x, Order* y, int n, float s) {\n"
                               "  for (int i = 0; i < n; ++i) y[i].a = s * b[0] * x[i].a + swizzle_run[0];\n}\n");
    asked.kernel_name = "grid";
    asked.spec_function = "s";
    const ItemLayout number = packed_item(Scalar::kF32, 1);
    asked.parameters = {BufferSpec{"x", number, "Order", true},
                        BufferSpec{"y", number, "Order", false},
                        ScalarParameter{"n", "int"},
                        ScalarParameter{"s", "float", {"s", ""}},
                        BufferSpec{"b", number, "float", true, {"b", "b"}},
                        BufferSpec{"w", number, "float", true, {"swizzle_check", "swizzle_run"}}};
    for (RunSize& size : asked.sizes) size.extents.insert(size.extents.end(), {1, 1});
    return asked;
  }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }

  ScratchFolder scratch_;
};

std::string errors_of(const Result<RunOutcome>& outcome) {
  std::string text;
  if (!outcome) {
    for (const Diagnostic& error : outcome.errors()) text += error.message;
  }
  return text;
}

TEST_F(Run, ACorrectKernelHasNoMismatch) {
  const auto outcome = run(request(kStencilKernel), Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->where, "cpu: warp emulation");
  EXPECT_EQ(outcome->inputs, 6);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, AWrongKernelNamesTheFirstWrongElement) {
  const auto outcome = run(request(replaced(kStencilKernel, "lane < k ?", "lane <= k ?")), Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_GT(outcome->mismatches, 0);
  EXPECT_EQ(outcome->first_mismatch.rfind("y[0]: expected ", 0), 0u) << outcome->first_mismatch;
  EXPECT_NE(outcome->first_mismatch.find("(n=64, round 0)"), std::string::npos) << outcome->first_mismatch;
}

TEST_F(Run, AnOutputThatIsNeverWrittenIsAMismatch) {
  const auto outcome = run(
      request(replaced(kStencilKernel, "y[base + lane] = out;", "if (lane != 7) y[base + lane] = out;")), Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_NE(outcome->first_mismatch.find("y[7]: expected"), std::string::npos);
  EXPECT_NE(outcome->first_mismatch.find("never written"), std::string::npos);
  EXPECT_EQ(outcome->mismatches, 2 * (2 + 4 + 128));
}

TEST_F(Run, KernelAndSpecMayEachDefineTheStructTheyShare) {
  const std::string pair = "struct Pair { float a, b; };\n";
  RunRequest swapped = request(
      pair +
          "__global__ void stencil(const Pair* x, Pair* y, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = {x[i].b, x[i].a};\n}\n",
      pair + "void stencil(const Pair* x, Pair* y, int n) { for (int i = 0; i < n; ++i) y[i] = {x[i].b, x[i].a}; }\n");
  swapped.parameters = {BufferSpec{"x", packed_item(Scalar::kF32, 2), "Pair", true},
                        BufferSpec{"y", packed_item(Scalar::kF32, 2), "Pair", false}, ScalarParameter{"n", "int"}};
  const auto outcome = run(swapped, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->inputs, 6);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, AStrayWritePastTheBufferIsCaught) {
  const auto outcome = run(request(replaced(kStencilKernel, "y[base + lane] = out;",
                                            "y[base + lane] = out; if (base + lane == n - 1) y[n + 3] = 1.0f;")),
                           Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_NE(outcome->first_mismatch.find("y[67]: written outside the buffer's 64 elements"), std::string::npos)
      << outcome->first_mismatch;
}

TEST_F(Run, AWriteThatTheSpecDoesNotMakeIsAMismatch) {
  RunRequest longer = request(replaced(kStencilKernel, "y[base + lane] = out;", "y[base + lane] = out; y[n] = 1.0f;"));
  for (RunSize& size : longer.sizes) size.extents[1] += 4;
  const auto outcome = run(longer, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_NE(outcome->first_mismatch.find("y[64]: written as 1, the spec leaves it alone"), std::string::npos)
      << outcome->first_mismatch;
}

TEST_F(Run, AReadPastTheBufferIsAMismatch) {
  RunRequest shorter = request(replaced(kStencilKernel, "x[base + lane]", "x[base + lane + 3]"));
  EXPECT_GT(run(shorter, Where::kCpu)->mismatches, 0);
}

TEST_F(Run, ADeadlockIsAMismatchThatNamesTheKernelsFile) {
  const auto outcome = run(request(replaced(kStencilKernel, "float out = 0.0f;",
                                            "float out = 0.0f; if (lane < 3) __syncthreads(); else __syncwarp();")),
                           Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 1);
  EXPECT_NE(outcome->first_mismatch.find("deadlock"), std::string::npos);
  EXPECT_NE(outcome->first_mismatch.find("\"kernel\".cu:10"), std::string::npos) << outcome->first_mismatch;
}

TEST_F(Run, AKernelThatDoesNotCompileGivesTheCompilersWords) {
  const auto outcome =
      run(request(replaced(kStencilKernel, "float out = 0.0f;", "float out = nonsense;")), Where::kCpu);
  ASSERT_FALSE(outcome);
  EXPECT_NE(errors_of(outcome).find("nonsense"), std::string::npos) << errors_of(outcome);
  EXPECT_NE(errors_of(outcome).find("\"kernel\".cu:10"), std::string::npos) << errors_of(outcome);
}

TEST_F(Run, OnAGpuDynamicSharedMemoryIsAskedFor) {
  RunRequest dynamic = request(kStencilKernel);
  EXPECT_NE(test_program_source(dynamic, Where::kGpu, "kernel.cu")
                .find("::stencil<<<swizzle_test_grid, swizzle_test_block>>>("),
            std::string::npos);
  dynamic.sizes[1].dynamic_shared_bytes = 4096;
  const std::string source = test_program_source(dynamic, Where::kGpu, "kernel.cu");
  EXPECT_NE(
      source.find("::stencil<<<swizzle_test_grid, swizzle_test_block, swizzle_test_size.dynamic_shared_bytes>>>("),
      std::string::npos)
      << source;
  EXPECT_NE(source.find("cudaFuncSetAttribute(::stencil, cudaFuncAttributeMaxDynamicSharedMemorySize"),
            std::string::npos)
      << source;
}

TEST_F(Run, SymbolsAreFilledOnBothSides) {
  const auto outcome = run(request_with_symbols(), Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
  RunRequest unfilled = request_with_symbols();
  std::get<BufferSpec>(unfilled.parameters.back()).symbols.of_kernel = "gain";  // which is filled already
  EXPECT_GT(run(unfilled, Where::kCpu)->mismatches, 0);
}

TEST_F(Run, NamesOfKernelAndSpecAreTheirOwn) {
  const auto outcome = run(request_with_its_names(), Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, MacrosOfTheKernelAreNotTheSpecs) {
  RunRequest asked =
      request("#define size blockDim.x\n#define n_more 2\n" + replaced(kStencilKernel, "blockDim.x", "size"),
              "const int n_more = 2;\n" + replaced(kStencilSpec, "i + 2", "i + n_more"));
  asked.kernel_macros = {"size", "n_more"};
  const auto outcome = run(asked, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, HeadersOfTheUserMayHaveAnyNames) {
  const std::string header = "#include \"harness.h\"\n";
  static_cast<void>(scratch_.write("harness.h", "#pragma once\nstruct Value { float a; };\n"));
  static_cast<void>(scratch_.write("accumulators.h", "#error not this one\n"));
  RunRequest asked = request(header +
                                 "__global__ void stencil(const Value* x, Value* y, int n) {\n"
                                 "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i];\n}\n",
                             header +
                                 "void stencil(const Value* x, Value* y, int n) {\n"
                                 "  for (int i = 0; i < n; ++i) {\n    acc o = create_accumulator(0, plus);\n"
                                 "    accumulate(o, {x[i].a});\n    y[i].a = eval(o);\n  }\n}\n");
  asked.parameters = {BufferSpec{"x", packed_item(Scalar::kF32, 1), "Value", true},
                      BufferSpec{"y", packed_item(Scalar::kF32, 1), "Value", false}, ScalarParameter{"n", "int"}};
  const auto outcome = run(asked, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, ASpecThatWritesOutsideIsAnError) {
  const auto outcome = run(request(kStencilKernel, replaced(kStencilSpec, "i < n", "i <= n")), Where::kCpu);
  ASSERT_FALSE(outcome);
  EXPECT_NE(errors_of(outcome).find("the spec writes y[64] at n=64, outside its 64 elements"), std::string::npos)
      << errors_of(outcome);
}

TEST_F(Run, AMissingSizeIsAnError) {
  RunRequest incomplete = request(kStencilKernel);
  incomplete.sizes[1].sizes.clear();
  EXPECT_NE(errors_of(run(incomplete, Where::kCpu)).find("parameter 'n' has no value"), std::string::npos);
}

TEST_F(Run, SpecsMayUseAccumulatorsAndIncludes) {
  const auto outcome = run(request(kStencilKernel, R"(#include <algorithm>
#include <functional>
using namespace std;
void stencil(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    acc o = create_accumulator(0, identity, plus);
    for (int k = 0; k < 5; ++k) accumulate(o, {x[i + std::min(k, 2)]}, k < 3);
    y[i] = eval(o);
  }
}
)"),
                           Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, TwoOperatorsCombineWithinAndAmongTuples) {
  RunRequest bits = request(R"(
__global__ void stencil(const unsigned* a, const uint2* b, unsigned* c, int n) {
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.z);
  c[i] = (a[i] & b[i].x) ^ (a[i] & b[i].y);
}
)",
                            R"(
void stencil(const unsigned* a, const uint2* b, unsigned* c, int n) {
  for (int i = 0; i < n; ++i) {
    auto o = create_accumulator(0, identity, bit_xor, bit_and);
    accumulate(o, {a[i], b[i].x});
    accumulate(o, {a[i], b[i].y});
    c[i] = eval(o);
  }
}
)");
  bits.parameters = {BufferSpec{"a", packed_item(Scalar::kU32, 1), "unsigned", true},
                     BufferSpec{"b", packed_item(Scalar::kU32, 2), "uint2", true},
                     BufferSpec{"c", packed_item(Scalar::kU32, 1), "unsigned", false}, ScalarParameter{"n", "int"}};
  bits.sizes = {{{{"n", 64}}, {{1, 1, 2}, {8, 4, 1}}, {64, 64, 64}}};
  const auto outcome = run(bits, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, AKernelMayWorkInPlace) {
  RunRequest in_place = request(R"(
__global__ void stencil(int* y, int n) { y[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
)",
                                "void stencil(int* y, int n) { for (int i = 0; i < n; ++i) y[i] *= 3; }");
  in_place.parameters = {BufferSpec{"y", packed_item(Scalar::kI32, 1), "int", false}, ScalarParameter{"n", "int"}};
  for (RunSize& size : in_place.sizes) size.extents = {size.sizes["n"]};
  const auto outcome = run(in_place, Where::kCpu);
  ASSERT_TRUE(outcome) << errors_of(outcome);
  EXPECT_EQ(outcome->mismatches, 0) << outcome->first_mismatch;
}

TEST_F(Run, LeavesNothingBehind) {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "";
  const std::string folder = scratch_.path() + "/tmp of run";
  std::filesystem::create_directory(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  const RunRequest good = request(kStencilKernel);
  const RunRequest bad = request("__global__ void stencil(");
  static_cast<void>(run(good, Where::kCpu));
  static_cast<void>(run(bad, Where::kCpu));
  before != nullptr ? setenv("TMPDIR", saved.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Run, CompilesForTheTargetWhileItRuns) {
  if (!find_nvcc()) GTEST_SKIP() << "no nvcc here";
  const RunRequest good = request(kStencilKernel);
  Result<TargetBuild> built = TargetBuild{};
  std::thread target([&] { built = compile_for_target({good.kernel_path, "sm_90"}); });
  const auto outcome = run(good, Where::kCpu);
  target.join();
  ASSERT_TRUE(outcome) << errors_of(outcome);
  ASSERT_TRUE(built) << built.errors()[0].message;
  EXPECT_NE(built->resources.find("registers"), std::string::npos) << built->resources;
  EXPECT_EQ(built->warnings, "");
}

TEST_F(Run, TellsTheWarningsOfNvcc) {
  if (!find_nvcc()) GTEST_SKIP() << "no nvcc here";
  const RunRequest warned = request(replaced(kStencilKernel, "float out = 0.0f;", "float out = 0.0f; int unused = 3;"));
  const auto built = compile_for_target({warned.kernel_path, "sm_90", "warned.cu"});
  ASSERT_TRUE(built) << built.errors()[0].message;
  EXPECT_NE(built->warnings.find("\"unused\" was declared but never referenced"), std::string::npos) << built->warnings;
  EXPECT_NE(built->warnings.find("warned.cu("), std::string::npos) << built->warnings;
}

TEST_F(Run, TheGpuDriverBuildsWithoutAGpu) {
  if (!find_nvcc()) GTEST_SKIP() << "no nvcc here";
  if (gpu_present()) GTEST_SKIP() << "there is a GPU: the next test runs the test program";
  const auto outcome = run(request(kStencilKernel), Where::kGpu);
  EXPECT_EQ(errors_of(outcome).rfind("the test program ended with exit code 1: CUDA: ", 0), 0u) << errors_of(outcome);
  const auto filled = run(request_with_symbols(), Where::kGpu);
  EXPECT_EQ(errors_of(filled).rfind("the test program ended with exit code 1: CUDA: ", 0), 0u) << errors_of(filled);
  RunRequest names = request_with_its_names();
  names.kernel_macros = {"check", "size", "Size", "block", "launch"};
  const auto named = run(names, Where::kGpu);
  EXPECT_EQ(errors_of(named).rfind("the test program ended with exit code 1: CUDA: ", 0), 0u) << errors_of(named);
}

TEST_F(Run, OnTheGpuACorrectKernelPassesAndAWrongOneDoesNot) {
  if (!gpu_present() || !find_nvcc()) GTEST_SKIP() << "no GPU with nvcc here";
  const auto good = run(request(kStencilKernel), Where::kGpu);
  ASSERT_TRUE(good) << errors_of(good);
  EXPECT_EQ(good->mismatches, 0) << good->first_mismatch;
  EXPECT_EQ(run(request_with_symbols(), Where::kGpu)->mismatches, 0);
  EXPECT_EQ(run(request_with_its_names(), Where::kGpu)->mismatches, 0);
  EXPECT_EQ(good->where.rfind("gpu: ", 0), 0u);
  EXPECT_GT(run(request(replaced(kStencilKernel, "lane < k ?", "lane <= k ?")), Where::kGpu)->mismatches, 0);
}

TEST(SplitIncludes, KeepsLineNumbersInBothParts) {
  const SplitSpec split = split_includes("#ifdef A\n#include <x>\n#endif\nint f();\n");
  EXPECT_EQ(split.includes, "#ifdef A\n#include <x>\n#endif\n\n");
  EXPECT_EQ(split.rest, "#ifdef A\n\n#endif\nint f();\n");
}

}  // namespace
}  // namespace swizzle::run_test
