// Kernels that a GPU does not execute, at the sizes that are given or at others: no spec is like them.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::refused_by_gpus_test {
namespace {

class RefusedByGpus : public testing::TestWithParam<AsItIs> {};

TEST_P(RefusedByGpus, IsToldAndProvedForNoSize) { expect_judged(GetParam()); }

// What a warp reads or writes at once lies at a multiple of its bytes.
AsItIs access(const std::string& name, const std::string& body, const std::string& of_spec, int exit_code,
              const std::string& said) {
  return {name,
          "__global__ void f(const float* x, float* y, int n) {\n  const int i = blockIdx.x * 64 + threadIdx.x;\n  " +
              body + "\n}\nvoid run(float* x, float* y, int n) { f<<<n / 64, 64>>>(x, y, n); }\n",
          "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) " + of_spec + " }",
          "--set n=128",
          exit_code,
          said};
}

INSTANTIATE_TEST_SUITE_P(
    Misaligned, RefusedByGpus,
    testing::Values(
        access("Load", "const float2 v = *reinterpret_cast<const float2*>(x + i);\n  y[i] = v.x + v.y;",
               "y[i] = x[i] + x[i + 1];", 3, "thread 1 accesses 8 bytes at byte 4 of 'x', which is no multiple of 8"),
        access("Store", "if (i % 2 == 0) *reinterpret_cast<int2*>(y + i + 1) = make_int2(1, 1);", "y[i + 1] = 1;", 3,
               "thread 0 accesses 8 bytes at byte 4 of 'y', which is no multiple of 8"),
        access("OfRegisters", "float r[4] = {x[i], x[i], x[i], x[i]};\n  y[i] = reinterpret_cast<float2*>(r + 1)->x;",
               "y[i] = x[i];", 0, "proved for every n"),
        access(
            "OfRegistersAtOnce",
            "float r[4] = {x[i], x[i], x[i], x[i]};\n  const float2 v = *reinterpret_cast<float2*>(r + 1);\n  y[i] = v.x;",
            "y[i] = x[i];", 3, "accesses 8 bytes at byte 4 of 'r'"),
        access("Aligned", "const float2 v = *reinterpret_cast<const float2*>(x + 2 * i);\n  y[i] = v.x + v.y;",
               "y[i] = x[2 * i] + x[2 * i + 1];", 0, "proved for every n")),
    name_of);

// Of rows: as long as these are whole vectors.
AsItIs rows(const std::string& name, const std::string& sizes, int exit_code, const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int w, int h) {\n"
      "  const int c = 4 * threadIdx.x, r = blockIdx.x;\n"
      "  if (c + 3 < w) *reinterpret_cast<float4*>(y + r * w + c) = *reinterpret_cast<const float4*>(x + r * w + c);\n"
      "}\nvoid run(float* x, float* y, int w, int h) { f<<<h, 32>>>(x, y, w, h); }\n",
      "void f(const float* x, float* y, int w, int h) {\n"
      "  for (int r = 0; r < h; r++) for (int c = 0; c < w / 4 * 4; c++) y[r * w + c] = x[r * w + c];\n}",
      sizes,
      exit_code,
      said};
}

INSTANTIATE_TEST_SUITE_P(MisalignedRows, RefusedByGpus,
                         testing::Values(rows("Whole", "--set w=64 --set h=3 --proof=posed", 0, "equal"),
                                         rows("NotWhole", "--set w=66 --set h=3", 3,
                                              "thread 32 accesses 16 bytes at byte 264 of 'x'")),
                         name_of);

AsItIs operation(const std::string& name, const std::string& by, const std::string& sizes, int exit_code,
                 const std::string& said) {
  return {name,
          "__global__ void f(const unsigned* x, unsigned* y, int n) {\n"
          "  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i < n) y[i] = x[i] " +
              by + ";\n}\nvoid run(unsigned* x, unsigned* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
          "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] " + by + "; }",
          sizes,
          exit_code,
          said};
}

INSTANTIATE_TEST_SUITE_P(
    Undefined, RefusedByGpus,
    testing::Values(operation("ShiftBySize", ">> (n / 256)", "", 0, "not proved for other sizes"),
                    operation("ShiftBySizeThere", ">> (n / 256)", "--set n=8192", 1, "a shift by 32"),
                    operation("LeftShift", "<< (n / 1024)", "", 0, "not proved for other sizes"),
                    operation("DividedBySize", "/ (n - 1700)", "", 0, "not proved for other sizes"),
                    operation("DividedByMoreThanSize", "/ (n + 1)", "", 0, "proved for every n"),
                    operation("ShiftByLane", ">> (i % 32)", "", 0, "proved for every n")),
    name_of);

