#include "synth/network/mixed_differences.h"

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::mixed_differences_test {
namespace {

class MixedDifferencesOf : public testing::Test {
 protected:
  explicit MixedDifferencesOf(Ring ring, Scalar scalar) : b_(ring, scalar), ring_(ring), scalar_(scalar) {}

  bool are_independent(const std::vector<std::vector<Value>>& products, int bits) {
    std::vector<Factors> terms;
    for (const std::vector<Value>& product : products) {
      terms.emplace_back();
      for (Value v : product) terms.back().push_back(v.as_node());
      std::ranges::sort(terms.back());
    }
    return MixedDifferences(b_.problem.provenance).are_independent(terms, {ring_, is_real(scalar_), bits}, Deadline());
  }
  Value quotient(Value v, Value w) { return b_.problem.provenance.binary(Operator::kDiv, scalar_, v, w); }
  Value shifted(Value v, Value w) { return b_.problem.provenance.binary(Operator::kShr, scalar_, v, w); }
  Value of_one(Intrinsic kind, Value v) {
    return b_.problem.provenance.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(kind), scalar_, {v});
  }

  ProblemBuilder b_;
  Ring ring_;
  Scalar scalar_;
};

class MixedDifferencesOfWords : public MixedDifferencesOf {
 protected:
  MixedDifferencesOfWords() : MixedDifferencesOf(Ring::kXor, Scalar::kU32) {}
};

TEST_F(MixedDifferencesOfWords, TellFunctionsOfOtherElementsApart) {
  EXPECT_TRUE(are_independent({{quotient(b_.a(0), b_.b(0))}, {quotient(b_.a(0), b_.b(1))}, {b_.a(0)}, {}}, 32));
}

TEST_F(MixedDifferencesOfWords, TellFunctionsOfTheSameElementsApart) {
  EXPECT_TRUE(are_independent({{quotient(b_.a(0), b_.a(1))}, {quotient(b_.a(1), b_.a(0))}}, 32));
  EXPECT_TRUE(are_independent({{b_.a(0), b_.a(1)}, {quotient(b_.a(0), b_.a(1))}}, 32));
}

// a[0] >> 1 >> 1 has another form than a[0] >> 2.
TEST_F(MixedDifferencesOfWords, DoNotTellWhatIsTheSame) {
  const Value one = Value::integer(1), two = Value::integer(2);
  const Value twice = shifted(shifted(b_.a(0), one), one), once = shifted(b_.a(0), two);
  ASSERT_NE(twice, once);
  EXPECT_FALSE(are_independent({{twice}, {once}}, 32));
}

// Of a 32-bit word shifted by 31 no bit but the lowest is ever set.
TEST_F(MixedDifferencesOfWords, TellWhatIsNeverZeroFromNothing) {
  const Value high = shifted(b_.a(0), Value::integer(31));
  EXPECT_TRUE(are_independent({{high}}, 32));
  EXPECT_FALSE(are_independent({{shifted(high, Value::integer(1))}}, 32));
}

TEST_F(MixedDifferencesOfWords, SayNothingOfFunctionsWithoutAValue) {
  const Value unknown = b_.problem.provenance.opaque(kOpaqueIntrinsic + 900, Scalar::kU32, {b_.a(0), b_.b(0)});
  EXPECT_FALSE(are_independent({{unknown}}, 32));
}

class MixedDifferencesOfNumbers : public MixedDifferencesOf {
 protected:
  MixedDifferencesOfNumbers() : MixedDifferencesOf(Ring::kSum, Scalar::kF32) {}
};

TEST_F(MixedDifferencesOfNumbers, TellFunctionsApart) {
  const Value root = of_one(Intrinsic::kSqrt, b_.product(b_.a(0), b_.a(0)));
  EXPECT_TRUE(are_independent({{quotient(b_.a(0), b_.b(0))}, {b_.a(0), b_.b(0)}, {root}, {b_.a(0)}, {}}, 32));
}

// (a² + a) / b = a² / b + a / b, though no two of them are the same.
TEST_F(MixedDifferencesOfNumbers, DoNotTellASumFromItsParts) {
  const Value a = b_.a(0), b = b_.b(0), square = b_.product(a, a);
  const Value sum = b_.problem.provenance.combine(Ring::kSum, Scalar::kF32, square, a);
  EXPECT_TRUE(are_independent({{quotient(square, b)}, {quotient(a, b)}}, 32));
  EXPECT_FALSE(are_independent({{quotient(square, b)}, {quotient(a, b)}, {quotient(sum, b)}}, 32));
}

// The root of a square is what is left without its sign.
TEST_F(MixedDifferencesOfNumbers, DoNotTellWhatIsTheSame) {
  const Value root = of_one(Intrinsic::kSqrt, b_.product(b_.a(0), b_.a(0))), size = of_one(Intrinsic::kAbs, b_.a(0));
  EXPECT_FALSE(are_independent({{root}, {size}}, 32));
  EXPECT_TRUE(are_independent({{size}, {b_.a(0)}}, 32));
}

}  // namespace
}  // namespace swizzle::mixed_differences_test
