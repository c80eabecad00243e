// Words that are followed bit by bit, and holes of all kinds beside them.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::bits_mixed_test {
namespace {

std::string kernel_of(const std::string& body) {
  return fmt::format(
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n"
      "__global__ void f(const unsigned* x, unsigned* y, int n) {{\n  const int t = threadIdx.x;\n  {}\n}}\n",
      body);
}
std::string spec_of(const std::string& body) {
  return fmt::format("void f(const unsigned* x, unsigned* y, int n) {{ for (int t = 0; t < n; t++) {{ {} }} }}\n",
                     body);
}

ToolResult found(const std::string& body, const std::string& spec) {
  ToolResult r = run_sketch({"", kernel_of(body), spec_of(spec), kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0) << r.output;
  return r;
}

TEST(BitsMixed, LanesAndMasks) {
  found("y[t] = x[?sw_xform(t, 32)] & ?sw_mask(t & 1);",
        "y[t] = x[31 - t] & ((t & 1) == 0 ? 0xf0f0f0f0u : 0x12345678u);");
}

TEST(BitsMixed, ConditionsAndShifts) {
  found("const unsigned a = x[t]; y[t] = ?sw_cond(t, 4) ? a >> ?sw_const(0, 32) : a << ?sw_const(0, 32);",
        "y[t] = t < 4 ? x[t] >> 5 : x[t] << 7;");
}

TEST(BitsMixed, LanesAndRoundsOfALoop) {
  found(
      "unsigned v = x[?sw_xform(t, 32)]; for (int k = 0; k < 3; k++) { const int s = ?sw_const(1, 8, k); const unsigned "
      "m = ?sw_mask(k); v = (v >> s & m) | ((v & m) << s); } y[t] = v;",
      "y[t] = 0; for (int b = 0; b < 32; b++) y[t] |= (x[31 - t] >> b & 1) << (b ^ 7);");
}

}  // namespace
}  // namespace swizzle::test::bits_mixed_test
