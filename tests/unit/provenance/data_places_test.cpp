#include "synth/provenance/data_places.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"
#include "synth/provenance/provenance.h"

namespace swizzle::data_places_test {
namespace {

constexpr std::size_t kX = 0, kIndex = 1, kBytes = 2;

class DataPlaces : public testing::Test {
 protected:
  DataPlaces() { p_.value_ranges().set({std::nullopt, ValueRange{0, 99}, std::nullopt}); }

  Value index(std::int64_t i) { return p_.input(BufferId(kIndex), i, Scalar::kI32); }
  Value byte(std::int64_t i) { return p_.input(BufferId(kBytes), i, Scalar::kU8); }
  Value of(Operator op, Value a, Value b, Scalar s = Scalar::kI32) { return p_.binary(op, s, a, b); }
  Value number(std::int64_t v) { return Value::integer(v); }

  std::string text(Value v, Scalar s = Scalar::kI32) {
    const auto at = data_index(p_, v, s);
    if (!at) return "unknown";
    const auto slot = slot_of(at->place);
    return slot ? slot_text(p_, *slot, {"x", "index", "bytes"}) + ", from " +
                      std::to_string(at->values.low + at->place.offset) + " to " +
                      std::to_string(at->values.high + at->place.offset)
                : "far";
  }
  // x[scale * index[i] + offset], which is read.
  Value element(std::int64_t i, std::int64_t scale = 8, std::int64_t offset = 0) {
    const Value v = of(Operator::kAdd, of(Operator::kMul, index(i), number(scale)), number(offset));
    return p_.input(BufferId(kX), *slot_of(data_index(p_, v, Scalar::kI32)->place), Scalar::kF32);
  }

