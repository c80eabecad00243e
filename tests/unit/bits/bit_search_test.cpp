#include "synth/bits/bit_search.h"

#include <random>

#include <gtest/gtest.h>

#include "synth/bits/reach.h"
#include "synth/problem/bit_equations.h"
#include "synth/provenance/words.h"

namespace swizzle::bit_search_test {
namespace {

// A problem with one hole of `count` points of two values.
struct Built {
  Program sketch;
  Problem problem;

  explicit Built(int count) {
    Hole hole;
    hole.kind = HoleKind::kMask;
    hole.bits = count;
    sketch.holes.push_back(hole);
    HoleSpace space;
    space.id = HoleId(0);
    space.kind = hole.kind;
    space.domain = 2;
    std::vector<Arguments> arguments;
    for (int b = 0; b < count; ++b) {
      space.points.push_back(problem.points.intern(HoleId(0), {b}, 2));
      arguments.push_back({b});
    }
    space.arguments = arguments;
    problem.holes = {space};
    problem.executions = {0};
    problem.buffer_names = {"x", "y"};
  }

  Value x(int i) { return problem.provenance.bit(BufferId(0), 0, i); }
  Value pick(int point, Value a, Value b) {
    return chosen(problem.provenance, PointId(static_cast<std::size_t>(point)), {a, b});
  }
  Value with(Operator op, Value a, Value b) { return gate(problem.provenance, op, a, b); }
  void demand(std::vector<Value> actual, std::vector<Value> expected) {
    for (std::vector<Value>* bits : {&actual, &expected}) bits->resize(8, Value::integer(0));
    Equation e{problem.provenance.word(actual), problem.provenance.word(expected), BufferId(1)};
    e.slot = static_cast<std::int64_t>(problem.equations.size());
    e.scalar = Scalar::kU8;
    problem.equations.push_back(e);
  }

  bool solves(const Assignment& assignment) {
    PointId blocked;
    for (const Equation& e : problem.equations)
      if (!e.holds(trimmed(problem.provenance, e.scalar, problem.provenance.resolve(e.actual, assignment, blocked))))
        return false;
    return true;
  }
  std::vector<Assignment> completions() {
    std::vector<Assignment> found;
    for (unsigned code = 0; code < 1u << problem.points.size(); ++code) {
      Assignment a;
      for (std::size_t p = 0; p < problem.points.size(); ++p) a.push_back(static_cast<int>(code >> p & 1));
      if (solves(a)) found.push_back(a);
    }
    return found;
  }
};

TEST(BitSearch, FollowsADemandThroughChoices) {
  Built b(2);
  const Value inner = b.pick(0, b.x(1), b.x(2));
  b.demand({b.pick(1, inner, b.x(0))}, {b.x(2)});
  const Solution s = solve_bits(b.sketch, b.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].tables[0].values, (std::vector<std::int16_t>{1, 0}));
  EXPECT_EQ(s.optimality, Optimality::kProved);
}

TEST(BitSearch, NamesTheBitThatCannotArrive) {
  Built b(1);
  b.demand({b.pick(0, b.x(0), b.x(1)), Value::integer(0)}, {b.x(3), Value::integer(0)});
  const Solution s = solve_bits(b.sketch, b.problem, {});
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_EQ(s.reason, "bit 0 of y[0] needs bit 3 of x[0], which no choice of the holes brings there");
}

TEST(BitSearch, FindsAFunctionOfTwoBits) {
  Built b(2);
  const Value a = b.pick(0, b.x(0), b.x(1)), c = b.pick(1, b.x(2), b.x(3));
  b.demand({b.with(Operator::kAnd, a, c)}, {b.with(Operator::kAnd, b.x(1), b.x(2))});
  const Solution s = solve_bits(b.sketch, b.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].tables[0].values, (std::vector<std::int16_t>{1, 0}));
}

// What a point keeps after propagation: 0, 1, or -1 for both.
std::vector<int> kept(Built& b) {
  const SelectionNetwork network = selection_network(b.problem);
  Domains domains(b.problem.points);
  Reach reach(network, domains);
  EXPECT_FALSE(reach.propagate().has_value());
  std::vector<int> values;
  for (std::size_t p = 0; p < b.problem.points.size(); ++p)
    values.push_back(domains.count(PointId(p)) == 1 ? domains.first(PointId(p)) : -1);
  return values;
}

TEST(BitSearch, WhatOneDemandForcesNoOtherDemandHasDifferently) {
  Built b(4);
  const Value shared = b.pick(0, b.pick(1, b.x(1), b.x(2)), b.pick(2, b.x(1), b.x(2)));
  b.demand({shared, b.pick(3, shared, b.x(1))}, {b.x(2), b.x(1)});
  EXPECT_EQ(kept(b), (std::vector<int>{-1, -1, -1, 1}));
}

