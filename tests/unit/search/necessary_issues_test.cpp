#include "synth/search/necessary_issues.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::necessary_issues_test {
namespace {

// Four lanes add up x[0] … x[3]: each takes what its neighbour has, and then what the lane two away has, if told to.
class SumOfFour : public testing::Test {
 protected:
  void pose(Ring ring, Value expected) { pose(ring, {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}, expected); }
  void pose(Ring ring, std::vector<Value> v, Value expected) {
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Value> next;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const Value all = b_.normal(b_.problem.provenance.combine(ring, Scalar::kU32, v[lane], v[lane ^ (k + 1)]));
        next.push_back(b_.choice(at(lane, k), {v[lane], all}));
      }
      v = next;
    }
    b_.equation(v[0], expected);
    for (std::size_t k = 0; k < 2; ++k) issue(k, true);
  }
  PointId at(std::size_t lane, std::size_t k) const { return b_.at(condition_, k * 4 + lane); }
  // Of iteration k, where a condition is so.
  void issue(std::size_t k, bool is_true) {
    GuardedIssue issue{{}, {.accumulates = 1}};
    for (std::size_t lane = 0; lane < 4; ++lane)
      issue.guards.push_back(b_.choice(at(lane, k), {Value::integer(!is_true), Value::integer(is_true)}));
    b_.problem.guarded.push_back(std::move(issue));
  }

  ProblemBuilder b_;
  const HoleId condition_ = b_.condition(4, 2);
};

TEST_F(SumOfFour, NeedsBothSteps) {
  pose(Ring::kSum, b_.sum({b_.x(0), b_.x(1), b_.x(2), b_.x(3)}));
  issue(1, false);
  const GuardedIssues issues(b_.problem, {});
  const NecessaryIssues necessary(b_.problem, {0}, issues);
  EXPECT_EQ(necessary.cost(0), 2 * IssueCosts().accumulate) << "that nothing is taken is not necessary";
  const auto table = [](std::vector<std::int16_t> values) { return HoleTable{std::move(values), {}, 1}; };
  EXPECT_TRUE(necessary.are_issued(0, table({1, 0, 0, 0, 0, 0, 0, 1})));
  EXPECT_FALSE(necessary.are_issued(0, table({1, 1, 1, 1, 0, 0, 0, 0})));
}

// A square has one element, not two.
TEST_F(SumOfFour, OfSquaresNeedsBothSteps) {
  std::vector<Value> squares;
  for (std::int64_t lane = 0; lane < 4; ++lane)
    squares.push_back(b_.normal(b_.problem.provenance.multiply(Ring::kSum, Scalar::kU32, b_.x(lane), b_.x(lane))));
  pose(Ring::kSum, squares, b_.sum({squares[0], squares[1], squares[2], squares[3]}));
  const GuardedIssues issues(b_.problem, {});
  EXPECT_EQ(NecessaryIssues(b_.problem, {0}, issues).cost(0), 2 * IssueCosts().accumulate);
}

TEST_F(SumOfFour, OfTwoNeedsOneStepOfEither) {
  pose(Ring::kMax, b_.normal(b_.problem.provenance.combine(Ring::kMax, Scalar::kU32, b_.x(0), b_.x(2))));
  const GuardedIssues issues(b_.problem, {});
  EXPECT_EQ(NecessaryIssues(b_.problem, {0}, issues).cost(0), 0) << "by their number, either would do";
}

// Of g[l] = a[l] & b[l] and p[l] = a[l] | b[l], which have elements in common: two lanes bring four, and not six.
TEST(NecessaryIssues, CountWhatIsInCommonOnce) {
  ProblemBuilder b;
  const HoleId condition = b.condition(4, 2);
  const auto apply = [&](Operator op, Value v, Value w) {
    return b.normal(b.problem.provenance.binary(op, Scalar::kU32, v, w));
  };
  std::vector<Value> g, p;
  for (std::int64_t lane = 0; lane < 4; ++lane) {
    g.push_back(apply(Operator::kAnd, b.a(lane), b.b(lane)));
    p.push_back(apply(Operator::kOr, b.a(lane), b.b(lane)));
  }
  Value carry = g[0];
  for (std::size_t lane = 1; lane < 4; ++lane)
    carry = apply(Operator::kOr, g[lane], apply(Operator::kAnd, p[lane], carry));
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<Value> next_g = g, next_p = p;
    GuardedIssue issue{{}, {.accumulates = 1}};
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const PointId at = b.at(condition, k * 4 + lane);
      issue.guards.push_back(b.choice(at, {Value::integer(0), Value::integer(1)}));
      if (lane <= k) continue;
      const std::size_t from = lane - k - 1;
      next_g[lane] = b.choice(at, {g[lane], apply(Operator::kOr, g[lane], apply(Operator::kAnd, p[lane], g[from]))});
      next_p[lane] = b.choice(at, {p[lane], apply(Operator::kAnd, p[lane], p[from])});
    }
    g = next_g, p = next_p;
    b.problem.guarded.push_back(std::move(issue));
  }
  b.equation(g[3], carry);
  const GuardedIssues issues(b.problem, {});
  EXPECT_EQ(NecessaryIssues(b.problem, {0}, issues).cost(0), 2 * IssueCosts().accumulate);
}

}  // namespace
}  // namespace swizzle::necessary_issues_test
