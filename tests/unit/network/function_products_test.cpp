// Functions of fetches as products, and those that are left alone.
#include "synth/network/function_products.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::function_products_test {
namespace {

class FunctionProductsTest : public testing::Test {
 protected:
  Value f(Value v, Value w) { return b_.problem.provenance.opaque(kOpaqueIntrinsic + 7, Scalar::kU32, {v, w}); }
  Value difference(Value v, Value w) { return b_.normal(b_.sum({v, b_.product(Value::integer(-1), w)})); }
  Value of_a(std::size_t i) { return b_.choice(b_.at(lanes_, i), {b_.a(0), b_.a(1), b_.a(2)}); }
  Value of_b(std::size_t i) { return b_.choice(b_.at(others_, i), {b_.b(0), b_.b(1), b_.b(2)}); }
  void note(const std::vector<Value>& values) {
    for (Value v : values) products_.note({0, Ring::kSum, Scalar::kU32, b_.normal(v), needed_});
    products_.complete();
  }
  std::size_t places_of(Value function) const { return products_.fetches_of(function.as_node()).size(); }
  Factors product_of(Value v) const { return products_.as_product({v.as_node()}); }

  ProblemBuilder b_{Ring::kSum, Scalar::kU32};
  const HoleId lanes_ = b_.part(3, 4), others_ = b_.part(3, 4), conditions_ = b_.condition(4);
  ElementBuilder fetches_{b_.problem};
  FunctionProducts products_{b_.problem.provenance, fetches_, FunctionProducts::Of::kFactors};
  Value needed_ = Value::integer(0);
};

TEST_F(FunctionProductsTest, AValueIsTheProductOfWhatEachFetchBrings) {
  needed_ = b_.normal(b_.sum({f(b_.a(0), b_.b(1)), f(b_.a(0), b_.b(2))}));
  note({b_.sum({f(of_a(0), of_b(0)), f(of_a(1), of_b(1))})});
  EXPECT_EQ(places_of(f(of_a(0), of_b(0))), 2u);
  EXPECT_EQ(places_of(f(of_a(1), of_b(1))), 2u);
  const Factors one = product_of(f(b_.a(0), b_.b(1))), other = product_of(f(b_.a(0), b_.b(2)));
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(other.size(), 2u);
  EXPECT_NE(one, other);
  EXPECT_EQ(std::ranges::count_if(one, [&](NodeId n) { return std::ranges::find(other, n) != other.end(); }), 1);
  EXPECT_EQ(product_of(b_.a(0)), Factors{b_.a(0).as_node()});
}

// Whatever the order in which they are met.
TEST_F(FunctionProductsTest, FetchesThatMayBeExchangedBringToOnePlace) {
  const auto both = [&](Value v, Value w) { return f(b_.normal(b_.sum({v, w})), b_.x(0)); };
  needed_ = both(b_.a(0), b_.b(1));
  note({both(of_a(0), of_b(0)), both(of_b(1), of_a(1))});
  EXPECT_EQ(product_of(both(b_.a(0), b_.b(1))), product_of(both(b_.b(1), b_.a(0))));
  EXPECT_EQ(product_of(both(b_.a(0), b_.b(1))).size(), 2u);
}

// (a[i] - a[j] + c) >> 1 of the same element twice is a number.
TEST_F(FunctionProductsTest, ConstantsAreTold) {
  const auto halved = [&](Value v, Value w, std::int64_t c) {
    return b_.problem.provenance.binary(Operator::kShr, Scalar::kU32, b_.sum({difference(v, w), Value::integer(c)}),
                                        Value::integer(1));
  };
  const Value zero = halved(of_a(0), of_a(1), 0), two = halved(of_a(2), of_a(3), 4);
  needed_ = b_.normal(b_.sum({halved(b_.a(0), b_.a(1), 0), halved(b_.a(0), b_.a(1), 4)}));
  note({b_.sum({zero, two, of_b(0)})});
  EXPECT_EQ(places_of(zero), 2u);
  EXPECT_EQ(product_of(halved(b_.a(0), b_.a(1), 0)).size(), 2u);
  EXPECT_FALSE(products_.may_be_constant(zero.as_node()));
  EXPECT_TRUE(products_.may_be_constant(two.as_node()));
  const std::span<const Value> values = products_.values_of(*products_.family_of(two.as_node()));
  EXPECT_EQ(values.size(), 7u);  // of two that differ in six ways, and of the same one
  EXPECT_EQ(std::ranges::count(values, Value::integer(2)), 1);
}

TEST_F(FunctionProductsTest, WhatIsNeededOfTwoFunctionsIsLeftAlone) {
  const Value one = f(of_a(0), b_.b(0)), other = f(b_.a(0), of_b(0));  // both may be f(a[0], b[0])
  needed_ = f(b_.a(0), b_.b(0));
  note({b_.sum({one, other})});
  EXPECT_EQ(places_of(one), 0u);
  EXPECT_EQ(places_of(other), 0u);
}

TEST_F(FunctionProductsTest, WhatNobodyNeedsMayComeOfTwoFunctions) {
  const Value one = f(of_a(0), b_.b(0)), other = f(b_.a(0), of_b(0));
  needed_ = f(b_.a(1), b_.b(0));
  note({b_.sum({one, other})});
  EXPECT_EQ(places_of(one), 1u);
  EXPECT_EQ(places_of(other), 1u);
}

// f(a[0], b[1]) ^ f(A, B) = 0: the one that is there is to be taken away.
TEST_F(FunctionProductsTest, WhatIsThereInAnyCaseMayBeNeeded) {
  note({b_.sum({f(b_.a(0), b_.b(1)), f(of_a(0), of_b(0))})});
  EXPECT_EQ(product_of(f(b_.a(0), b_.b(1))).size(), 2u);
}

// As a whole, an output may be a sum.
TEST_F(FunctionProductsTest, AnOutputIsOneFunction) {
  FunctionProducts outputs(b_.problem.provenance, fetches_, FunctionProducts::Of::kOutputs);
  const auto squared = [&](Value v, Value w) { return b_.normal(b_.product(difference(v, w), difference(v, w))); };
  const Value actual = squared(of_a(0), of_b(0)), expected = squared(b_.a(2), b_.b(1));
  outputs.note({0, Ring::kSum, Scalar::kU32, actual, expected});
  outputs.complete();
  EXPECT_EQ(outputs.fetches_of(actual.as_node()).size(), 2u);
  EXPECT_EQ(outputs.as_product({expected.as_node()}).size(), 2u);
}

TEST_F(FunctionProductsTest, WhatAFetchMayBringAsItIsIsLeftAlone) {
  const Value made = f(b_.a(0), b_.b(0)), fetch = b_.choice(b_.at(lanes_, 2), {made, b_.x(1), b_.x(2)});
  note({b_.sum({f(of_a(0), of_b(0)), fetch})});
  EXPECT_EQ(places_of(f(of_a(0), of_b(0))), 0u);
}

TEST_F(FunctionProductsTest, OfTwoFunctionsInAProductNothingIsSaid) {
  note({b_.sum({f(of_a(0), of_b(0)), f(of_a(1), of_b(1))})});
  const Factors two{f(b_.a(0), b_.b(0)).as_node(), f(b_.a(1), b_.b(1)).as_node()};
  EXPECT_EQ(products_.as_product(two), two);
}

// A sum of functions is a matching as a sum of products is,.
TEST_F(FunctionProductsTest, AreMatched) {
  const auto guarded = [&](std::size_t i, Value v) { return b_.when(b_.at(conditions_, i), v); };
  b_.equation(b_.sum({guarded(0, f(of_a(0), of_b(0))), guarded(1, f(of_a(1), of_b(1)))}), f(b_.a(0), b_.b(2)));
  b_.equation(b_.sum({guarded(2, f(of_a(0), of_b(0))), guarded(3, f(of_a(1), of_b(1)))}), f(b_.a(1), b_.b(0)));
  ConstraintNetwork network;
  ASSERT_FALSE(b_.compile(network));
  ASSERT_EQ(network.matchings.size(), 1u);
  EXPECT_TRUE(network.sums.empty());
  EXPECT_TRUE(network.exact[0] && network.exact[1]);
  EXPECT_EQ(network.matchings[0].names, (std::vector<Value>{f(b_.a(0), b_.b(2)), f(b_.a(1), b_.b(0))}));
}

}  // namespace
}  // namespace swizzle::function_products_test
