#include "synth/program/index_expr.h"

#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <z3++.h>

#include "codegen/run/process.h"
#include "codegen/run/toolchain.h"

namespace swizzle::index_expr_test {
namespace {

const IndexExpr kLane = IndexExpr::argument(0), kK = IndexExpr::argument(1);

TEST(IndexExpr, ModuloOfAPowerOfTwoPrintsAsAMask) {
  EXPECT_EQ(IndexExpr::mod(IndexExpr::add(kLane, kK), 32).print({"lane", "k"}), "(lane + k) & 31");
}

TEST(IndexExpr, OtherModuliPrintAsRemainders) {
  EXPECT_EQ(IndexExpr::mod(IndexExpr::add(kLane, kK), 3).print({"lane", "k"}), "(lane + k) % 3");
}

TEST(IndexExpr, ArgumentsWithOperatorsGetParentheses) {
  EXPECT_EQ(IndexExpr::mul(kLane, 3).print({"threadIdx.x + 1"}), "(threadIdx.x + 1) * 3");
  EXPECT_EQ(IndexExpr::mul(kLane, 3).print({"threadIdx.x"}), "threadIdx.x * 3");
}

TEST(IndexExpr, ZeroAndOneDisappear) {
  EXPECT_EQ(IndexExpr::add(kLane, IndexExpr::constant(0)).integer_ops(), 0);
  EXPECT_EQ(IndexExpr::mul(kLane, 1).integer_ops(), 0);
  EXPECT_TRUE(IndexExpr::mul(kLane, 0).is_constant());
  EXPECT_EQ(IndexExpr::mul(IndexExpr::div(kLane, 4), 4).print({"lane"}), "lane & ~3");
  EXPECT_EQ(IndexExpr::mul(IndexExpr::div(kLane, 4), 2).integer_ops(), 2);
  EXPECT_EQ(IndexExpr::mul(IndexExpr::div(kLane, 3), 3).integer_ops(), 5);
}

TEST(IndexExpr, RemainderIsMathematical) {
  EXPECT_EQ(IndexExpr::mod(IndexExpr::sub(kLane, kK), 3).evaluate({0, 1}), 2);
}

TEST(IndexExpr, ShiftsAndRunsOfOnesKeepTheirParentheses) {
  const IndexExpr halved = IndexExpr::shift(IndexExpr::Op::kShr, IndexExpr::constant(16), kK);
  EXPECT_EQ(halved.print({"lane", "k"}), "16 >> k");
  EXPECT_EQ(IndexExpr::shift(IndexExpr::Op::kShl, IndexExpr::constant(3), IndexExpr::add(kK, IndexExpr::constant(1)))
                .print({"lane", "k"}),
            "3 << (k + 1)");
  EXPECT_EQ(IndexExpr::add(halved, kLane).print({"lane", "k"}), "(16 >> k) + lane");
  const IndexExpr runs = IndexExpr::runs(halved, 32);
  EXPECT_EQ(runs.print({"lane", "k"}), "0xffffffffu / ((1u << (16 >> k)) + 1)");
  EXPECT_EQ(IndexExpr::runs(IndexExpr::constant(8), 64).print({}), "0xffffffffffffffffull / ((1ull << 8) + 1)");
  for (const int k : {0, 1, 2, 3, 4}) EXPECT_EQ(runs.evaluate({0, k}), 0xffffffffu / ((1u << (16 >> k)) + 1)) << k;
}

TEST(IndexExpr, ReversesTheLowestBits) {
  const IndexExpr reversed = IndexExpr::reversed(IndexExpr::add(kLane, kK), 5);
  EXPECT_EQ(reversed.print({"lane", "k"}), "int(__brev(lane + k) >> 27)");
  EXPECT_EQ(reversed.integer_ops(), 3);
  EXPECT_EQ(IndexExpr::mask(reversed, 3).print({"lane", "k"}), "int(__brev(lane + k) >> 27) & 3");
  EXPECT_EQ(reversed.evaluate({1, 0}), 16);
  EXPECT_EQ(reversed.evaluate({2, 1}), 24);
  EXPECT_EQ(reversed.evaluate({32, 2}), 8);
}

TEST(IndexExpr, AQuotientByAPowerOfTwoBindsLooserThanASum) {
  EXPECT_EQ(IndexExpr::add(kLane, IndexExpr::div(kK, 4)).print({"lane", "k"}), "lane + (k >> 2)");
  EXPECT_EQ(IndexExpr::div(IndexExpr::add(kLane, kK), 4).print({"lane", "k"}), "(lane + k) >> 2");
}

TEST(IndexExpr, ASubtractedSumKeepsItsParentheses) {
  EXPECT_EQ(IndexExpr::sub(kLane, IndexExpr::add(kK, IndexExpr::constant(1))).print({"lane", "k"}), "lane - (k + 1)");
  EXPECT_EQ(IndexExpr::sub(kLane, IndexExpr::constant(-1)).print({"lane"}), "lane + 1");
}

TEST(IndexExpr, AMaskedSumKeepsItsParenthesesInAComparison) {
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kLt, IndexExpr::mask(kLane, 3), kK).print({"lane", "k"}),
            "(lane & 3) < k");
}

