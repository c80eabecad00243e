#include "synth/bits/unit_inputs.h"

#include <gtest/gtest.h>

#include "synth/provenance/words.h"

namespace swizzle::unit_inputs_test {
namespace {

class UnitInputs : public ::testing::Test {
 protected:
  Value x(int i) { return p.bit(BufferId(0), 0, i); }
  Value with(Operator op, Value a, Value b) { return gate(p, op, a, b); }
  std::optional<bool> where_one(Value one, Value v) { return UnitInput(p, one.as_node()).value_of(v); }
  std::optional<bool> where_zero(Value v) { return UnitInput(p, std::nullopt).value_of(v); }

  Provenance p;
};

TEST_F(UnitInputs, OneBitIsOne) {
  EXPECT_EQ(where_one(x(1), x(1)), true);
  EXPECT_EQ(where_one(x(1), x(0)), false);
  EXPECT_EQ(where_zero(x(1)), false);
  EXPECT_EQ(where_one(x(1), Value::integer(1)), true);
}

TEST_F(UnitInputs, ASumIsOneOfEachOfItsBits) {
  const Value sum = with(Operator::kXor, with(Operator::kXor, x(0), x(1)), Value::integer(1));
  EXPECT_EQ(where_zero(sum), true);
  EXPECT_EQ(where_one(x(0), sum), false);
  EXPECT_EQ(where_one(x(2), sum), true);
}

TEST_F(UnitInputs, AProductOfTwoBitsIsZeroAndADisjunctionOne) {
  EXPECT_EQ(where_one(x(0), with(Operator::kAnd, x(0), x(1))), false);
  EXPECT_EQ(where_one(x(0), with(Operator::kOr, x(0), x(1))), true);
}

TEST_F(UnitInputs, NothingIsKnownOfWhatHolesDecide) {
  EXPECT_EQ(where_zero(p.choice(PointId(0), {x(0), x(1)})), std::nullopt);
}

TEST_F(UnitInputs, BitsAreFoundBelowChoicesAndSums) {
  const Value v = p.choice(PointId(0), {with(Operator::kXor, x(3), x(1)), x(2)});
  std::vector<NodeId> found = input_bits_of(p, {x(1), v});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], x(1).as_node());
}

}  // namespace
}  // namespace swizzle::unit_inputs_test
