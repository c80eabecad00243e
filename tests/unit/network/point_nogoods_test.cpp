#include <gtest/gtest.h>

#include "synth/network/constraint_network.h"
#include "synth/propagation/propagator.h"

namespace swizzle::point_nogoods_test {
namespace {

// Two points of one hole, and what may not be.
class PointNogoodsOfTwoPoints : public testing::Test {
 protected:
  static constexpr int kDomain = 4;

  Value shifted(std::size_t p, int by) {
    std::vector<Value> values;
    for (int v = 0; v < kDomain; ++v) values.push_back(Value::integer(v + by));
    return problem_.provenance.choice(PointId(p), values);
  }
  // Where P0 + by = P1 is a violation: what is left of P1 once P0 is known.
  std::vector<int> left_of_second(int by, int first) {
    for (std::size_t p = 0; p < 2; ++p) problem_.points.intern(HoleId(0), {static_cast<std::int64_t>(p)}, kDomain);
    problem_.holes.resize(1);
    problem_.requirements.push_back(
        {problem_.provenance.binary(Operator::kEq, Scalar::kI32, shifted(0, by), shifted(1, 0)), "", {}});
    EXPECT_FALSE(add_requirement(problem_, 0, network_));
    Domains domains(problem_.points);
    Propagator propagator(network_, problem_, domains);
    EXPECT_FALSE(propagator.propagate());
    EXPECT_TRUE(domains.fix(PointId(0), first));
    EXPECT_FALSE(propagator.propagate());
    std::vector<int> left;
    for (int v = 0; v < kDomain; ++v)
      if (domains.allows(PointId(1), v)) left.push_back(v);
    return left;
  }

  Problem problem_;
  ConstraintNetwork network_;
};

TEST_F(PointNogoodsOfTwoPoints, ThatAreNeverEqualAreToldOnce) {
  EXPECT_EQ(left_of_second(0, 2), (std::vector<int>{0, 1, 3}));
  for (const PointNogoods& of : network_.nogoods) {
    EXPECT_EQ(of.unequal.size(), 1u);
    EXPECT_TRUE(of.by_value.empty());
  }
}

TEST_F(PointNogoodsOfTwoPoints, ThatPairOtherValuesAreToldByValue) {
  EXPECT_EQ(left_of_second(1, 2), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(network_.nogoods[0].unequal.empty());
}

TEST_F(PointNogoodsOfTwoPoints, SayNothingOfValuesWithoutAPartner) {
  EXPECT_EQ(left_of_second(1, 3), (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace swizzle::point_nogoods_test