TEST(IndexExpr, AnXorPrintsWithTheParenthesesThatCompilersAskFor) {
  const IndexExpr x = IndexExpr::bit_xor(kLane, IndexExpr::mask(kK, 7));
  EXPECT_EQ(x.print({"lane", "k"}), "lane ^ (k & 7)");
  EXPECT_EQ(IndexExpr::bit_xor(x, kK).print({"lane", "k"}), "lane ^ (k & 7) ^ k");
  EXPECT_EQ(IndexExpr::add(kLane, IndexExpr::bit_xor(kK, IndexExpr::constant(3))).print({"lane", "k"}),
            "lane + (k ^ 3)");
  EXPECT_EQ(IndexExpr::bit_xor(kLane, IndexExpr::constant(0)).integer_ops(), 0);
  EXPECT_EQ(x.evaluate({9, 12}), 13);
}

TEST(IndexExpr, ANumberStandsOnTheRightOfAComparison) {
  const auto limit = IndexExpr::constant(28);
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kLe, limit, kLane).print({"lane"}), "lane >= 28");
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kLt, limit, kLane).print({"lane"}), "lane > 28");
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kLe, kLane, limit).print({"lane"}), "lane <= 28");
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kLe, limit, limit).print({"lane"}), "28 <= 28");
}

TEST(IndexExpr, AComparisonWithinAComparisonGetsParentheses) {
  const IndexExpr less = IndexExpr::compare(IndexExpr::Op::kLt, kLane, kK);
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kEq, less, kK).print({"lane", "k"}), "(lane < k) == k");
  EXPECT_EQ(IndexExpr::compare(IndexExpr::Op::kEq, kK, less).print({"lane", "k"}), "k == (lane < k)");
}

TEST(IndexExpr, ANestedSelectIsParenthesizedWhereItIsNoLastArm) {
  const IndexExpr inner = IndexExpr::select(kK, IndexExpr::constant(1), IndexExpr::constant(2));
  EXPECT_EQ(IndexExpr::select(kLane, inner, inner).print({"lane", "k"}), "lane ? (k ? 1 : 2) : k ? 1 : 2");
}

// The third reading of an expression, next to evaluate() and print(): a term over 64-bit vectors.
z3::expr term_of(const IndexExpr& e, const z3::expr_vector& arguments) {
  using Op = IndexExpr::Op;
  z3::context& context = arguments.ctx();
  const auto at = [&](std::size_t i) { return term_of(e.operands[i], arguments); };
  const auto truth_value = [&](const z3::expr& holds) {
    return z3::ite(holds, context.bv_val(1, 64), context.bv_val(0, 64));
  };
  switch (e.op) {
    case Op::kConstant:
    case Op::kWord: return context.bv_val(static_cast<std::int64_t>(e.value), 64);
    case Op::kArgument: return arguments[static_cast<unsigned>(e.value)];
    case Op::kAdd: return at(0) + at(1);
    case Op::kSub: return at(0) - at(1);
    case Op::kMul: return at(0) * at(1);
    case Op::kDiv: return (at(0) - z3::smod(at(0), at(1))) / at(1);
    case Op::kMod: return z3::smod(at(0), at(1));  // has the sign of the divisor
    case Op::kAnd: return at(0) & at(1);
    case Op::kOr: return at(0) | at(1);
    case Op::kXor: return at(0) ^ at(1);
    case Op::kShl: return z3::shl(at(0), at(1));
    case Op::kShr: return z3::ashr(at(0), at(1));
    case Op::kRuns:
    case Op::kElement:
    case Op::kReverse: break;
    case Op::kLt: return truth_value(at(0) < at(1));
    case Op::kLe: return truth_value(at(0) <= at(1));
    case Op::kEq: return truth_value(at(0) == at(1));
    case Op::kNe: return truth_value(at(0) != at(1));
    case Op::kSelect: return z3::ite(at(0) != context.bv_val(0, 64), at(1), at(2));
  }
  return context.bv_val(0, 64);
}

