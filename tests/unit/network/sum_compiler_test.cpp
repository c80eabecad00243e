#include "synth/network/sum_compiler.h"

#include <gtest/gtest.h>

#include "synth/propagation/literals.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/random_problem.h"

namespace swizzle::sum_compiler_test {
namespace {

class Sums {
 public:
  explicit Sums(Ring ring, Scalar scalar = Scalar::kI32) : b(ring, scalar), ring_(ring), scalar_(scalar) {}

  Value fetch(std::size_t i) { return b.choice(b.at(lanes, i), {b.x(0), b.x(1), b.x(2)}); }
  // False: a conflict.
  bool add(Value actual, Value expected) {
    std::vector<SumConstraint> sums;
    SumCompiler compiler(b.problem, sums);
    if (compiler.add({0, ring_, scalar_, b.normal(actual), b.normal(expected)})) return false;
    sum = sums.at(0);
    return true;
  }
  std::size_t options() const {
    std::size_t count = 0;
    for (const Summand& term : sum.terms) count += term.options.size();
    return count;
  }

  ProblemBuilder b;
  const HoleId lanes = b.transform(3), conditions = b.condition(3);
  SumConstraint sum;

 private:
  Ring ring_;
  Scalar scalar_;
};

class SumsOfEquations : public testing::Test, protected Sums {
 protected:
  SumsOfEquations() : Sums(Ring::kSum) {}
};

TEST_F(SumsOfEquations, ListTheOptionsThatBringWhatIsNeeded) {
  ASSERT_TRUE(add(fetch(0), b.x(1)));
  EXPECT_EQ(sum.need, (std::vector<double>{1}));
  ASSERT_EQ(sum.terms.size(), 1u);
  ASSERT_EQ(sum.terms[0].options.size(), 1u);
  EXPECT_EQ(sum.terms[0].options[0].path, (Path{{b.at(lanes, 0), 1}}));
  EXPECT_EQ(sum.terms[0].options[0].brings[0].amount, 1);
  EXPECT_TRUE(sum.cancel_free);
}

TEST_F(SumsOfEquations, WhereTermsMayCancelListWhatIsNotNeededToo) {
  ASSERT_TRUE(add(b.sum({fetch(0), b.product(Value::integer(-1), fetch(1))}), b.x(1)));
  EXPECT_FALSE(sum.cancel_free);
  EXPECT_EQ(options(), 6u);
}

// Nothing is there to take away what it brings.
TEST_F(SumsOfEquations, OfOneOpenSummandBringExactlyWhatIsNeeded) {
  const auto negative = [&](Value v) { return b.product(Value::integer(-1), v); };
  const Value either = b.choice(b.at(conditions, 0), {negative(fetch(0)), fetch(0)});
  ASSERT_TRUE(add(b.sum({b.x(0), b.product(either, b.x(3))}), b.sum({b.x(0), negative(b.product(b.x(2), b.x(3)))})));
  EXPECT_TRUE(sum.cancel_free);
  ASSERT_EQ(options(), 1u);
  EXPECT_EQ(sum.terms[0].options[0].path, (Path{{b.at(conditions, 0), 0}, {b.at(lanes, 0), 2}}));
  EXPECT_FALSE(add(b.product(either, b.x(3)), b.product(Value::integer(2), b.product(b.x(2), b.x(3)))));
}

TEST_F(SumsOfEquations, WhatIsThereAnywayIsNoLongerNeeded) {
  ASSERT_TRUE(add(b.sum({b.x(0), fetch(0)}), b.sum({b.product(Value::integer(2), b.x(0)), b.x(1)})));
  double needed = 0;
  for (double need : sum.need) needed += need;
  EXPECT_EQ(needed, 2);
  EXPECT_EQ(options(), 2u);
}

TEST_F(SumsOfEquations, WhatIsThereAndCannotBeTakenAwayIsAConflict) {
  EXPECT_FALSE(add(b.sum({b.x(0), fetch(0)}), b.x(1)));
  EXPECT_TRUE(add(b.sum({b.x(0), b.product(Value::integer(-1), fetch(0))}), Value::integer(0)));
}

TEST_F(SumsOfEquations, AGuardBringsNothingAtItsOtherValue) {
  ASSERT_TRUE(add(b.sum({b.when(b.at(conditions, 0), fetch(0)), b.when(b.at(conditions, 1), fetch(1))}), b.x(1)));
  ASSERT_EQ(sum.terms.size(), 2u);
  for (const Summand& term : sum.terms) {
    ASSERT_EQ(term.options.size(), 2u);
    EXPECT_EQ(std::count_if(term.options.begin(), term.options.end(), [](const Option& o) { return o.brings.empty(); }),
              1);
  }
}

TEST_F(SumsOfEquations, AnUndefinedValueIsNoOption) {
  ASSERT_TRUE(add(b.choice(b.at(lanes, 0), {Value{}, b.x(1), b.product(b.x(1), b.x(2))}), b.x(1)));
  EXPECT_EQ(options(), 1u);
}

// A word with a writer that most values lead past: the way on is one option, away from the value.
TEST_F(SumsOfEquations, WaysThatMostValuesShareAreTakenOnce) {
  ASSERT_TRUE(add(b.choice(b.at(lanes, 0), {b.x(1), b.x(0), b.x(0)}), b.x(0)));
  ASSERT_EQ(options(), 1u);
  EXPECT_EQ(sum.terms[0].options[0].path, (Path{{b.at(lanes, 0), ~0}}));
}

TEST(SumsOfMinima, AreSetsInWhichANeedMayBeServedTwice) {
  Sums sums(Ring::kMin);
  ASSERT_TRUE(sums.add(sums.b.sum({sums.fetch(0), sums.fetch(1)}), sums.b.x(1)));
  EXPECT_TRUE(sums.sum.is_set);
  EXPECT_EQ(sums.options(), 2u);
  EXPECT_FALSE(sums.add(sums.b.sum({sums.b.x(0), sums.fetch(0)}), sums.b.x(1))) << "nothing takes x[0] out of it";
}

TEST(SumsOfXor, MayCancelIfTermsAreMoreThanNeeds) {
  Sums sums(Ring::kXor, Scalar::kU32);
  ASSERT_TRUE(sums.add(sums.b.sum({sums.fetch(0), sums.fetch(1)}), sums.b.sum({sums.b.x(0), sums.b.x(1)})));
  EXPECT_TRUE(sums.sum.cancel_free);
  ASSERT_TRUE(sums.add(sums.b.sum({sums.fetch(0), sums.fetch(1), sums.fetch(2)}), sums.b.x(0)));
  EXPECT_FALSE(sums.sum.cancel_free);
  EXPECT_EQ(sums.options(), 9u);
}

class SplitEquation : public testing::Test {
 protected:
  SplitEquation() : b_(Ring::kSum, Scalar::kF32) {}
  Value root(Value v) { return b_.problem.provenance.opaque(kOpaqueIntrinsic, Scalar::kF32, {v}); }
  Value fetch() { return b_.choice(b_.at(hole_, 0), {b_.x(0), b_.x(1), b_.x(2)}); }
  std::optional<Conflict> split(Value actual, Value expected) {
    parts_.clear();
    return split_equation(b_.problem, b_.equation(actual, expected), parts_);
  }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(3);
  std::vector<RingEquation> parts_;
};

TEST_F(SplitEquation, NothingIsLeftOfEqualSides) {
  EXPECT_FALSE(split(b_.x(0), b_.x(0)));
  EXPECT_TRUE(parts_.empty());
}

TEST_F(SplitEquation, DifferentSidesThatNoHoleDecidesAreAConflict) { EXPECT_TRUE(split(b_.x(0), b_.x(1))); }

TEST_F(SplitEquation, AChoiceIsAPartOfItsOwn) {
  EXPECT_FALSE(split(fetch(), b_.x(1)));
  ASSERT_EQ(parts_.size(), 1u);
  EXPECT_EQ(parts_[0].ring, Ring::kSum);
  EXPECT_EQ(parts_[0].scalar, Scalar::kF32);
}

TEST_F(SplitEquation, AFunctionIsEqualWhereItsOperandIs) {
  EXPECT_FALSE(split(root(fetch()), root(b_.x(1))));
  ASSERT_EQ(parts_.size(), 1u);
  EXPECT_EQ(parts_[0].actual, fetch());
  EXPECT_EQ(parts_[0].expected, b_.x(1));
}

TEST_F(SplitEquation, AFunctionIsNoOtherValue) {
  EXPECT_TRUE(split(root(fetch()), b_.x(1)));
  EXPECT_TRUE(split(root(fetch()), b_.problem.provenance.opaque(kOpaqueIntrinsic + 1000, Scalar::kF32, {b_.x(1)})));
}

// A solution has a live option of each term, and of a sum they bring just what is needed.
TEST(SumsOfRandomProblems, AreMetBySolutions) {
  std::size_t met = 0;
  for (const Ring ring : {Ring::kSum, Ring::kXor, Ring::kMin})
    for (std::uint32_t seed = 2000; seed < 2080; ++seed) {
      RandomProblem random(seed, ring);
      const std::vector<Assignment> solutions = solutions_of(random.problem);
      std::vector<RingEquation> parts;
      std::vector<SumConstraint> sums;
      bool conflict = false;
      for (std::size_t e = 0; e < random.problem.equations.size() && !conflict; ++e)
        conflict = split_equation(random.problem, e, parts).has_value();
      SumCompiler compiler(random.problem, sums);
      for (std::size_t i = 0; i < parts.size() && !conflict; ++i) conflict = compiler.add(parts[i]).has_value();
      if (conflict) {
        EXPECT_TRUE(solutions.empty()) << seed;
        continue;
      }
      for (const Assignment& s : solutions) {
        Domains domains(random.problem.points);
        for (std::size_t p = 0; p < s.size(); ++p) ASSERT_TRUE(domains.fix(PointId(p), s[p]));
        for (const SumConstraint& sum : sums) {
          std::vector<double> brought(sum.need.size(), 0);
          for (const Summand& term : sum.terms) {
            const auto live = std::find_if(term.options.begin(), term.options.end(),
                                           [&](const Option& o) { return holds(o.path, domains); });
            ASSERT_TRUE(term.open || live != term.options.end()) << seed;
            for (const Contribution& c : live->brings) brought[c.monomial] += c.amount;
          }
          ++met;
          if (ring == Ring::kSum && sum.cancel_free) {
            EXPECT_EQ(brought, sum.need) << seed;
          }
          for (std::size_t m = 0; ring == Ring::kXor && m < brought.size(); ++m)
            EXPECT_EQ(static_cast<int>(brought[m]) % 2, static_cast<int>(sum.need[m]) % 2) << seed;
        }
      }
    }
  EXPECT_GT(met, 1000u);
}

}  // namespace
}  // namespace swizzle::sum_compiler_test
