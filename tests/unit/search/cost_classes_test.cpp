#include "synth/search/cost_classes.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::cost_classes_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMany = 100'000;

// The classes of one hole, of which nothing else is known.
class Classes {
 public:
  // `join`: tables that can be listed are.
  void start(bool join = true) {
    ASSERT_FALSE(b.compile(network_));
    costs_.emplace(b.problem, machine_);
    domains.emplace(b.problem.points);
    propagator.emplace(network_, b.problem, *domains);
    classes.emplace(b.problem, *domains, *costs_, shared_);
    if (join) classes->join(*propagator, {});
    ASSERT_FALSE(propagator->propagate());
  }
  CostClass next(double from, double budget = kInfinity, std::size_t limit = kMany) {
    return classes->next(0, from, budget, limit, *propagator);
  }

  using ByCost = std::map<double, std::set<std::vector<std::int16_t>>>;
  // One class after the other, until nothing is left.
  ByCost all() {
    ByCost found;
    double before = -1;
    for (CostClass c = next(0); c.rank < kInfinity; c = next(costs_->above(0, c.rank))) {
      EXPECT_GT(c.rank, before);
      if (c.rank <= before) break;  // it would go on for ever
      before = c.rank;
      EXPECT_FALSE(c.tables.empty());
      for (const HoleTable& t : c.tables) EXPECT_TRUE(found[c.rank].insert(t.values).second) << "told twice";
    }
    return found;
  }
  ByCost expected() const {
    ByCost by_cost;
    for (const HoleTable& t : grammars_of(b.problem.holes)[0]->within(*domains, kAnyCost, kMany).tables)
      by_cost[costs_->rank(0, t)].insert(t.values);
    return by_cost;
  }

  ProblemBuilder b;
  std::optional<Domains> domains;
  std::optional<Propagator> propagator;
  std::optional<CostClasses> classes;

 private:
  const IssueCosts machine_;
  ConstraintNetwork network_;
  SharedTables shared_;
  std::optional<TableCosts> costs_;
};

// Many arguments: too many conditions to be listed once and for all.
std::vector<Arguments> many_arguments() {
  std::vector<Arguments> arguments;
  for (std::int64_t i = 0; i < 256; ++i)
    arguments.push_back({i & 15, i >> 4, i * 7 % 61, i * i % 127, i * 13 % 257, i * 31 % 509, i});
  return arguments;
}

struct AnyHole {
  const char* name;
  HoleKind kind;
  int values;
  std::vector<Arguments> arguments;
  double executions, accumulates;
  bool listed;
  friend std::ostream& operator<<(std::ostream& out, const AnyHole& hole) { return out << hole.name; }
};

class CostClassesOf : public testing::TestWithParam<AnyHole>, protected Classes {
 protected:
  void SetUp() override {
    const AnyHole& hole = GetParam();
    b.hole(hole.kind, hole.values, hole.arguments);
    b.problem.executions[0] = hole.executions;
    b.guard(HoleId(0), {.accumulates = hole.accumulates});
    start();
    ASSERT_EQ(propagator->table_of(b.problem.holes[0]) != nullptr, hole.listed);
  }
};

std::vector<Arguments> lanes(std::int64_t n, std::int64_t iterations = 1) {
  std::vector<Arguments> arguments;
  for (std::int64_t k = 0; k < iterations; ++k)
    for (std::int64_t lane = 0; lane < n; ++lane) arguments.push_back({lane, k});
  return arguments;
}

TEST_P(CostClassesOf, AHoleAreAllOfItsTablesCheapestFirst) { EXPECT_EQ(all(), expected()); }

TEST_P(CostClassesOf, AHoleOfWhichPointsAreKnownAreTheTablesThatFit) {
  ASSERT_TRUE(domains->fix(b.at(HoleId(0), 1), 1));
  ASSERT_FALSE(propagator->propagate());
  const ByCost expected_now = expected();
  EXPECT_FALSE(expected_now.empty());
  EXPECT_EQ(all(), expected_now);
}

