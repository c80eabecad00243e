#include "driver/step_budget.h"

#include <gtest/gtest.h>

namespace swizzle::step_budget_test {
namespace {

TEST(StepBudget, FewLaunchesHaveAllThatOneMay) {
  StepBudget budget(100, 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(budget.next(), 100);
    budget.spent(100);
  }
}

TEST(StepBudget, ManyShareAndWhatOneLeavesTheOthersHave) {
  StepBudget budget(100, 40);
  EXPECT_EQ(budget.next(), 30);
  budget.spent(30);
  EXPECT_EQ(budget.next(), 30);
  budget.spent(0);
  EXPECT_EQ(budget.next(), 1170 / 38);
}

TEST(StepBudget, NoneIsLeftWithoutAny) {
  StepBudget budget(640, 1000);
  EXPECT_EQ(budget.next(), 10);
  StepBudget tiny(1, 1000);
  EXPECT_EQ(tiny.next(), 1);
}

}  // namespace
}  // namespace swizzle::step_budget_test
