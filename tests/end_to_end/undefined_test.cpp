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

// A variable without a first value, of which each branch on data writes what it reads.
class SwappedBy : public testing::TestWithParam<const char*> {};

TEST_P(SwappedBy, OneVariableInEachBranch) {
  const std::string kernel = fmt::format(
      "  int l = t % 32, a = x[2 * t], b = x[2 * t + 1], u;\n  {}\n"
      "  y[2 * t] = a; y[2 * t + 1] = __shfl_sync(~0u, b, ?sw_xor(l, 32));",
      GetParam());
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n  for (int t = 0; t < n; t++) {\n"
      "    int l = min(x[2 * t], x[2 * t + 1]), h = max(x[2 * t], x[2 * t + 1]);\n"
      "    y[2 * t] = h > 7 ? h : l; y[2 * (t ^ 1) + 1] = h > 7 ? l : h;\n  }\n}\n";
  const ToolResult r = run_sketch({"", body(kernel, "int"), spec});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

INSTANTIATE_TEST_SUITE_P(
    Each, SwappedBy,
    testing::Values("if (a > b) { u = a; a = b; b = u; } if (b > 7) { u = a; a = b; b = u; }",
                    "if (a > b) { u = a; a = b; b = u; } if (b > 7) { u = a; if (b > 7) { a = b; b = u; } }",
                    "if (!(a <= b)) { u = a; a = b; b = u; } if (7 < b) u = b; if (7 < b) { b = a; a = u; }"));

TEST(Swapped, InASpecByOneVariable) {
  const std::string kernel =
      "  float a = x[(t + 31) % 32], b = x[t], c = x[(t + 1) % 32];\n"
      "  y[t] = max(min(a, b), min(max(a, b), __shfl_sync(~0u, b, ?sw_xform(t, 32))));";
  const std::string spec =
      "void f(const float* x, float* y, int n) {\n  float u;\n  for (int t = 0; t < 32; t++) {\n"
      "    float a = x[(t + 31) % 32], b = x[t], c = x[(t + 1) % 32];\n"
      "    if (a > b) { u = a; a = b; b = u; }\n    if (b > c) { u = b; b = c; c = u; }\n"
      "    if (a > b) { u = a; a = b; b = u; }\n    y[t] = b;\n  }\n}\n";
  const ToolResult r = run_sketch({"", body(kernel, "float"), spec});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// v > 5 implies v > 3, and nothing knows; v > 2 does not, and an input shows it.
TEST(Written, UnderAnotherConditionIsNotCalledUndefined) {
  const auto outcome_of = [](int least) {
    const std::string kernel = fmt::format(
        "  int v = x[t], u, r = 0;\n  if (v > 3) u = v;\n  if (v > {}) r = u;\n"
        "  y[t] = __shfl_sync(~0u, r, ?sw_xor(t % 32, 32));",
        least);
    return run_sketch({"", body(kernel, "int"), each(fmt::format("x[t ^ 1] > {0} ? x[t ^ 1] : 0", least))})
        .report["outcome"];
  };
  EXPECT_EQ(outcome_of(3), "found");
  EXPECT_EQ(outcome_of(2), "infeasible");
  EXPECT_NE(outcome_of(5), "infeasible");
}

// Of a variable, or of shared memory, by two branches or more, which together leave out nothing.
class WrittenByParts : public testing::TestWithParam<const char*> {};

TEST_P(WrittenByParts, IsWrittenAsAWhole) {
  const std::string kernel = fmt::format(
      "  const int l = t % 32, v = x[t], w = __shfl_sync(~0u, v, ?sw_xform(l, 32));\n  __shared__ int s[32];\n"
      "  int r;\n  {}\n  y[t] = r;",
      GetParam());
  const ToolResult r = run_sketch({"", body(kernel, "int"), each("x[31 - t] > 3 && x[t] > 5 ? x[31 - t] : x[t]")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

INSTANTIATE_TEST_SUITE_P(Each, WrittenByParts,
                         testing::Values("if (w > 3 && v > 5) r = w; else r = v;",
                                         "if (w > 3 && v > 5) r = w; if (w <= 3 || v <= 5) r = v;",
                                         "if (w <= 3) r = v; else if (v > 5) r = w; else r = v;",
                                         "if (w > 3 && v > 5) s[t] = w; else s[t] = v; __syncthreads(); r = s[t];"));

// Where some input shows that nothing was written, that is an error; where none is seen, nothing is said.
TEST(WrittenByParts, IsUndefinedWhereAnInputShowsIt) {
  const auto code_of = [](const std::string& kernel, const std::string& value) {
    return run_sketch({"", body("  int r;\n  " + kernel + "\n  y[t] = r;", "int"), each(value)}).exit_code;
  };
  const std::string spec = "x[t] > 3 ? 1 : 2";
  EXPECT_EQ(code_of("if (x[t] > 3) r = 1; if (x[t] < 4) r = 2;", spec), 0);
  EXPECT_EQ(code_of("if (x[t] > 3) r = 1;", spec), 10);
  EXPECT_EQ(code_of("if (x[t] > 3) r = 1; if (x[t] < -4) r = 2;", spec), 10);
  const std::string by_order = "if (a == b) r = a; else { if (a < b) r = b; if (a > b) r = a; }";
  EXPECT_EQ(code_of("int a = x[t], b = x[31 - t]; " + by_order, "max(x[t], x[31 - t])"), 20);
}

// What no input comes to writes nothing, and leaves nothing undefined.
TEST(WrittenByParts, IsNotChangedWhereConditionsDenyEachOther) {
  const auto code_of = [](const std::string& kernel, const std::string& value) {
    return run_sketch({"", body("  int v = x[t], q, r = 0;\n  " + kernel + "\n  y[t] = r;", "int"), each(value)})
        .exit_code;
  };
  const std::string dead = "if (!(v > 3)) { if (v > 3) r = 9; } ";
  EXPECT_EQ(code_of(dead + "if (v > 3) r = 1; else r = v;", "x[t] > 3 ? 1 : x[t]"), 0);
  EXPECT_EQ(code_of(dead + "if (v > 3) r = 1; else r = v;", "x[t]"), 10);
  EXPECT_EQ(code_of(dead + "if (v > 3) r = 1;", "x[t] > 3 ? 1 : 0"), 0);
  EXPECT_NE(code_of("r = v; if (v == 4) { if (v < 4) r = q; }", "x[t]"), 10);
  EXPECT_EQ(code_of("r = v; if (v == 4) { if (v < 5) r = q; }", "x[t]"), 10);
}

}  // namespace
}  // namespace swizzle::test::undefined_test
