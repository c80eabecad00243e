#include "synth/search/findings.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::findings_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class FindingsOfSearch : public testing::Test {
 protected:
  static Completion completion(std::int16_t value, double cost) {
    Completion c;
    c.tables.emplace_back().values = {value};
    c.cost.total = cost;
    return c;
  }
  Solution conclude(const SolveOptions& options = {}, double best = kInfinity) {
    return findings_.conclude(b_.problem, options, best);
  }

  ProblemBuilder b_;
  Findings findings_;
};

TEST_F(FindingsOfSearch, TheCheapestIsProvedIfNothingCutTheSearchShort) {
  findings_.found = {completion(1, 5), completion(2, 3)};
  const Solution s = conclude();
  EXPECT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kProved);
  ASSERT_EQ(s.completions.size(), 1u);
  EXPECT_EQ(s.completions[0].tables[0].values[0], 2);
  EXPECT_TRUE(s.exhausted);
}

TEST_F(FindingsOfSearch, AfterATimeLimitItIsTheBestFound) {
  findings_.found = {completion(1, 5)};
  findings_.timed_out = true;
  const Solution s = conclude();
  EXPECT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kBestFound);
  EXPECT_EQ(s.unknown, UnknownReason::kTimeOfSearch);
  EXPECT_FALSE(s.exhausted);
}

TEST_F(FindingsOfSearch, WhatWasSetAsideCountsIfALimitEndsTheSearchAndOnce) {
  findings_.found = {completion(1, 5), completion(2, 3)};
  findings_.set_aside();
  findings_.found = {completion(2, 3)};
  findings_.timed_out = true;
  EXPECT_EQ(conclude({.all = 9}).completions.size(), 2u);
}

TEST_F(FindingsOfSearch, WhatWasSetAsideDoesNotCountIfTheSearchCameToItsEnd) {
  findings_.found = {completion(1, 5)};
  findings_.set_aside();
  findings_.found = {completion(2, 3)};
  EXPECT_EQ(conclude({.all = 9}).completions.size(), 1u);
}

TEST_F(FindingsOfSearch, NothingFoundIsInfeasibleOrUnknown) {
  EXPECT_EQ(conclude().outcome, Outcome::kInfeasible);
  findings_.out_of_memory = true;
  const Solution s = conclude();
  EXPECT_EQ(s.outcome, Outcome::kUnknown);
  EXPECT_EQ(s.unknown, UnknownReason::kOutOfMemory);
  EXPECT_FALSE(s.reason.empty());
}

TEST_F(FindingsOfSearch, TablesThatNoListHasMatterIfTheyMightBeCheaper) {
  findings_.found = {completion(1, 5)};
  findings_.least_unlisted = 4;
  EXPECT_EQ(conclude({}, 4).optimality, Optimality::kProved);
  findings_.found = {completion(1, 5)};
  EXPECT_EQ(conclude({}, 5).unknown, UnknownReason::kLargerExpressions);
}

TEST_F(FindingsOfSearch, TheReasonNamesAHoleWithoutTables) {
  const HoleId hole = b_.transform(4);
  findings_.excluded = hole.value;
  EXPECT_NE(conclude().reason.find(b_.space(hole).name), std::string::npos);
}

TEST_F(FindingsOfSearch, TheReasonNamesAHoleWithTooManyTables) {
  const std::size_t first = b_.transform(4).value, second = b_.transform(4).value;
  for (const std::size_t hole : {first, second}) {
    findings_.too_many_tables = hole;
    EXPECT_NE(conclude().reason.find(b_.problem.holes[hole].name), std::string::npos);
    findings_.too_many_tables.reset();
    findings_.least_unlisted = 0;
    findings_.unlisted = hole;
    EXPECT_NE(conclude().reason.find(b_.problem.holes[hole].name), std::string::npos);
  }
}

}  // namespace
}  // namespace swizzle::findings_test
