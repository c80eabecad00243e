// What nobody wrote, and where it is taken away again.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::undefined_test {
namespace {

class Cancelled : public testing::TestWithParam<const char*> {};

TEST_P(Cancelled, UndefinedValuesStayUndefined) {
  const std::string text = fmt::format("  int u[1];\n  if (?sw_cond(t)) u[0] = x[t];\n  y[t] = {};", GetParam());
  const ToolResult r = run_sketch({"", body(text, "int", "#pragma swizzle extent x(n)\n"),
                                   each(std::string(GetParam()).find("==") == std::string::npos ? "0" : "1")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("u[0] = x[t]"), std::string::npos) << r.kernel;
}

INSTANTIATE_TEST_SUITE_P(Each, Cancelled,
                         testing::Values("u[0] ^ u[0]", "u[0] - u[0]", "u[0] * 0", "u[0] & 0", "u[0] == u[0]"));

class Decided : public testing::TestWithParam<const char*> {};

// Both ways lead to the same, but the way is not to be asked.
TEST_P(Decided, NothingByUndefinedConditions) {
  const ToolResult r = run_sketch({"", body(GetParam(), "int", "#pragma swizzle extent x(n)\n"), each("x[t]")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Decided,
    testing::Values("  int u; if (?sw_cond(t)) u = 3; y[t] = u == 3 ? x[t] : x[t];",
                    "  int u; if (?sw_cond(t)) u = 3; int s = x[t]; if (u == 3) s = x[t]; y[t] = s;",
                    "  int u; if (?sw_cond(t)) u = x[t]; int s = x[t]; if (u == 3) s = x[t]; y[t] = s;"));

class Guarded : public testing::TestWithParam<const char*> {};

// As an access outside of a buffer is: what is executed under a hole alone need not be.
TEST_P(Guarded, OperationsThatAreUndefinedRejectCompletions) {
  const std::string text = fmt::format("  int v = x[t];\n  {}\n  y[t] = v;", GetParam());
  const ToolResult r = run_sketch({"", body(text, "int", "#pragma swizzle extent x(n)\n"), each("x[t]")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  const ToolResult always =
      run_sketch({"", body(std::string(text).replace(text.find("?sw_cond(t)"), 11, "t < 40"), "int"), each("x[t]")});
  EXPECT_EQ(always.exit_code, 1) << always.output;
  EXPECT_NE(always.output.find("sketch.cu:"), std::string::npos) << always.output;
}

INSTANTIATE_TEST_SUITE_P(Each, Guarded,
                         testing::Values("if (?sw_cond(t)) v = x[t % (t / 16)];",
                                         "if (?sw_cond(t)) if (5 / (t / 16) == 1) v = 3;",
                                         "if (?sw_cond(t)) { int d = 7; d /= t / 16; v = d; }",
                                         "v = ?sw_cond(t) ? 1 << (t + 8) : v;"));

}  // namespace
}  // namespace swizzle::test::undefined_test
