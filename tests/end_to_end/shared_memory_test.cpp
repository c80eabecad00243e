// Words of shared memory whose address a hole decides.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {
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

TEST(SharedMemoryModel, WithoutABarrierAHoleMayReadItsOwnWordOnly) {
  EXPECT_EQ(complete(sketch(""), kCopy).exit_code, 0);
  const ToolResult r = complete(sketch(""), kReverse);
  EXPECT_EQ(r.exit_code, 10) << r.output;
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

}  // namespace
}  // namespace swizzle::test
