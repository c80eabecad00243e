#include "driver/ending.h"

#include <gtest/gtest.h>

#include "tools/exit_codes.h"

namespace swizzle::ending_test {
namespace {

Ending ending(Ending::Kind kind) { return {kind, "why", {make_error("what")}}; }

TEST(Ending, FoundIsToldElsewhere) { EXPECT_EQ(text_of(Ending{}, "a.cu"), ""); }
TEST(Ending, BadInputIsItsDiagnostics) { EXPECT_EQ(text_of(ending(Ending::Kind::kBadInput), "a.cu"), "error: what\n"); }
TEST(Ending, InfeasibleSaysWhyAndAddsNotes) {
  EXPECT_EQ(text_of(ending(Ending::Kind::kInfeasible), "a.cu"), "a.cu: infeasible: why\nerror: what\n");
}
TEST(Ending, UnknownNamesWhatEndedTheSearch) {
  EXPECT_EQ(text_of(unknown(UnknownReason::kTimeOfPosing), "a.cu"), "a.cu: unknown: the time limit ended the posing\n");
}
TEST(Ending, AFailedVerificationFirstTellsWhatWasMet) {
  EXPECT_EQ(text_of(failed_verification("at n=64, y[3] differs", {make_error("what")}), "a.cu"),
            "error: what\na.cu: the kernel failed its verification: at n=64, y[3] differs\n");
}

TEST(Ending, BadInputIsReportedAsAnError) {
  Report report;
  report_ending(ending(Ending::Kind::kBadInput), report);
  EXPECT_TRUE(report.is_error);
  EXPECT_EQ(report.reason, "what");
}

TEST(Ending, WhatIsNotVerifiedHasNoCost) {
  Report report;
  for (const auto kind : {Ending::Kind::kFound, Ending::Kind::kUnknown}) {
    report.cost = Cost{};
    report.optimality = Optimality::kNotAsked;
    report_ending(ending(kind), report);
    EXPECT_EQ(report.cost.has_value(), kind == Ending::Kind::kFound);
    EXPECT_EQ(report.optimality.has_value(), kind == Ending::Kind::kFound);
  }
}

TEST(Ending, EachKindIsAFindingOfItsRule) {
  for (const auto& [kind, rule, of] : {std::tuple{Ending::Kind::kFound, "found", Finding::Kind::kPass},
                                       {Ending::Kind::kBadInput, "error", Finding::Kind::kFail},
                                       {Ending::Kind::kFailedVerification, "failed-verification", Finding::Kind::kFail},
                                       {Ending::Kind::kInfeasible, "infeasible", Finding::Kind::kFail},
                                       {Ending::Kind::kUnknown, "unknown", Finding::Kind::kOpen}}) {
    const auto found = findings_of(ending(kind), "a.cu");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, rule);
    EXPECT_EQ(found[0].kind, of);
  }
}

TEST(Ending, ColorsAreEscapeSequencesAroundTheSameText) {
  EXPECT_EQ(text_of(unknown(UnknownReason::kTimeOfPosing), "a.cu", Colors::kAnsi),
            "\x1b[1ma.cu: \x1b[0m\x1b[1;35munknown: \x1b[0mthe time limit ended the posing\n");
}

TEST(Ending, UnknownIsNeverReportedAsInfeasible) {
  for (const auto& [kind, outcome] : {std::pair{Ending::Kind::kUnknown, Outcome::kUnknown},
                                      {Ending::Kind::kFailedVerification, Outcome::kUnknown},
                                      {Ending::Kind::kInfeasible, Outcome::kInfeasible},
                                      {Ending::Kind::kFound, Outcome::kFound}}) {
    Report report;
    report_ending(ending(kind), report);
    EXPECT_EQ(report.outcome, outcome);
    EXPECT_EQ(report.reason, "why");
    EXPECT_FALSE(report.is_error);
  }
}

TEST(ExitCodes, AreThoseThatTheReadmePromises) {
  EXPECT_EQ(exit_code(Ending::Kind::kFound), 0);
  EXPECT_EQ(exit_code(Ending::Kind::kBadInput), 1);
  EXPECT_EQ(exit_code(Ending::Kind::kFailedVerification), 3);
  EXPECT_EQ(exit_code(Ending::Kind::kInfeasible), 10);
  EXPECT_EQ(exit_code(Ending::Kind::kUnknown), 20);
}

}  // namespace
}  // namespace swizzle::ending_test