TEST_P(CostClassesOf, AHoleBeyondTheBudgetAreABoundOnly) {
  const ByCost tables = expected();
  const double from = tables.begin()->first + 1e-3, least = std::next(tables.begin())->first;
  const CostClass c = next(from, from);
  if (!c.beyond) {
    EXPECT_EQ(c.rank, least);
  }
  if (c.beyond) {
    EXPECT_TRUE(c.tables.empty() && c.rank > from && c.rank <= least + 1e-6) << c.rank;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfKinds, CostClassesOf,
    testing::Values(AnyHole{"Condition", HoleKind::kCond, 2, lanes(4, 4), 3, 0, true},
                    AnyHole{"Guard", HoleKind::kCond, 2, lanes(4, 4), 32, 32, true},
                    AnyHole{"CheapGuard", HoleKind::kCond, 2, lanes(4, 2), 32, 1, true},
                    AnyHole{"Part", HoleKind::kPart, 3, lanes(4, 2), 2, 0, false},
                    AnyHole{"GuardingPart", HoleKind::kPart, 2, lanes(4, 2), 32, 1, true},
                    AnyHole{"Transformation", HoleKind::kXform, 8, lanes(8, 4), 1, 0, true},
                    AnyHole{"LargeTransformation", HoleKind::kXform, 12, lanes(12, 2), 32, 0, false},
                    AnyHole{"LargeCondition", HoleKind::kCond, 2, many_arguments(), 1, 0, false},
                    AnyHole{"LargeConditionOftenAsked", HoleKind::kCond, 2, many_arguments(), 1000, 0, false},
                    AnyHole{"LargeGuard", HoleKind::kCond, 2, many_arguments(), 32, 50, false}),
    [](const auto& info) { return info.param.name; });

class CostClassesOfPart : public testing::Test, protected Classes {};

TEST_F(CostClassesOfPart, AreForcedWhereOneTableIsLeft) {
  b.part(2, 2);
  start();
  EXPECT_FALSE(next(0).forced);
  ASSERT_TRUE(domains->fix(b.at(HoleId(0), 0), 1) && domains->fix(b.at(HoleId(0), 1), 0));
  ASSERT_FALSE(propagator->propagate());
  const CostClass c = next(0);
  EXPECT_TRUE(c.forced);
  ASSERT_EQ(c.tables.size(), 1u);
  EXPECT_EQ(c.tables[0].values, (std::vector<std::int16_t>{1, 0}));
}

TEST_F(CostClassesOfPart, AreNoneWhereNoTableFits) {
  b.transform(4);
  start(false);
  for (std::size_t i = 0; i < 4; ++i) ASSERT_TRUE(domains->fix(b.at(HoleId(0), i), i == 3 ? 1 : 0));
  EXPECT_EQ(next(0).rank, kInfinity);
  EXPECT_TRUE(next(0).tables.empty());
}

TEST_F(CostClassesOfPart, OfMoreThanTheLimitAreManyAndNotListed) {
  b.part(4, 4, 2);
  start(false);
  const CostClass c = next(0, kInfinity, 2);
  EXPECT_TRUE(c.many);
  EXPECT_TRUE(c.tables.empty());
  EXPECT_EQ(c.rank, 0);
  EXPECT_FALSE(next(0).many);
  EXPECT_FALSE(classes->truncated());
}

// Families join where listing costs more; what is left of them is listed once something else is known.
TEST_F(CostClassesOfPart, AreSharpenedToAListWhereLittleIsLeft) {
  const HoleId lanes = b.transform(8, 4);
  for (std::size_t i = 0; i < 32; ++i)
    b.equation(b.choice(b.at(lanes, i), {b.x(0), b.x(1), b.x(2), b.x(3), b.x(4), b.x(5), b.x(6), b.x(7)}),
               b.x(static_cast<std::int64_t>((i + i / 8) % 8)));
  start();
  ASSERT_TRUE(propagator->has_families(b.space(lanes)));
  EXPECT_FALSE(classes->sharpen(*propagator, {}));
  ASSERT_TRUE(propagator->table_of(b.space(lanes)));
  EXPECT_EQ(propagator->table_of(b.space(lanes))->list().tables.size(), 1u);
}

}  // namespace
}  // namespace swizzle::cost_classes_test
