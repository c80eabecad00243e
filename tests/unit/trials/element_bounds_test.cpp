#include "synth/trials/element_bounds.h"

#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::element_bounds_test {
namespace {

constexpr bool kLooksAhead = true;

// v += P ? shuffle(v, Q) : 0, twice on 4 lanes, then y = shuffle(v, R): prefix sums.
class PrefixSums : public testing::Test {
 protected:
  PrefixSums() : b_(Ring::kSum, Scalar::kI32) {
    std::vector<Value> v{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    const std::vector<Value> x = v;
    for (const auto& [adds, partner] : {std::pair{adds_first_, first_}, std::pair{adds_second_, second_}}) {
      std::vector<Value> next;
      for (std::size_t l = 0; l < 4; ++l)
        next.push_back(b_.sum({v[l], b_.when(b_.at(adds, l), b_.choice(b_.at(partner, l), v))}));
      v = next;
    }
    for (std::size_t l = 0; l < 4; ++l)
      b_.equation(b_.choice(b_.at(last_, l), v), b_.sum({x.begin(), x.begin() + static_cast<std::ptrdiff_t>(l) + 1}));
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  // Once the first steps of the chain are decided so.
  bool may_make_outputs(const HoleTable& adds, const HoleTable& partner) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph_->steps().size(); ++s) {
      const HoleId hole = graph_->steps()[s].hole;
      if (hole != adds_first_ && hole != first_) continue;
      graph_->decide(s, hole == first_ ? partner : adds);
      last = std::max(last, s);
    }
    return graph_->stands(last, kLooksAhead);
  }

  ProblemBuilder b_;
  const HoleId adds_first_ = b_.condition(4), first_ = b_.transform(4), adds_second_ = b_.condition(4),
               second_ = b_.transform(4), last_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const HoleTable lane_before_ = table({0, 0, 1, 2});
};

TEST_F(PrefixSums, MayComeOfAStepThatDoublesThem) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(may_make_outputs(table({0, 1, 1, 1}), lane_before_));
}

TEST_F(PrefixSums, DoNotComeOfTooFewElements) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(may_make_outputs(table({0, 0, 0, 0}), lane_before_));
}

TEST_F(PrefixSums, DoNotComeOfWhatIsThereTwice) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(may_make_outputs(table({0, 1, 1, 1}), table({0, 1, 1, 2})));  // x[1] twice in lane 1
  EXPECT_FALSE(may_make_outputs(table({1, 1, 1, 1}), lane_before_));         // x[0] in lane 0
}

TEST_F(PrefixSums, DoNotComeOfElementsThatTheyDoNotHave) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(may_make_outputs(table({0, 1, 1, 1}), table({0, 2, 1, 2})));  // x[2] in lane 1: y[1] has no other
}

// Maxima of all four lanes, in two steps that add one more value each: after one that brings nothing, two are too few.
TEST(ElementBounds, CountWhatMaximaAreOf) {
  ProblemBuilder b(Ring::kMax, Scalar::kI32);
  const HoleId first = b.transform(4), second = b.transform(4);
  std::vector<Value> v{b.x(0), b.x(1), b.x(2), b.x(3)};
  const Value all = b.sum(v);
  for (const HoleId hole : {first, second}) {
    std::vector<Value> next;
    for (std::size_t l = 0; l < 4; ++l) next.push_back(b.sum({v[l], b.choice(b.at(hole, l), v)}));
    v = next;
  }
  for (const Value& lane : v) b.equation(lane, all);
  auto graph = TrialGraph::of(b.problem, {0, 1, 2, 3});
  ASSERT_TRUE(graph);
  const HoleTable neighbour = table({1, 0, 3, 2}), itself = table({0, 1, 2, 3});
  graph->decide(0, neighbour);
  EXPECT_TRUE(graph->stands(0, kLooksAhead));
  const int more = graph->elements(0);
  graph->decide(0, itself);
  EXPECT_FALSE(graph->stands(0, kLooksAhead));
  EXPECT_LT(graph->elements(0), more);
}

