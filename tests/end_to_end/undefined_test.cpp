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

}  // namespace
}  // namespace swizzle::test::undefined_test
