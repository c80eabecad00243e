// Sketches whose steps build on each other, against all completions of random small ones.
#include "synth/search/trial_search.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "synth/search/dependent_steps.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/random_chain.h"
#include "tests/unit/random_mix.h"
#include "tests/unit/random_pairs.h"
#include "tests/unit/random_sorters.h"

namespace swizzle::trial_search_test {
namespace {

// What trials alone say; nothing, if they decline.
std::optional<TrialSearch::Result> tried(Problem& problem, const SolveOptions& options) {
  std::vector<std::size_t> equations = covering_equations(problem);
  TrialSearch::Result result;
  do {
    equations.insert(equations.end(), result.missed.begin(), result.missed.end());
    std::ranges::sort(equations);
    std::optional<TrialGraph> graph = TrialGraph::of(problem, equations);
    if (!graph) return std::nullopt;
    ConstraintNetwork network;
    Domains domains(problem.points);
    const Propagator propagator(network, problem, domains);
    const TableCosts costs(problem, options.issue_costs);
    SharedTables shared;
    CostClasses classes(problem, domains, costs, shared);
    result = TrialSearch(problem, equations, options, costs, classes, propagator, std::move(*graph)).run();
  } while (!result.missed.empty());
  if (!result.exhausted) return std::nullopt;
  return result;
}

// So many, and no two alike.
void expect_each_once(const std::vector<Completion>& completions, std::size_t count, std::uint32_t seed) {
  std::set<std::vector<std::vector<std::int16_t>>> listed;
  for (const Completion& c : completions) {
    std::vector<std::vector<std::int16_t>> values;
    for (const HoleTable& t : c.tables) values.push_back(t.values);
    EXPECT_TRUE(listed.insert(std::move(values)).second) << seed;
  }
  EXPECT_EQ(listed.size(), count) << seed;
}

// Of trials held against all completions.
struct Outcomes {
  std::size_t found = 0, infeasible = 0, declined = 0;

  void take(Problem& problem, std::uint32_t seed) {
    const std::vector<Completed> completions = completions_of(problem);
    const auto result = tried(problem, {});
    if (!result) {
      ++declined;
      return;
    }
    ASSERT_EQ(result->completions.empty(), completions.empty()) << seed;
    EXPECT_TRUE(result->exhausted) << seed;
    ++(completions.empty() ? infeasible : found);
    if (completions.empty()) return;
    EXPECT_NEAR(result->completions[0].cost.total, least_cost(completions), 1e-6) << seed;
  }
};

class TrialSearchOf : public testing::TestWithParam<Ring> {};

TEST_P(TrialSearchOf, RandomChainsFindsTheLeastCostOrProvesThatThereIsNone) {
  Outcomes outcomes;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    RandomChain random(seed, GetParam());
    if (seed % 2 == 0) random.guard_at_random(seed);
    ASSERT_NO_FATAL_FAILURE(outcomes.take(random.problem, seed));
  }
  EXPECT_GT(outcomes.found, 60u);
  EXPECT_GT(outcomes.infeasible, 5u);
  EXPECT_LT(outcomes.declined, 30u);
}

TEST_P(TrialSearchOf, RandomChainsListsEachCompletionOnce) {
  for (std::uint32_t seed = 1000; seed < 1040; ++seed) {
    RandomChain random(seed, GetParam());
    if (seed % 2 == 0) random.guard_at_random(seed);
    const std::vector<Completed> completions = completions_of(random.problem);
    const auto result = tried(random.problem, {.all = 1'000'000});
    if (!result) continue;
    EXPECT_TRUE(result->exhausted) << seed;
    std::set<std::vector<std::vector<std::int16_t>>> listed;
    double cost = 0;
    for (const Completion& c : result->completions) {
      EXPECT_GE(c.cost.total, cost - 1e-6) << seed;
      cost = c.cost.total;
      std::vector<std::vector<std::int16_t>> values;
      for (const HoleTable& t : c.tables) values.push_back(t.values);
      EXPECT_TRUE(listed.insert(std::move(values)).second) << seed;
    }
    EXPECT_EQ(listed.size(), completions.size()) << seed;
  }
}

TEST_P(TrialSearchOf, RandomChainsKeepsBelowWhatIsAskedFor) {
  for (std::uint32_t seed = 2000; seed < 2030; ++seed) {
    RandomChain random(seed, GetParam());
    const double least = least_cost(completions_of(random.problem));
    if (least == std::numeric_limits<double>::infinity()) continue;
    const auto below = tried(random.problem, {.below = least}), above = tried(random.problem, {.below = least + 0.5});
    if (!below || !above) continue;
    EXPECT_TRUE(below->completions.empty()) << seed;
    ASSERT_EQ(above->completions.size(), 1u) << seed;
    EXPECT_NEAR(above->completions[0].cost.total, least, 1e-6) << seed;
  }
}

TEST_P(TrialSearchOf, RandomChainsWithoutACompletionIsExhaustedWhateverIsAskedFor) {
  std::size_t infeasible = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    RandomChain random(seed, GetParam());
    if (!completions_of(random.problem).empty()) continue;
    const auto first = tried(random.problem, {.first_only = true}), all = tried(random.problem, {.all = 10});
    EXPECT_EQ(first.has_value(), all.has_value()) << seed;
    if (!first) continue;
    EXPECT_TRUE(first->completions.empty()) << seed;
    ++infeasible;
  }
  EXPECT_GT(infeasible, 0u);
}

