#include "driver/completion.h"

#include "driver/all_sizes.h"
#include "driver/synthesis_report.h"
#include "tests/unit/pair_files.h"

namespace swizzle::completion_test {
namespace {

using test::kReversal, test::kReversed, test::Log;

class CompletionOfAPair : public test::PairFiles {
 protected:
  void SetUp() override {
    pair_ = pair_of(kReversal, kReversed);
    posed_.emplace(posed_of(pair_));
    searched_ = search(*posed_, {});
    ASSERT_EQ(conclude(*posed_, {}, searched_).kind, Ending::Kind::kFound);
    request_.sketch_path = pair_.sketch.source.path();
    request_.spec_path = pair_.spec.source.path();
    request_.tool = "this test";
    request_.run = RunAt::kNone;
  }

  Pair pair_of(const std::string& sketch, const std::string& spec) {
    auto pair = load_pair(files(sketch, spec));
    EXPECT_TRUE(pair.ok());
    return std::move(*pair);
  }

  static PosedPair posed_of(const Pair& pair) {
    auto posed = pose_pair(pair, {});
    EXPECT_TRUE(std::holds_alternative<PosedPair>(posed));
    return std::move(std::get<PosedPair>(posed));
  }

  EmittedKernel emitted() {
    auto kernel = emit_kernel(*posed_, searched_, request_);
    EXPECT_TRUE(kernel.ok());
    return *kernel;
  }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    EXPECT_NE(text.find(from), std::string::npos) << text;
    return text.replace(text.find(from), from.size(), to);
  }

