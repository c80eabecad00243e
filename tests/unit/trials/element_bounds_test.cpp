#include "synth/trials/element_bounds.h"

#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::element_bounds_test {
namespace {

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
    return graph_->stands(last) && graph_->may_make_outputs(last);
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
      EXPECT_TRUE(graph->may_make_outputs(s));
    }
}

}  // namespace
}  // namespace swizzle::element_bounds_test
