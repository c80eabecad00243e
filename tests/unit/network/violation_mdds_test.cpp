#include "synth/propagation/mdd_walk.h"

#include <gtest/gtest.h>

namespace swizzle::violation_mdds_test {
namespace {

// Points P0, P1, … of the same domain.
class ViolationMddsOfPoints : public testing::Test {
 protected:
  ViolationMddsOfPoints() {
    for (int p = 0; p < 3; ++p) points_.intern(HoleId(0), {p}, kDomain);
    domains_.emplace(points_);
  }

  Value value_of(std::size_t p) {
    std::vector<Value> values;
    for (int v = 0; v < kDomain; ++v) values.push_back(Value::integer(v));
    return provenance_.choice(PointId(p), std::move(values));
  }
  Value equal(std::size_t p, std::size_t q) {
    return provenance_.binary(Operator::kEq, Scalar::kI32, value_of(p), value_of(q));
  }
  Value is(std::size_t p, int v) {
    return provenance_.binary(Operator::kEq, Scalar::kI32, value_of(p), Value::integer(v));
  }
  Value both(Value a, Value b) { return provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }

  bool keep_safe(Value violation) {
    const ViolationMdds::Target root = mdds_.add(provenance_, violation);
    return MddWalk(mdds_, *domains_).keep_safe(root, mdds_.points(root));
  }
  std::vector<int> left(std::size_t p) const {
    std::vector<int> values;
    for (int v = 0; v < kDomain; ++v)
      if (domains_->allows(PointId(p), v)) values.push_back(v);
    return values;
  }

  static constexpr int kDomain = 4;
  Provenance provenance_;
  PointTable points_;
  ViolationMdds mdds_;
  std::optional<Domains> domains_;
};

TEST_F(ViolationMddsOfPoints, ListOnlyWhatLeadsElsewhere) {
  const ViolationMdds::Target root = mdds_.add(provenance_, is(1, 2));
  EXPECT_EQ(mdds_.node(root).edges, 1u);
  EXPECT_EQ(mdds_.edges(mdds_.node(root))->value, 2);
  EXPECT_EQ(mdds_.node(root).rest, ViolationMdds::kSafe);
  EXPECT_EQ(mdds_.node(root).rest_values, 3);
}

TEST_F(ViolationMddsOfPoints, ShareWhatTheyHaveInCommon) {
  mdds_.add(provenance_, equal(0, 2));
  const std::size_t before = mdds_.size();
  mdds_.add(provenance_, equal(1, 2));
  EXPECT_EQ(mdds_.size(), before + 1);
}

TEST_F(ViolationMddsOfPoints, AreTellingWhereAValueMeetsAsMany) {
  EXPECT_EQ(mdds_.telling(mdds_.add(provenance_, equal(0, 1))), 1);
  EXPECT_EQ(mdds_.violations(mdds_.add(provenance_, equal(0, 1)), kDomain),
            (std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
  const Value less = provenance_.binary(Operator::kLt, Scalar::kI32, value_of(0), value_of(1));
  EXPECT_GE(mdds_.telling(mdds_.add(provenance_, less)), 3);
  EXPECT_EQ(mdds_.telling(mdds_.add(provenance_, is(0, 1))), ViolationMdds::kAlways);
}

TEST_F(ViolationMddsOfPoints, StrikeOutWhatIsAlwaysViolated) {
  ASSERT_TRUE(keep_safe(is(0, 3)));
  EXPECT_EQ(left(0), (std::vector<int>{0, 1, 2}));
}

TEST_F(ViolationMddsOfPoints, StrikeOutWhatMeetsAFixedPoint) {
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  ASSERT_TRUE(keep_safe(equal(0, 1)));
  EXPECT_EQ(left(0), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(left(1), (std::vector<int>{2}));
}

TEST_F(ViolationMddsOfPoints, KeepAllWhileThereIsAWayAround) {
  ASSERT_TRUE(keep_safe(both(is(0, 1), is(1, 2))));
  EXPECT_EQ(left(0).size(), 4u);
  EXPECT_EQ(left(1).size(), 4u);
}

TEST_F(ViolationMddsOfPoints, OfThreePointsWaitForTwo) {
  const Value violation = both(is(0, 1), both(is(1, 2), is(2, 3)));
  ASSERT_TRUE(domains_->fix(PointId(0), 1));
  ASSERT_TRUE(keep_safe(violation));
  EXPECT_EQ(left(2).size(), 4u);
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  ASSERT_TRUE(keep_safe(violation));
  EXPECT_EQ(left(2), (std::vector<int>{0, 1, 2}));
}

TEST_F(ViolationMddsOfPoints, WithoutAWayAreAContradiction) {
  ASSERT_TRUE(domains_->fix(PointId(0), 2));
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  EXPECT_FALSE(keep_safe(equal(0, 1)));
}

}  // namespace
}  // namespace swizzle::violation_mdds_test
