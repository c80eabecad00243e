// Values that outputs want, and that are lost on the way.
#include "synth/trials/copied_values.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::copied_values_test {
namespace {

// Two steps of v = D ? max(v, shuffle(v, P)) : min(v, shuffle(v, P)) on 4 lanes, sorted in the end.
class TwoExchanges : public testing::Test {
 protected:
  TwoExchanges() : b_(Ring::kMax, Scalar::kI32) {
    Provenance& provenance = b_.problem.provenance;
    const auto both = [&](Ring ring, Value a, Value c) {
      return provenance.normalize(provenance.combine(ring, Scalar::kI32, a, c));
    };
    std::vector<Value> v{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    Value least = v[0], greatest = v[0];
    for (const Value& x : v) least = both(Ring::kMin, least, x), greatest = both(Ring::kMax, greatest, x);
    for (const auto& [directions, partner] : {std::pair{first_directions_, first_}, {second_directions_, second_}}) {
      std::vector<Value> next;
      for (std::size_t l = 0; l < 4; ++l) {
        const Value w = b_.choice(b_.at(partner, l), v);
        next.push_back(b_.choice(b_.at(directions, l), {both(Ring::kMin, v[l], w), both(Ring::kMax, v[l], w)}));
      }
      v = next;
    }
    b_.equation(v[0], least);
    b_.equation(v[3], greatest);
    graph_ = TrialGraph::of(b_.problem, {0, 1});
  }

  bool are_kept_by(const HoleTable& directions, const HoleTable& partner) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph_->steps().size(); ++s) {
      const HoleId hole = graph_->steps()[s].hole;
      if (hole != first_directions_ && hole != first_) continue;
      graph_->decide(s, hole == first_ ? partner : directions);
      last = std::max(last, s);
    }
    return CopiedValues(*graph_).are_kept(*graph_, last);
  }

  ProblemBuilder b_;
  const HoleId first_directions_ = b_.condition(4), first_ = b_.transform(4), second_directions_ = b_.condition(4),
               second_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const HoleTable neighbour = table({1, 0, 3, 2});
};

TEST_F(TwoExchanges, KeepTheLeastAndTheGreatest) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(are_kept_by(table({0, 1, 0, 1}), neighbour));
  EXPECT_TRUE(are_kept_by(table({0, 1, 1, 0}), neighbour));
}

TEST_F(TwoExchanges, LoseOneWhereBothLanesTakeTheOther) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(are_kept_by(table({1, 1, 1, 1}), neighbour));
  EXPECT_FALSE(are_kept_by(table({0, 0, 0, 0}), neighbour));
}

TEST_F(TwoExchanges, AreNotMetInTheMiddle) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(CopiedValues(*graph_).starts().empty());
}

// A sum is none of the values that there were: what the outputs want is not looked for before.
TEST(CopiedValues, AreNotAskedForBeforeASum) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId p = b.transform(2), q = b.transform(2);
  std::vector<Value> v;
  for (std::size_t l = 0; l < 2; ++l) v.push_back(b.choice(b.at(p, l), {b.x(0), b.x(1)}));
  for (std::size_t l = 0; l < 2; ++l) b.equation(b.sum({v[l], b.choice(b.at(q, l), v)}), b.sum({b.x(0), b.x(1)}));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1});
  ASSERT_TRUE(graph);
  const HoleTable crossed = table({1, 0});
  graph->decide(0, crossed);
  EXPECT_TRUE(CopiedValues(*graph).are_kept(*graph, 0));
}

// y[l] = x[3 - l] in two steps, where Q chooses among what P has left: shuffles one behind the other, or a tile that
// lane l writes where P says, and reads from where Q says.
class ReversedInTwoSteps : public testing::Test {
 protected:
  ReversedInTwoSteps() : b_(Ring::kSum, Scalar::kI32) {
    std::vector<Value> left;
    for (std::size_t l = 0; l < 4; ++l) left.push_back(b_.choice(b_.at(p_, l), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}));
    for (std::size_t l = 0; l < 4; ++l) b_.equation(b_.choice(b_.at(q_, l), left), b_.x(3 - l));
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  ProblemBuilder b_;
  const HoleId p_ = b_.transform(4), q_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
};

