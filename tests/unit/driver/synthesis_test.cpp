#include "driver/synthesis.h"

#include "tests/unit/pair_files.h"

namespace swizzle::synthesis_test {
namespace {

using test::kReversal, test::kReversed, test::Log;

class Synthesis : public test::PairFiles {
 protected:
  // As far as it goes.
  Ending synthesized(const std::string& sketch, const std::string& spec, const SynthesisRequest& request,
                     Observer& observer = nobody()) {
    const auto pair = load_pair(files(sketch, spec));
    if (!pair.ok()) return bad_input(pair.errors());
    auto posed = pose_pair(*pair, request, observer);
    if (const auto* ending = std::get_if<Ending>(&posed)) return *ending;
    searched_ = search(std::get<PosedPair>(posed), request, observer);
    return conclude(std::get<PosedPair>(posed), request, searched_);
  }

  Searched searched_;
};

SynthesisRequest within(double seconds) {
  SynthesisRequest request;
  request.deadline = Deadline(seconds);
  return request;
}

TEST(TargetMachine, IsKnownOrAnError) {
  EXPECT_TRUE(target_machine("sm_90").ok());
  ASSERT_FALSE(target_machine("sm_1").ok());
  EXPECT_EQ(target_machine("sm_1").errors()[0].message, "unknown architecture 'sm_1'; try sm_90");
}

TEST_F(Synthesis, FindsAReversalAndTellsEachPhase) {
  Log log;
  EXPECT_EQ(synthesized(kReversal, kReversed, {}, log).kind, Ending::Kind::kFound);
  EXPECT_EQ(searched_.solution.optimality, Optimality::kProved);
  ASSERT_TRUE(searched_.best);
  ASSERT_EQ(log.lines.size(), 4u);
  EXPECT_EQ(log.lines[1], "end posing: posed 32 equations over 32 points at 1 size");
  EXPECT_EQ(log.lines[2], "begin searching");
  EXPECT_TRUE(log.lines[3].ends_with(" parameter settings: found")) << log.lines[3];
}

TEST_F(Synthesis, WhatCannotBeIsInfeasibleWithAReason) {
  const Ending ending = synthesized(
      kReversal, "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[0]; }\n", {});
  EXPECT_EQ(ending.kind, Ending::Kind::kInfeasible);
  EXPECT_NE(ending.reason, "");
  EXPECT_EQ(ending.reason, searched_.solution.reason);
  EXPECT_TRUE(ending.diagnostics.empty());  // a wider hole would not do either
}

TEST_F(Synthesis, ADeadlineThatPassedIsUnknownAndNoBadInput) {
  const Ending ending = synthesized(kReversal, kReversed, within(0));
  EXPECT_EQ(ending.kind, Ending::Kind::kUnknown);
  EXPECT_EQ(ending.reason, "the time limit ended the posing");
}

TEST_F(Synthesis, AFaultOfTheSketchIsBadInput) {
  std::string outside = kReversal;
  outside.replace(outside.find("y[i] ="), 6, "y[i + 1] =");
  const Ending ending = synthesized(outside, kReversed, {});
  EXPECT_EQ(ending.kind, Ending::Kind::kBadInput);
  EXPECT_FALSE(ending.diagnostics.empty());
}

TEST_F(Synthesis, ASizeThatTheKernelDoesNotHaveIsBadInputEvenOutOfTime) {
  SynthesisRequest request = within(0);
  request.set = {{"m", 3}};
  EXPECT_EQ(synthesized(kReversal, kReversed, request).kind, Ending::Kind::kBadInput);
}

TEST_F(Synthesis, CountsTheSpaceOnlyWhereAsked) {
  SynthesisRequest request;
  ASSERT_EQ(synthesized(kReversal, kReversed, request).kind, Ending::Kind::kFound);
  EXPECT_FALSE(searched_.distinct_space);
  request.counts_space = true;
  ASSERT_EQ(synthesized(kReversal, kReversed, request).kind, Ending::Kind::kFound);
  ASSERT_TRUE(searched_.distinct_space);
  EXPECT_GT(*searched_.distinct_space, 0);
  EXPECT_GE(searched_.raw_space, *searched_.distinct_space);
}

TEST_F(Synthesis, OutOfTimeNamesTheHeaviestHole) {
  const auto pair = load_pair(files(kReversal, kReversed));
  ASSERT_TRUE(pair.ok());
  auto posed = pose_pair(*pair, {});
  SynthesisRequest request;
  request.limit = "the limit of 7 s";
  const std::string text = search_timeout_text(std::get<PosedPair>(posed), request);
  EXPECT_TRUE(text.starts_with("the limit of 7 s ended the search; the heaviest hole is the ?sw_xform at 6:")) << text;
  EXPECT_NE(text.find(", with 32 points and 10^"), std::string::npos) << text;
}

}  // namespace
}  // namespace swizzle::synthesis_test