using Arguments = std::vector<std::int64_t>;

// An expression and what the operations that made it mean, before they simplified it.
struct Made {
  IndexExpr expression;
  std::function<std::int64_t(const Arguments&)> meaning;
};

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : engine_(seed) {}
  static constexpr int kArguments = 4;

  int between(int lo, int hi) { return lo + static_cast<int>(engine_() % static_cast<std::uint32_t>(hi - lo + 1)); }

  Made make(int depth) {
    if (depth == 0 || between(0, 5) == 0) return leaf();
    const Made a = make(depth - 1);
    switch (between(0, 8)) {
      case 0: return both(a, make(depth - 1), IndexExpr::add, [](auto x, auto y) { return x + y; });
      case 1: return both(a, make(depth - 1), IndexExpr::sub, [](auto x, auto y) { return x - y; });
      case 2: return with(a, between(-4, 8), IndexExpr::mul, [](auto x, auto c) { return x * c; });
      case 3:
        return with(a, between(0, 1) == 0 ? between(0, 31) : -(1 << between(0, 4)), IndexExpr::mask,
                    [](auto x, auto c) { return x & c; });
      case 4: return divided(a, IndexExpr::div, [](auto x, auto c) { return (x - ((x % c) + c) % c) / c; });
      case 5: return divided(a, IndexExpr::mod, [](auto x, auto c) { return ((x % c) + c) % c; });
      case 6: return compared(a, make(depth - 1));
      case 7: return both(a, make(depth - 1), IndexExpr::bit_xor, [](auto x, auto y) { return x ^ y; });
      default: return selected(compared(make(depth - 1), make(depth - 1)), a, make(depth - 1));
    }
  }

 private:
  Made leaf() {
    if (between(0, 2) == 0) {
      const int c = between(-9, 40);
      return {IndexExpr::constant(c), [c](const Arguments&) { return std::int64_t{c}; }};
    }
    const auto i = static_cast<std::size_t>(between(0, kArguments - 1));
    return {IndexExpr::argument(i), [i](const Arguments& v) { return v[i]; }};
  }

  template <typename Build, typename Mean>
  Made both(const Made& a, const Made& b, Build build, Mean mean) {
    return {build(a.expression, b.expression),
            [a, b, mean](const Arguments& v) { return std::int64_t{mean(a.meaning(v), b.meaning(v))}; }};
  }

  template <typename Build, typename Mean>
  Made with(const Made& a, std::int64_t c, Build build, Mean mean) {
    return {build(a.expression, c), [a, c, mean](const Arguments& v) { return std::int64_t{mean(a.meaning(v), c)}; }};
  }

  // C divides negatives differently: whoever divides by no power of two keeps the operand above zero.
  template <typename Build, typename Mean>
  Made divided(const Made& a, Build build, Mean mean) {
    const bool shift = between(0, 1) == 0;
    const std::int64_t divisor = shift ? std::int64_t{1} << between(0, 4) : between(1, 11);
    return with(shift ? a : with(a, 63, IndexExpr::mask, [](auto x, auto c) { return x & c; }), divisor, build, mean);
  }

  Made compared(const Made& a, const Made& b) {
    using Op = IndexExpr::Op;
    const auto as = [](Op op) {
      return [op](IndexExpr x, IndexExpr y) { return IndexExpr::compare(op, std::move(x), std::move(y)); };
    };
    switch (between(0, 3)) {
      case 0: return both(a, b, as(Op::kLt), [](auto x, auto y) { return x < y; });
      case 1: return both(a, b, as(Op::kLe), [](auto x, auto y) { return x <= y; });
      case 2: return both(a, b, as(Op::kEq), [](auto x, auto y) { return x == y; });
      default: return both(a, b, as(Op::kNe), [](auto x, auto y) { return x != y; });
    }
  }

  Made selected(const Made& c, const Made& a, const Made& b) {
    return {IndexExpr::select(c.expression, a.expression, b.expression),
            [c, a, b](const Arguments& v) { return c.meaning(v) != 0 ? a.meaning(v) : b.meaning(v); }};
  }

  std::mt19937 engine_;
};