// Where P leaves three elements, no Q serves.
TEST_F(ReversedInTwoSteps, ValuesAreCountedBeforeTheyAreKnown) {
  ASSERT_TRUE(graph_);
  CopiedValues copied(*graph_);
  ASSERT_EQ(graph_->steps()[0].hole, p_);
  EXPECT_TRUE(copied.are_soon_counted(*graph_, 0));
  EXPECT_TRUE(copied.may_be_kept(*graph_, 0));  // P is open
  const HoleTable lossy = table({3, 2, 2, 0}), turned = table({3, 0, 1, 2});
  graph_->decide(0, lossy);
  EXPECT_FALSE(copied.may_be_kept(*graph_, 0));
  graph_->decide(0, turned);
  EXPECT_TRUE(copied.may_be_kept(*graph_, 0));
  EXPECT_FALSE(copied.are_soon_counted(*graph_, graph_->steps().size() - 1));  // nothing comes behind
}

TEST_F(ReversedInTwoSteps, OutputsAreNotReadFromOneWord) {
  ASSERT_TRUE(graph_);
  const auto are_apart = [&](const HoleTable& of_q) {
    for (std::size_t s = 0; s < graph_->steps().size(); ++s)
      if (graph_->steps()[s].hole == q_) graph_->decide(s, of_q);
    return graph_->keeps_outputs_apart();
  };
  const HoleTable reversed = table({3, 2, 1, 0}), twice = table({3, 2, 2, 0});
  EXPECT_TRUE(graph_->keeps_outputs_apart());
  EXPECT_TRUE(are_apart(reversed));
  EXPECT_FALSE(are_apart(twice));
}

// w = x[l] + 2 x[P(l)] + 3 x[Q(l)] on 4 lanes, and then y[l] = w of lane R(l): the sum of x[l], of the next and of the
// one before, in reverse. P and Q may be decided one by one, and in either order.
TEST(CopiedValues, MustComeOfWhatIsStillComputed) {
  ProblemBuilder b;
  const HoleId p = b.transform(4), q = b.transform(4), r = b.transform(4);
  const std::vector<Value> x{b.x(0), b.x(1), b.x(2), b.x(3)};
  const auto sum = [&](std::size_t l, Value next, Value before) {
    return b.normal(b.sum({x[l], b.product(Value::integer(2), next), b.product(Value::integer(3), before)}));
  };
  std::vector<Value> w;
  for (std::size_t l = 0; l < 4; ++l) w.push_back(sum(l, b.choice(b.at(p, l), x), b.choice(b.at(q, l), x)));
  for (std::size_t l = 0; l < 4; ++l)
    b.equation(b.choice(b.at(r, l), w), sum(3 - l, x[(3 - l + 1) % 4], x[(3 - l + 3) % 4]));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1, 2, 3});
  ASSERT_TRUE(graph);
  CopiedValues copied(*graph);
  const HoleTable next = table({1, 2, 3, 0}), before = table({3, 0, 1, 2}), all_but_one = table({1, 2, 3, 1});
  const auto may_come = [&](HoleId hole, const HoleTable& of) {
    for (std::size_t s = 0; s < graph->steps().size(); ++s) {
      graph->open(s);
      if (graph->steps()[s].hole != hole) continue;
      EXPECT_TRUE(copied.computes(s));
      graph->decide(s, of);
    }
    return copied.may_come(*graph, graph->steps().size());
  };
  EXPECT_TRUE(may_come(p, next));
  EXPECT_TRUE(may_come(q, before));
  EXPECT_FALSE(may_come(p, before));
  EXPECT_FALSE(may_come(p, all_but_one));
  EXPECT_FALSE(may_come(q, next));
}

}  // namespace
}  // namespace swizzle::copied_values_test
