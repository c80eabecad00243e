#include "synth/trials/look_ahead.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::look_ahead_test {
namespace {

constexpr bool kLooksAhead = true;

// Carries of four lanes, g[l] the generated and p[l] the passed ones: two steps of g |= p & shuffle(g, P),
// p &= shuffle(p, P) where C says so. Output l is made of what the lanes up to l have.
class Carries : public testing::Test {
 protected:
  Carries() {
    std::vector<Value> g, p;
    for (std::int64_t l = 0; l < 4; ++l) g.push_back(b_.a(l)), p.push_back(b_.b(l));
    Value carry = g[0];
    std::vector<Value> carries{carry};
    for (std::size_t l = 1; l < 4; ++l) carries.push_back(carry = either(g[l], both(p[l], carry)));
    for (const Step& step : {first_, second_}) {
      std::vector<Value> next_g, next_p;
      for (std::size_t l = 0; l < 4; ++l) {
        const Value from_g = b_.choice(b_.at(step.partner, l), g), from_p = b_.choice(b_.at(step.partner, l), p);
        next_g.push_back(b_.choice(b_.at(step.takes, l), {g[l], either(g[l], both(p[l], from_g))}));
        next_p.push_back(b_.choice(b_.at(step.takes, l), {p[l], both(p[l], from_p)}));
      }
      g = next_g, p = next_p;
    }
    for (std::size_t l = 0; l < 4; ++l) b_.equation(g[l], carries[l]);
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  Value both(Value v, Value w) { return b_.normal(b_.problem.provenance.binary(Operator::kAnd, Scalar::kU32, v, w)); }
  Value either(Value v, Value w) { return b_.normal(b_.problem.provenance.binary(Operator::kOr, Scalar::kU32, v, w)); }

  // Once the first step is decided so.
  bool may_make_outputs(const HoleTable& partner, const HoleTable& takes) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph_->steps().size(); ++s) {
      const HoleId hole = graph_->steps()[s].hole;
      if (hole != first_.partner && hole != first_.takes) continue;
      graph_->decide(s, hole == first_.partner ? partner : takes);
      last = std::max(last, s);
    }
    return graph_->stands(last, kLooksAhead);
  }

  struct Step {
    HoleId partner, takes;
  };
  ProblemBuilder b_;
  const Step first_{b_.transform(4), b_.condition(4)}, second_{b_.transform(4), b_.condition(4)};
  std::optional<TrialGraph> graph_;
  const HoleTable before = table({3, 0, 1, 2});
};

TEST_F(Carries, MayComeOfNeighbours) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(may_make_outputs(before, table({0, 1, 1, 1})));
  EXPECT_TRUE(may_make_outputs(before, table({0, 1, 0, 1}))) << "lane 2 may take all in the second step";
}

// Whatever the second step is: what lane 0 took of lane 3 is there, and a bit once set stays.
TEST_F(Carries, KeepWhatIsSet) { EXPECT_FALSE(may_make_outputs(before, table({1, 1, 1, 1}))); }

// Lane 3 has its own inputs after the first step, and no other lane has more than two lanes': three are not four.
TEST_F(Carries, AreMadeOfAllLanesBelow) { EXPECT_FALSE(may_make_outputs(before, table({0, 1, 1, 0}))); }

