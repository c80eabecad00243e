// A kernel as the spec: a sketch that must store what an existing __global__ function stores.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::kernel_spec_test {
namespace {

constexpr const char* kSketch =
    "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 256\n"
    "__global__ void reverse(const float* x, float* y, int n) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  const int lane = threadIdx.x % 32;\n"
    "  y[i] = __shfl_sync(0xffffffffu, x[i], ?sw_xform(lane, 32));\n}\n";

// Through shared memory, in blocks of 32.
std::string old_kernel(const std::string& name, const std::string& launch, const std::string& index = "31 - t") {
  return "#include <cuda_runtime.h>\n" + launch + "__global__ void " + name +
         "(const float* in, float* out, int count) {\n  __shared__ float s[32];\n  const int t = threadIdx.x;\n" +
         "  if (blockIdx.x * 32 + t < count) s[t] = in[blockIdx.x * 32 + t];\n  __syncthreads();\n  out[blockIdx.x * 32 + t] = s[" +
         index + "];\n}\n";
}

constexpr const char* kLaunch = "#pragma swizzle launch grid(count / 32) block(32)\n";

ToolResult run_against(const std::string& spec, const std::string& more = "--run=cpu") {
  const ScratchFolder scratch;
  return run_tool(fmt::format("'{}' --spec '{}' {}", scratch.write("reverse.cu", kSketch),
                              scratch.write("old_kernel.cu", spec), more));
}

TEST(KernelSpec, ASketchEqualsAnExistingKernel) {
  const ToolResult r = run_against(old_kernel("reverse_shared", kLaunch));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("__shfl_sync(0xffffffffu, x[i], 31 - lane)"), std::string::npos) << r.kernel;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["run"]["where"], "cpu: warp emulation");
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 2u);
}

TEST(KernelSpec, TheKernelOfTheSketchsNameComesFirst) {
  const ToolResult r =
      run_against(old_kernel("rotate", kLaunch, "(t + 1) % 32") + old_kernel("reverse", ""), "--run=none");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("31 - lane"), std::string::npos) << r.kernel;
}

TEST(KernelSpec, WhatNoShuffleOfTheSketchGivesIsInfeasible) {
  EXPECT_EQ(run_against(old_kernel("reverse", kLaunch, "t * t % 32"), "--run=none").exit_code, 10);
}

TEST(KernelSpec, AKernelNeedsItsLaunch) {
  const ToolResult r = run_against(old_kernel("reverse", ""), "--run=none");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("old_kernel.cu:2:17: error: a kernel as the spec needs its own launch shape"),
            std::string::npos)
      << r.output;
}

TEST(KernelSpec, ARaceInItIsAnError) {
  std::string racing = old_kernel("reverse", kLaunch);
  racing.erase(racing.find("  __syncthreads();\n"), std::string("  __syncthreads();\n").size());
  const ToolResult r = run_against(racing, "--run=none");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("without a barrier between them: a race"), std::string::npos) << r.output;
}

// A whole program: what its kernel reaches is the spec, the rest need not be understood.
std::string program(const std::string& element = "in[i]") {
  return "#include <cstdio>\n#include <iostream>\n#include <vector>\n#include \"helper_cuda.h\"\n" +
         std::string(kLaunch) +
         "#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) exit(1); } while (0)\nconstexpr int kBlock = 32;\n"
         "__device__ float item(const float* in, int i) { return " +
         element +
         "; }\n"
         "template <int kStep> __global__ void reverse(const float* in, float* out, int count) {\n  __shared__ float s[kBlock];\n  const int t = threadIdx.x;\n"
         "  s[t] = item(in, blockIdx.x * kBlock + t);\n  __syncthreads();\n  out[blockIdx.x * kBlock + t] = s[kBlock - kStep - t];\n}\n"
         "__global__ void histogram(const int* x, int* bins) { atomicAdd(&bins[x[threadIdx.x]], 1); }\n"
         "struct Timer { cudaEvent_t start; Timer() { cudaEventCreate(&start); } };\nstd::vector<float> everything;\n"
         "static std::vector<float> reference(const std::vector<float>& x) { return x; }\n"
         "int main() {\n  const int n = 64;\n  std::vector<float> host(n);\n  float *in, *out;\n  CHECK(cudaMalloc(&in, n * sizeof(float)));\n  CHECK(cudaMalloc(&out, n * sizeof(float)));\n"
         "  dim3 grid(n / kBlock), block(kBlock);\n  reverse<1><<<grid, block>>>(in, out, n);\n  CHECK(cudaGetLastError());\n  std::cout << host[0] << std::endl;\n  return 0;\n}\n";
}

TEST(KernelSpec, HostCodeIsSkipped) {
  const ToolResult r = run_against(program());
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("31 - lane"), std::string::npos) << r.kernel;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

TEST(KernelSpec, WhatTheKernelReachesIsNot) {
  const ToolResult r = run_against(program("in[j]"), "--run=none");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("old_kernel.cu:8:59: error: use of undeclared identifier 'j'"), std::string::npos)
      << r.output;
  EXPECT_EQ(r.output.find("cudaEvent_t"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::kernel_spec_test
