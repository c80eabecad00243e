#include "synth/bounds/table_costs.h"

#include <gtest/gtest.h>

namespace swizzle::table_costs_test {
namespace {

// Two holes, executed 32 times: a condition that guards an accumulate in each, and a transformation that guards
// nothing.
class TableCostsOfTwoHoles : public testing::Test {
 protected:
  TableCostsOfTwoHoles() {
    problem_.holes.resize(2);
    problem_.holes[0].kind = HoleKind::kCond;
    problem_.holes[1].kind = HoleKind::kXform;
    problem_.executions = {32, 32};
    for (std::size_t h = 0; h < 2; ++h) {
      problem_.holes[h].id = HoleId(h);
      problem_.holes[h].domain = h == 0 ? 2 : 4;
      for (std::int64_t p = 0; p < 3; ++p)
        problem_.holes[h].points.push_back(problem_.points.intern(HoleId(h), {p}, problem_.holes[h].domain));
    }
    guard({0, 1, 2}, {.accumulates = 32, .multiplies = 16});
    problem_.counts = {.shuffles = 2, .accumulates = 1, .shared_wavefronts = 3, .loads = 1};
    machine_ = {
        .arch = "", .shuffle = 5, .shared_wavefront = 7, .load = 11, .accumulate = 2, .multiply = 3, .integer_op = 0.5};
  }
  // Issued where the condition is true at one of these positions.
  void guard(const std::vector<std::size_t>& positions, Counts counts) {
    GuardedIssue issue{{}, counts};
    for (std::size_t p : positions)
      issue.guards.push_back(
          problem_.provenance.choice(problem_.holes[0].points[p], {Value::integer(0), Value::integer(1)}));
    problem_.guarded.push_back(std::move(issue));
  }
  static HoleTable table(std::vector<std::int16_t> values, int ops) {
    return {std::move(values), IndexExpr::constant(0), ops};
  }

  Problem problem_;
  IssueCosts machine_;
};

TEST_F(TableCostsOfTwoHoles, ATableIsActiveUnlessItIsZeroEverywhere) {
  EXPECT_TRUE(is_active(table({0, 1, 0}, 1)));
  EXPECT_FALSE(is_active(table({0, 0, 0}, 0)));
  EXPECT_FALSE(is_active(table({}, 0)));
}

TEST_F(TableCostsOfTwoHoles, ATableCostsItsExpressionAndWhatItGuards) {
  const TableCosts costs(problem_, machine_);
  EXPECT_EQ(costs.unit(0), 16);
  EXPECT_EQ(costs.price(0, table({0, 1, 0}, 2)), 2 * 16 + 32 * 2 + 16 * 3);
  EXPECT_EQ(costs.price(0, table({1, 1, 1}, 0)), 32 * 2 + 16 * 3);
  EXPECT_EQ(costs.price(0, table({0, 0, 0}, 0)), 0) << "it guards what is never issued";
  EXPECT_EQ(costs.price(1, table({3, 1, 1}, 2)), 2 * 16);
}

// Each of three iterations has an accumulate, and one more is issued where the condition is false in the last.
TEST_F(TableCostsOfTwoHoles, APriceIsOfWhatIsIssuedAndARankOfAll) {
  problem_.guarded.clear();
  for (std::size_t k = 0; k < 3; ++k) guard({k}, {.accumulates = 1});
  problem_.guarded.push_back(
      {{problem_.provenance.choice(problem_.holes[0].points[2], {Value::integer(1), Value::integer(0)})},
       {.multiplies = 1}});
  const TableCosts costs(problem_, machine_);
  EXPECT_EQ(costs.price(0, table({1, 0, 1}, 1)), 16 + 2 * 2);
  EXPECT_EQ(costs.price(0, table({1, 0, 0}, 1)), 16 + 2 + 3);
  EXPECT_EQ(costs.price(0, table({0, 0, 0}, 0)), 3);
  EXPECT_EQ(costs.rank(0, table({1, 0, 0}, 1)), 16 + 3 * 2 + 3);
  EXPECT_EQ(costs.rank(0, table({0, 0, 0}, 0)), 0);
  EXPECT_LE(costs.least_price(0, 16), 16 + 2);
}

TEST_F(TableCostsOfTwoHoles, AListedTableHasTheSameRank) {
  const TableCosts costs(problem_, machine_);
  const TableList list({table({0, 0, 0}, 0), table({1, 1, 1}, 0), table({0, 1, 0}, 1)}, 3, 2);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t t = 0; t < 3; ++t)
      EXPECT_EQ(costs.rank(h, list, t), costs.rank(h, list.tables[t])) << h << ", " << t;
}

// No table costs more than `cost` and less than above(cost), and those that cost `cost` are left behind.
TEST_F(TableCostsOfTwoHoles, AboveACostIsNoMoreThanTheNext) {
  const TableCosts costs(problem_, machine_);
  for (int ops = 0; ops < 5; ++ops) {
    const double cost = costs.rank(1, ops, true), next = costs.rank(1, ops + 1, true);
    EXPECT_GT(costs.above(1, cost), cost);
    EXPECT_LE(costs.above(1, cost), next);
  }
  EXPECT_GT(costs.above(0, 16), 16);
  EXPECT_LT(costs.above(0, 16), 16 + 1e-3) << "a condition may cost anything, with what it guards";
}

// 0 everywhere costs nothing, and 1 everywhere what is guarded, which may be less than half an operation.
TEST_F(TableCostsOfTwoHoles, AboveACostLeavesOutNoGuard) {
  problem_.holes[0].kind = HoleKind::kPart;
  problem_.guarded.clear();
  guard({0, 1, 2}, {.accumulates = 1});
  const TableCosts costs(problem_, machine_);
  EXPECT_LE(costs.above(0, 0), costs.rank(0, 0, true));
}

TEST_F(TableCostsOfTwoHoles, AboveACostIsMoreEvenIfNothingIsExecuted) {
  problem_.executions[1] = 0;
  EXPECT_GT(TableCosts(problem_, machine_).above(1, 0), 0);
}

TEST_F(TableCostsOfTwoHoles, TheTotalIsWhatIsIssuedAnywayAndEveryTable) {
  const TableCosts costs(problem_, machine_);
  const HoleTable condition = table({0, 1, 0}, 2), never = table({0, 0, 0}, 0), lane = table({3, 1, 1}, 1);
  const Cost cost = costs.total({condition, lane});
  EXPECT_EQ(cost.accumulates, 33);
  EXPECT_EQ(cost.integer_ops, 32 * 3);
  EXPECT_EQ(cost.total, cost_of(problem_.counts, machine_) + costs.price(0, condition) + costs.price(1, lane));
  EXPECT_EQ(cost.total, cost.shuffles * machine_.shuffle + cost.accumulates * machine_.accumulate +
                            cost.multiplies * machine_.multiply + cost.shared_wavefronts * machine_.shared_wavefront +
                            cost.loads * machine_.load + cost.integer_ops * machine_.integer_op);
  EXPECT_EQ(costs.total({never, lane}).accumulates, 1);
  EXPECT_EQ(costs.total({never, lane}).total, cost_of(problem_.counts, machine_) + costs.price(1, lane));
}

}  // namespace
}  // namespace swizzle::table_costs_test