TEST(BitSearch, AnOrIsABitOnlyOfThatBitAndZeros) {
  Built b(2);
  const Value zero = Value::integer(0);
  b.demand({b.with(Operator::kOr, b.pick(0, b.x(0), zero), b.pick(1, b.x(1), zero))}, {b.x(0)});
  EXPECT_EQ(kept(b), (std::vector<int>{0, 1}));
}

TEST(BitSearch, AnOrOfTwoBitsIsOfThoseAlone) {
  Built b(4);
  const Value either = b.with(Operator::kOr, b.x(0), b.x(1));
  b.demand({b.with(Operator::kOr, b.pick(0, b.x(2), b.x(0)), b.pick(1, b.x(1), b.x(3)))}, {either});
  b.demand({b.with(Operator::kAnd, b.pick(2, b.x(1), b.x(2)), b.pick(3, b.x(0), b.x(1)))},
           {b.with(Operator::kAnd, b.x(0), b.x(1))});
  EXPECT_EQ(kept(b), (std::vector<int>{1, 0, 0, 0}));
}

TEST(BitSearch, ABitIsNotItsComplement) {
  Built b(4);
  const Value zero = Value::integer(0), one = Value::integer(1), not_0 = b.with(Operator::kXor, b.x(0), one);
  b.demand({b.with(Operator::kOr, b.pick(0, not_0, zero), b.pick(1, b.x(0), zero))}, {not_0});
  b.demand({b.with(Operator::kOr, b.pick(2, not_0, zero), b.pick(3, b.x(0), zero)), b.x(7)}, {one, b.x(7)});
  EXPECT_EQ(b.completions(), (std::vector<Assignment>{{0, 1, 0, 0}}));
  const std::vector<int> values = kept(b);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1);
  const Solution s = solve_bits(b.sketch, b.problem, {});
  EXPECT_EQ(s.outcome, Outcome::kFound) << s.reason;
}

TEST(BitSearch, AnOrOfABitAndWhatImpliesItIsThatBit) {
  Built b(2);
  const Value zero = Value::integer(0), both = b.with(Operator::kAnd, b.x(0), b.x(1));
  b.demand({b.with(Operator::kOr, b.pick(0, b.x(0), zero), b.pick(1, b.x(1), both))}, {b.x(0)});
  EXPECT_EQ(kept(b), (std::vector<int>{0, 1}));
  EXPECT_EQ(b.completions(), (std::vector<Assignment>{{0, 1}}));
}

TEST(BitSearch, AFunctionThatADemandForcesMayStillBeImplied) {
  Built b(2);
  const Value either = b.with(Operator::kOr, b.x(0), b.x(1)), shared = b.pick(1, b.x(2), either);
  b.demand({shared, b.with(Operator::kAnd, shared, b.pick(0, b.x(0), b.x(2)))}, {either, b.x(0)});
  EXPECT_EQ(kept(b), (std::vector<int>{0, 1}));
}

// Of six bits under masks of their own, the sum of some: each is decided by what it is where that bit alone is 1.
TEST(BitSearch, ASumOfMaskedBitsIsDecidedWithoutSearch) {
  Built b(6);
  const Value zero = Value::integer(0);
  Value sum = zero, wanted = zero;
  for (int i = 0; i < 6; ++i) sum = b.with(Operator::kXor, sum, b.pick(i, zero, b.x(i)));
  for (const int i : {0, 3, 4}) wanted = b.with(Operator::kXor, wanted, b.x(i));
  b.demand({sum}, {wanted});
  EXPECT_EQ(kept(b), (std::vector<int>{1, 0, 0, 1, 1, 0}));
}

TEST(BitSearch, ASumThatCannotBeIsRefutedByOneBit) {
  Built b(6);
  const Value zero = Value::integer(0);
  Value sum = b.x(6);
  for (int i = 0; i < 6; ++i) sum = b.with(Operator::kXor, sum, b.pick(i, zero, b.x(i)));
  b.demand({sum}, {b.x(2)});
  const Solution s = solve_bits(b.sketch, b.problem, {});
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_EQ(s.nodes, 0u);
}

// Equations that differ in the element alone are one: eight bits are decided once, not eight times.
TEST(BitSearch, AlikeEquationsAreDecidedOnce) {
  const auto nodes = [](int lanes) {
    Built b(8);
    for (int lane = 0; lane < lanes; ++lane) {
      std::vector<Value> actual, expected;
      for (int i = 0; i < 8; ++i) {
        const auto x = [&](int bit) { return b.problem.provenance.bit(BufferId(0), lane, bit); };
        actual.push_back(b.with(Operator::kXor, b.pick(i, x(i), x((i + 1) % 8)), x(8)));
        expected.push_back(b.with(Operator::kXor, x((i + 1) % 8), x(8)));
      }
      b.demand(actual, expected);
    }
    const Solution s = solve_bits(b.sketch, b.problem, {});
    EXPECT_EQ(s.outcome, Outcome::kFound);
    return s.nodes;
  };
  EXPECT_EQ(nodes(32), nodes(1));
}

