#include "synth/trials/trial_graph.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::trial_graph_test {
namespace {

// v = x; v += shuffle(v, P); y = v + shuffle(v, Q) on 4 lanes, every output the sum of all.
class TwoSteps : public testing::Test {
 protected:
  explicit TwoSteps(Scalar s = Scalar::kI32) : b_(Ring::kSum, s) {
    std::vector<Value> v{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    const Value all = b_.sum(v);
    for (HoleId hole : {first_, second_}) {
      std::vector<Value> next;
      for (std::size_t lane = 0; lane < 4; ++lane) next.push_back(b_.sum({v[lane], b_.choice(b_.at(hole, lane), v)}));
      v = next;
    }
    for (const Value& actual : v) b_.equation(actual, all);
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  ProblemBuilder b_;
  const HoleId first_ = b_.transform(4), second_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const HoleTable by_one_ = table({1, 0, 3, 2}), by_two_ = table({2, 3, 0, 1}), by_three_ = table({3, 2, 1, 0}),
                  same_ = table({0, 1, 2, 3});
};

TEST_F(TwoSteps, AreInTheirOrder) {
  ASSERT_TRUE(graph_);
  ASSERT_EQ(graph_->steps().size(), 5u);  // the second is asked by each output for itself
  EXPECT_EQ(graph_->steps()[0].hole, first_);
  EXPECT_EQ(graph_->steps()[0].positions, (std::vector<std::size_t>{0, 1, 2, 3}));
  for (std::size_t output = 0; output < 4; ++output) {
    EXPECT_EQ(graph_->steps()[1 + output].hole, second_);
    EXPECT_EQ(graph_->steps()[1 + output].positions, (std::vector<std::size_t>{output}));
  }
}

TEST_F(TwoSteps, FailAsSoonAsALaneHasSomethingTwice) {
  ASSERT_TRUE(graph_);
  graph_->decide(0, same_);
  EXPECT_FALSE(graph_->stands(0));
  graph_->decide(0, by_one_);
  EXPECT_TRUE(graph_->stands(0));
}

TEST_F(TwoSteps, AreDecidedByTheirNumbers) {
  ASSERT_TRUE(graph_);
  graph_->decide(0, by_one_);
  graph_->decide(1, by_one_);
  EXPECT_FALSE(graph_->stands(1));
  graph_->decide(1, by_three_);
  EXPECT_TRUE(graph_->stands(1));
  graph_->decide(0, by_two_);
  graph_->decide(1, by_three_);
  EXPECT_TRUE(graph_->stands(1));
}

TEST_F(TwoSteps, GoOnAlikeFromTheSameState) {
  ASSERT_TRUE(graph_);
  const HoleTable other = table({1, 0, 3, 2}), different = table({1, 0, 2, 2});
  graph_->decide(0, by_one_);
  const TrialGraph::State state = graph_->state(0);
  graph_->decide(0, by_two_);
  EXPECT_NE(graph_->state(0), state);
  graph_->decide(0, different);
  EXPECT_NE(graph_->state(0), state);
  graph_->decide(0, other);
  EXPECT_EQ(graph_->state(0), state);
}

TEST_F(TwoSteps, ThatAreOpenMayBeAnything) {
  ASSERT_TRUE(graph_);
  graph_->open(0);
  graph_->decide(1, by_one_);
  EXPECT_TRUE(graph_->stands(1));
}

TEST_F(TwoSteps, ComputeOnlyWhatIsDecidedAnew) {
  ASSERT_TRUE(graph_);
  graph_->decide(0, by_one_);
  graph_->decide(1, by_three_);
  EXPECT_TRUE(graph_->stands(1));
  const std::size_t all = graph_->computed();
  graph_->decide(1, by_two_);
  EXPECT_TRUE(graph_->stands(1));
  EXPECT_LT(graph_->computed() - all, all);
}

TEST(TrialGraph, ATermThatIsOpenMustBeSomethingThatFits) {
  ProblemBuilder b;
  const HoleId p = b.transform(2), q = b.transform(2);
  const Value fetched = b.choice(b.at(p, 0), {b.x(0), b.x(1)}), last = b.choice(b.at(q, 0), {b.x(2), b.x(3)});
  b.equation(b.sum({fetched, b.choice(b.at(q, 1), {fetched, last})}), b.sum({b.x(2), b.x(3)}));
  auto graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->stands(0));
}

// v = x; if (C(k)) v += that of lane ^ 1, for k = 0 and 1; y = that of lane 0, and if (D) that of lane 2.
class GuardedSteps : public testing::Test {
 protected:
  GuardedSteps() : b_(Ring::kSum, Scalar::kF32) {
    const std::vector<Value> x{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    std::vector<Value> v = x;
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Value> next;
      for (std::size_t lane = 0; lane < 4; ++lane)
        next.push_back(b_.sum({v[lane], b_.when(b_.at(guard_, 4 * k + lane), v[lane ^ 1])}));
      v = next;
    }
    b_.equation(b_.sum({v[0], b_.when(b_.at(last_, 0), v[2])}), b_.sum(x));
    graph_ = TrialGraph::of(b_.problem, {0});
  }