// Of two steps that add what other lanes have, the first one open: a lane that adds its own has each element twice.
TEST(ElementBounds, LeaveNothingToALaneThatAddsItselfWhateverItHas) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId first = b.transform(4), second = b.transform(4);
  const std::vector<Value> x{b.x(0), b.x(1), b.x(2), b.x(3)};
  std::vector<Value> v = x;
  for (const HoleId partner : {first, second}) {
    std::vector<Value> next;
    for (std::size_t l = 0; l < 4; ++l) next.push_back(b.sum({v[l], b.choice(b.at(partner, l), v)}));
    v = next;
  }
  for (const Value& one : v) b.equation(one, b.sum(x));
  auto graph = TrialGraph::of(b.problem, {0, 1});
  ASSERT_TRUE(graph);
  const HoleTable itself = table({0, 1, 2, 3}), other = table({1, 0, 3, 2});
  graph->decide(1, itself);
  EXPECT_FALSE(graph->stands(1, kLooksAhead));
  graph->decide(1, other);
  EXPECT_TRUE(graph->stands(1, kLooksAhead));
}

// Three steps on 8 lanes, every output the sum of all: in the end, four of the values that there are after the first
// one.
TEST(ElementBounds, TakeNoValueTwice) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  std::vector<Value> v;
  for (int l = 0; l < 8; ++l) v.push_back(b.x(l));
  const Value all = b.sum(v);
  const HoleId adds = b.condition(8), first = b.transform(8);
  for (int step = 0; step < 3; ++step) {
    const HoleId partner = step == 0 ? first : b.transform(8);
    std::vector<Value> next;
    for (std::size_t l = 0; l < 8; ++l) {
      const Value other = b.choice(b.at(partner, l), v);
      next.push_back(b.sum({v[l], step == 0 ? b.when(b.at(adds, l), other) : other}));
    }
    v = next;
  }
  const HoleId last = b.transform(8);
  for (std::size_t l = 0; l < 8; ++l) b.equation(b.choice(b.at(last, l), v), all);
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_TRUE(graph);
  const HoleTable upper_half = table({4, 5, 6, 7, 0, 1, 2, 3});
  const auto stands = [&](const HoleTable& which) {
    std::size_t decided = 0;
    for (std::size_t s = 0; s < graph->steps().size(); ++s) {
      const HoleId hole = graph->steps()[s].hole;
      if (hole != adds && hole != first) continue;
      graph->decide(s, hole == first ? upper_half : which);
      decided = s;
    }
    return graph->stands(decided, kLooksAhead);
  };
  EXPECT_TRUE(stands(table({1, 1, 1, 1, 0, 0, 0, 0})));
  EXPECT_FALSE(stands(table({1, 1, 1, 0, 0, 0, 0, 0})));
  EXPECT_FALSE(stands(table({1, 1, 0, 0, 0, 0, 0, 0})));
}

// Taken for 0 by one choice, a product brings nothing.
TEST(ElementBounds, LeaveProductsAloneThatMayVanish) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId first = b.transform(2), factor = b.condition(2), last = b.transform(2);
  const std::vector<Value> x{b.x(0), b.x(1)};
  std::vector<Value> v;
  for (std::size_t l = 0; l < 2; ++l)
    v.push_back(b.sum({x[l], b.product(b.choice(b.at(first, l), x), b.when(b.at(factor, l), b.a(0)))}));
  for (std::size_t l = 0; l < 2; ++l) b.equation(b.choice(b.at(last, l), v), x[l]);
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1});
  ASSERT_TRUE(graph);
  const HoleTable any = table({1, 0});
  for (std::size_t s = 0; s < graph->steps().size(); ++s)
    if (graph->steps()[s].hole == first) {
      graph->decide(s, any);
      EXPECT_TRUE(graph->stands(s, kLooksAhead));
    }
}

}  // namespace
}  // namespace swizzle::element_bounds_test
