#include "synth/network/independent_terms.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::independent_terms_test {
namespace {

class IndependentTermsOf : public testing::Test {
 protected:
  Value of_a(std::size_t i) { return b_.choice(b_.at(lanes_, i), {b_.a(0), b_.a(1), b_.a(2)}); }
  Value of_b(std::size_t i) { return b_.choice(b_.at(others_, i), {b_.b(0), b_.b(1), b_.b(2)}); }
  Value divided(Value v, Value w) { return b_.problem.provenance.binary(Operator::kDiv, Scalar::kU32, v, w); }
  Value narrowed(Value v) { return b_.problem.provenance.convert(b_.normal(v), Scalar::kU32, Scalar::kU8); }
  Value guarded(std::size_t i, Value v) { return b_.when(b_.at(conditions_, i), v); }
  bool are_seen(Value actual, Value expected) {
    const std::size_t equation = b_.equation(actual, expected);
    return have_independent_terms(b_.problem, std::array{equation}, Deadline());
  }

  ProblemBuilder b_{Ring::kXor, Scalar::kU32};
  const HoleId lanes_ = b_.part(3, 2), others_ = b_.part(3, 2), conditions_ = b_.condition(2);
};

TEST_F(IndependentTermsOf, FunctionsOfFetches) {
  const Value actual = b_.sum({guarded(0, divided(of_a(0), of_b(0))), guarded(1, divided(of_a(1), of_b(1)))});
  EXPECT_TRUE(are_seen(actual, b_.sum({divided(b_.a(0), b_.b(1)), divided(b_.a(2), b_.b(2))})));
  EXPECT_TRUE(are_seen(narrowed(actual), narrowed(divided(b_.a(0), b_.b(1)))));
  EXPECT_TRUE(are_seen(b_.sum({actual, of_a(0)}), b_.a(1)));
}

// f(a, b) with a part of it that is compared by its own form alone.
TEST_F(IndependentTermsOf, AreNotFunctionsThatAreTheSameSomewhere) {
  const auto halved = [&](Value v) {
    return b_.problem.provenance.binary(Operator::kShr, Scalar::kU32, v, Value::integer(1));
  };
  const Value fourth = b_.problem.provenance.binary(Operator::kShr, Scalar::kU32, b_.a(0), Value::integer(2));
  EXPECT_FALSE(are_seen(b_.sum({halved(halved(of_a(0))), of_b(0)}), b_.sum({fourth, b_.b(0)})));
}

TEST_F(IndependentTermsOf, AreNotSaidOfMasks) {
  const Value mask = Value::integer(255);
  EXPECT_FALSE(are_seen(b_.product(mask, b_.sum({divided(of_a(0), of_b(0)), of_a(1)})), b_.a(0)));
}

TEST_F(IndependentTermsOf, AreLeftToOthersWhereThereIsNoFunction) {
  EXPECT_FALSE(are_seen(b_.sum({of_a(0), of_b(0)}), b_.sum({b_.a(0), b_.b(0)})));
}

}  // namespace
}  // namespace swizzle::independent_terms_test