// A point that two steps ask brings in the second what it brought in the first, of other lanes: nothing is claimed of
// it.
TEST(LookAhead, OfPointsThatSeveralStepsAskClaimsNothing) {
  ProblemBuilder b;
  const HoleId partner = b.transform(4);
  std::vector<Value> v{b.x(0), b.x(1), b.x(2), b.x(3)};
  const auto or_of = [&](Value x, Value y) {
    return b.normal(b.problem.provenance.binary(Operator::kOr, Scalar::kU32, b.normal(x), b.normal(y)));
  };
  const auto xor_of = [&](Value x, Value y) {
    return b.normal(b.problem.provenance.binary(Operator::kXor, Scalar::kU32, b.normal(x), b.normal(y)));
  };
  std::vector<Value> expected = v;
  for (int step = 0; step < 2; ++step) {
    std::vector<Value> next, wanted;
    for (std::size_t l = 0; l < 4; ++l) {
      const Value from = b.choice(b.at(partner, l), v);
      next.push_back(step == 0 ? or_of(v[l], from) : xor_of(v[l], from));
      wanted.push_back(step == 0 ? or_of(expected[l], expected[(l + 1) % 4])
                                 : xor_of(expected[l], expected[(l + 1) % 4]));
    }
    v = next, expected = wanted;
  }
  for (std::size_t l = 0; l < 4; ++l) b.equation(v[l], expected[l]);
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0, 1, 2, 3});
  ASSERT_TRUE(graph);
  const HoleTable next = table({1, 2, 3, 0}), other = table({1, 0, 3, 2});
  for (std::size_t s = 0; s < graph->steps().size(); ++s) {
    graph->decide(s, next);
    EXPECT_TRUE(graph->stands(s, kLooksAhead)) << s;
  }
  graph->decide(0, other);
  EXPECT_FALSE(graph->stands(graph->steps().size() - 1));
}

// Two steps v = C ? max(v, w) : min(v, w) of three lanes, the second of lanes that the first has exchanged by itself:
// partners and conditions of both are decided with the first step, and in between each lane takes any other's.
class Comparators : public testing::Test {
 protected:
  Comparators() {
    std::vector<Value> v{b_.x(0), b_.x(1), b_.x(2)};
    v = compared(v);
    std::vector<Value> moved;
    for (std::size_t l = 0; l < 3; ++l) moved.push_back(b_.choice(b_.at(moves_, l), v));
    v = compared(moved);
    // In order, whatever x is: the least, the one between, the greatest.
    const Value least = of(Ring::kMin, of(Ring::kMin, b_.x(0), b_.x(1)), b_.x(2)),
                greatest = of(Ring::kMax, of(Ring::kMax, b_.x(0), b_.x(1)), b_.x(2)),
                between = of(Ring::kMax, of(Ring::kMin, b_.x(0), b_.x(1)),
                             of(Ring::kMin, of(Ring::kMax, b_.x(0), b_.x(1)), b_.x(2)));
    b_.equation(v[0], least);
    b_.equation(v[1], between);
    b_.equation(v[2], greatest);
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2});
  }

  Value of(Ring ring, Value v, Value w) { return b_.normal(b_.problem.provenance.combine(ring, Scalar::kI32, v, w)); }
  std::vector<Value> compared(const std::vector<Value>& v) {
    std::vector<Value> next;
    for (std::size_t l = 0; l < 3; ++l) {
      const Value w = b_.choice(b_.at(partners_, l), v);
      next.push_back(b_.normal(b_.choice(b_.at(takes_, l), {of(Ring::kMin, v[l], w), of(Ring::kMax, v[l], w)})));
    }
    return next;
  }
  bool may_sort(const HoleTable& partners, const HoleTable& takes) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph_->steps().size(); ++s) {
      const HoleId hole = graph_->steps()[s].hole;
      if (hole == moves_) continue;
      graph_->decide(s, hole == partners_ ? partners : takes);
      last = std::max(last, s);
    }
    return graph_->stands(last, kLooksAhead);
  }

  ProblemBuilder b_{Ring::kMax, Scalar::kI32};
  const HoleId partners_ = b_.transform(3), takes_ = b_.condition(3), moves_ = b_.transform(3);
  std::optional<TrialGraph> graph_;
  const HoleTable first_two = table({1, 0, 2}), ends = table({2, 1, 0});
};

TEST_F(Comparators, MayLeaveTheLesserOnTheLeft) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(may_sort(first_two, table({0, 1, 0})));
  EXPECT_TRUE(may_sort(ends, table({0, 0, 1})));
}

TEST_F(Comparators, LeaveTheGreaterOnTheLeftForNoOrder) {
  EXPECT_FALSE(may_sort(first_two, table({1, 0, 0})));
  EXPECT_FALSE(may_sort(ends, table({1, 0, 0})));
}

}  // namespace
}  // namespace swizzle::look_ahead_test
