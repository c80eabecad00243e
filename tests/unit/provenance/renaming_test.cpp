#include "synth/provenance/renaming.h"

#include <gtest/gtest.h>

namespace swizzle::renaming_test {
namespace {

class Renamings : public testing::Test {
 protected:
  Value x(std::int64_t i) { return provenance_.input(BufferId(0), i, Scalar::kI32); }
  Value w(std::int64_t i) { return provenance_.input(BufferId(1), i, Scalar::kI32); }
  // Of x and w where they begin at other elements.
  Value sum(std::int64_t of_x, std::int64_t of_w) {
    Value all = Value::integer(3);
    for (std::int64_t k = 4; k >= 0; --k) {
      const Value product = provenance_.binary(Operator::kMul, Scalar::kI32, x(of_x + k), w(of_w + 4 - k));
      all = provenance_.binary(Operator::kAdd, Scalar::kI32, all, product);
    }
    return all;
  }

  Provenance provenance_;
};

TEST_F(Renamings, OfSumsHaveTheirNormalForm) {
  // x[10] is older than x[8], so that terms and factors stand in another order.
  for (const std::int64_t i : {10, 9, 8}) x(i);
  const Value renamed = Renaming(provenance_, {8, 2}).of(sum(0, 0));
  EXPECT_EQ(renamed, provenance_.normalize(sum(8, 2)));
  EXPECT_FALSE(renamed == provenance_.normalize(sum(8, 1)));
}

TEST_F(Renamings, GoThroughFunctions) {
  const auto quotient = [&](std::int64_t i) {
    return provenance_.binary(Operator::kDiv, Scalar::kI32, sum(i, 0),
                              provenance_.binary(Operator::kOr, Scalar::kI32, x(i), w(0)));
  };
  EXPECT_EQ(Renaming(provenance_, {4, 0}).of(quotient(1)), quotient(5));
}

TEST_F(Renamings, KeepWhatIsMadeOfNoElement) {
  EXPECT_EQ(Renaming(provenance_, {4, 0}).of(Value::integer(5)), Value::integer(5));
  EXPECT_TRUE(Renaming(provenance_, {4, 0}).of(Value{}).is_undefined());
}

}  // namespace
}  // namespace swizzle::renaming_test