  ProblemBuilder b_;
  const HoleId guard_ = b_.condition(4, 2), last_ = b_.condition(1);
  std::optional<TrialGraph> graph_;
};

TEST_F(GuardedSteps, AreOneAfterTheOther) {
  ASSERT_TRUE(graph_);
  ASSERT_GE(graph_->steps().size(), 3u);
  EXPECT_EQ(graph_->steps()[0].positions, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(graph_->steps()[1].positions, (std::vector<std::size_t>{4, 6}));
  EXPECT_EQ(graph_->steps()[2].hole, last_);
}

TEST_F(GuardedSteps, FailWhereNoLaterOneBringsWhatIsMissing) {
  ASSERT_TRUE(graph_);
  const HoleTable none = table({0, 0, 0, 0, 0, 0, 0, 0}), once = table({1, 0, 1, 0, 0, 0, 0, 0}), no = table({0}),
                  yes = table({1});
  graph_->decide(0, none);
  graph_->decide(1, none);
  EXPECT_TRUE(graph_->stands(0));   // the second step may still bring x[1]
  EXPECT_FALSE(graph_->stands(1));  // the last one brings x[2] at most
  graph_->decide(0, once);
  graph_->decide(1, once);
  graph_->decide(2, no);
  EXPECT_FALSE(graph_->stands(2));
  EXPECT_TRUE(graph_->stands(1));  // whatever the step behind was decided as
  graph_->decide(2, yes);
  EXPECT_TRUE(graph_->stands(2));
}

TEST(TrialGraph, MinimaAndMaximaOfNothingAreLeftOut) {
  ProblemBuilder b(Ring::kMax, Scalar::kI32);
  const HoleId c = b.condition(1);
  const Value none = b.problem.provenance.from_terms(Ring::kMax, Scalar::kI32, {});
  b.equation(b.sum({b.x(0), b.choice(b.at(c, 0), {none, b.x(1)})}), b.x(0));
  auto graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  const HoleTable no = table({0}), yes = table({1});
  graph->decide(0, no);
  EXPECT_TRUE(graph->stands(0));
  graph->decide(0, yes);
  EXPECT_FALSE(graph->stands(0));
}

TEST(TrialGraph, NumbersWithManyDigitsAreDeclined) {
  ProblemBuilder b(Ring::kSum, Scalar::kF64);
  const HoleId p = b.transform(2);
  const auto with = [&](double c) {
    ProblemBuilder copy = b;
    copy.equation(copy.product(Value::real(c), copy.choice(copy.at(p, 0), {copy.x(0), copy.x(1)})), copy.x(0));
    return TrialGraph::of(copy.problem, {0}).has_value();
  };
  EXPECT_TRUE(with(0.5));
  EXPECT_TRUE(with(-3));
  EXPECT_FALSE(with(0.1));
}

// The choice is of two joined words, in none of which it has a say.
TEST(TrialGraph, WhatJoinsWordsIsAnElement) {
  ProblemBuilder b;
  const HoleId p = b.transform(2);
  const auto joined = [&](const Value& v) { return b.problem.provenance.join(Scalar::kU64, {v, b.x(2)}); };
  b.equation(joined(b.choice(b.at(p, 0), {b.x(0), b.x(1)})), joined(b.x(1)));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  const HoleTable same = table({0, 1}), other = table({1, 0});
  graph->decide(0, same);
  EXPECT_FALSE(graph->stands(0));
  graph->decide(0, other);
  EXPECT_TRUE(graph->stands(0));
}

// y = f(x[l]) + f(x[P(l)]) on 2 lanes, f without an evaluation.
TEST(TrialGraph, AddsWhatFunctionsMakeInAnyOrder) {
  ProblemBuilder b(Ring::kSum, Scalar::kF32);
  const HoleId lanes = b.transform(2);
  const auto f = [&](std::int64_t i) { return b.problem.provenance.opaque(kOpaqueIntrinsic, Scalar::kF32, {b.x(i)}); };
  const std::vector<Value> made{f(0), f(1), f(2)};
  for (std::size_t lane = 0; lane < 2; ++lane)
    b.equation(b.sum({b.choice(b.at(lanes, lane), {made[0], made[1]}), made[2], made[lane]}),
               b.sum({made[0], made[1], made[2]}));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1});
  ASSERT_TRUE(graph);
  const HoleTable same = table({0, 1}), other = table({1, 0});
  const auto stands = [&](const HoleTable& t) {
    for (std::size_t s = 0; s < graph->steps().size(); ++s) graph->decide(s, t);
    bool all = true;
    for (std::size_t s = 0; s < graph->steps().size(); ++s) all = all && graph->stands(s);
    return all;
  };
  EXPECT_TRUE(stands(other));
  EXPECT_FALSE(stands(same));
}

// y = x[0] + P + Q + R, each one of two elements: what comes behind P and Q goes by what they add up to.
TEST(TrialGraph, LeavesSumsToLaterSteps) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId p = b.condition(1), q = b.condition(1), r = b.condition(1);
  const std::vector<Value> either{b.x(1), b.x(2)};
  b.equation(b.sum({b.x(0), b.choice(b.at(p, 0), either), b.choice(b.at(q, 0), either),
                    b.choice(b.at(r, 0), {b.x(3), b.x(4)})}),
             b.sum({b.x(0), b.x(1), b.x(2), b.x(4)}));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->steps().size(), 3u);
  const HoleTable first = table({0}), second = table({1});
  const auto state_of = [&](const HoleTable& of_p, const HoleTable& of_q) {
    graph->decide(0, of_p);
    graph->decide(1, of_q);
    return graph->state(1);
  };
  EXPECT_EQ(state_of(first, second), state_of(second, first));
  EXPECT_NE(state_of(first, second), state_of(first, first));
  state_of(first, second);
  graph->decide(2, second);
  EXPECT_TRUE(graph->stands(2));
  graph->decide(2, first);
  EXPECT_FALSE(graph->stands(2));
}

// Each of three points is asked at every depth, and there is a requirement about each: they are decided one by one.
TEST(TrialGraph, DecidesConstantsOneByOne) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId distances = b.hole(HoleKind::kConstants, 4, {{0}, {1}, {2}});
  std::vector<Value> v{b.x(0), b.x(1), b.x(2), b.x(3)}, next(4);
  for (std::size_t step = 0; step < 3; ++step) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::vector<Value> others;
      for (std::size_t d = 0; d < 4; ++d) others.push_back(v[(lane + d) % 4]);
      next[lane] = lane == 0 ? v[lane] : b.sum({v[lane], b.choice(b.at(distances, step), others)});
    }
    v = next;
    b.problem.requirements.push_back({b.choice(
        b.at(distances, step), {Value::integer(1), Value::integer(0), Value::integer(0), Value::integer(0)})});
  }
  b.equation(v[1], b.sum({b.x(0), b.x(1), b.x(2), b.x(3)}));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->steps().size(), 3u);
  for (std::size_t step = 0; step < 3; ++step)
    EXPECT_EQ(graph->steps()[step].positions, (std::vector<std::size_t>{step}));
}

}  // namespace
}  // namespace swizzle::trial_graph_test