INSTANTIATE_TEST_SUITE_P(Rings, TrialSearchOf, testing::Values(Ring::kSum, Ring::kXor, Ring::kMax, Ring::kMin),
                         [](const auto& info) {
                           return std::string(info.param == Ring::kSum   ? "Sum"
                                              : info.param == Ring::kXor ? "Xor"
                                              : info.param == Ring::kMax ? "Max"
                                                                         : "Min");
                         });

TEST(TrialSearchOfCopies, FindsTheLeastCostOrProvesThatThereIsNone) {
  std::size_t found = 0, infeasible = 0;
  for (std::uint32_t seed = 0; seed < 80; ++seed) {
    RandomCopies random(seed);
    const std::vector<Completed> completions = completions_of(random.problem);
    const auto result = tried(random.problem, {});
    ASSERT_TRUE(result) << seed;
    ASSERT_EQ(result->completions.empty(), completions.empty()) << seed;
    ++(completions.empty() ? infeasible : found);
    if (!completions.empty()) {
      EXPECT_NEAR(result->completions[0].cost.total, least_cost(completions), 1e-6) << seed;
    }
  }
  EXPECT_GT(found, 30u);
  EXPECT_GT(infeasible, 5u);
}

TEST(TrialSearchOfCopies, ListsEachCompletionOnce) {
  for (std::uint32_t seed = 100; seed < 120; ++seed) {
    RandomCopies random(seed);
    const std::size_t completions = completions_of(random.problem).size();
    const auto result = tried(random.problem, {.all = 10'000'000});
    ASSERT_TRUE(result) << seed;
    expect_each_once(result->completions, completions, seed);
  }
}

// With holes for linear maps, conditions, registers and shared memory; by trials alone and by all of the search.
TEST(TrialSearchOfMixes, FindsTheLeastCostAndEachCompletionOnce) {
  std::size_t found = 0, infeasible = 0, declined = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    RandomMix random(seed);
    const std::vector<Completed> completions = completions_of(random.problem);
    ++(completions.empty() ? infeasible : found);
    const Solution solved = solve(random.problem, {});
    ASSERT_EQ(solved.outcome, completions.empty() ? Outcome::kInfeasible : Outcome::kFound) << seed;
    if (!completions.empty()) {
      EXPECT_NEAR(solved.completions[0].cost.total, least_cost(completions), 1e-6) << seed;
    }
    const auto all = tried(random.problem, {.all = 10'000'000});
    if (!all) {
      ++declined;
      continue;
    }
    expect_each_once(all->completions, completions.size(), seed);
  }
  EXPECT_GT(found, 150u);
  EXPECT_GE(infeasible, 20u);
  EXPECT_LT(declined, 100u);
}

// Of words that are joined bit by bit, and of sums and products of two sums.
TEST(TrialSearchOfPairs, FindsTheLeastCostOrProvesThatThereIsNone) {
  Outcomes outcomes;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    RandomPairs random(seed);
    ASSERT_NO_FATAL_FAILURE(outcomes.take(random.problem, seed));
  }
  EXPECT_GT(outcomes.found, 100u);
  EXPECT_GT(outcomes.infeasible, 10u);
  EXPECT_LT(outcomes.declined, 20u);
}

// Of comparators whose first and last step are alike.
TEST(TrialSearchOfSorters, FindsTheLeastCostOrProvesThatThereIsNone) {
  Outcomes outcomes;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    RandomSorters random(seed);
    ASSERT_NO_FATAL_FAILURE(outcomes.take(random.problem, seed));
  }
  EXPECT_GT(outcomes.found, 60u);
  EXPECT_GT(outcomes.infeasible, 10u);
  EXPECT_LT(outcomes.declined, 20u);
}

// Where no more tables than these are listed, the last hole is recognized from what the outputs want; and where these
// are many, those that pass the first steps are looked for.
struct TableLimits {
  std::size_t many, most;
};

class TrialSearchThatListsFewTables : public testing::TestWithParam<TableLimits> {
 protected:
  // Whether trials had an answer.
  static bool agrees(Problem& problem, std::uint32_t seed) {
    const auto [many, most] = GetParam();
    const std::vector<Completed> completions = completions_of(problem);
    const auto least = tried(problem, {.many_trial_tables = many, .most_trial_tables = most});
    if (least) {
      EXPECT_EQ(least->completions.empty(), completions.empty()) << seed;
      if (!least->completions.empty() && !completions.empty()) {
        EXPECT_NEAR(least->completions[0].cost.total, least_cost(completions), 1e-6) << seed;
      }
    }
    const auto all = tried(problem, {.all = 10'000'000, .many_trial_tables = many, .most_trial_tables = most});
    if (!all) return least.has_value();
    expect_each_once(all->completions, completions.size(), seed);
    return true;
  }
};

