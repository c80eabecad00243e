// What is compared as opaque functions may be found equal, and is never taken for different.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::opaque_test {
namespace {

const char* const kLonger = "#pragma swizzle extent x(n + 4)\n";

struct Doubted {
  const char* name;
  std::string text, spec;
  const char* says;
};

class Opaque : public testing::TestWithParam<Doubted> {};

TEST_P(Opaque, DifferenceInFormAloneIsUnknown) {
  const ToolResult r = run_sketch(Sketch{"", GetParam().text, GetParam().spec});
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_EQ(r.report["outcome"], "unknown");
  EXPECT_NE(r.output.find(GetParam().says), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Opaque,
    testing::Values(Doubted{"BytePermutation", body("  y[t] = __byte_perm(x[t], 0, 0x1032);", "unsigned"),
                            each("x[t] << 16 | x[t] >> 16", "unsigned"),
                            "__byte_perm at 5:10 is compared as an opaque function"},
                    Doubted{"AbsorbedByOr", body("  y[t] = x[t] | (x[t] & x[t + 4]);", "int", kLonger), each("x[t]"),
                            "'|' at 6:10"},
                    Doubted{"AbsorbedByMax", body("  y[t] = max(x[t], min(x[t], x[t + 4]));", "int", kLonger),
                            each("x[t]"), "max at 6:10"},
                    Doubted{"SumOfAndAndOr", body("  y[t] = (x[t] & x[t + 1]) + (x[t] | x[t + 1]);", "int"),
                            each("x[t] + x[t + 1]"), "'|' at 5:31"},
                    Doubted{"MaxOfSums", body("  y[t] = fmaxf(x[t] + x[t + 1], x[t] + x[t + 2]);", "float"),
                            each("x[t] + (x[t + 1] < x[t + 2] ? x[t + 2] : x[t + 1])", "float"), "fmaxf at 5:10"},
                    Doubted{"WithHoles", body("  y[t] = __byte_perm(x[?sw_xform(t, 32)], 0, 0x1032);", "unsigned"),
                            each("x[31 - t] << 16 | x[31 - t] >> 16", "unsigned"), "__byte_perm at 5:10"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(OpaqueFunctions, AnInputThatTellsThemApartRefutes) {
  EXPECT_EQ(run_sketch({"", "  y[t] = x[t] | x[t + 1];", each("x[t] ^ x[t + 1]")}).exit_code, 10);
  EXPECT_EQ(run_sketch({"", body("  y[t] = __byte_perm(x[t], 0, 0x1032);", "unsigned"),
                        each("x[t] << 16 | x[t] >> 17", "unsigned")})
                .exit_code,
            10);
}

TEST(OpaqueFunctions, WhatDoesNotReachTheOutputRefutes) {
  EXPECT_EQ(run_sketch({"", "  y[t] = x[?sw_xform(t, 32)] >> 3;", each("x[t * t % 32] >> 3")}).exit_code, 10);
}

TEST(OpaqueFunctions, AreProvedCheapestWhereOthersAreReachedByOtherInputs) {
  expect_verified({"", "  y[t] = x[?sw_xform(t, 32)] >> 3;", each("x[31 - t] >> 3")});
}

TEST(OpaqueFunctions, ACheaperCompletionInDoubtLeavesTheBestFound) {
  const ToolResult r = run_sketch(
      {"",
       body(
           "  int r[2] = {x[t], x[t + 4]};\n  int s = r[0];\n  if (?sw_cond(t)) s |= r[0] & r[1];\n  if (?sw_cond(t)) s ^= 0;\n  y[t] = s;",
           "int", std::string("#pragma swizzle launch grid(1) block(4)\n#pragma swizzle instance n = 4\n") + kLonger),
       each("x[t] | (x[t] & x[t + 4])")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "best_found");
}

}  // namespace
}  // namespace swizzle::test::opaque_test
