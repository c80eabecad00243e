#include "synth/provenance/provenance.h"

#include <gtest/gtest.h>

namespace swizzle::provenance_test {
namespace {

class ProvenanceOfSums : public testing::Test {
 protected:
  static Value input(Provenance& p, std::int64_t i) { return p.input(BufferId(0), i, Scalar::kI32); }
  static Value sum(Provenance& p, std::int64_t count) {
    Value total = Value::integer(0);
    for (std::int64_t i = 0; i < count; ++i)
      total = p.binary(Operator::kAdd, Scalar::kI32, total,
                       p.choice(PointId(std::size_t(i)), {input(p, i), input(p, i + 1)}));
    return total;
  }
  static std::string text(const Provenance& p, Value v) { return p.describe(v, {"x"}); }
};

TEST_F(ProvenanceOfSums, ACopyStandsByItself) {
  auto original = std::make_unique<Provenance>();
  const Value chain = sum(*original, 4), normal = original->normalize(chain),
              product = original->binary(Operator::kMul, Scalar::kI32, input(*original, 0), input(*original, 9));
  Provenance copy(*original);
  const std::size_t size = original->size();
  original->binary(Operator::kAdd, Scalar::kI32, chain, input(*original, 7));
  original.reset();
  EXPECT_EQ(copy.size(), size);
  EXPECT_EQ(copy.normalize(chain), normal);
  EXPECT_EQ(text(copy, product), "x[0] * x[9]");
  EXPECT_EQ(copy.binary(Operator::kMul, Scalar::kI32, input(copy, 9), input(copy, 0)), product);
  PointId blocked;
  EXPECT_EQ(text(copy, copy.resolve(normal, {0, 0, 1, 1}, blocked)), "x[0] + x[1] + x[3] + x[4]");
  EXPECT_FALSE(blocked.valid());
}

TEST_F(ProvenanceOfSums, PartsOfANodeAreItsChildrenOrTheFactorsOfItsTerms) {
  Provenance p;
  const auto parts = [&](Value v) {
    std::vector<Value> found;
    p.node(v).for_each_part([&](Value part) { found.push_back(part); });
    return found;
  };
  const Value x = input(p, 0), y = input(p, 1), choice = p.choice(PointId(0), {x, Value::integer(3)}),
              product = p.binary(Operator::kMul, Scalar::kI32, x, y);
  EXPECT_EQ(parts(choice), (std::vector{x, Value::integer(3)}));
  EXPECT_EQ(parts(product), (std::vector{x, y}));
  const Value three = p.binary(Operator::kAdd, Scalar::kI32, p.binary(Operator::kAdd, Scalar::kI32, x, y), choice);
  EXPECT_EQ(parts(three).back(), choice);  // appended to the sum of the others
  EXPECT_TRUE(parts(x).empty());
}

// P = 5 ? x[0] : x[1] of many values is kept in three stretches, and is the same node however it was made.
TEST_F(ProvenanceOfSums, ChildrenThatAreAlikeForLongStretchesReadAsThoseThatAreNot) {
  constexpr std::size_t kValues = 40;
  auto p = std::make_unique<Provenance>();
  std::vector<Value> alike(kValues, input(*p, 1)), all;
  alike[5] = input(*p, 0);
  for (std::size_t i = 0; i < kValues; ++i) all.push_back(input(*p, static_cast<std::int64_t>(i)));
  const Value few = p->choice(PointId(0), alike), many = p->choice(PointId(0), all), last = p->choice(PointId(1), [&] {
    std::vector<Value> values(kValues, input(*p, 0));
    values.back() = few;
    return values;
  }());
  EXPECT_EQ(p->choice(PointId(0), alike), few);
  EXPECT_EQ(p->map_leaves(few, [](Value v) { return v; }), few);
  const Provenance copy(*p);
  p.reset();
  const auto children = [&](Value v) {
    const Children of = copy.node(v).children();
    std::vector<Value> by_number;
    for (std::size_t i = 0; i < of.size(); ++i) by_number.push_back(of[i]);
    EXPECT_EQ(std::vector<Value>(of.begin(), of.end()), by_number);
    return by_number;
  };
  EXPECT_EQ(children(few), alike);
  EXPECT_EQ(children(many), all);
  EXPECT_EQ(children(last)[kValues - 1], few);
  EXPECT_EQ(children(last)[kValues - 2], all[0]);
}

// A word of zeros read as halves, and words that make a double. Not the other way round: a real 0 may have a sign.
TEST(ProvenanceOfParts, OfAZeroAreZeroAsRealsToo) {
  Provenance p;
  EXPECT_EQ(p.part(Scalar::kF16, Value::integer(0), 1, 2), Value::real(0));
  EXPECT_EQ(p.join(Scalar::kF32, {Value::integer(0), Value::integer(0)}), Value::real(0));
  EXPECT_TRUE(p.part(Scalar::kF16, Value::integer(1), 0, 2).is_node());
  EXPECT_TRUE(p.part(Scalar::kU16, Value::real(-0.0), 1, 2).is_node());
  EXPECT_TRUE(p.join(Scalar::kU32, {Value::real(-0.0), Value::real(0)}).is_node());
}

// The halves of a word that was read as bytes.
TEST(ProvenanceOfParts, OfWhatIsMadeOfSmallerPartsAreMadeOfThem) {
  Provenance p;
  std::vector<Value> bytes;
  for (std::int64_t i = 0; i < 4; ++i) bytes.push_back(p.input(BufferId(std::size_t{0}), i, Scalar::kI8));
  const Value word = p.join(Scalar::kI32, bytes);
  EXPECT_EQ(p.part(Scalar::kI8, word, 2, 4), bytes[2]);
  EXPECT_EQ(p.part(Scalar::kI16, word, 1, 2), p.join(Scalar::kI16, {bytes[2], bytes[3]}));
  const Value halves = p.join(Scalar::kI32, {p.part(Scalar::kI16, word, 0, 2), p.part(Scalar::kI16, word, 1, 2)});
  EXPECT_EQ(p.part(Scalar::kI16, halves, 0, 2), p.part(Scalar::kI16, word, 0, 2));
}

TEST(Described, AsCodeReadsIt) {
  Provenance p;
  const auto x = [&](std::int64_t i) { return p.input(BufferId(std::size_t{0}), i, Scalar::kI32); };
  for (std::int64_t i = 0; i < 3; ++i) x(i);  // in this order
  const auto binary = [&](Operator op, Value a, Value b) { return p.binary(op, Scalar::kI32, a, b); };
  const auto text = [&](Value v) { return p.describe(p.normalize(v), {"x"}); };
  EXPECT_EQ(text(binary(Operator::kSub, x(0), binary(Operator::kAdd, x(1), Value::integer(2)))), "-2 + x[0] - x[1]");
  const Value less = p.select(binary(Operator::kLt, x(0), Value::integer(6)), x(1), Value::integer(0), Scalar::kI32);
  EXPECT_EQ(text(less), "x[1] * unsigned(x[0] < 6)");
  EXPECT_EQ(text(binary(Operator::kAnd, binary(Operator::kOr, x(0), x(1)), x(2))), "x[2] & (x[0] | x[1])");
  EXPECT_EQ(text(binary(Operator::kAnd, x(0), Value::integer(3))), "x[0] & 3");
}

}  // namespace
}  // namespace swizzle::provenance_test