  Pair pair_;
  std::optional<PosedPair> posed_;
  Searched searched_;
  CompletionRequest request_;
};

TEST_F(CompletionOfAPair, IsEmittedUnderAHeadThatSaysWhatWasProved) {
  const EmittedKernel kernel = emitted();
  EXPECT_TRUE(kernel.text.starts_with("// Completed by this test from f.cu\n// spec: f.cpp\n//   sw_xform at 6:33 = "))
      << kernel.text;
  EXPECT_NE(kernel.text.find("// equal to the spec for every input at n=32\n"), std::string::npos) << kernel.text;
  EXPECT_EQ(kernel.text.find("?sw_"), std::string::npos) << kernel.text;
  ASSERT_EQ(kernel.posed.size(), 2u);
  EXPECT_EQ(kernel.posed[1].sizes, (Sizes{{"n", 64}}));
}

TEST_F(CompletionOfAPair, IsJudgedAtFurtherSizesWhileThereIsTime) {
  const RereadKernel reread = reread_kernel(emitted(), *posed_, *searched_.best, request_);
  const AllSizes ample = judge_all_sizes(reread, pair_.spec, Proof::kAll),
                 late = judge_all_sizes(reread, pair_.spec, Proof::kAll, Deadline(-1));
  EXPECT_TRUE(ample.said.outcome == Report::AllSizes::Outcome::kProved || !ample.said.tried.empty());
  EXPECT_EQ(late.said.outcome, Report::AllSizes::Outcome::kNotProved);
  EXPECT_TRUE(late.said.tried.empty());
}

TEST_F(CompletionOfAPair, IsReadAgainAtInstancesAndChecks) {
  Log log;
  const RereadKernel reread = reread_kernel(emitted(), *posed_, *searched_.best, request_, log);
  EXPECT_FALSE(reread.ending);
  EXPECT_TRUE(reread.kernel);
  EXPECT_EQ(reread.at, (std::vector<std::string>{"n=32", "n=64"}));
  EXPECT_EQ(log.lines.back(), "end re-reading: re-read and executed at 2 sizes");
}

TEST_F(CompletionOfAPair, IsUnknownWhereReadingItAgainTakesTooLong) {
  request_.reread_seconds = -1;
  const RereadKernel reread = reread_kernel(emitted(), *posed_, *searched_.best, request_);
  ASSERT_TRUE(reread.ending);
  EXPECT_EQ(reread.ending->kind, Ending::Kind::kUnknown);
  EXPECT_EQ(reread.ending->reason, "a completion was found, and executing it at n=32 takes too long");
  EXPECT_FALSE(reread.refuted_at);
}

TEST_F(CompletionOfAPair, AnEmittedTextThatIsNotTheSpecFailsItsVerification) {
  EmittedKernel wrong = emitted();
  wrong.text = replaced(wrong.text, "y[i] = ", "y[i] = 1 + ");
  const RereadKernel reread = reread_kernel(wrong, *posed_, *searched_.best, request_);
  ASSERT_TRUE(reread.ending);
  EXPECT_EQ(reread.ending->kind, Ending::Kind::kFailedVerification);
  EXPECT_TRUE(reread.ending->reason.starts_with("at n=32, ")) << reread.ending->reason;
  EXPECT_TRUE(reread.at.empty());
}

TEST_F(CompletionOfAPair, WhatHeldBeforeAFailureIsReported) {
  EmittedKernel wrong = emitted();
  wrong.text = replaced(wrong.text, "y[i] = ", "y[i] = n / 64 + ");
  const RereadKernel reread = reread_kernel(wrong, *posed_, *searched_.best, request_);
  ASSERT_TRUE(reread.ending);
  Report report;
  report_reread(reread, report);
  report_ending(*reread.ending, report);
  EXPECT_EQ(report.checked.reread, (std::vector<std::string>{"n=32"}));
  EXPECT_EQ(report.outcome, Outcome::kUnknown);
  EXPECT_TRUE(report.reason.starts_with("at n=64, ")) << report.reason;
}

TEST_F(CompletionOfAPair, AnEmittedTextThatDoesNotParseFailsItsVerification) {
  EmittedKernel wrong = emitted();
  wrong.text = replaced(wrong.text, "y[i] = ", "y[i] = nonsense + ");
  const RereadKernel reread = reread_kernel(wrong, *posed_, *searched_.best, request_);
  ASSERT_TRUE(reread.ending);
  EXPECT_EQ(reread.ending->kind, Ending::Kind::kFailedVerification);
  EXPECT_EQ(reread.ending->reason, "the emitted text does not parse");
  EXPECT_FALSE(reread.ending->diagnostics.empty());
  EXPECT_FALSE(reread.kernel);
}

TEST_F(CompletionOfAPair, WhatIsWrongWithTheSketchAtACheckSizeIsToldAfterTheDeadline) {
  const Pair pair =
      pair_of(kReversal, "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[31 - i]; }\n");
  PosedPair posed = posed_of(pair);
  const Searched searched = search(posed, {});
  auto kernel = emit_kernel(posed, searched, request_);
  ASSERT_TRUE(kernel.ok());
  posed.task.deadline = Deadline(-1);
  const RereadKernel reread = reread_kernel(*kernel, posed, *searched.best, request_);
  ASSERT_TRUE(reread.ending);
  EXPECT_EQ(reread.ending->kind, Ending::Kind::kBadInput) << reread.ending->reason;
  EXPECT_EQ(reread.ending->diagnostics.back().message, "this happens at n=64");
}

TEST_F(CompletionOfAPair, IsNotRunWhereNotAsked) {
  Log log;
  const EmittedKernel kernel = emitted();
  const RereadKernel reread = reread_kernel(kernel, *posed_, *searched_.best, request_);
  const KernelRun run = run_kernel(kernel, reread, pair_.spec, request_, log);
  EXPECT_FALSE(run.outcome);
  EXPECT_FALSE(run.ending);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(CompletionOfAPair, RunsUnderTheEmulation) {
  request_.run = RunAt::kCpu;
  const EmittedKernel kernel = emitted();
  const RereadKernel reread = reread_kernel(kernel, *posed_, *searched_.best, request_);
  const KernelRun run = run_kernel(kernel, reread, pair_.spec, request_);
  ASSERT_FALSE(run.ending) << run.ending->reason;
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(run.outcome->mismatches, 0);
  EXPECT_TRUE(run.summary.starts_with("ran on cpu: warp emulation for 4 inputs")) << run.summary;
  EXPECT_TRUE(found_text(searched_, "f.cu", std::nullopt, run, 0.5).ends_with("; 0.500 s\n"));
}

TEST_F(CompletionOfAPair, IsReportedWithHolesAndCost) {
  Report report;
  report_posing(*posed_, report);
  report_search(searched_, report);
  report_completion(searched_, "f.cu", report);
  EXPECT_EQ(report.checked.posed, (std::vector<std::string>{"n=32"}));
  EXPECT_EQ(report.optimality, Optimality::kProved);
  ASSERT_EQ(report.holes.size(), 1u);
  EXPECT_EQ(report.holes[0].location, "f.cu:6:33");
  ASSERT_TRUE(report.cost.has_value());
  EXPECT_EQ(report.cost->total, searched_.solution.completions[0].cost.total);
}

TEST(Listing, TellsCostsExpressionsAndMirrorImages) {
  EXPECT_EQ(listing_text({{46, {"k & 7"}, {}}, {52.5, {"(t - k) & 7"}, 1}}),
            "completion 1, cost 46\n  k & 7\ncompletion 2, cost 52.5, mirror image of #1\n  (t - k) & 7\n");
}

}  // namespace
}  // namespace swizzle::completion_test
