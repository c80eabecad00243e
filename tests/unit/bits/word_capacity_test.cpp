#include "synth/bits/word_capacity.h"

#include <gtest/gtest.h>

#include "synth/provenance/words.h"

namespace swizzle::word_capacity_test {
namespace {

// Words of four bits on four lanes; distance and mask of each round are open.
class Rounds {
 public:
  Rounds() {
    for (const HoleKind kind : {HoleKind::kConst, HoleKind::kMask}) {
      HoleSpace space;
      space.kind = kind;
      problem.holes.push_back(space);
    }
    problem.buffer_names = {"x", "y"};
    for (int lane = 0; lane < kLanes; ++lane) words.push_back(input(lane));
  }

  void round(int number) {
    Provenance& p = problem.provenance;
    const PointId distance = problem.points.intern(HoleId(0), {number}, kLanes);
    std::vector<Value> mask;
    for (int b = 0; b < kLanes; ++b)
      mask.push_back(
          p.choice(problem.points.intern(HoleId(1), {number, b}, 2), {Value::integer(0), Value::integer(1)}));
    const Value m = p.word(mask), inverse = p.unary(Operator::kBitNot, Scalar::kU8, m);
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::vector<Value> sources;
      for (std::size_t d = 0; d < kLanes; ++d) sources.push_back(words[lane ^ d]);
      const Value got = p.choice(distance, sources);
      next.push_back(p.binary(Operator::kOr, Scalar::kU8, p.binary(Operator::kAnd, Scalar::kU8, words[lane], m),
                              p.binary(Operator::kAnd, Scalar::kU8, got, inverse)));
    }
    words = next;
  }

  std::string overfull() {
    std::vector<Value> column;
    for (int lane = 0; lane < kLanes; ++lane) column.push_back(problem.provenance.bit(BufferId(0), lane, 0));
    column.resize(8, Value::integer(0));
    problem.equations.push_back({words[0], problem.provenance.word(column), BufferId(1)});
    return WordCapacity(problem).overfull({0});
  }

 private:
  static constexpr int kLanes = 4;

  Value input(int lane) {
    std::vector<Value> bits;
    for (int b = 0; b < kLanes; ++b) bits.push_back(problem.provenance.bit(BufferId(0), lane, b));
    bits.resize(8, Value::integer(0));
    return problem.provenance.word(bits);
  }

  Problem problem;
  std::vector<Value> words;
};

TEST(WordCapacity, DoublesWithEachRound) {
  Rounds one;
  one.round(0);
  EXPECT_EQ(one.overfull(),
            "bit 2 of y[0] needs bit 0 of x[2], which cannot come there beside the others: y[0] needs bits of 4 "
            "elements, and no more than 2 can come together there");
  Rounds two;
  two.round(0);
  two.round(1);
  EXPECT_EQ(two.overfull(), "");
}

// w ^= w >> D, so often, against the parity of 8 bits.
std::string folded(int rounds) {
  Problem problem;
  HoleSpace space;
  space.kind = HoleKind::kConst;
  problem.holes.push_back(space);
  problem.buffer_names = {"x", "y"};
  Provenance& p = problem.provenance;
  std::vector<Value> bits;
  for (int b = 0; b < 8; ++b) bits.push_back(p.bit(BufferId(0), 0, b));
  Value word = p.word(bits), parity = bits[0];
  for (int b = 1; b < 8; ++b) parity = gate(p, Operator::kXor, parity, bits[static_cast<std::size_t>(b)]);
  for (int r = 0; r < rounds; ++r) {
    std::vector<Value> moved;
    for (int d = 1; d < 8; ++d) moved.push_back(p.binary(Operator::kShr, Scalar::kU8, word, Value::integer(d)));
    word = p.binary(Operator::kXor, Scalar::kU8, word, p.choice(problem.points.intern(HoleId(0), {r}, 7), moved));
  }
  std::vector<Value> expected(8, Value::integer(0));
  expected[0] = parity;
  problem.equations.push_back(
      {p.binary(Operator::kAnd, Scalar::kU8, word, Value::integer(1)), p.word(expected), BufferId(1)});
  return WordCapacity(problem).too_deep({0});
}

TEST(WordCapacity, OfABitDoublesWithEachFold) {
  EXPECT_EQ(folded(2), "bit 0 of y[0] needs 8 bits of the input, and no more than 4 can come together there");
  EXPECT_EQ(folded(3), "");
}

}  // namespace
}  // namespace swizzle::word_capacity_test
