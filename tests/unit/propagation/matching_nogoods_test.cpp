// Values of two points that would make two tuples of a matching the same monomial.
#include <gtest/gtest.h>

#include "synth/propagation/propagator.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::matching_nogoods_test {
namespace {

using Points = std::vector<BinaryNogoods::Word>;

// y[0] = x[0] + x[1], of two registers that a hole says; where they are fetched from, another hole may have a say.
class PropagatorNogoods : public testing::Test {
 protected:
  BinaryNogoods pairs_of(HoleId hole, bool fix_lanes = false) {
    EXPECT_FALSE(b_.compile(network_));
    domains_.emplace(b_.problem.points);
    propagator_.emplace(network_, b_.problem, *domains_);
    EXPECT_FALSE(propagator_->propagate());
    for (PointId p : b_.space(lanes_).points)
      if (fix_lanes) {
        EXPECT_TRUE(domains_->fix(p, 0));
      }
    EXPECT_FALSE(propagator_->propagate());
    return propagator_->binary_nogoods(b_.space(hole));
  }
  // Whether the first register may be `v` where the second is `w`.
  static bool allows(const BinaryNogoods& pairs, int v, int w) {
    Points points(pairs.words(), 0);
    points[static_cast<std::size_t>(v)] |= 1;
    points[static_cast<std::size_t>(w)] |= 2;
    return pairs.allows(static_cast<std::size_t>(v), points) && pairs.allows(static_cast<std::size_t>(w), points);
  }
  Value fetch(std::size_t i, int when_0, int when_1) {
    return b_.choice(b_.at(registers_, i), {b_.x(when_0), b_.x(when_1)});
  }

  ProblemBuilder b_;
  const HoleId registers_ = b_.part(2, 2), lanes_ = b_.transform(2);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
};

TEST_F(PropagatorNogoods, AreValuesThatMakeTwoTuplesTheSame) {
  b_.equation(b_.sum({fetch(0, 0, 1), fetch(1, 1, 0)}), b_.sum({b_.x(0), b_.x(1)}));
  const BinaryNogoods pairs = pairs_of(registers_);
  EXPECT_FALSE(allows(pairs, 0, 1));
  EXPECT_FALSE(allows(pairs, 1, 0));
  EXPECT_TRUE(allows(pairs, 0, 0));
  EXPECT_TRUE(allows(pairs, 1, 1));
}

TEST_F(PropagatorNogoods, AreNoneOfAnotherHole) {
  b_.equation(b_.sum({fetch(0, 0, 1), fetch(1, 1, 0)}), b_.sum({b_.x(0), b_.x(1)}));
  EXPECT_TRUE(pairs_of(lanes_).empty());
}

TEST_F(PropagatorNogoods, AreNoneWhileWhereItIsFetchedFromIsOpen) {
  for (const bool known : {false, true}) {
    ProblemBuilder fresh;
    b_ = std::move(fresh);
    b_.part(2, 2);
    b_.transform(2);
    network_ = {};
    std::vector<Value> fetches;
    for (std::size_t i = 0; i < 2; ++i)
      fetches.push_back(b_.choice(b_.at(lanes_, i), {fetch(0, 0, 1), fetch(1, 1, 0)}));
    fetches[1] = b_.choice(b_.at(lanes_, 1), {fetch(1, 1, 0), fetch(0, 0, 1)});
    b_.equation(b_.sum(fetches), b_.sum({b_.x(0), b_.x(1)}));
    EXPECT_EQ(pairs_of(registers_, known).empty(), !known);
  }
}

// Different monomials in which an operand occurs twice: a register may have one value at both points.
TEST_F(PropagatorNogoods, AreNoneOfTuplesThatDifferElsewhere) {
  b_.equation(b_.sum({b_.product(fetch(0, 0, 1), b_.a(0)), b_.product(fetch(1, 0, 1), b_.a(1))}),
              b_.sum({b_.product(b_.x(0), b_.a(0)), b_.product(b_.x(1), b_.a(1))}));
  EXPECT_TRUE(pairs_of(registers_).empty());
}

}  // namespace
}  // namespace swizzle::matching_nogoods_test
