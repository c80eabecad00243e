#include "driver/suggestions.h"

#include <algorithm>

#include "driver/synthesis.h"
#include "tests/unit/pair_files.h"

namespace swizzle::suggestions_test {
namespace {

constexpr double kAmple = 60;  // seconds

class Suggestions : public test::PairFiles {
 protected:
  // Of a body of f(const int* x, int* y) on 8 lanes, against y[i] = `expected`: the messages, each with its text's
  // place.
  std::vector<std::string> suggested(const std::string& body, const std::string& expected, Deadline deadline = {},
                                     std::size_t line = 5) {
    const auto pair =
        load_pair(files("#pragma swizzle launch grid(1) block(8)\n#pragma swizzle extent x(32)\n"
                        "__global__ void f(const int* x, int* y) {\n  const int t = threadIdx.x;\n" +
                            body + "\n}\n",
                        "void f(const int* x, int* y) { for (int i = 0; i < 8; i++) y[i] = " + expected + "; }\n"));
    EXPECT_TRUE(pair.ok()) << render(pair.errors()[0]);
    const SynthesisTask task{pair->sketch, pair->spec, {{}}, deadline, *target_machine("sm_90")};
    std::vector<std::string> told;
    for (const Diagnostic& d : suggestions(task, kAmple)) {
      EXPECT_EQ(d.severity, Severity::kNote);
      EXPECT_EQ(d.where.line, line);
      told.push_back(d.message);
    }
    return told;
  }
};

using Told = std::vector<std::string>;

TEST_F(Suggestions, AnXorWhereFansAndRotationsDoNotDo) {
  EXPECT_EQ(suggested("  y[t] = x[?sw_xform(t, 8)];", "x[i ^ (i >> 1 & 1)]"),
            Told{"with ?sw_xor(t, 8) here there is a completion"});
}

TEST_F(Suggestions, TheVariableThatWasForgotten) {
  EXPECT_EQ(
      suggested("  int s = 0; for (int k = 0; k < 2; k++) s += x[?sw_xform(t, 8)]; y[t] = s;", "x[i] + x[(i + 1) % 8]"),
      Told{"with ?sw_xform(t, 8, k) here there is a completion"});
}

TEST_F(Suggestions, OfHolesThatNeedTheVariableTogether) {
  const Told told = suggested(
      "  int s = 0; for (int k = 0; k < 2; k++) if (?sw_cond(t)) s += x[?sw_xform(t, 8)] * x[?sw_xform(t, 8)]; y[t] = s;",
      "x[(i + 1) % 8] * x[i] + x[(i + 2) % 8] * x[(i + 3) % 8]");
  ASSERT_EQ(told.size(), 2u);
  for (const std::string& note : told)
    EXPECT_EQ(note, "with ?sw_xform(t, 8, k) here there is a completion, together with what the other notes say");
}

TEST_F(Suggestions, ATransformationWhereAPartitionStands) {
  EXPECT_EQ(suggested("  int r[4]; for (int k = 0; k < 4; k++) r[k] = x[8 * k + t];\n"
                      "  y[t] = r[?sw_part(4, t, t % 4)];",
                      "x[8 * ((3 * i) % 4) + i]", {}, 6),
            Told{"with ?sw_xform(t % 4, 4, t) here there is a completion"});
}

TEST_F(Suggestions, AnExpressionOfTheArguments) {
  EXPECT_EQ(suggested("  int s = 0; for (int k = 0; k < 4; k++) if (?sw_cond(t, k)) s += x[8 * k + t]; y[t] = s;",
                      "(i < 2 ? x[8 + i] : 0) + (i < 4 ? x[16 + i] : 0) + (i < 6 ? x[24 + i] : 0)"),
            Told{"with ?sw_pred(t, k) here there is a completion: t >> 1 < k"});
}

TEST_F(Suggestions, AnExpressionForAPartition) {
  EXPECT_EQ(suggested("  int s = 0; for (int k = 0; k < 6; k++) s += x[8 * ?sw_part(4, t, k) + t]; y[t] = s;",
                      "x[i] * 2 + x[8 + i] * 2 + x[16 + i] + x[24 + i]"),
            Told{"with ?sw_expr(0, 4, t, k) here there is a completion: k & 3"});
}

TEST_F(Suggestions, OneMoreRegister) {
  const auto pair = load_pair(files(
      "#pragma swizzle launch grid(1) block(32)\n"
      "__global__ void f(const float* x, float* y) {\n  const int t = threadIdx.x;\n  auto r = load(x, 0, 1, 2);\n"
      "  float s = 0;\n"
      "  for (int k = 0; k < 3; k++) s += __shfl_sync(~0u, r[?sw_part(2, t, k)], ?sw_xform(t, 32, k));\n"
      "  y[t] = s;\n}\n",
      "void f(const float* x, float* y) {\n"
      "  for (int i = 0; i < 32; i++) {\n    float s = 0;\n"
      "    for (int k = 0; k < 3; k++) s += x[i + 32 * k];\n    y[i] = s;\n  }\n}\n"));
  ASSERT_TRUE(pair.ok()) << render(pair.errors()[0]);
  const Diagnostics notes = suggestions({pair->sketch, pair->spec, {{}}, {}, *target_machine("sm_90")}, kAmple);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].message, "with 3 here there is a completion, together with what the other notes say");
  EXPECT_EQ(notes[0].where.line, 4);
  EXPECT_EQ(notes[1].message,
            "with ?sw_part(3, t, k) here there is a completion, together with what the other notes say");
}

TEST_F(Suggestions, NothingWhereNothingHelps) {
  EXPECT_EQ(suggested("  y[t] = x[?sw_xform(t, 8)];", "x[i] * x[i + 9]"), Told{});
}

TEST_F(Suggestions, NothingWithoutTime) {
  EXPECT_EQ(suggested("  y[t] = x[?sw_xform(t, 8)];", "x[i ^ (i >> 1 & 1)]", Deadline(-1)), Told{});
}

}  // namespace
}  // namespace swizzle::suggestions_test
