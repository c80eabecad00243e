// Trials on doubles: what fails there fails on an input, in whatever form it is.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"
#include "synth/trials/trial_graph.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::trial_graph_doubles_test {
namespace {

class OnDoubles : public testing::Test {
 protected:
  Value called(Intrinsic kind, Value v) {
    return provenance_.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(kind), Scalar::kF32, {v});
  }
  Value over(Value v, Value w) { return provenance_.binary(Operator::kDiv, Scalar::kF32, v, w); }
  Value minus(Value v, Value w) { return provenance_.binary(Operator::kSub, Scalar::kF32, v, w); }
  std::optional<TrialGraph> graph(TrialArithmetic arithmetic = TrialArithmetic::kDoubles, std::uint64_t seed = 0) {
    return TrialGraph::of(b_.problem, {0}, seed, arithmetic);
  }
  // By value of the hole's only point.
  std::vector<bool> stand(TrialGraph graph) {
    std::vector<bool> all;
    for (std::int16_t v = 0; v < 4; ++v) {
      const HoleTable one = table({v});
      graph.decide(0, one);
      all.push_back(graph.stands(0));
    }
    return all;
  }
  Value chosen(const std::vector<Value>& values) { return b_.choice(b_.at(hole_, 0), values); }

  ProblemBuilder b_{Ring::kSum, Scalar::kF32};
  Provenance& provenance_ = b_.problem.provenance;
  const HoleId hole_ = b_.hole(HoleKind::kPart, 4, {{0}});
  const Value x_ = b_.x(0), z_ = b_.x(1);
};

// 1 / sqrt(q) is rsqrt(q), which no form says.
TEST_F(OnDoubles, AreWhatFunctionsSay) {
  const Value q = b_.sum({b_.product(x_, x_), b_.product(z_, z_)});
  const Value one = Value::real(1);
  b_.equation(chosen({called(Intrinsic::kRsqrt, q), over(one, called(Intrinsic::kSqrt, q)),
                      called(Intrinsic::kRsqrt, b_.product(x_, x_)), over(one, q)}),
              called(Intrinsic::kRsqrt, q));
  ASSERT_TRUE(graph());
  EXPECT_TRUE(graph()->is_faithful());
  EXPECT_EQ(stand(*graph()), (std::vector{true, true, false, false}));
  const auto by_form = graph(TrialArithmetic::kResidues);
  ASSERT_TRUE(by_form);
  EXPECT_FALSE(by_form->is_faithful());
  EXPECT_EQ(stand(*by_form), (std::vector{true, false, false, false}));
}

TEST_F(OnDoubles, LetPassWhatIsNotKnown) {
  const Value large = b_.product(b_.product(x_, x_), Value::real(4096));
  b_.equation(chosen({called(Intrinsic::kExp, large), x_, called(Intrinsic::kExp, x_), Value::real(0)}),
              called(Intrinsic::kExp, x_));
  ASSERT_TRUE(graph());
  EXPECT_EQ(stand(*graph()), (std::vector{true, false, true, false}));
}

// x * rsqrt(0) is no number, on any input.
TEST_F(OnDoubles, RefuteWhatIsNoNumber) {
  const Value length = called(Intrinsic::kRsqrt, b_.sum({b_.product(x_, x_), b_.product(z_, z_)}));
  const Value nothing = called(Intrinsic::kRsqrt, chosen({Value::real(0), b_.product(x_, x_), minus(x_, z_), z_}));
  b_.equation(b_.product(x_, nothing), b_.product(x_, length));
  ASSERT_TRUE(graph());
  EXPECT_FALSE(stand(*graph())[0]);
  EXPECT_FALSE(stand(*graph())[1]);
}

TEST_F(OnDoubles, HaveIntegersThatARealNumberHolds) {
  const auto real = [&](std::int64_t i) {
    return provenance_.convert(provenance_.input(BufferId(0), i, Scalar::kI32), Scalar::kI32, Scalar::kF32);
  };
  b_.equation(called(Intrinsic::kTanh, over(chosen({real(0), real(1), real(2), real(3)}), Value::real(4096))),
              called(Intrinsic::kTanh, over(real(1), Value::real(4096))));
  ASSERT_TRUE(graph());
  EXPECT_EQ(stand(*graph()), (std::vector{false, true, false, false}));
}

TEST_F(OnDoubles, AreNotOfFunctionsWithoutValues) {
  b_.equation(called(Intrinsic::kCbrt, chosen({x_, z_, x_, z_})), called(Intrinsic::kCbrt, x_));
  EXPECT_FALSE(graph());
  EXPECT_TRUE(graph(TrialArithmetic::kResidues));
}

TEST_F(OnDoubles, AreChosenBySelectionsAndCompared) {
  const auto greater = [&](Value v, Value w) {
    return provenance_.select(provenance_.binary(Operator::kLt, Scalar::kF32, v, w), w, v);
  };
  b_.equation(over(x_, greater(chosen({x_, z_, b_.product(x_, x_), Value::real(1)}), z_)), over(x_, greater(x_, z_)));
  ASSERT_TRUE(graph());
  EXPECT_TRUE(stand(*graph())[0]);
}

// Any function of v and of elements.
class OfAnyFunction : public OnDoubles {
 protected:
  Value any(std::mt19937& random, Value v, int depth) {
    const auto further = [&] { return any(random, random() % 2 == 0 ? v : b_.x(random() % 4), depth - 1); };
    if (depth == 0) return v;
    const Value a = further(), b = further();
    switch (random() % 10) {
      case 0: return called(Intrinsic::kRsqrt, b_.sum({b_.product(a, a), Value::real(0.25)}));
      case 1: return called(Intrinsic::kSqrt, b_.product(a, a));
      case 2: return called(Intrinsic::kTanh, a);
      case 3: return called(Intrinsic::kExp, minus(a, b));
      case 4: return over(a, b);
      case 5: return provenance_.combine(Ring::kMax, Scalar::kF32, a, b);
      case 6: return provenance_.select(provenance_.binary(Operator::kLt, Scalar::kF32, a, b), over(b, a), a);
      case 7: return minus(b_.product(a, a), b_.product(a, b));
      default: return b_.sum({a, b, a});
    }
  }
};

// f(P) = f(x[0]), in whatever order it is computed then: it stands where P is x[0].
TEST_F(OfAnyFunction, StandsWhatIsSoByForm) {
  std::ptrdiff_t refuted = 0, graphs = 0;
  for (std::uint32_t round = 0; round < 400; ++round) {
    std::mt19937 random(round), again = random;
    b_.problem.equations.clear();
    b_.equation(any(random, chosen({x_, z_, b_.sum({x_, z_}), Value::real(3)}), 4), any(again, x_, 4));
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto on_doubles = graph(TrialArithmetic::kDoubles, seed);
      if (!on_doubles || on_doubles->steps().empty()) continue;
      const std::vector<bool> all = stand(*on_doubles);
      EXPECT_TRUE(all[0]) << round;
      refuted += std::ranges::count(all, false);
      ++graphs;
    }
  }
  EXPECT_GT(graphs, 800);
  EXPECT_GT(refuted, 500);
}

}  // namespace
}  // namespace swizzle::trial_graph_doubles_test
