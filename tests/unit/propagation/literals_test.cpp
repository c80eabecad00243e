#include "synth/propagation/literals.h"

#include <optional>

#include <gtest/gtest.h>

#include "synth/network/element_constraint.h"

namespace swizzle::literals_test {
namespace {

class LiteralsHold : public testing::Test {
 protected:
  LiteralsHold() {
    for (int i = 0; i < 2; ++i) points_.intern(HoleId(0), {i}, 70);
    domains_.emplace(points_);
  }
  const PointId p_{0}, q_{1};
  PointTable points_;
  std::optional<Domains> domains_;
};

TEST_F(LiteralsHold, AValueWhileThePointAllowsIt) {
  EXPECT_TRUE(holds(p_, 66, *domains_));
  ASSERT_TRUE(domains_->remove_value(p_, 66));
  EXPECT_FALSE(holds(p_, 66, *domains_));
  EXPECT_TRUE(holds(p_, 65, *domains_));
}

TEST_F(LiteralsHold, AnyOtherValueUntilItIsTheOnlyOne) {
  EXPECT_TRUE(holds(p_, ~66, *domains_));
  ASSERT_TRUE(domains_->fix(p_, 66));
  EXPECT_FALSE(holds(p_, ~66, *domains_));
  EXPECT_TRUE(holds(p_, ~65, *domains_));
}

TEST_F(LiteralsHold, APathWhileEachOfItsStepsDoes) {
  const Guard path{{p_, 1}, {q_, ~2}};
  EXPECT_TRUE(holds(path, *domains_));
  EXPECT_TRUE(holds(Guard{}, *domains_));
  ASSERT_TRUE(domains_->fix(q_, 2));
  EXPECT_FALSE(holds(path, *domains_));
}

}  // namespace
}  // namespace swizzle::literals_test
