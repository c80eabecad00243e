#include "synth/propagation/mdd_walk.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

// Points P0, P1, … of the same domain.
class DiagramsOfPoints : public testing::Test {
 protected:
  DiagramsOfPoints() {
    for (int p = 0; p < 3; ++p) points_.intern(HoleId(0), {p}, kDomain);
    domains_.emplace(points_);
  }

  Value value_of(std::size_t p) {
    std::vector<Value> values;
    for (int v = 0; v < kDomain; ++v) values.push_back(Value::integer(v));
    return provenance_.choice(PointId(p), std::move(values));
  }
  Value equal(std::size_t p, std::size_t q) { return provenance_.binary(Operator::kEq, Scalar::kI32, value_of(p), value_of(q)); }
  Value is(std::size_t p, int v) { return provenance_.binary(Operator::kEq, Scalar::kI32, value_of(p), Value::integer(v)); }
  Value both(Value a, Value b) { return provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }

  bool keep_safe(Value violation) {
    const Diagrams::Target root = diagrams_.add(provenance_, violation);
    return DiagramWalk(diagrams_, *domains_).keep_safe(root, diagrams_.points(root));
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
  Diagrams diagrams_;
  std::optional<Domains> domains_;
};

TEST_F(DiagramsOfPoints, ListOnlyWhatLeadsElsewhere) {
  const Diagrams::Target root = diagrams_.add(provenance_, is(1, 2));
  EXPECT_EQ(diagrams_.node(root).edges, 1u);
  EXPECT_EQ(diagrams_.edges(diagrams_.node(root))->value, 2);
  EXPECT_EQ(diagrams_.node(root).rest, Diagrams::kSafe);
  EXPECT_EQ(diagrams_.node(root).rest_values, 3);
}

TEST_F(DiagramsOfPoints, ShareWhatTheyHaveInCommon) {
  diagrams_.add(provenance_, equal(0, 2));
  const std::size_t before = diagrams_.size();
  diagrams_.add(provenance_, equal(1, 2));
  EXPECT_EQ(diagrams_.size(), before + 1);
}

TEST_F(DiagramsOfPoints, AreTellingWhereAValueMeetsAsMany) {
  EXPECT_EQ(diagrams_.telling(diagrams_.add(provenance_, equal(0, 1))), 1);
  EXPECT_EQ(diagrams_.violations(diagrams_.add(provenance_, equal(0, 1)), kDomain), (std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
  const Value less = provenance_.binary(Operator::kLt, Scalar::kI32, value_of(0), value_of(1));
  EXPECT_GE(diagrams_.telling(diagrams_.add(provenance_, less)), 3);
  EXPECT_EQ(diagrams_.telling(diagrams_.add(provenance_, is(0, 1))), Diagrams::kAlways);
}

TEST_F(DiagramsOfPoints, StrikeOutWhatIsAlwaysViolated) {
  ASSERT_TRUE(keep_safe(is(0, 3)));
  EXPECT_EQ(left(0), (std::vector<int>{0, 1, 2}));
}

TEST_F(DiagramsOfPoints, StrikeOutWhatMeetsAFixedPoint) {
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  ASSERT_TRUE(keep_safe(equal(0, 1)));
  EXPECT_EQ(left(0), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(left(1), (std::vector<int>{2}));
}

TEST_F(DiagramsOfPoints, KeepAllWhileThereIsAWayAround) {
  ASSERT_TRUE(keep_safe(both(is(0, 1), is(1, 2))));
  EXPECT_EQ(left(0).size(), 4u);
  EXPECT_EQ(left(1).size(), 4u);
}

TEST_F(DiagramsOfPoints, OfThreePointsWaitForTwo) {
  const Value violation = both(is(0, 1), both(is(1, 2), is(2, 3)));
  ASSERT_TRUE(domains_->fix(PointId(0), 1));
  ASSERT_TRUE(keep_safe(violation));
  EXPECT_EQ(left(2).size(), 4u);
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  ASSERT_TRUE(keep_safe(violation));
  EXPECT_EQ(left(2), (std::vector<int>{0, 1, 2}));
}

TEST_F(DiagramsOfPoints, WithoutAWayAreAContradiction) {
  ASSERT_TRUE(domains_->fix(PointId(0), 2));
  ASSERT_TRUE(domains_->fix(PointId(1), 2));
  EXPECT_FALSE(keep_safe(equal(0, 1)));
}

}  // namespace
}  // namespace swizzle