  Provenance p_;
};

TEST_F(DataPlaces, AreOneNumberForOnePlace) {
  const Value v = of(Operator::kAdd, of(Operator::kMul, index(3), number(8)), number(2));
  const DataIndex at = *data_index(p_, v, Scalar::kI32);
  const std::int64_t slot = *slot_of(at.place);
  EXPECT_TRUE(is_data_place(slot));
  EXPECT_FALSE(is_data_place(1 << 30));
  EXPECT_EQ(data_place(slot).sum, at.place.sum);
  EXPECT_EQ(data_place(slot).offset, 2);
  EXPECT_EQ(data_place(slot - 5).offset, -3);
  EXPECT_EQ(element(3, 8, 2), p_.input(BufferId(kX), slot, Scalar::kF32));
}

TEST_F(DataPlaces, AreKnownAsFarAsTheirDataAre) {
  EXPECT_EQ(text(of(Operator::kAdd, of(Operator::kMul, index(3), number(8)), number(2))),
            "8 * index[3] + 2, from 2 to 794");
  EXPECT_EQ(text(of(Operator::kSub, number(99), index(0))), "-1 * index[0] + 99, from 0 to 99");
  EXPECT_EQ(text(byte(1), Scalar::kU8), "bytes[1], from 0 to 255");
  EXPECT_TRUE(text(of(Operator::kAnd, index(0), number(7))).ends_with(", from 0 to 7"));
  EXPECT_TRUE(text(of(Operator::kDiv, index(0), number(4))).ends_with(", from 0 to 24"));
  EXPECT_TRUE(text(of(Operator::kRem, index(0), number(4))).ends_with(", from 0 to 3"));
  EXPECT_TRUE(text(p_.combine(Ring::kMin, Scalar::kI32, index(0), number(9))).ends_with(", from 0 to 9"));
  EXPECT_EQ(text(of(Operator::kMul, index(0), index(1))), "unknown");
  EXPECT_EQ(text(p_.input(BufferId(kX), 0, Scalar::kI32)), "unknown");
}

// However many bits an index has on its way.
TEST_F(DataPlaces, AreTheSameInWiderTypes) {
  const Value wide = p_.convert(index(3), Scalar::kI32, Scalar::kI64);
  EXPECT_EQ(text(of(Operator::kMul, wide, number(8), Scalar::kI64), Scalar::kI64), "8 * index[3], from 0 to 792");
  const Value narrow = of(Operator::kMul, index(3), number(8));
  EXPECT_EQ(data_index(p_, of(Operator::kMul, wide, number(8), Scalar::kI64), Scalar::kI64)->place.sum,
            data_index(p_, narrow, Scalar::kI32)->place.sum);
}

// (unsigned)i of a negative i is no index that could lie before a pointer.
TEST_F(DataPlaces, AreUnknownWhereASignIsLost) {
  p_.value_ranges().set({std::nullopt, ValueRange{-4, 3}, std::nullopt});
  EXPECT_EQ(text(index(0)), "index[0], from -4 to 3");
  EXPECT_EQ(text(of(Operator::kAdd, index(0), number(4))), "index[0] + 4, from 0 to 7");
  EXPECT_EQ(text(index(0), Scalar::kU32), "unknown");
  EXPECT_EQ(text(of(Operator::kAdd, index(0), number(4), Scalar::kU32), Scalar::kU32), "unknown");
}

TEST_F(DataPlaces, AreUnknownWhereAnIndexMayOverflow) {
  EXPECT_EQ(text(of(Operator::kMul, index(3), number(1 << 26))), "unknown");
  EXPECT_NE(text(of(Operator::kMul, index(3), number(1 << 20))), "unknown");
}

TEST_F(DataPlaces, OfAHoleAreChoicesOfPlaces) {
  const Value chosen = p_.choice(PointId(std::size_t{0}), {index(0), index(1)});
  const Value sum = of(Operator::kAdd, of(Operator::kMul, chosen, number(8)), number(1));
  std::vector<std::string> met;
  const Value all = over_choices(p_, sum, [&](Value v) {
    met.push_back(text(v));
    return Value::integer(static_cast<std::int64_t>(met.size()));
  });
  EXPECT_EQ(met, (std::vector<std::string>{"8 * index[0] + 1, from 1 to 793", "8 * index[1] + 1, from 1 to 793"}));
  EXPECT_EQ(all, p_.choice(PointId(std::size_t{0}), {Value::integer(1), Value::integer(2)}));
}

// What is read at two places may be one element, unless there are as many indices as would keep them apart.
TEST_F(DataPlaces, HaveLawsWhereThereAreEnoughIndices) {
  const auto sum = [&](int count, std::int64_t scale) {
    Value all = Value::integer(0);
    for (int i = 0; i < count; ++i) all = p_.combine(Ring::kSum, Scalar::kF32, all, element(i, scale));
    return p_.normalize(all);
  };
  EXPECT_TRUE(lawless(p_, std::array{sum(100, 8)}).empty());
  EXPECT_EQ(lawless(p_, std::array{sum(101, 8)}).at(0), (Lawless{false, Ring::kSum, kOpaqueIndex}));
  EXPECT_FALSE(lawless(p_, std::array{element(0, 8), element(1, 4)}).empty());
  EXPECT_EQ(lawless(p_, std::array{index(0)}), (std::vector<Lawless>{{false, Ring::kSum, kOpaqueRange}}));
}

TEST_F(DataPlaces, HaveTheSameValueWhereIndicesAreAlike) {
  Concrete concrete(p_);
  int alike = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    concrete.start(trial);
    const auto a = concrete.integer(index(0)), b = concrete.integer(index(1));
    ASSERT_TRUE(a && b);
    EXPECT_GE(*a, 0);
    EXPECT_LE(*a, 99);
    if (a == b) {
      EXPECT_EQ(concrete.real(element(0, 8, 3)), concrete.real(element(1, 8, 3)));
    }
    EXPECT_EQ(concrete.real(element(0, 1, 3)), concrete.real(p_.input(BufferId(kX), *a + 3, Scalar::kF32)));
    alike += a == b ? 1 : 0;
  }
  EXPECT_GT(alike, 0);
}

TEST_F(DataPlaces, HaveDistinctIndicesWhereTheyAreSaidToBe) {
  p_.value_ranges().set({std::nullopt, ValueRange{10, 19, true}});
  Concrete concrete(p_);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    concrete.start(trial);
    std::set<std::int64_t> met;
    for (int i = 0; i < 10; ++i) met.insert(*concrete.integer(index(i)));
    EXPECT_EQ(met.size(), 10u);
    EXPECT_EQ(*met.begin(), 10);
    EXPECT_EQ(*met.rbegin(), 19);
  }
}

}  // namespace
}  // namespace swizzle::data_places_test
