// --machine, next to the directive of the same name.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::machine_test {
namespace {

ToolResult complete(const std::string& sketch, const std::string& spec, const std::string& flags) {
  const ScratchFolder scratch;
  return run_tool(
      fmt::format("'{}' --spec '{}' {}", scratch.write("k.cu", sketch), scratch.write("k.cpp", spec), flags));
}

const char* const kToy = "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle instance n = 64\n";

std::string toy(const std::string& machine) {
  return machine + kToy +
         "__global__ void k(const int* x, int* y, int n) {\n  auto L = ?sw_layout(8, 8);\n  __shared__ int tile[64];\n  const int t = threadIdx.x;\n"
         "  for (int i = 0; i < 8; i++) tile[L(i, t)] = x[i * 8 + t];\n  __syncthreads();\n  for (int i = 0; i < 8; i++) y[i * 8 + t] = tile[L(t, i)];\n}\n";
}

const char* const kToySpec =
    "void k(const int* x, int* y, int n) {\n  for (int i = 0; i < 8; i++)\n    for (int t = 0; t < 8; t++) y[i * 8 + t] = x[t * 8 + i];\n}\n";

TEST(MachineFlag, SaysWhatTheDirectiveSays) {
  const ToolResult flag = complete(toy(""), kToySpec, "--run=none --machine toy8"),
                   directive = complete(toy("#pragma swizzle machine toy8\n"), kToySpec, "--run=none");
  ASSERT_EQ(flag.exit_code, 0) << flag.output;
  EXPECT_EQ(flag.report["layouts"][0]["expression"], directive.report["layouts"][0]["expression"]);
  EXPECT_EQ(flag.report["cost"], directive.report["cost"]);
  EXPECT_NE(flag.kernel.find("c ^ r"), std::string::npos) << flag.kernel;
  EXPECT_NE(flag.kernel.find("\n// swizzle machine toy8\n"), std::string::npos) << flag.kernel;
  EXPECT_EQ(complete(toy(""), kToySpec, "--run=none --machine h200").report["cost"],
            complete(toy(""), kToySpec, "--run=none").report["cost"]);
  EXPECT_EQ(complete(toy(""), kToySpec, "--run=none --machine abacus").exit_code, 2);
}

TEST(MachineFlag, AnotherMachineIsAnErrorAtTheDirective) {
  const ToolResult r = complete(toy("#pragma swizzle machine toy8\n"), kToySpec, "--run=none --machine h200");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("k.cu:1:1: error: this is for the machine 'toy8', and --machine says 'h200'"),
            std::string::npos)
      << r.output;
  EXPECT_EQ(complete(toy("#pragma swizzle machine sm_90\n"), kToySpec, "--run=none --machine h200").exit_code, 0);
}

}  // namespace
}  // namespace swizzle::test::machine_test
