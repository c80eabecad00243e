// Comparisons and selections on data, executed on numbers.
#include <gtest/gtest.h>

#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::trial_graph_functions_test {
namespace {

// y[lane] = x[lane] < x[P(lane)] ? a[P(lane)] : a[lane] on 4 lanes, P being lane ^ 1.
class Selections : public testing::TestWithParam<Scalar> {
 protected:
  Selections() : b_(Ring::kSum, GetParam()) {
    Provenance& p = b_.problem.provenance;
    const std::vector<Value> keys{b_.x(0), b_.x(1), b_.x(2), b_.x(3)}, values{b_.a(0), b_.a(1), b_.a(2), b_.a(3)};
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const auto chosen = [&](Value key, Value value) {
        return p.opaque(kOpaqueSelect, GetParam(),
                        {p.binary(Operator::kLt, GetParam(), keys[lane], key), value, values[lane]});
      };
      b_.equation(chosen(b_.choice(b_.at(hole_, lane), keys), b_.choice(b_.at(hole_, lane), values)),
                  chosen(keys[lane ^ 1], values[lane ^ 1]));
    }
  }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(4);
};

TEST_P(Selections, AreExecuted) {
  std::optional<TrialGraph> graph = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  ASSERT_TRUE(graph);
  EXPECT_TRUE(graph->is_faithful());
  const HoleTable right = table({1, 0, 3, 2}), same = table({0, 1, 2, 3});
  const auto all_stand = [&](const HoleTable& t) {
    bool all = true;
    for (std::size_t s = 0; s < graph->steps().size(); ++s) graph->decide(s, t);
    for (std::size_t s = 0; s < graph->steps().size(); ++s) all = all && graph->stands(s);
    return all;
  };
  EXPECT_TRUE(all_stand(right));
  EXPECT_FALSE(all_stand(same));  // of each pair one has the lesser key
}

INSTANTIATE_TEST_SUITE_P(Types, Selections, testing::Values(Scalar::kI32, Scalar::kF32),
                         [](const auto& i) { return i.param == Scalar::kF32 ? "reals" : "integers"; });

// Where x[3] == 0 is what is asked of x[3] alone, it holds on some inputs and not on others.
TEST(BoundsOfElements, AreMetOnSomeInputs) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  Provenance& p = b.problem.provenance;
  const HoleId hole = b.transform(2);
  const auto chosen = [&](Value flag) {
    const Value is_zero = p.binary(Operator::kEq, Scalar::kI32, flag, Value::integer(0));
    return p.opaque(kOpaqueSelect, Scalar::kI32, {is_zero, b.a(0), b.a(1)});
  };
  b.equation(chosen(b.choice(b.at(hole, 0), {b.x(3), b.x(4)})), chosen(b.x(3)));
  constexpr std::uint64_t kSeeds = 24;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::optional<TrialGraph> graph = TrialGraph::of(b.problem, {0}, seed);
    ASSERT_TRUE(graph);
    const HoleTable wrong = table({1, 0});
    for (std::size_t s = 0; s < graph->steps().size(); ++s) graph->decide(s, wrong);
    refuted += graph->stands(0) ? 0 : 1;
  }
  EXPECT_GT(refuted, 2);
  EXPECT_LT(refuted, static_cast<int>(kSeeds));
}

}  // namespace
}  // namespace swizzle::trial_graph_functions_test
