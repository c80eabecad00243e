// The tables of one hole, tried on a node: by groups where they are many, once where they agree on all that is asked.
#include <gtest/gtest.h>

#include "synth/search/solve.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::search_tables_test {
namespace {

// Only lane 0 of 8 is asked, and may not fetch from lane 0; the others may do what they want.
class SearchTables : public testing::Test {
 protected:
  void pose(std::size_t asked) {
    for (std::size_t lane = 0; lane < asked; ++lane) {
      std::vector<Value> values(8, b_.x(1));
      values[0] = b_.x(0);
      b_.equation(b_.choice(b_.at(lanes_, lane), values), b_.x(1));
    }
  }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(8);
};

TEST_F(SearchTables, ThatAgreeWhereTheHoleIsAskedAreTriedOnce) {
  pose(1);
  b_.forbid(b_.equal(b_.index(b_.at(lanes_, 0)), Value::integer(1)));
  const std::vector<Completed> all = completions_of(b_.problem);
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(all));
  EXPECT_LE(s.nodes, 8u) << "there are " << all.size() << " tables, of 6 values at lane 0";
}

// Where all are to be listed, those that agree there are different ones.
TEST_F(SearchTables, ThatAgreeWhereTheHoleIsAskedAreAllListed) {
  pose(1);
  const std::vector<Completed> all = completions_of(b_.problem);
  const Solution s = solve(b_.problem, {.all = 100'000});
  EXPECT_EQ(s.completions.size(), all.size());
  EXPECT_TRUE(s.exhausted);
}

// Of many tables of one cost, what single points refute is refuted together, and none is lost.
TEST_F(SearchTables, ThatAreManyAreDividedAndNoneIsLost) {
  pose(8);
  const HoleId other = b_.transform(8);
  for (std::size_t lane = 0; lane < 8; ++lane)
    b_.forbid(b_.equal(b_.index(b_.at(lanes_, lane)), b_.index(b_.at(other, lane))));
  b_.forbid(b_.less(b_.index(b_.at(other, 3)), b_.index(b_.at(lanes_, 2))));
  ProblemBuilder& b = b_;
  const auto grammars = grammars_of(b.problem.holes);
  const std::vector<HoleTable> tables = grammars[0]->within(Domains(b.problem.points), kAnyCost, 10'000).tables;
  double least = std::numeric_limits<double>::infinity();
  for (const HoleTable& t : tables)
    for (const HoleTable& u : tables) {
      bool fits = u.values[3] >= t.values[2];
      for (std::size_t lane = 0; lane < 8 && fits; ++lane)
        fits = t.values[lane] != 0 && t.values[lane] != u.values[lane];
      if (fits) least = std::min(least, static_cast<double>(t.integer_ops + u.integer_ops));
    }
  const Solution s = solve(b.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].cost.total, least);
  EXPECT_EQ(s.optimality, Optimality::kProved);
}

// All tables of a class are tried before it is said that none does.
TEST_F(SearchTables, ThatAllFailAreInfeasible) {
  const HoleId c = b_.condition(8);
  pose(8);
  for (std::size_t i = 0; i < 3; ++i) b_.forbid(b_.equal(b_.index(b_.at(c, i)), b_.index(b_.at(c, (i + 1) % 3))));
  EXPECT_EQ(solve(b_.problem, {}).outcome, Outcome::kInfeasible);
}

}  // namespace
}  // namespace swizzle::search_tables_test
