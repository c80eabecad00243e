// Conditions on data, said one way by the sketch and another way by the spec.
#include "tests/end_to_end/sketch_text.h"
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::conditions_on_data_test {
namespace {

struct Pair {
  const char* name;
  const char *of_sketch, *of_spec;  // make r, which is 0, of a = x[i + 3] and b = z[i]
  const char* type = "int";
  bool runs = false;
};

Sketch sketch_of(const Pair& pair) {
  const char* const t = pair.type;
  return {pair.name,
          fmt::format("#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                      "__global__ void f(const {0}* x, const {0}* z, {0}* y, int n) {{\n  int t = threadIdx.x;\n"
                      "  {0} a = x[?sw_xform(t, 32)], b = z[t], r = 0;\n  {1}\n  y[t] = r;\n}}\n",
                      t, pair.of_sketch),
          fmt::format("void f(const {0}* x, const {0}* z, {0}* y, int n) {{\n  for (int i = 0; i < n; i++) {{\n"
                      "    {0} a = x[(i + 3) % 32], b = z[i], r = 0;\n    {1}\n    y[i] = r;\n  }}\n}}\n",
                      t, pair.of_spec),
          pair.runs};
}

class ConditionsOnData : public testing::TestWithParam<Pair> {};

TEST_P(ConditionsOnData, AreComparedByWhatTheySay) { expect_verified(sketch_of(GetParam())); }

const Pair kPairs[] = {
    {"statement_and_expression", "if (a < b) r = 1; else r = b;", "r = b <= a ? b : 1;", "int", kRuns},
    {"of_floats", "if (a < b) r = 1; else r = b;", "r = b <= a ? b : 1;", "float", kRuns},
    {"nothing_before", "int v; if (a < b) v = 1; else if (b < 3) v = a; else v = b; r = v;",
     "r = a < b ? 1 : b < 3 ? a : b;", "int", kRuns},
    {"nested_and_together", "if (a < b) { if (b < 3) r = a; }", "r = b < 3 && a < b ? a : 0;"},
    {"else_if", "if (a < b) { r = a; } else if (b < 3) { r = b; }", "r = a < b ? a : b < 3 ? b : 0;", "float"},
    {"equality_either_way", "r = a == b ? 1 : a;", "if (b != a) r = a; else r = 1;"},
    {"denied", "r = !(a < b || b < 3) ? 5 : b;", "r = a >= b && 3 <= b ? 5 : b;"},
    {"two_effects", "if (a < b) { r = a; b = 7; } r += b;", "if (a < b) { r = a + 7; } else { r = b; }", "float"},
    {"as_a_factor", "r = (a < b) * a;", "r = a < b ? a : 0;", "float"},
    {"in_a_bool", "bool p = a < b; r = p ? 3 : 4;", "r = 4 - (a < b);"},
    {"in_an_int", "int p = !(a < b); if (!p) r = a;", "if (a < b) r = a;", "float"},
    {"one_or_the_other", "bool p = a < b, q = a < 7; r = p ^ q;", "r = (a < 7) != (a < b) ? 1 : 0;"},
    {"both_or_none", "bool p = a < b, q = a < 7; r = p == q;", "r = (a < 7 && a < b) || !(a < 7 || a < b);", "float"},
    {"next_integer", "r = a <= 6 ? a : b;", "r = a < 7 ? a : b;"},
    {"sign", "r = a < b ? 1 : a > b ? -1 : 0;", "r = (a < b) - (b < a);", "float"},
    {"of_long_integers", "r = a < b ? 1 : -1;", "r = 1 - 2 * (a >= b);", "long long", kRuns},
    {"accumulated_above_0", "if (a > 0) r += a;", "r = max(a, 0.0f);", "float"},
    {"clamped", "if (a < 1) a = 1; if (a > 7) a = 7; r = a;", "r = max(1, min(a, 7));"},
    {"clamped_the_other_way", "r = a > 7 ? 7 : a < 1 ? 1 : a;", "r = min(7.0f, max(1.0f, a));", "float"},
    {"unsigned_equality", "r = (unsigned)a == (unsigned)b;", "r = b == a;"},
    {"size", "r = a >= 0 ? a : -a;", "r = abs(a);"},
    {"read_within_the_arm", "int v; if (a < b) { v = a; v += 1; } else v = b; r = v;", "r = a < b ? a + 1 : b;", "int",
     kRuns},
    {"as_it_was_before_the_branch", "r = a; if (r < b) r = b; else if (r == b) r = 7; else r = r + 1;",
     "r = a < b ? b : a == b ? 7 : a + 1;", "int", kRuns},
    {"an_arm_behind_an_arm", "r = b; if (a < b) { if (b < 3) r = a; else r += a; r *= 2; } else { r -= a; }",
     "r = a < b ? (b < 3 ? 2 * a : 2 * (a + b)) : b - a;"},
    {"median", "r = max(min(a, b), min(max(a, b), 5));", "r = max(min(a, 5), max(min(b, 5), min(b, a)));"},
    {"what_is_0_anyway", "r = a == 0 ? 0 : a;", "r = a;"},
    {"what_is_0_unless_it_is_another", "if (a != 0) r = a; else r = b;", "r = a + (0 == a) * b;", "float"},
    {"chosen_and_compared", "int v = a == 0 ? b : a; r = v == 0 ? 5 : v;", "r = a != 0 ? a : b != 0 ? b : 5;"},
    {"clipped_and_compared", "float v = a < b ? 0 : b; r = v != 0 ? a : 2;", "r = b <= a && b != 0 ? a : 2;", "float"},
    {"size_of_floats", "if (a < 0) a = -a; r = a;", "r = fabsf(a);", "float"},
};

INSTANTIATE_TEST_SUITE_P(Pairs, ConditionsOnData, testing::ValuesIn(kPairs),
                         [](const auto& i) { return std::string(i.param.name); });

// Where a is not less, nothing is stored in v.
TEST(ConditionsOnDataThatDiffer, MayLeaveAValueUndefined) {
  const ToolResult r = run_sketch(sketch_of({"part", "r = a;", "int v; if (a < b) v = 1; r = v;"}));
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("undefined"), std::string::npos) << r.output;
}

// a = 6.5 tells them apart.
TEST(ConditionsOnDataThatDiffer, AreNeverTakenForTheSame) {
  const ToolResult r = run_sketch(sketch_of({"bound", "r = a <= 6 ? a : b;", "r = a < 7 ? a : b;", "float"}));
  EXPECT_NE(r.report["outcome"], "found") << r.output;
}

// Two counters, one for each arm: what an arm stores is a sum of the conditions before, with its own among them.
TEST(ConditionsOnData, CountBeforeTheyChoose) {
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i += 32) {\n    int a = 0, b = 32;\n"
      "    for (int k = 0; k < 32; k++) if (x[i + k] > 0) y[i + k] = a++; else y[i + k] = b--;\n  }\n}\n";
  const std::string kernel =
      "  const bool p = x[t] > 0;\n  const unsigned m = __ballot_sync(~0u, p), below = (1u << ?sw_xform(t, 32)) - 1;\n"
      "  y[t] = p ? __popc(m & below) : 32 - __popc(~m & below);";
  const ToolResult r = run_sketch({"", kernel, spec});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// The greatest since the last head: a maximum under conditions on data, with partners and conditions of lanes open.
TEST(ConditionsOnData, OfMaximaOfSegmentsAreFound) {
  constexpr const char* kSteps =
      "  int lane = t % 32, v = x[t], h = x[t + 32];\n"
      "  for (int d = 1; d < 32; d *= 2) {\n    int from = ?sw_xform(lane, 32, d);\n"
      "    int w = __shfl_sync(~0u, v, from), g = __shfl_sync(~0u, h, from);\n"
      "    if (?sw_cond(lane, d)) { if (h == 0) v = max(v, w); h |= g; }\n  }\n  y[t] = v;";
  constexpr const char* kSpec =
      "#include <climits>\nvoid f(const int* x, int* y, int n) {\n  int s = INT_MIN;\n"
      "  for (int i = 0; i < 32; i++) { if (x[i + 32] != 0) s = INT_MIN; s = max(s, x[i]); y[i] = s; }\n}\n";
  const ToolResult r = run_sketch({"", kSteps, kSpec});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_NE(r.kernel.find("if (d <= lane)"), std::string::npos) << r.kernel;
}

// The last that is not 0, of all before: what was chosen is compared, step by step.
TEST(ConditionsOnData, CompareWhatOthersChose) {
  const std::string kernel =
      "  int v = x[t];\n  for (int d = 1; d < 32; d *= 2) {\n    int w = __shfl_up_sync(~0u, v, d);\n"
      "    if (t >= d && v == 0) v = w;\n  }\n  y[t] = v;";
  const auto spec = [](const char* keeps) {
    return fmt::format(
        "void f(const int* x, int* y, int n) {{\n  int last = 0;\n"
        "  for (int i = 0; i < n; i++) {{ if (x[i] {} 0) last = x[i]; y[i] = last; }}\n}}\n",
        keeps);
  };
  const ToolResult same = run_sketch({"", kernel, spec("!=")}), other = run_sketch({"", kernel, spec(">")});
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_EQ(same.report["optimality"], "proved");
  EXPECT_EQ(other.exit_code, 10) << other.output;
}

// Sums since the last head of what only comes in through a function: as those of any numbers.
TEST(ConditionsOnData, OfSumsOfFunctionsAreFound) {
  for (const char* function : {"abs({})", "({} ^ 5)", "({} + 1)", "({} / 3)"}) {
    const auto of = [&](const char* element) { return fmt::format(fmt::runtime(function), element); };
    const ToolResult r = run_sketch(
        {"",
         fmt::format("  int lane = t % 32, v = {}, h = x[t + 32];\n  for (int d = 1; d < 32; d *= 2) {{\n"
                     "    int from = ?sw_xform(lane, 32, d);\n"
                     "    int w = __shfl_sync(~0u, v, from), g = __shfl_sync(~0u, h, from);\n"
                     "    if (?sw_cond(lane, d)) {{ if (h == 0) v += w; h |= g; }}\n  }}\n  y[t] = v;",
                     of("x[t]")),
         fmt::format("void f(const int* x, int* y, int n) {{\n  int s = 0;\n"
                     "  for (int i = 0; i < 32; i++) {{ if (x[i + 32] != 0) s = 0; s += {}; y[i] = s; }}\n}}\n",
                     of("x[i]"))});
    ASSERT_EQ(r.exit_code, 0) << function << r.output;
    EXPECT_EQ(r.report["optimality"], "proved") << function;
    EXPECT_NE(r.kernel.find("if (d <= lane)"), std::string::npos) << r.kernel;
  }
}

}  // namespace
}  // namespace swizzle::test::conditions_on_data_test
