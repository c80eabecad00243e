#include "synth/oracle/z3_solver.h"

#include <gtest/gtest.h>

namespace swizzle::z3_solver_test {
namespace {

TEST(Z3Solver, MinimizesUnderClausesAndSums) {
  Formula formula;
  const Literals p = formula.fresh(3);
  formula.exactly_one(p);
  formula.add({!p[1]});
  formula.minimize(p[0], 5);
  formula.minimize(p[1], 1);
  formula.minimize(p[2], 3);
  const Z3Answer answer = Z3Session(formula).minimize({}, 10);
  ASSERT_EQ(answer.outcome, Outcome::kFound);
  EXPECT_EQ(answer.objective, 3);
  EXPECT_TRUE(answer.holds(p[2]));
  EXPECT_TRUE(answer.holds(!p[0]));
}

TEST(Z3Solver, SumsTakeNegativeWeights) {
  Formula formula;
  const Literals p = formula.fresh(3);
  formula.equal({{p[0], 2}, {p[1], -1}, {p[2], -1}}, 0);
  formula.add({p[1], p[2]});
  const Z3Answer answer = Z3Session(formula).minimize({}, 10);
  ASSERT_EQ(answer.outcome, Outcome::kFound);
  for (Literal l : p) EXPECT_TRUE(answer.holds(l));
}

TEST(Z3Solver, AnEmptySumIsZero) {
  Formula zero, one;
  zero.equal({}, 0);
  one.equal({}, 1);
  EXPECT_EQ(Z3Session(zero).minimize({}, 10).outcome, Outcome::kFound);
  EXPECT_EQ(Z3Session(one).minimize({}, 10).outcome, Outcome::kInfeasible);
}

TEST(Z3Solver, ParitiesCountModuloTwo) {
  for (const bool odd : {false, true}) {
    Formula formula;
    const Literals p = formula.fresh(3);
    formula.parity(p, odd);
    formula.add({p[0]});
    formula.add({p[1]});
    const Z3Answer answer = Z3Session(formula).minimize({}, 10);
    ASSERT_EQ(answer.outcome, Outcome::kFound);
    EXPECT_EQ(answer.holds(p[2]), odd);
  }
}

TEST(Z3Solver, ConjunctionsAndDisjunctionsAreEquivalent) {
  for (const bool both : {false, true}) {
    Formula formula;
    const Literals p = formula.fresh(2);
    const Literal all = formula.all_of({p[0], p[1]}), any = formula.any_of({p[0], p[1]});
    EXPECT_EQ(formula.all_of({p[1], p[0], Formula::truth()}), all);
    EXPECT_EQ(formula.all_of({p[0], !p[0]}), !Formula::truth());
    formula.add({p[0]});
    formula.add({both ? p[1] : !p[1]});
    const Z3Answer answer = Z3Session(formula).minimize({}, 10);
    ASSERT_EQ(answer.outcome, Outcome::kFound);
    EXPECT_EQ(answer.holds(all), both);
    EXPECT_TRUE(answer.holds(any));
  }
}

TEST(Z3Solver, WhatAQueryAddsHoldsForItAlone) {
  Formula formula;
  const Literals p = formula.fresh(2);
  formula.exactly_one(p);
  formula.minimize(p[0], 5);
  formula.minimize(p[1], 3);
  Z3Session session(formula);
  EXPECT_EQ(session.decide({{}, 2}, 10).outcome, Outcome::kInfeasible);
  EXPECT_EQ(session.decide({{p[0]}, 4}, 10).outcome, Outcome::kInfeasible);
  EXPECT_EQ(session.decide({{p[0], p[1]}, {}}, 10).outcome, Outcome::kInfeasible);
  EXPECT_EQ(session.decide({{p[0]}, {}}, 10).objective, 5);
  EXPECT_EQ(session.decide({{}, 4}, 10).objective, 3);
}

TEST(Z3Solver, WhatIsTooWideIsUnknownWithTheReason) {
  Formula formula;
  formula.equal({{formula.fresh(), std::int64_t{1} << 40}}, 0);
  const Z3Answer answer = Z3Session(formula).minimize({}, 10);
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(answer.reason, "Z3: a weight of more than 31 bits");
}

TEST(Z3Solver, AFormulaIsAlsoAScript) {
  Formula formula;
  const Literals p = formula.fresh(2);
  formula.equal({{p[0], 2}, {p[1], 3}}, 3);
  const std::string script = Z3Session(formula).to_smt2({});
  EXPECT_NE(script.find("pbeq"), std::string::npos) << script;
  EXPECT_NE(script.find("(check-sat)"), std::string::npos) << script;
}

}  // namespace
}  // namespace swizzle::z3_solver_test