class RandomIndexExprs : public testing::Test {
 protected:
  RandomIndexExprs() {
    Maker maker(20);
    for (int i = 0; i < 400; ++i) made_.push_back(maker.make(1 + i / 100));  // small ones fail first
    for (int i = 0; i < 12; ++i) {
      arguments_.emplace_back();
      for (int j = 0; j < Maker::kArguments; ++j) arguments_.back().push_back(i == 0 ? 0 : maker.between(-50, 50));
    }
  }
  static std::string text(const IndexExpr& e) { return e.print({"a", "b", "c", "d"}); }

  std::vector<Made> made_;
  std::vector<Arguments> arguments_;
};

TEST_F(RandomIndexExprs, SimplifyToWhatTheyMean) {
  for (const Made& m : made_)
    for (const Arguments& a : arguments_) ASSERT_EQ(m.expression.evaluate(a), m.meaning(a)) << text(m.expression);
}

TEST_F(RandomIndexExprs, EvaluateAsZ3Does) {
  z3::context context;
  z3::expr_vector variables(context);
  for (int j = 0; j < Maker::kArguments; ++j) variables.push_back(context.bv_const(fmt::format("v{}", j).c_str(), 64));
  for (const Made& m : made_) {
    z3::expr term = term_of(m.expression, variables);
    for (const Arguments& a : arguments_) {
      z3::expr_vector values(context);
      for (std::int64_t v : a) values.push_back(context.bv_val(v, 64));
      const z3::expr value = term.substitute(variables, values).simplify();
      ASSERT_TRUE(value.is_numeral()) << value;
      ASSERT_EQ(static_cast<std::int64_t>(value.get_numeral_uint64()), m.expression.evaluate(a)) << text(m.expression);
    }
  }
}

// The arguments are written with operators, which must not mix with those around them.
TEST_F(RandomIndexExprs, PrintCThatComputesThem) {
  const auto compiler = find_host_compiler();
  if (!compiler.ok()) GTEST_SKIP() << "no host compiler";
  const std::vector<std::string> written = {"a", "b - 1", "s.c[0]", "d << 1 >> 1"};
  std::string source = "#include <cstdio>\nstruct S { int c[1]; };\n";
  for (std::size_t i = 0; i < made_.size(); ++i)
    source += fmt::format("static void f{}(int a, int b, S s, int d) {{ std::printf(\"%d %d\\n\", {}, -{}); }}\n", i,
                          made_[i].expression.print(written), made_[i].expression.print_primary(written));
  source += "int main() {\n";
  for (const Arguments& a : arguments_)
    for (std::size_t i = 0; i < made_.size(); ++i)
      source += fmt::format("  f{}({}, {} + 1, S{{{{{}}}}}, {});\n", i, a[0], a[1], a[2], a[3]);
  source += "}\n";
  const ScratchFolder scratch;
  const std::string file = *scratch.write("expressions.cpp", source), program = scratch.path() + "/expressions";
  const auto built =
      run_process({*compiler, "-std=c++20", "-O0", "-Werror=parentheses", "-o", program, file}, kToolTimeLimit);
  ASSERT_TRUE(built.ok() && built->succeeded()) << built->standard_error;
  const auto ran = run_process({program}, kToolTimeLimit);
  ASSERT_TRUE(ran.ok() && ran->succeeded());
  std::istringstream output(ran->standard_output);
  for (const Arguments& a : arguments_)
    for (const Made& m : made_) {
      std::int64_t value = 0, negated = 0;
      ASSERT_TRUE(output >> value >> negated);
      ASSERT_EQ(value, m.expression.evaluate(a)) << text(m.expression);
      ASSERT_EQ(negated, -value) << "-" << m.expression.print_primary(written);
    }
}

}  // namespace
}  // namespace swizzle::index_expr_test