AsItIs launched(const std::string& name, const std::string& grid, const std::string& block, const std::string& index,
                int exit_code, const std::string& said) {
  return {name,
          "#pragma swizzle launch grid(" + grid + ") block(" + block +
              ")\n__global__ void f(const float* x, float* y, int n) { y[" + index + "] = x[" + index + "]; }\n",
          "void f(const float* x, float* y, int n) { for (int i = 0; i < 32 * n; i++) y[i] = x[i]; }",
          "--set n=4",
          exit_code,
          said};
}

INSTANTIATE_TEST_SUITE_P(Launches, RefusedByGpus,
                         testing::Values(launched("BlocksAlongY", "1, n", "32", "32 * blockIdx.y + threadIdx.x", 0,
                                                  "proved for every n from 1 to 65535"),
                                         launched("ThreadsAlongZ", "n / 4", "1, 1, 128",
                                                  "128 * blockIdx.x + threadIdx.z", 1,
                                                  "128 threads along z are more than the 64 that there can be")),
                         name_of);

// A barrier is for all threads of the block, at sizes that were not given, too.
AsItIs with_barrier(const std::string& name, const std::string& around, int exit_code, const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int m) {\n  __shared__ float s[128];\n  float v = 0;\n  " + around +
          " {\n    s[threadIdx.x] = x[blockIdx.x * m + c];\n    __syncthreads();\n    v += s[threadIdx.x];\n"
          "    __syncthreads();\n  }\n  y[blockIdx.x * 128 + threadIdx.x] = v;\n}\n"
          "void run(float* x, float* y, int m) { f<<<2, 128>>>(x, y, m); }\n",
      "void f(const float* x, float* y, int m) {\n  for (int b = 0; b < 2; b++)\n    for (int t = 0; t < 128; t++) {\n"
      "      y[b * 128 + t] = 0;\n      for (int c = t; c < m; c += 128) y[b * 128 + t] += x[b * m + c];\n    }\n}",
      "",
      exit_code,
      said};
}

INSTANTIATE_TEST_SUITE_P(
    Barriers, RefusedByGpus,
    testing::Values(with_barrier("NotReached", "for (int c = threadIdx.x; c < m; c += 128)", 3,
                                 "which is none of the sizes given, thread"),
                    AsItIs{"Guarded",
                           "__global__ void f(const float* x, float* y, int n) {\n  __shared__ float s[64];\n"
                           "  s[threadIdx.x] = x[threadIdx.x];\n  if (threadIdx.x < 32) __syncthreads();\n"
                           "  y[threadIdx.x] = s[63 - threadIdx.x];\n}\n"
                           "void run(float* x, float* y, int n) { f<<<n / 64, 64>>>(x, y, n); }\n",
                           "void f(const float* x, float* y, int n) { for (int i = 0; i < 64; i++) y[i] = x[63 - i]; }",
                           "--set n=64", 3, "at n=64, thread 32 does not reach this __syncthreads()"}),
    name_of);

// One for each lane, where each says what those before it do.
INSTANTIATE_TEST_SUITE_P(
    Ballots, RefusedByGpus,
    testing::Values(AsItIs{
        "OfARaggedEnd",
        "__global__ void f(const float* x, float* y, int n) {\n  const int i = blockIdx.x * 256 + threadIdx.x;\n"
        "  const unsigned m = __ballot_sync(~0u, i < n);\n  if (i < n) y[i] = x[i] + __popc(m);\n}\n"
        "void run(float* x, float* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
        "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n    int c = 0;\n"
        "    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) c += j < n;\n    y[i] = x[i] + c;\n  }\n}",
        "", 0, "proved for every n"}),
    name_of);

// The cheaper of two ways is none where it faults.
TEST(RefusedByGpusInSketches, ACompletionThatIsMisalignedIsNone) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write(
      "s.cu",
      "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n#pragma swizzle extent x(n + 8)\n"
      "__device__ float scalar(const float* p) { return p[0] - p[1]; }\n"
      "__device__ float vector(const float* p) { const float2 v = *reinterpret_cast<const float2*>(p); return v.x - v.y; }\n"
      "__global__ void f(const float* x, float* y, int n) {\n  const int i = blockIdx.x * 32 + threadIdx.x;\n"
      "  y[i] = ?sw_choose(scalar(&x[i]), vector(&x[i]));\n}\n");
  const std::string spec = scratch.write(
      "s.cpp", "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] - x[i + 1]; }\n");
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none", sketch, spec));
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("found, cost 18"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::refused_by_gpus_test
