#include <gtest/gtest.h>

#include "synth/provenance/provenance.h"

namespace swizzle::conversions_test {
namespace {

class Conversion : public testing::Test {
 protected:
  Value input(std::int64_t i) { return provenance_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value widened(Value v) { return provenance_.convert(v, Scalar::kI32, Scalar::kI64); }
  Provenance provenance_;
};

// So that a product of widened choices is a product of choices, as a narrow one is, and not a function of both.
TEST_F(Conversion, OfAChoiceIsAChoiceOfConversions) {
  const PointId outer(std::size_t{0}), inner(std::size_t{1});
  const Value nested = provenance_.choice(outer, {provenance_.choice(inner, {input(0), input(1)}), input(2)});
  EXPECT_EQ(widened(nested),
            provenance_.choice(outer,
                               {provenance_.choice(inner, {widened(input(0)), widened(input(1))}), widened(input(2))}));
}

TEST_F(Conversion, OfWhatWasWidenedIsTheValueAgainUnderAChoiceToo) {
  const Value chosen = provenance_.choice(PointId(std::size_t{0}), {input(0), input(1)});
  EXPECT_EQ(provenance_.convert(widened(chosen), Scalar::kI64, Scalar::kI32), chosen);
}

TEST_F(Conversion, OfAnUndefinedAlternativeIsUndefined) {
  const Value chosen = provenance_.choice(PointId(std::size_t{0}), {input(0), Value{}});
  EXPECT_EQ(widened(chosen), provenance_.choice(PointId(std::size_t{0}), {widened(input(0)), Value{}}));
}

}  // namespace
}  // namespace swizzle::conversions_test