// Of six outputs four are demanded first, and hold; the others ask for points of their own.
TEST(BitSearch, ListsWhatEachOutputAsksFor) {
  constexpr int kOutputs = 6;
  Built b(2 * kOutputs);
  for (int i = 0; i < kOutputs; ++i) {
    const Value zero = Value::integer(0), p = b.pick(2 * i, b.x(i), zero), q = b.pick(2 * i, zero, b.x(i));
    b.demand({b.pick(2 * i + 1, p, q)}, {b.x(i)});
  }
  SolveOptions options;
  options.all = 1000;
  const Solution s = solve_bits(b.sketch, b.problem, options);
  EXPECT_EQ(s.completions.size(), b.completions().size());
  EXPECT_TRUE(s.exhausted);
}

// What is left of all domains when these points are fixed one after the other, up to a conflict.
std::vector<int> after(Reach& reach, Domains& domains, const std::vector<std::pair<PointId, int>>& fixed) {
  for (const auto& [point, value] : fixed) {
    if (domains.allows(point, value)) reach.fix(point, value);
    if (reach.propagate()) return {};
  }
  std::vector<int> left;
  for (std::size_t p = 0; p < domains.points(); ++p) left.push_back(static_cast<int>(*domains.values(PointId(p))));
  return left;
}

void expect_undo_restores(const SelectionNetwork& network, const PointTable& points, std::mt19937& random) {
  const auto any_path = [&] {
    std::vector<std::pair<PointId, int>> path;
    for (std::size_t i = 0; i < points.size(); ++i)
      path.emplace_back(PointId(random() % points.size()), static_cast<int>(random() % 2));
    return path;
  };
  Domains domains(points);
  Reach reach(network, domains);
  if (reach.propagate()) return;
  for (int turn = 0; turn < 4; ++turn) {
    const auto path = any_path();
    Domains fresh_domains(points);
    Reach fresh(network, fresh_domains);
    EXPECT_FALSE(fresh.propagate());
    const Reach::Mark mark = reach.mark();
    EXPECT_EQ(after(reach, domains, path), after(fresh, fresh_domains, path)) << "turn " << turn;
    reach.undo(mark);
  }
}

// Random circuits over six points: what is removed is in no completion, and the search finds one if there is one.
class RandomCircuits : public ::testing::TestWithParam<int> {};
TEST_P(RandomCircuits, LoseNoCompletion) {
  constexpr int kPoints = 6;
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  int feasible = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Built b(kPoints);
    std::vector<Value> pool = {b.x(0), b.x(1), b.x(2), Value::integer(0), Value::integer(1)};
    const bool has_sums = trial % 3 == 0;
    if (trial % 3 == 1)
      for (const int i : {0, 1}) pool.push_back(b.with(Operator::kXor, b.x(i), Value::integer(1)));
    const auto any = [&] { return pool[random() % pool.size()]; };
    for (int step = 0; step < 22; ++step) {
      const int kind = static_cast<int>(random() % (has_sums ? 5 : 4));
      const Operator op = kind == 2 ? Operator::kAnd : kind == 3 ? Operator::kOr : Operator::kXor;
      pool.push_back(kind < 2 ? b.pick(static_cast<int>(random() % kPoints), any(), any()) : b.with(op, any(), any()));
    }
    Assignment secret;
    for (int p = 0; p < kPoints; ++p) secret.push_back(static_cast<int>(random() % 2));
    const bool is_solvable = random() % 2 == 0;
    for (int e = 0; e < 3; ++e) {
      PointId blocked;
      const Value actual = pool[pool.size() - 1 - static_cast<std::size_t>(e)];
      const Value wanted = b.problem.provenance.resolve(is_solvable ? actual : any(), secret, blocked);
      b.demand({actual, b.x(5)}, {wanted, b.x(5)});
    }
    const std::vector<Assignment> all = b.completions();
    feasible += !all.empty();
    const SelectionNetwork network = selection_network(b.problem);
    Domains domains(b.problem.points);
    Reach reach(network, domains);
    if (reach.propagate()) EXPECT_TRUE(all.empty()) << "trial " << trial;
    else
      for (const Assignment& a : all)
        for (std::size_t p = 0; p < a.size(); ++p)
          EXPECT_TRUE(domains.allows(PointId(p), a[p])) << "trial " << trial << ", point " << p;
    expect_undo_restores(network, b.problem.points, random);
    const Solution s = solve_bits(b.sketch, b.problem, {});
    EXPECT_EQ(s.outcome, all.empty() ? Outcome::kInfeasible : Outcome::kFound) << "trial " << trial;
  }
  EXPECT_GT(feasible, 10);
}
INSTANTIATE_TEST_SUITE_P(BitSearch, RandomCircuits, ::testing::Range(1, 25));

}  // namespace
}  // namespace swizzle::bit_search_test
