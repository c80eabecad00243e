// --certify: Z3's second opinion on demand.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::certify_test {
namespace {

class Certified : public testing::TestWithParam<const char*> {};

TEST_P(Certified, AreTheLeastCostsOf) {
  const ToolResult r = run_pair(GetParam(), "--run=none --certify --time-limit 100");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["certified"]["claim"], "cost") << r.report["certified"];
  EXPECT_EQ(r.report["certified"]["queries"], 2);
  EXPECT_NE(r.output.find("Z3 agrees that this is a completion, and that none is cheaper; 2 questions"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Sketches, Certified, testing::Values("reverse", "transpose8x4", "conv2d_3x3"));

TEST(Certify, AlsoWhatIsInfeasible) {
  const ToolResult r = run_pair("infeasible_far", "--run=none --certify");
  ASSERT_EQ(r.exit_code, 10) << r.output;
  EXPECT_EQ(r.report["certified"]["claim"], "feasibility") << r.report["certified"];
}

TEST(Certify, SaysWhatItCannotWriteDown) {
  const ToolResult r = run_pair("bits_reverse", "--run=none --certify");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["certified"]["claim"], "nothing");
  EXPECT_EQ(r.report["certified"]["reason"], "a grammar that has no encoding");
}

TEST(Certify, IsNullUnlessAskedFor) { EXPECT_TRUE(run_pair("reverse", "--run=none").report["certified"].is_null()); }

TEST(Certify, WritesItsQuestions) {
  const ScratchFolder scratch;
  const ToolResult r = run_pair("reverse", fmt::format("--run=none --certify --dump-smt '{}/new'", scratch.path()));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  for (const char* name : {"new/this_completion.smt2", "new/cheaper.smt2"})
    EXPECT_NE(read_file(scratch / name).find("(check-sat)"), std::string::npos) << name;
  const ToolResult blocked =
      run_pair("reverse", fmt::format("--run=none --certify --dump-smt '{}'", scratch.write("a_file", "")));
  EXPECT_EQ(blocked.exit_code, 1) << blocked.output;
}

TEST(Certify, IsWhatScriptsAreOf) { EXPECT_EQ(run_pair("reverse", "--dump-smt somewhere").exit_code, 2); }

}  // namespace
}  // namespace swizzle::test::certify_test
