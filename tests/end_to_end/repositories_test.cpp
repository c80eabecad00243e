// `verify` of files as repositories have them: a kernel, its reference for a CPU and what measures both, with headers
// of which some are not here.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::repositories_test {
namespace {

constexpr const char *kCommon = R"(#include <stdlib.h>
#include <nowhere/library.h>
#include <cublas_v2.h>
#define check(e) check_error((e), __FILE__, __LINE__)
void check_error(cudaError_t error, const char* file, int line);
template <class T> __host__ __device__ T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <class Kernel, class... Arguments> float measured(Kernel kernel, Arguments&&... arguments) { return 0; }
typedef __nv_bfloat16 narrow;
)",
                     *const kFile = R"(#include <stdio.h>
#include "common.h"

float twice(float a) { return a + a; }

void scale_cpu(float* out, const float* in, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) out[i * m + j] = twice(in[i * m + j]);
}

void copy_cpu(float* out, const float* in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i];
}

void add_cpu(float* out, const float* in, int n, int m) {
  for (int i = 0; i < n * m; i++) out[i] = out[i] + in[i];
}

__global__ void scale_kernel(float* out, const float* in, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * m) out[i] = 2.0f * in[i];
}

void scale(float* out, const float* in, int n, int m, int block_size) {
  const int grid_size = ceil_div(n * m, block_size);
  scale_kernel<<<grid_size, block_size>>>(out, in, n, m);
  check(cudaGetLastError());
}

__global__ void add_kernel(float* out, const float* in, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * m) out[i] += in[i];
}

void add(float* out, const float* in, int n, int m, int block_size) {
  block_size = 64;  // enough
  int grid_size = n * m / block_size;
  if (n * m % block_size) grid_size++;
  add_kernel<<<grid_size, block_size>>>(out, in, n, m);
  printf("%f\n", measured(add_kernel, out, in, n, m));
  block_size = 32;
}

__global__ void narrow_kernel(narrow* out, const narrow* in, int n) { out[threadIdx.x] = in[threadIdx.x]; }
)";

class Repositories : public testing::Test {
 protected:
  ToolResult verified(const std::string& kernel, const std::string& spec, const std::string& more = "") {
    return run_tool(fmt::format("verify '{0}' --kernel {1} --spec '{0}{2}' --run=none {3}", file_, kernel, spec, more));
  }

  ScratchFolder scratch_;
  const std::string common_ = scratch_.write("common.h", kCommon), file_ = scratch_.write("kernels.cu", kFile);
};

TEST_F(Repositories, AKernelEqualsTheReferenceBesideIt) {
  const ToolResult r = verified("scale_kernel", ":scale_cpu");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("kernels.cu:26:3: note: 'block_size' is taken to be 256; --set block_size=… says otherwise"),
            std::string::npos)
      << r.output;
  EXPECT_NE(r.output.find("proved for every size with block_size == 256, 1 <= n"), std::string::npos) << r.output;
}

TEST_F(Repositories, WhatTheLaunchAloneTakesMayBeGiven) {
  const ToolResult r = verified("scale_kernel", ":scale_cpu", "--set block_size=96 --set n=3");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.output.find("note:"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("block_size == 96"), std::string::npos) << r.output;
}

TEST_F(Repositories, WhatFollowsALaunchChangesNothing) {
  const ToolResult r = verified("add_kernel", ":add_cpu");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("proved for every size with 1 <= n"), std::string::npos) << r.output;
}

TEST_F(Repositories, AKernelIsNotAnotherReference) {
  EXPECT_EQ(verified("scale_kernel", ":add_cpu").exit_code, 3);
  const ToolResult unknown = verified("scale_kernel", ":scale_gpu");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.output.find("there is no function 'scale_gpu' here; there are"), std::string::npos)
      << unknown.output;
  EXPECT_EQ(verified("scale_kernel", ":scale cpu").exit_code, 1);
}

TEST_F(Repositories, TypesOfHeadersThatAreNotHereAreKnown) {
  const ToolResult r = verified("narrow_kernel", ":copy_cpu");
  EXPECT_NE(r.output.find("error: parameter 'out' is 'float *' in the spec and"), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find("'int *' in the kernel"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::repositories_test
