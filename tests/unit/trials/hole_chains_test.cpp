#include "synth/trials/hole_chains.h"

#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::hole_chains_test {
namespace {

// Two steps on 4 lanes, each of which adds up what two holes fetch.
class TwoChains : public testing::Test {
 protected:
  using Lanes = std::vector<Value>;

  Lanes step(HoleId hole, std::size_t round, const Lanes& v, const Lanes& from) {
    Lanes next;
    for (std::size_t lane = 0; lane < 4; ++lane)
      next.push_back(b_.sum({v[lane], b_.choice(b_.at(hole, 4 * round + lane), from)}));
    return next;
  }
  std::vector<HoleId> holes_of_steps(const Lanes& v, const Lanes& w) {
    const Value all = b_.sum({b_.x(0), b_.x(1), b_.x(2), b_.x(3)});
    for (std::size_t lane = 0; lane < 4; ++lane) b_.equation(b_.sum({v[lane], w[lane]}), b_.sum({all, all}));
    const auto graph = TrialGraph::of(b_.problem, {0, 1, 2, 3});
    std::vector<HoleId> holes;
    for (const TrialStep& s : graph->steps()) holes.push_back(s.hole);
    return holes;
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kI32};
  const Lanes x_{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
  const HoleId first_ = b_.transform(4, 2), second_ = b_.transform(4, 2);
};

TEST_F(TwoChains, AreDecidedOneAfterTheOther) {
  const Lanes v = step(first_, 1, step(first_, 0, x_, x_), step(first_, 0, x_, x_));
  const Lanes w = step(second_, 1, step(second_, 0, x_, x_), step(second_, 0, x_, x_));
  EXPECT_EQ(holes_of_steps(v, w), (std::vector{first_, first_, second_, second_}));
}

TEST_F(TwoChains, ThatAskForEachOtherAreOne) {
  const Lanes v = step(first_, 0, x_, x_), w = step(second_, 0, x_, v);
  EXPECT_EQ(holes_of_steps(step(first_, 1, v, w), step(second_, 1, w, x_)),
            (std::vector{first_, second_, second_, first_}));
}

TEST_F(TwoChains, BeginWithWhatOthersAskFor) {
  const Lanes w = step(second_, 1, step(second_, 0, x_, x_), step(second_, 0, x_, x_));
  std::vector<HoleId> holes = holes_of_steps(step(first_, 1, step(first_, 0, x_, w), w), w);
  holes.erase(std::unique(holes.begin(), holes.end()), holes.end());
  EXPECT_EQ(holes, (std::vector{second_, first_}));
}

// Two rounds of constants, of which the last lane asks the second hole alone, as it has nobody to fetch from.
TEST(Constants, AreDecidedRoundByRoundThoughSomeLaneAsksFewer) {
  ProblemBuilder b{Ring::kSum, Scalar::kI32};
  const HoleId far = b.constants(2, 2), adds = b.constants(2, 2);
  std::vector<Value> v{b.x(0), b.x(1)};
  for (std::size_t round = 0; round < 2; ++round) {
    const std::vector<Value> fetched{b.choice(b.at(far, 2 * round), v), v[1]};
    for (std::size_t lane = 0; lane < 2; ++lane)
      v[lane] = b.sum({v[lane], b.when(b.at(adds, 2 * round), fetched[lane])});
  }
  for (std::size_t lane = 0; lane < 2; ++lane) b.equation(v[lane], b.x(0));
  const auto graph = TrialGraph::of(b.problem, {0, 1});
  ASSERT_TRUE(graph);
  std::vector<HoleId> holes;
  for (const TrialStep& s : graph->steps()) holes.push_back(s.hole);
  holes.resize(4);  // behind them, what nobody asks
  EXPECT_EQ(holes, (std::vector{far, adds, far, adds}));
}

}  // namespace
}  // namespace swizzle::hole_chains_test
