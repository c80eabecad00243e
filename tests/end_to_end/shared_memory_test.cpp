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
const char* const kReverse = "void k(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + 31 - i % 32];\n}\n";

ToolResult complete(const std::string& sketch, const std::string& spec) {
  const ScratchFolder scratch;
  return run_tool(fmt::format("'{}' --spec '{}' --run=none", scratch.write("k.cu", sketch), scratch.write("k.cpp", spec)));
}

TEST(SharedMemory, ABarrierLetsAHoleReadWhatOthersWrote) {
  EXPECT_EQ(complete(sketch("__syncwarp();"), kReverse).exit_code, 0);
}

TEST(SharedMemory, WithoutABarrierAHoleMayReadItsOwnWordOnly) {
  EXPECT_EQ(complete(sketch(""), kCopy).exit_code, 0);
  const ToolResult r = complete(sketch(""), kReverse);
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

TEST(SharedMemory, AWriteAfterAReadOfTheSameWordNeedsABarrierToo) {
  const std::string text = sketch("__syncwarp();");
  const std::size_t end = text.rfind('}');
  const std::string late = "  s[31 - lane] = 0;\n";
  EXPECT_EQ(complete(text.substr(0, end) + late + "}\n", kReverse).exit_code, 0);  // each lane overwrites what it read
  const ToolResult r = complete(text.substr(0, end) + late + "}\n", kCopy);
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

}  // namespace
}  // namespace swizzle::test
