// Nodes of the search, by Problems of which one part decides what comes out.
#include <gtest/gtest.h>

#include "synth/search/solve.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::search_tree_test {
namespace {

using Values = std::vector<std::int16_t>;

class SearchTree : public testing::Test {
 protected:
  Value fetch(HoleId hole, std::size_t lane) {
    return b_.choice(b_.at(hole, lane), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)});
  }
  // x[0], unless the point has the value.
  Value unless(PointId p, int value) {
    std::vector<Value> values(static_cast<std::size_t>(b_.problem.points[p].domain), b_.x(0));
    values[static_cast<std::size_t>(value)] = b_.x(1);
    return b_.choice(p, values);
  }

  ProblemBuilder b_;
};

TEST_F(SearchTree, WhatIsForcedIsTakenInOneNode) {
  const HoleId p = b_.transform(4), q = b_.transform(4);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    b_.equation(fetch(p, lane), b_.x(static_cast<int>(3 - lane)));
    b_.equation(fetch(q, lane), b_.x(static_cast<int>(lane)));
  }
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.nodes, 1u);
  EXPECT_EQ(s.completions[0].tables[0].values, (Values{3, 2, 1, 0}));
  EXPECT_EQ(s.completions[0].tables[1].values, (Values{0, 1, 2, 3}));
}

TEST_F(SearchTree, WhatIsOpenTakesMore) {
  const HoleId p = b_.transform(4);
  b_.equation(unless(b_.at(p, 0), 1), b_.x(0));
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_GT(s.nodes, 1u);
}

// The cheapest of each hole do not go together: the better pair is not where the first hole is cheapest.
TEST_F(SearchTree, ADearTableIsTakenWhereTheRestIsCheaper) {
  const HoleId c = b_.condition(4), p = b_.transform(4);
  b_.problem.executions[p.value] = 10;
  for (std::size_t lane = 0; lane < 4; ++lane)  // fetched by a reversal where the condition is 0
    b_.equation(b_.choice(b_.at(c, lane), {fetch(p, lane), lane == 0 ? b_.x(3) : b_.x(static_cast<int>(lane))}),
                b_.x(lane == 0 ? 3 : static_cast<int>(lane)));
  const std::vector<Completed> all = completions_of(b_.problem);
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kProved);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(all));
}

// The second output asks nothing new, and is not in the network at first: the search begins again with it.
TEST_F(SearchTree, AnEquationThatFailsInTheEndJoins) {
  const HoleId p = b_.transform(4), q = b_.transform(4);
  for (std::size_t lane = 0; lane < 4; ++lane)
    for (HoleId h : {p, q}) b_.equation(unless(b_.at(h, lane), 3), b_.x(0));
  b_.equation(b_.choice(b_.at(p, 1), {b_.choice(b_.at(q, 1), {b_.x(1), b_.x(1), b_.x(0), b_.x(1)}), b_.x(1),
                                      b_.choice(b_.at(q, 1), {b_.x(0), b_.x(1), b_.x(1), b_.x(1)}), b_.x(1)}),
              b_.x(0));
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_NE(s.completions[0].tables[0].values[1], s.completions[0].tables[1].values[1]);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(completions_of(b_.problem)));
}

TEST_F(SearchTree, AnEquationThatNothingSolvesEndsInInfeasible) {
  const HoleId p = b_.transform(4);
  for (std::size_t lane = 0; lane < 4; ++lane) b_.equation(fetch(p, lane), b_.x(static_cast<int>(lane)));
  b_.equation(b_.sum({fetch(p, 0), fetch(p, 1)}), b_.sum({b_.x(0), b_.x(0)}));
  const Solution s = solve(b_.problem, {});
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_FALSE(s.reason.empty());
}

// A node and its requirement: what no point alone says is seen once all is chosen.
TEST_F(SearchTree, StoresMustAgreeInTheEnd) {
  const HoleId p = b_.transform(2);
  b_.equation(unless(b_.at(p, 0), 1), b_.x(0));
  b_.equation(b_.choice(b_.at(p, 1), {b_.x(0), b_.x(0)}), b_.x(0));
  for (std::uint32_t thread = 0; thread < 2; ++thread)
    b_.problem.stores.push_back({Value::integer(1),
                                 b_.choice(b_.at(p, thread), {Value::pointer(1, 0), Value::pointer(1, 1)}),
                                 b_.x(static_cast<int>(thread)),
                                 thread,
                                 {},
                                 0});
  const Solution s = solve(b_.problem, {.all = 100});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  for (const Completion& c : s.completions) EXPECT_NE(c.tables[0].values[0], c.tables[0].values[1]);
}

}  // namespace
}  // namespace swizzle::search_tree_test
