#include "synth/trials/signed_bounds.h"

#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::signed_bounds_test {
namespace {

constexpr bool kLooksAhead = true;

// Two steps of v = C ? shuffle(v, P) - v : v + shuffle(v, P) on 4 lanes: a Walsh-Hadamard transform, whose output k has
// x[l] with a minus where k & l has an odd number of bits.
class WalshHadamard : public testing::TestWithParam<Scalar> {
 protected:
  WalshHadamard() : b_(Ring::kSum, GetParam()) {
    std::vector<Value> v = x();
    v = step(v, first_minus_, first_);
    v = step(v, second_minus_, second_);
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<Value> terms;
      for (std::size_t l = 0; l < 4; ++l) terms.push_back(term(k, l));
      b_.equation(v[k], b_.sum(terms));
    }
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  static std::int64_t at(std::size_t l) { return static_cast<std::int64_t>(l); }
  std::vector<Value> x() { return {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}; }
  Value minus(Value v) { return b_.product(is_real(GetParam()) ? Value::real(-1) : Value::integer(-1), v); }
  Value term(std::size_t k, std::size_t l) {
    const bool is_odd = (k & l) == 1 || (k & l) == 2;
    return is_odd ? minus(b_.x(at(l))) : b_.x(at(l));
  }
  std::vector<Value> step(const std::vector<Value>& v, HoleId takes, HoleId partner) {
    std::vector<Value> next;
    for (std::size_t l = 0; l < 4; ++l) {
      const Value w = b_.choice(b_.at(partner, l), v);
      next.push_back(b_.choice(b_.at(takes, l), {b_.normal(b_.sum({v[l], w})), b_.normal(b_.sum({w, minus(v[l])}))}));
    }
    return next;
  }

  // Once the first step is decided so.
  bool may_make_outputs(const HoleTable& takes, const HoleTable& partner) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph_->steps().size(); ++s) {
      const HoleId hole = graph_->steps()[s].hole;
      if (hole != first_minus_ && hole != first_) continue;
      graph_->decide(s, hole == first_ ? partner : takes);
      last = std::max(last, s);
    }
    return graph_->stands(last, kLooksAhead);
  }

  ProblemBuilder b_;
  const HoleId first_minus_ = b_.condition(4), first_ = b_.transform(4), second_minus_ = b_.condition(4),
               second_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const HoleTable odd_lanes = table({0, 1, 0, 1}), neighbour = table({1, 0, 3, 2});
};

TEST_P(WalshHadamard, MayComeOfSumsAndDifferences) {
  ASSERT_TRUE(graph_);
  EXPECT_TRUE(may_make_outputs(odd_lanes, neighbour));
  EXPECT_TRUE(may_make_outputs(table({0, 0, 1, 1}), table({2, 3, 0, 1})));
}

TEST_P(WalshHadamard, DoesNotComeOfOtherSigns) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(may_make_outputs(table({1, 0, 0, 1}), neighbour));  // x[1] - x[0] in lane 0
  EXPECT_FALSE(may_make_outputs(table({0, 0, 0, 0}), neighbour));
}

TEST_P(WalshHadamard, DoesNotComeOfTooFewElements) {
  ASSERT_TRUE(graph_);
  EXPECT_FALSE(may_make_outputs(odd_lanes, table({0, 1, 2, 3})));  // each twice, or not at all
  EXPECT_FALSE(may_make_outputs(odd_lanes, table({1, 0, 1, 0})));  // no x[3] for lane 0
}

INSTANTIATE_TEST_SUITE_P(Of, WalshHadamard, testing::Values(Scalar::kI32, Scalar::kU32, Scalar::kF32),
                         [](const auto& info) {
                           return std::string(info.param == Scalar::kI32   ? "Integers"
                                              : info.param == Scalar::kU32 ? "UnsignedIntegers"
                                                                           : "RealNumbers");
                         });

// x[0] - x[1] + (x[1] - x[2]): what is taken away again brings nothing, but does not stand in the way.
TEST(SignedBounds, LetElementsCancelOut) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  const HoleId p = b.transform(2), q = b.transform(2), r = b.transform(4);
  const auto difference = [&](std::int64_t i, std::int64_t j) {
    return b.normal(b.sum({b.x(i), b.product(Value::integer(-1), b.x(j))}));
  };
  const Value v = b.choice(b.at(p, 0), {difference(0, 1), difference(1, 0)});
  const Value w = b.choice(b.at(q, 0), {difference(1, 2), difference(2, 1)});
  const Value sum = b.normal(b.sum({v, w}));
  b.equation(b.choice(b.at(r, 0), {sum, v, b.normal(b.product(Value::integer(-1), sum)), w}), difference(0, 2));
  std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  const HoleTable first = table({0, 0}), second = table({1, 0});
  for (const HoleTable* of_p : {&first, &second}) {
    std::size_t last = 0;
    for (std::size_t s = 0; s < graph->steps().size(); ++s)
      if (graph->steps()[s].hole == p) graph->decide(last = s, *of_p);
    EXPECT_TRUE(graph->stands(last, kLooksAhead));
  }
}

}  // namespace
}  // namespace swizzle::signed_bounds_test
