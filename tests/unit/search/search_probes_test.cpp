// Tables that are looked at before they are tried, and holes that may change places.
#include <gtest/gtest.h>

#include "synth/search/solve.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::search_probes_test {
namespace {

// The cheapest tables of a hole that propagation refutes one by one are left behind before any node is made: each of
// them meets another hole, of which nothing else is known.
TEST(SearchProbes, CheapTablesThatFailByThemselvesCostNoNode) {
  ProblemBuilder b;
  const HoleId p = b.transform(4), q = b.transform(4);
  for (std::size_t lane = 0; lane < 4; ++lane)
    b.equation(b.choice(b.at(q, lane), {b.x(0), b.x(1), b.x(2), b.x(3)}), b.x(static_cast<int>(lane)));
  for (std::size_t lane = 1; lane < 4; ++lane) b.forbid(b.equal(b.index(b.at(p, lane)), b.index(b.at(p, 0))));
  b.forbid(b.equal(b.index(b.at(p, 0)), b.index(b.at(q, 0))));
  const Solution s = solve(b.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(completions_of(b.problem)));
  EXPECT_GT(s.completions[0].tables[p.value].integer_ops, 0) << "constants and the lane itself fail";
  EXPECT_LE(s.nodes, 4u);
}

// No two of three lanes may fetch from the same of two others: each table fails by itself.
TEST(SearchProbes, AHoleOfWhichEveryTableFailsIsInfeasibleWithoutANode) {
  ProblemBuilder b;
  const HoleId p = b.part(2, 3);
  for (std::size_t i = 0; i < 3; ++i) b.forbid(b.equal(b.index(b.at(p, i)), b.index(b.at(p, (i + 1) % 3))));
  const Solution s = solve(b.problem, {});
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_FALSE(s.reason.empty());
  EXPECT_LE(s.nodes, 1u);
}

// Three fetches that may change places; one of them is not like the others where it is executed more often.
class SearchProbesOfAlike : public testing::Test {
 protected:
  std::size_t nodes(double executions) {
    ProblemBuilder b(Ring::kXor);
    std::vector<HoleId> holes;
    for (int h = 0; h < 3; ++h) holes.push_back(b.transform(3));
    for (std::size_t lane = 0; lane < 3; ++lane) {
      std::vector<Value> fetches;
      for (HoleId h : holes) fetches.push_back(b.choice(b.at(h, lane), {b.x(0), b.x(1), b.x(2)}));
      b.equation(b.sum(fetches), b.sum({b.x(0), b.x(1), b.x(2)}));
    }
    b.problem.executions[0] = executions;
    const Solution s = solve(b.problem, {});
    EXPECT_EQ(s.outcome, Outcome::kFound);
    EXPECT_EQ(s.optimality, Optimality::kProved);
    EXPECT_EQ(s.completions[0].cost.total, least_cost(completions_of(b.problem)));
    return s.nodes;
  }
};

TEST_F(SearchProbesOfAlike, OfBranchesThatASymmetryTurnsIntoEachOtherOneIsLookedAt) { EXPECT_LE(nodes(1), nodes(1.5)); }

// Listing all, both of two mirror images are completions.
TEST_F(SearchProbesOfAlike, AllIsAskedForListsMirrorImagesToo) {
  ProblemBuilder b(Ring::kXor);
  const HoleId p = b.part(2, 2), q = b.part(2, 2);
  for (std::size_t lane = 0; lane < 2; ++lane)
    b.equation(b.sum({b.choice(b.at(p, lane), {b.x(0), b.x(1)}), b.choice(b.at(q, lane), {b.x(0), b.x(1)})}),
               b.sum({b.x(0), b.x(1)}));
  const Solution s = solve(b.problem, {.all = 100});
  EXPECT_EQ(s.completions.size(), completions_of(b.problem).size());
  EXPECT_EQ(s.completions.size() % 2, 0u);
}

}  // namespace
}  // namespace swizzle::search_probes_test
