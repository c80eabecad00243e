// Loops whose heads call functions.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::loop_heads_test {
namespace {

// A row a warp: `functions`, and the head of its loop.
AsItIs rows(const std::string& name, const std::string& functions, const std::string& head, const std::string& said) {
  return {name,
          fmt::format("{}\n__global__ void f(const float* x, const int* w, float* y, int rows, int n) {{\n"
                      "  for ({}) y[blockIdx.x * n + i] = w[0] + x[blockIdx.x * n + i];\n}}\n"
                      "void run(const float* x, const int* w, float* y, int rows, int n) {{\n"
                      "  f<<<rows, 32>>>(x, w, y, rows, n);\n}}\n",
                      functions, head),
          "void f(const float* x, const int* w, float* y, int rows, int n) {\n  for (int r = 0; r < rows; r++)\n"
          "    for (int i = 0; i < n; i++) y[r * n + i] = w[0] + x[r * n + i];\n}\n",
          "",
          0,
          said};
}

constexpr const char* kProved = "; proved for every size with 1 <= rows";

class LoopHeads : public testing::TestWithParam<AsItIs> {};

TEST_P(LoopHeads, MayCallFunctions) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, LoopHeads,
    testing::Values(
        rows("First", "__device__ int lane() { return threadIdx.x & 31; }", "int i = lane(); i < n; i += 32", kProved),
        rows("Step", "__device__ constexpr int times(int k) { return 16 * k; }",
             "int i = threadIdx.x; i < n; i += times(2)", kProved),
        rows("CallsOfCalls",
             "__device__ int width() { int w = 1; for (int k = 0; k < 5; k++) w *= 2; return w; }\n"
             "__device__ int step(int k) { return k * width(); }",
             "int i = threadIdx.x; i < n; i += step(1)", kProved),
        rows("Members", "struct Warp { __device__ int rank() const { return threadIdx.x % 32; } };",
             "int i = Warp().rank(); i < n; i += 32", kProved),
        rows("Groups", "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;",
             "int i = cg::tiled_partition<32>(cg::this_thread_block()).thread_rank(); i < n; i += 32", kProved),
        rows("WhatMemoryTells", "__device__ int step(const int* w) { return w[0] == 0 ? 32 : 32; }",
             "int i = threadIdx.x; i < n; i += step(w)", "; not proved for other sizes"),
        rows("WhatTheLoopChanges", "__device__ int step(int i) { return i < 1000000 ? 32 : 64; }",
             "int i = threadIdx.x; i < n; i += step(i)", "; not proved for other sizes")),
    name_of);

}  // namespace
}  // namespace swizzle::test::loop_heads_test
