// Words of shared memory whose address a hole decides.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::shared_memory_test {
namespace {

std::string sketch(const std::string& barrier) {
  return "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n"
         "__global__ void k(const float* x, float* y, int n) {\n"
         "  __shared__ float s[32];\n  const int lane = threadIdx.x;\n  const int i = blockIdx.x * 32 + lane;\n"
         "  s[lane] = x[i];\n  " +
         barrier + "\n  y[i] = s[?sw_xform(lane, 32)];\n}\n";
}

const char* const kCopy = "void k(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i];\n}\n";
const char* const kReverse =
    "void k(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + 31 - i % 32];\n}\n";

ToolResult complete(const std::string& sketch, const std::string& spec) {
  const ScratchFolder scratch;
  return run_tool(
      fmt::format("'{}' --spec '{}' --run=none", scratch.write("k.cu", sketch), scratch.write("k.cpp", spec)));
}

TEST(SharedMemoryModel, ABarrierLetsAHoleReadWhatOthersWrote) {
  EXPECT_EQ(complete(sketch("__syncwarp();"), kReverse).exit_code, 0);
}

TEST(SharedMemoryModel, AnArrayMayBeStatic) {
  const ScratchFolder scratch;
  std::string text = sketch("__syncwarp();");
  text.replace(text.find("__shared__ float s[32]"), 22, "static __shared__ float other[3], s[32]");
  const ToolResult r = run_tool(
      fmt::format("'{}' --spec '{}' --run=cpu", scratch.write("k.cu", text), scratch.write("k.cpp", kReverse)));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

TEST(SharedMemoryModel, WithoutABarrierAHoleMayReadItsOwnWordOnly) {
  EXPECT_EQ(complete(sketch(""), kCopy).exit_code, 0);
  const ToolResult r = complete(sketch(""), kReverse);
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// What is missing is told, and not that no choice of the hole would do: with the barrier one does.
TEST(SharedMemoryModel, ABarrierThatIsMissingIsTold) {
  const ToolResult r = complete(sketch(""), kReverse);
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("k.cu:9:10: note: but for this there is a completion: "), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("without a barrier between them: a race"), std::string::npos) << r.output;
  const ToolResult far = complete(sketch(""),
                                  "void k(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) "
                                  "y[i] = x[i] + x[i / 32 * 32 + 31 - i % 32];\n}\n");
  EXPECT_EQ(far.exit_code, 10) << far.output;
  EXPECT_EQ(far.output.find("but for this"), std::string::npos) << far.output;
}

TEST(SharedMemoryModel, AWriteAfterAReadOfTheSameWordNeedsABarrierToo) {
  const std::string text = sketch("__syncwarp();");
  const std::size_t end = text.rfind('}');
  const std::string late = "  s[31 - lane] = 0;\n";
  EXPECT_EQ(complete(text.substr(0, end) + late + "}\n", kReverse).exit_code, 0);  // each lane overwrites what it read
  const ToolResult r = complete(text.substr(0, end) + late + "}\n", kCopy);
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

std::string transposed(const std::string& store, const std::string& load, int size) {
  return fmt::format(
      "#pragma swizzle launch grid(1) block({0})\n#pragma swizzle instance n = {1}\n"
      "__global__ void k(const int* x, int* y, int n) {{\n  __shared__ int s[{1}];\n  const int t = threadIdx.x;\n  for (int i = 0; i < {0}; i++) s[{2}] = x[i * {0} + t];\n"
      "  __syncthreads();\n  for (int i = 0; i < {0}; i++) y[i * {0} + t] = s[{3}];\n}}\n",
      size, size * size, store, load);
}

std::string transposition(int size) {
  return fmt::format(
      "void k(const int* x, int* y, int n) {{\n  for (int i = 0; i < {0}; i++)\n    for (int t = 0; t < {0}; t++) y[i * {0} + t] = x[t * {0} + i];\n}}\n",
      size);
}

TEST(SharedMemoryModel, HolesDecideWhereStoresGo) {
  const ToolResult r = run_pair("toy_transpose8_xor", "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["cost"]["shared_wavefronts"], 16);
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

TEST(SharedMemoryModel, HolesDecideWhereStoresOfALargeTileGo) {
  const ToolResult r =
      complete(transposed("i * 16 + ?sw_xor(t, 16, i)", "t * 16 + ?sw_xor(i, 16, t)", 16), transposition(16));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

// All of them, and those alone, that load from where they stored: with ?sw_xor, which cannot race, and with ?sw_xform,
// which might.
TEST(SharedMemoryModel, StoresAndLoadsGoToTheSameWords) {
  const auto listed = [](const std::string& hole) {
    const std::string store = fmt::format("i * 4 + ?{}(t, 4, i)", hole),
                      load = fmt::format("t * 4 + ?{}(i, 4, t)", hole);
    const ScratchFolder scratch;
    return run_tool(fmt::format("'{}' --spec '{}' --run=none --all=1000",
                                scratch.write("k.cu", transposed(store, load, 4)),
                                scratch.write("k.cpp", transposition(4))));
  };
  const ToolResult xors = listed("sw_xor"), transformations = listed("sw_xform");
  EXPECT_EQ(xors.report["completions"].size(), 48u);
  EXPECT_EQ(transformations.report["completions"].size(), 109u);
  for (const auto& completion : xors.report["completions"]) {
    std::string store = completion["expressions"][0], load = completion["expressions"][1];
    for (char& c : store) c = c == 't' ? 'i' : c == 'i' ? 't' : c;
    EXPECT_EQ(store, load);
  }
}

// The emitted file of a reversal of 32 groups of four, through a tile declared as `tile` and used by `access`.
ToolResult reversed_groups(const std::string& tile,
                           const std::string& access = "*reinterpret_cast<float4*>(&tile[4 * t])",
                           const std::string& before = "") {
  const ScratchFolder scratch;
  return run_tool(fmt::format(
      "'{}' --spec '{}' --run=cpu",
      scratch.write("k.cu", "#pragma swizzle launch grid(1) block(32)\n" + before +
                                "__global__ void f(const float4* x, float* y) {\n  const int t = threadIdx.x;\n  " +
                                tile + "\n  " + access + " = x[t];\n  __syncthreads();\n" +
                                "  for (int i = 0; i < 4; i++) y[4 * t + i] = tile[4 * ?sw_xform(t, 32) + i];\n}\n"),
      scratch.write("k.cpp",
                    "void f(const float4* x, float* y) { for (int t = 0; t < 32; t++) { y[4*t] = x[31-t].x; "
                    "y[4*t+1] = x[31-t].y; y[4*t+2] = x[31-t].z; y[4*t+3] = x[31-t].w; } }\n")));
}

void expect_declared(const ToolResult& r, const std::string& declaration) {
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find(declaration), std::string::npos) << r.kernel;
}

TEST(WideAccesses, AlignTheArray) {
  expect_declared(reversed_groups("__shared__ float tile[128];"), "  __shared__ __align__(16) float tile[128];\n");
  expect_declared(reversed_groups("__shared__ float first[3], tile[128]; if (t == 0) first[0] = 1;"),
                  "  __shared__ __align__(16) float first[3], tile[128];");
  expect_declared(
      reversed_groups("__shared__ float first[3]; if (t == 0) first[0] = 1;\n  __shared__ float tile[128];"),
      "  __shared__ float first[3]; if (t == 0) first[0] = 1;\n  __shared__ __align__(16) float tile[128];");
  expect_declared(reversed_groups("extern __shared__ float tile[];"), "extern __shared__ __align__(16) float tile[];");
  expect_declared(reversed_groups("__shared__ float tile[128];\n  float* p = tile + 4 * t;", "*(float4*)p"),
                  "__shared__ __align__(16) float tile[128];");
  expect_declared(
      reversed_groups("__shared__ float tile[128];", "at(tile, t)",
                      "__device__ float4& at(float* p, int t) { return reinterpret_cast<float4*>(p)[t]; }\n"),
      "__shared__ __align__(16) float tile[128];");
}

TEST(WideAccesses, AlignAnArrayThatLeavesItsFunction) {
  const std::string kWide = "*reinterpret_cast<float4*>(&tile[4 * t])";
  const std::string kAligned = "__shared__ __align__(16) float s[128];";
  const auto aligns = [&](const std::string& tile, const std::string& before) {
    expect_declared(reversed_groups(tile, kWide, before), kAligned);
  };
  aligns("float* tile = place();", "__device__ float* place() { __shared__ float s[128]; return s; }\n");
  aligns("auto f = [&]() -> float* { __shared__ float s[128]; return s; }; float* tile = f();", "");
  aligns("float* tile; auto f = [&] { __shared__ float s[128]; tile = s; }; f();", "");
  aligns("T o; float* tile = o.p;", "struct T { float* p; __device__ T() { __shared__ float s[128]; p = s; } };\n");
  aligns("T o; o.set(); float* tile = o.p;",
         "struct T { float* p; int k; __device__ void set() { __shared__ float s[128]; p = s; } };\n");
  aligns("float* tile; place(tile);", "__device__ void place(float*& p) { __shared__ float s[128]; p = s; }\n");
  aligns("float* tile; place(&tile);", "__device__ void place(float** p) { __shared__ float s[128]; *p = s; }\n");
  aligns("__shared__ float s[128]; float* all[2]; all[0] = s; float* tile = all[0];", "");
}

TEST(WideAccesses, AlignWhatInstancesOfATemplateShare) {
  expect_declared(
      reversed_groups("float *less = place<64>(), *tile = place<128>(); *(float2*)&less[2 * t] = make_float2(1, 2);",
                      "*reinterpret_cast<float4*>(&tile[4 * t])",
                      "template <int K> __device__ float* place() { __shared__ float s[K]; return s; }\n"),
      "{ __shared__ __align__(16) float s[K]; return s; }");
}

TEST(WideAccesses, AskForAnAlignmentWhereTheDeclarationIsOutOfReach) {
  const auto in_macro = [](const std::string& array) {
    return reversed_groups("float* tile = place();", "*reinterpret_cast<float4*>(&tile[4 * t])",
                           "#define ARRAY " + array + "\n__device__ float* place() { ARRAY; return s; }\n");
  };
  const ToolResult r = in_macro("__shared__ float s[128]");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("k.cu:3:29: error: 's' is accessed by 16 bytes at once; declare it with __align__(16)"),
            std::string::npos)
      << r.output;
  expect_declared(in_macro("__shared__ __align__(16) float s[128]"), "__device__ float* place() { ARRAY; return s; }");
}

TEST(WideAccesses, LeaveAnArrayThatSaysSoItself) {
  expect_declared(reversed_groups("__shared__ __align__(16) float tile[128];"),
                  "  __shared__ __align__(16) float tile[128];");
  expect_declared(reversed_groups("alignas(32) __shared__ float tile[128];"),
                  "  alignas(32) __shared__ float tile[128];");
  expect_declared(reversed_groups("constexpr int kBytes = 16; __shared__ __align__(kBytes) float tile[128];"),
                  "__shared__ __align__(kBytes) float tile[128];");
  const ToolResult r = reversed_groups("__shared__ __align__(8) float tile[128];");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("k.cu:4:33: error: 'tile' is accessed by 16 bytes at once; declare it with __align__(16)"),
            std::string::npos)
      << r.output;
}

// Both threads ask the same point, whose value is where both store: they meet whatever it is.
TEST(SharedMemory, OfOneWordForAllThreadsIsRefused) {
  const ToolResult r = run_sketch({"",
                                   "  __shared__ int tile[8 * 32];\n"
                                   "  for (int i = 0; i < 8; i++) tile[i * 32 + ?sw_xor(0, 32, i)] = x[t] + i;\n"
                                   "  __syncthreads();\n  y[t] = tile[t];",
                                   "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
                                   false, "--no-suggestions"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("without a barrier between them: a race"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::shared_memory_test
