#include "synth/network/monomial_classes.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::monomial_classes_test {
namespace {

class MonomialClassesTest : public testing::Test {
 protected:
  Value of_a(std::size_t i) { return b_.choice(b_.at(lanes_, i), {b_.a(0), b_.a(1), b_.a(2)}); }
  Value of_b(std::size_t i) { return b_.choice(b_.at(others_, i), {b_.b(0), b_.b(1), b_.b(2)}); }
  Value squared(Value v, Value w) {
    const Value difference = b_.sum({v, b_.product(Value::integer(-1), w)});
    return b_.product(difference, difference);
  }
  std::vector<RingEquation> split(Value actual, Value expected, Ring ring = Ring::kSum) {
    return MonomialClasses(b_.problem.provenance)
        .split({7, ring, Scalar::kU32, b_.normal(actual), b_.normal(expected)});
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kU32};
  const HoleId lanes_ = b_.part(3, 2), others_ = b_.part(3, 2), conditions_ = b_.condition(2);
};

TEST_F(MonomialClassesTest, AreToldByTheBuffersOfTheFactors) {
  const auto parts = split(squared(of_a(0), of_b(0)), squared(b_.a(1), b_.b(2)));
  ASSERT_EQ(parts.size(), 3u);
  std::set<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const RingEquation& part : parts) {
    EXPECT_EQ(part.equation, 7u);
    found.emplace(std::uint64_t{part.actual.aux}, std::uint64_t{part.expected.aux});
  }
  const auto pair_of = [&](Value actual, Value expected) {
    return std::pair(std::uint64_t{b_.normal(actual).aux}, std::uint64_t{b_.normal(expected).aux});
  };
  const auto mixed = [&](Value v, Value w) { return b_.product(Value::integer(-2), b_.product(v, w)); };
  EXPECT_TRUE(found.contains(pair_of(b_.product(of_a(0), of_a(0)), b_.product(b_.a(1), b_.a(1)))));
  EXPECT_TRUE(found.contains(pair_of(b_.product(of_b(0), of_b(0)), b_.product(b_.b(2), b_.b(2)))));
  EXPECT_TRUE(found.contains(pair_of(mixed(of_a(0), of_b(0)), mixed(b_.a(1), b_.b(2)))));
}

TEST_F(MonomialClassesTest, AreSplitBelowConditions) {
  const auto guarded = b_.when(b_.at(conditions_, 0), b_.sum({of_a(0), b_.product(of_a(1), of_b(1))}));
  const auto parts = split(guarded, b_.a(0));
  ASSERT_EQ(parts.size(), 2u);
  std::set<std::uint32_t> actual;
  for (const RingEquation& part : parts) actual.insert(part.actual.aux);
  EXPECT_TRUE(actual.contains(b_.normal(b_.when(b_.at(conditions_, 0), of_a(0))).aux));
  EXPECT_TRUE(actual.contains(b_.normal(b_.when(b_.at(conditions_, 0), b_.product(of_a(1), of_b(1)))).aux));
}

// A fetch of a or of b, times a fetch of b: what is chosen decides the class.
TEST_F(MonomialClassesTest, AreNotToldWhereChoicesDecideThem) {
  const Value either = b_.choice(b_.at(lanes_, 0), {b_.a(0), b_.b(0), b_.a(1)});
  EXPECT_TRUE(split(b_.sum({b_.product(either, of_b(0)), of_a(1)}), b_.a(0)).empty());
  EXPECT_FALSE(split(b_.sum({either, b_.product(of_a(1), of_b(1))}), b_.a(0)).empty());
}

TEST_F(MonomialClassesTest, AreOfSumsAndMoreThanOne) {
  EXPECT_TRUE(split(b_.sum({of_a(0), of_a(1)}), b_.a(0)).empty());
  EXPECT_TRUE(split(b_.sum({of_a(0), of_b(1)}), b_.a(0), Ring::kXor).empty());
}

}  // namespace
}  // namespace swizzle::monomial_classes_test
