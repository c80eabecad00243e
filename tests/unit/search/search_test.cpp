// The search as a whole against all completions of random small problems. Its parts: search_*_test.cpp.
#include "synth/search/search.h"

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/brute_force.h"
#include "tests/unit/random_branches.h"
#include "tests/unit/random_problem.h"

namespace swizzle::search_test {
namespace {

class SearchOf : public testing::TestWithParam<std::pair<Ring, Meeting>> {
 protected:
  static RandomProblem random_problem(std::uint32_t seed) {
    return RandomProblem(seed, GetParam().first, GetParam().second);
  }
};

TEST_P(SearchOf, RandomProblemsFindsTheLeastCostOrProvesThatThereIsNone) {
  std::size_t found = 0, infeasible = 0;
  for (std::uint32_t seed = 4780; seed < 4860; ++seed) {
    RandomProblem random = random_problem(seed);
    const std::vector<Completed> completions = completions_of(random.problem);
    const Solution solution = solve(random.problem, {});
    if (completions.empty()) {
      EXPECT_EQ(solution.outcome, Outcome::kInfeasible) << seed;
      EXPECT_FALSE(solution.reason.empty()) << seed;
      ++infeasible;
      continue;
    }
    ++found;
    ASSERT_EQ(solution.outcome, Outcome::kFound) << seed << ": " << solution.reason;
    EXPECT_EQ(solution.optimality, Optimality::kProved) << seed;
    EXPECT_NEAR(solution.completions[0].cost.total, least_cost(completions), 1e-6) << seed;
    Assignment assignment(random.problem.points.size(), 0);
    for (const HoleSpace& space : random.problem.holes)
      for (std::size_t i = 0; i < space.points.size(); ++i)
        assignment[space.points[i].value] = solution.completions[0].tables[space.id.value].values[i];
    EXPECT_TRUE(solves(random.problem, assignment)) << seed;
  }
  EXPECT_GT(found, 20u);
  EXPECT_GT(infeasible, 5u);
}

TEST(SearchOfBranches, FindsTheLeastCostOrProvesThatThereIsNone) {
  std::size_t found = 0, infeasible = 0;
  for (const Ring ring : {Ring::kXor, Ring::kSum})
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      RandomBranches random(seed, ring);
      const double least = least_cost(completions_of(random.problem));
      const Solution solution = solve(random.problem, {});
      const bool is_found = least < std::numeric_limits<double>::infinity();
      ASSERT_EQ(solution.outcome, is_found ? Outcome::kFound : Outcome::kInfeasible) << seed << solution.reason;
      if (is_found) EXPECT_NEAR(solution.completions[0].cost.total, least, 1e-6) << seed;
      ++(is_found ? found : infeasible);
    }
  EXPECT_GT(found, 30u);
  EXPECT_GT(infeasible, 5u);
}

TEST_P(SearchOf, RandomProblemsListsEachCompletionOnce) {
  for (std::uint32_t seed = 4000; seed < 4040; ++seed) {
    RandomProblem random = random_problem(seed);
    const std::vector<Completed> completions = completions_of(random.problem);
    const Solution solution = solve(random.problem, {.all = 100'000});
    EXPECT_TRUE(solution.exhausted || completions.empty()) << seed;
    EXPECT_EQ(solution.outcome == Outcome::kFound, !completions.empty()) << seed;
    std::set<std::vector<std::vector<std::int16_t>>> listed;
    for (const Completion& c : solution.completions) {
      std::vector<std::vector<std::int16_t>> values;
      for (const HoleTable& t : c.tables) values.push_back(t.values);
      EXPECT_TRUE(listed.insert(std::move(values)).second) << seed;
    }
    EXPECT_EQ(listed.size(), completions.size()) << seed;
  }
}

// What it says of what it did not come to: that none of that costs less than so much.
TEST_P(SearchOf, RandomProblemsThatIsCutShortKnowsABoundOfTheLeastCost) {
  std::size_t cut = 0;
  for (std::uint32_t seed = 6000; seed < 6100; ++seed) {
    RandomProblem random = random_problem(seed);
    SolveOptions options;
    options.when_found = [&] { options.deadline = Deadline(-1); };
    const Solution solution = solve(random.problem, options);
    if (solution.optimality != Optimality::kBestFound) continue;
    cut += solution.at_least > 0 ? 1 : 0;
    EXPECT_LE(solution.at_least, least_cost(completions_of(random.problem)) + 1e-6) << seed;
  }
  EXPECT_GT(cut, 5u);
}

// What is asked to be below the least cost is not there; a little more is.
TEST_P(SearchOf, RandomProblemsKeepsBelowWhatIsAskedFor) {
  for (std::uint32_t seed = 5000; seed < 5030; ++seed) {
    RandomProblem random = random_problem(seed);
    const double least = least_cost(completions_of(random.problem));
    if (least == std::numeric_limits<double>::infinity()) continue;
    EXPECT_EQ(solve(random.problem, {.below = least}).outcome, Outcome::kInfeasible) << seed;
    const Solution solution = solve(random.problem, {.below = least + 0.5});
    ASSERT_EQ(solution.outcome, Outcome::kFound) << seed;
    EXPECT_NEAR(solution.completions[0].cost.total, least, 1e-6) << seed;
  }
}

constexpr std::pair kSums{Ring::kSum, Meeting::kProduct}, kFunctionSums{Ring::kSum, Meeting::kFunction},
    kSquareSums{Ring::kSum, Meeting::kSquare}, kOrderedSums{Ring::kSum, Meeting::kOrder},
    kXors{Ring::kXor, Meeting::kProduct}, kFunctionXors{Ring::kXor, Meeting::kFunction},
    kMins{Ring::kMin, Meeting::kProduct};

std::string name_of(const testing::TestParamInfo<std::pair<Ring, Meeting>>& info) {
  const auto& [ring, meeting] = info.param;
  const std::string name = ring == Ring::kSum ? "Sum" : ring == Ring::kXor ? "Xor" : "Min";
  return name + (meeting == Meeting::kFunction ? "OfFunctions"
                 : meeting == Meeting::kSquare ? "OfSquares"
                 : meeting == Meeting::kOrder  ? "OfOrders"
                                               : "");
}

INSTANTIATE_TEST_SUITE_P(InRings, SearchOf,
                         testing::Values(kSums, kFunctionSums, kSquareSums, kOrderedSums, kXors, kFunctionXors, kMins),
                         name_of);

}  // namespace
}  // namespace swizzle::search_test
