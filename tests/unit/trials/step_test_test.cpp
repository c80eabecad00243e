#include "synth/trials/step_test.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::step_test_test {
namespace {

// v = D ? max(v, shuffle(v, P)) : min(v, shuffle(v, P)), then y = shuffle(v, Q): four elements, in another order.
class AnExchange : public testing::Test {
 protected:
  static constexpr std::size_t kMostVisits = 1000;

  AnExchange() : b_(Ring::kMax, Scalar::kI32) {
    const std::vector<Value> x{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    std::vector<Value> v;
    for (std::size_t l = 0; l < 4; ++l) {
      const Value w = b_.choice(b_.at(partner_, l), x);
      v.push_back(b_.choice(b_.at(directions_, l), {either(Ring::kMin, x[l], w), either(Ring::kMax, x[l], w)}));
    }
    for (std::size_t l = 0; l < 4; ++l)
      b_.equation(b_.choice(b_.at(last_, l), v), either(l % 2 == 0 ? Ring::kMax : Ring::kMin, x[l], x[l ^ 1]));
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  Value either(Ring ring, Value a, Value c) {
    return b_.problem.provenance.normalize(b_.problem.provenance.combine(ring, Scalar::kI32, a, c));
  }
  // With these tables of the directions, or whatever they are.
  bool passes(const std::vector<std::int16_t>& partner, const std::vector<HoleTable>& directions,
              std::size_t most_visits = kMostVisits) {
    std::vector<const HoleTable*> tables;
    for (const HoleTable& t : directions) tables.push_back(&t);
    const TableTrie trie(tables, std::vector<double>(tables.size(), 1.0), {{0, 1, 2, 3}});
    std::vector<const TableTrie*> others(b_.problem.holes.size(), nullptr);
    if (!directions.empty()) others[directions_.value] = &trie;
    CopiedValues copied(*graph_);
    StepTest test(*graph_, copied, others, partner_, 4, {most_visits, true});
    const bool passes = test.passes({0, 1, 2, 3}, partner);
    is_over_ = !passes && !test.passes({0, 1, 2, 3}, {1, 0, 3, 2}) && test.is_over();
    return passes;
  }

  ProblemBuilder b_;
  const HoleId directions_ = b_.condition(4), partner_ = b_.transform(4), last_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const std::vector<std::int16_t> neighbour{1, 0, 3, 2}, next{1, 2, 3, 0};
  const HoleTable apart = table({0, 1, 0, 1}), alike = table({1, 1, 1, 1});
  bool is_over_ = false;
};

TEST_F(AnExchange, PassesWithSomeOfTheOthersTables) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(passes(neighbour, {alike, apart}));
}

TEST_F(AnExchange, FailsWhereItFailsWithAllOfThem) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(passes(neighbour, {alike}));
  EXPECT_FALSE(passes(next, {alike, apart}));
}

TEST_F(AnExchange, PassesWhereTheOthersAreOpen) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(passes(neighbour, {}));
  EXPECT_TRUE(passes(next, {}));
}

TEST_F(AnExchange, IsOverAfterTooManyVisits) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(passes(next, {alike, apart}, 1));
  EXPECT_TRUE(is_over_);
}

}  // namespace
}  // namespace swizzle::step_test_test