TEST_P(TrialSearchThatListsFewTables, FindsWhatBruteForceFinds) {
  std::size_t answered = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    RandomCopies copies(seed);
    RandomMix mix(seed);
    RandomChain sums(seed, Ring::kSum), maxima(seed, Ring::kMax);
    for (ProblemBuilder* random : std::initializer_list<ProblemBuilder*>{&copies, &mix, &sums, &maxima})
      answered += agrees(random->problem, seed) ? 1 : 0;
  }
  EXPECT_GT(answered, 10u);
}

INSTANTIATE_TEST_SUITE_P(Most, TrialSearchThatListsFewTables,
                         testing::Values(TableLimits{2'000, 4}, TableLimits{2'000, 6}, TableLimits{2'000, 12},
                                         TableLimits{1, 60'000}, TableLimits{4, 12}));

// x[0] | x[0] & x[2] is x[0], which no form says; x[1] | x[1] & x[2] is not, as numbers say.
TEST(TrialSearchOfMixedRings, IsBeyondDoubtWhereNumbersRefuteAllThatFails) {
  for (const bool has_absorbed : {true, false}) {
    ProblemBuilder b(Ring::kOr, Scalar::kI32);
    const HoleId p = b.transform(2);
    Provenance& provenance = b.problem.provenance;
    const Value x = b.x(has_absorbed ? 0 : 1);
    const Value other =
        provenance.combine(Ring::kOr, Scalar::kI32, x, provenance.multiply(Ring::kXor, Scalar::kI32, x, b.x(2)));
    b.equation(b.choice(b.at(p, 0), {provenance.normalize(other), b.x(0)}), b.x(0));
    const auto result = tried(b.problem, {.all = 100});
    ASSERT_TRUE(result);
    ASSERT_FALSE(result->completions.empty());
    for (const Completion& c : result->completions) EXPECT_EQ(c.tables[p.value].values[0], 1);
    EXPECT_EQ(result->beyond_doubt, !has_absorbed);
  }
}

TEST(TrialSearchOfSelections, KeepsWhatIsUndefinedOnlyInAnArmThatNobodyReads) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId p = b.transform(2), q = b.transform(2);
  const Value condition = b.choice(b.at(p, 0), {Value::integer(1), b.x(1)});
  const Value arm = b.choice(b.at(q, 0), {Value{}, b.x(2)});
  b.equation(b.problem.provenance.select(condition, b.x(0), arm), b.x(0));
  const std::size_t completions = completions_of(b.problem).size();
  const auto result = tried(b.problem, {.all = 100});
  ASSERT_TRUE(result);
  EXPECT_GT(completions, 0u);
  EXPECT_EQ(result->completions.size(), completions);
}

// C(0) = 0 and C(0) = 1 leave the same values; but with one of them, R makes the warp issue more.
TEST(TrialSearchOfJointIssues, LeavesNoStateForWhatAnotherPrefixMakesOfIt) {
  constexpr int kLanes = 8;
  for (const int dear : {0, 1}) {
    ProblemBuilder b(Ring::kMax, Scalar::kI32);
    const HoleId c = b.condition(1), q = b.transform(kLanes), r = b.condition(kLanes);
    std::vector<Value> v{b.normal(b.sum({b.x(0), b.choice(b.at(c, 0), {b.x(0), b.x(1)}), b.x(1)}))};
    for (std::int64_t lane = 1; lane < kLanes; ++lane) v.push_back(b.x(lane + 1));
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      b.equation(b.choice(b.at(r, lane), {b.x(99), b.normal(b.choice(b.at(q, lane), v))}),
                 lane == 3 ? b.sum({b.x(0), b.x(1)}) : v[lane ^ 3]);
    const Value is_dear = b.choice(b.at(c, 0), {Value::integer(1 - dear), Value::integer(dear)});
    const Value is_on = b.choice(b.at(r, 0), {Value::integer(0), Value::integer(1)});
    b.problem.guarded.push_back({{b.both(is_dear, is_on)}, {.accumulates = 7}});
    const auto result = tried(b.problem, {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->completions.size(), 1u);
    EXPECT_NEAR(result->completions[0].cost.total, least_cost(completions_of(b.problem)), 1e-6);
    EXPECT_EQ(result->completions[0].tables[c.value].values[0], 1 - dear);
  }
}

TEST(DependentSteps, AreThereWhereWhatWasAddedIsChosenAgain) {
  ProblemBuilder b;
  const HoleId p = b.transform(2), q = b.transform(2);
  std::vector<Value> v;
  for (std::size_t lane = 0; lane < 2; ++lane)
    v.push_back(b.sum({b.x(static_cast<std::int64_t>(lane)), b.choice(b.at(p, lane), {b.x(0), b.x(1)})}));
  b.equation(v[0], b.sum({b.x(0), b.x(1)}));
  EXPECT_FALSE(has_dependent_steps(b.problem, {0}));
  b.equation(b.choice(b.at(q, 0), v), b.sum({b.x(0), b.x(1)}));
  EXPECT_TRUE(has_dependent_steps(b.problem, {0, 1}));
}

}  // namespace
}  // namespace swizzle::trial_search_test
