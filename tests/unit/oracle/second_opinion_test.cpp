#include "synth/oracle/second_opinion.h"

#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/oracle/small_kernels.h"

namespace swizzle::second_opinion_test {
namespace {

class Feasible : public testing::TestWithParam<Small> {};
TEST_P(Feasible, CostsTheSameTwice) { EXPECT_EQ(expect_agreement(GetParam()), Outcome::kFound); }

class Infeasible : public testing::TestWithParam<Small> {};
TEST_P(Infeasible, IsSoTwice) { EXPECT_EQ(expect_agreement(GetParam()), Outcome::kInfeasible); }

std::string named(const testing::TestParamInfo<Small>& info) { return info.param.name; }

const char* const kStencil = R"(
  int r[2] = {x[lane], x[8 + lane]}, sum = 0;
  for (int k = 0; k < 3; k++) sum += __shfl_sync(~0u, r[?sw_part(2, lane, k)], ?sw_xform(lane, 8, k));
  y[lane] = sum;)";

const char* const kConvolution = R"(
  int r[2] = {x[lane], x[8 + lane]}, sum = 0;
  for (int k = 0; k < 3; k++) sum += w[k] * __shfl_sync(~0u, r[?sw_part(2, lane, k)], ?sw_xform(lane, 8, k));
  y[lane] = sum;)";

const char* const kTile = R"(
  const int col = lane % 4, row = lane / 4;
  int r[2][2], sum = 0;
  for (int i = 0; i < 4; i++) r[i / 2][i % 2] = x[(i / 2 * 2 + row) * 8 + i % 2 * 4 + col];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      sum += __shfl_sync(~0u, r[?sw_part(2, row, i)][?sw_part(2, col, j)], ?sw_xform(row, 2, i) * 4 + ?sw_xform(col, 4, j));
  y[lane] = sum;)";

// Products in GF(2)[x] of degree 4 on 4 lanes: bit-sliced words in x and w.
std::string polynomial4(const std::string& high_guard) {
  return R"(
  const int a = x[lane], b = w[lane];
  int low = 0, high = 0;
  for (int k = 0; k < 4; k++) {
    const int ak = __shfl_sync(~0u, a, ?sw_xform(lane, 4, k)), bk = __shfl_sync(~0u, b, ?sw_xform(lane, 4, k));
    if (?sw_cond(lane, k)) low ^= ak & bk;
    if ()" +
         high_guard + R"() high ^= ak & bk;
  }
  y[lane] = low;
  y[4 + lane] = high;)";
}

// Of degree 4 on 2 lanes, two coefficients each: four products, each offered to each of four outputs.
std::string polynomial_on_pairs(const std::string& products) {
  std::string kernel = R"(
  int rA[2] = {x[lane], x[2 + lane]}, rB[2] = {w[lane], w[2 + lane]}, c[4] = {0, 0, 0, 0};
  for (int k = 0; k < 2; k++) {
    int a[2], b[2];
    a[0] = __shfl_sync(~0u, rA[?sw_part(2, lane, k)], ?sw_xform(lane, 2, k));
    a[1] = __shfl_sync(~0u, rA[?sw_part(2, lane, k)], ?sw_xform(lane, 2, k));
    b[0] = __shfl_sync(~0u, rB[?sw_part(2, lane, k)], ?sw_xform(lane, 2, k));
    b[1] = __shfl_sync(~0u, rB[?sw_part(2, lane, k)], ?sw_xform(lane, 2, k));
)";
  for (const char p : products)
    for (int output = 0; output < 4; output++)
      kernel +=
          fmt::format("    if (?sw_cond(lane, k)) c[{}] ^= a[{}] & b[{}];\n", output, (p - '0') / 2, (p - '0') % 2);
  return kernel + "  }\n  for (int i = 0; i < 4; i++) y[2 * i + lane] = c[i];";
}

const char* const kPolynomial4Spec = R"(
  for (int i = 0; i < 8; i++) {
    int sum = 0;
    for (int k = 0; k < 4; k++) if (i - k >= 0 && i - k < 4) sum ^= x[k] & w[i - k];
    y[i] = sum;
  })";

std::string load_structs(int lanes, int fields, const std::string& then) {
  const std::string kernel =
      "  int r[S], p[S], q[S], sum = 0;\n  for (int j = 0; j < S; j++) r[j] = x[N * j + lane];" + then;
  return fmt::format("  constexpr int N = {}, S = {};\n{}", lanes, fields, kernel);
}

std::string column_row_column(int lanes, int fields) {
  return load_structs(lanes, fields, R"(
  for (int j = 0; j < S; j++) p[j] = r[?sw_xform(j, S, lane)];
  for (int j = 0; j < S; j++) q[j] = __shfl_sync(~0u, p[j], ?sw_xform(lane, N, j));
  for (int j = 0; j < S; j++) y[N * j + lane] = q[?sw_xform(j, S, lane)];)");
}

// Likewise, but the last permutation says where a field goes.
std::string column_scatter(int lanes, int fields) {
  return load_structs(lanes, fields, R"(
  for (int j = 0; j < S; j++) p[j] = r[?sw_xform(j, S, lane)];
  for (int j = 0; j < S; j++) q[?sw_xform(j, S, lane)] = __shfl_sync(~0u, p[j], ?sw_xform(lane, N, j));
  for (int j = 0; j < S; j++) y[N * j + lane] = q[j];)");
}

std::string row_column_row(int lanes, int fields) {
  return load_structs(lanes, fields, R"(
  for (int j = 0; j < S; j++) p[j] = __shfl_sync(~0u, r[j], ?sw_xform(lane, N, j));
  for (int j = 0; j < S; j++) q[j] = p[?sw_xform(j, S, lane)];
  for (int j = 0; j < S; j++) y[N * j + lane] = __shfl_sync(~0u, q[j], ?sw_xform(lane, N, j));)");
}

std::string sum_of_fields(int lanes, int fields) {
  return load_structs(lanes, fields, R"(
  for (int j = 0; j < S; j++) sum += __shfl_sync(~0u, r[?sw_xform(j, S, lane)], ?sw_xform(lane, N, j));
  y[lane] = sum;)");
}

std::string transposed(int lanes, int fields) {
  return fmt::format("  for (int i = 0; i < {0}; i++) for (int j = 0; j < {1}; j++) y[j * {0} + i] = x[i * {1} + j];",
                     lanes, fields);
}

std::string summed(int lanes, int fields) {
  return fmt::format(
      "  for (int i = 0; i < {0}; i++) {{ int sum = 0; for (int j = 0; j < {1}; j++) sum += x[i * {1} + j]; y[i] = sum; }}",
      lanes, fields);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Feasible,
    testing::Values(
        Small{"Reverse", 8, "  y[lane] = x[?sw_xform(lane, 8)];", each(8, "y[i] = x[7 - i];")},
        Small{"Rotate", 8, "  y[lane] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 8));",
              each(8, "y[i] = x[(i + 3) % 8];")},
        Small{"Deinterleave", 8, "  y[lane] = x[?sw_xform(lane, 8)];", each(8, "y[i] = x[i % 4 * 2 + i / 4];")},
        Small{
            "BitReverse", 8,
            "  const int v = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 8));\n  y[lane] = __shfl_sync(~0u, v, ?sw_xform(lane, 8));",
            each(8, "y[i] = x[i / 4 + i / 2 % 2 * 2 + i % 2 * 4];")},
        Small{"Scatter", 4, "  y[?sw_xform(lane, 4)] = x[lane];", each(4, "y[i] = x[3 - i];")},
        Small{"ScatterTwoFields", 4, "  y[?sw_part(2, lane) * 2 + ?sw_xform(lane % 2, 2, lane / 2)] = x[lane];",
              each(4, "y[i] = x[3 - i];")},
        Small{"ScatterSums", 4, "  y[?sw_xform(lane, 4)] = x[lane] + x[lane + 1];",
              each(4, "y[(i + 1) % 4] = x[i] + x[i + 1];")},
        Small{"ScatterShuffled", 4, "  y[?sw_xform(lane, 4)] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 4));",
              each(4, "y[i] = x[(i * 3 + 1) % 4];")},
        Small{"ScatterToRegisters", 4, column_scatter(4, 3), transposed(4, 3)},
        Small{
            "SharedMemoryModel", 4,
            "  __shared__ int s[4];\n  s[?sw_xform(lane, 4)] = x[lane];\n  __syncthreads();\n  y[lane] = s[?sw_xform(lane, 4)];",
            each(4, "y[i] = x[(i + 1) % 4];")},
        Small{
            "Butterfly", 8,
            "  int sum = x[lane];\n  for (int k = 0; k < 2; k++) sum += __shfl_sync(~0u, sum, ?sw_xform(lane, 8, k));\n  y[lane] = sum;",
            each(8, "y[i] = x[i / 4 * 4] + x[i / 4 * 4 + 1] + x[i / 4 * 4 + 2] + x[i / 4 * 4 + 3];")},
        Small{"Stencil", 8, kStencil, each(8, "y[i] = x[i] + x[i + 1] + x[i + 2];")},
        Small{"Convolution", 8, kConvolution, each(8, "y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2];")},
        Small{"Tile", 8, kTile,
              each(8, "const int at = i / 4 * 8 + i % 4; y[i] = x[at] + x[at + 1] + x[at + 8] + x[at + 9];")},
        Small{"Polynomial4", 4, polynomial4("?sw_cond(lane, k)"), kPolynomial4Spec},
        Small{"Polynomial4OnPairs", 2, polynomial_on_pairs("0123"), kPolynomial4Spec},
        Small{"StructsOf3ByColumns", 4, column_row_column(4, 3), transposed(4, 3)},
        Small{"StructsOf2ByColumns", 6, column_row_column(6, 2), transposed(6, 2)},
        Small{"StructsOf3ByRows", 4, row_column_row(4, 3), transposed(4, 3)},
        Small{"SumOf3Fields", 4, sum_of_fields(4, 3), summed(4, 3)},
        Small{"SumOf2Fields", 6, sum_of_fields(6, 2), summed(6, 2)}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Of, Infeasible,
    testing::Values(
        Small{"SwapOfTwo", 8, "  y[lane] = x[?sw_xform(lane, 8)];", each(8, "y[i] = x[i < 2 ? 1 - i : i];")},
        Small{"Scatter", 4, "  y[?sw_xform(lane, 4)] = x[lane];", each(4, "y[i] = x[i == 0 ? 0 : i % 3 + 1];")},
        Small{"ScatterToFewerSlots", 4, "  y[?sw_xform(lane, 4)] = x[lane];",
              "  for (int i = 0; i < 3; i++) y[i] = x[i];\n  y[4] = x[3];"},
        Small{"ScatterShuffled", 4, "  y[?sw_xform(lane, 4)] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 4));",
              each(4, "y[i] = x[i == 0 ? 0 : i % 3 + 1] + 1;")},
        Small{"SharedMemoryModel", 4,
              "  __shared__ int s[4];\n  s[?sw_xform(lane, 4)] = x[lane];\n  y[lane] = s[?sw_xform(lane, 4)];",
              each(4, "y[i] = x[3 - i];")},
        Small{"Stencil", 8, kStencil, each(8, "y[i] = x[i] + x[i + 1] + x[(i + 4) % 8];")},
        Small{"Convolution", 8, kConvolution, each(8, "y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[1] * x[i + 2];")},
        Small{"Tile", 8, kTile,
              each(8, "const int at = i / 4 * 8 + i % 4; y[i] = x[at] + x[at + 1] + x[at + 8] + x[(at + 9) % 10];")},
        Small{"Polynomial4", 4, polynomial4("?sw_cond(lane)"), kPolynomial4Spec},
        Small{"Polynomial4OnPairs", 2, polynomial_on_pairs("012"), kPolynomial4Spec},
        Small{"StructsOf4ByRows", 4, row_column_row(4, 4),
              each(4, "for (int j = 0; j < 4; j++) y[j * 4 + i] = x[i * 4 + (j ^ (i == 2))];")},
        Small{"StructsOf2ByColumns", 6, column_row_column(6, 2),
              each(6, "for (int j = 0; j < 2; j++) y[j * 6 + i] = x[i * 2 + (j ^ (i == 2))];")},
        Small{"SumOf3Fields", 4, sum_of_fields(4, 3), each(4, "y[i] = x[i] + x[i + 1] + x[i + 2];")}),
    named);

// What the two once disagreed on.
const char* const kTwoFetches = "  const int u = x[?sw_xform(lane, 4)], v = x[?sw_xform(lane, 4)];\n";
constexpr const char* kGuardedCopy =
    "  for (int k = 0; k < 2; k++) {{ int v = 0; if (?sw_cond({}, {} * k)) v += x[lane]; y[k * 4 + lane] = v; }}";

INSTANTIATE_TEST_SUITE_P(
    Regression, Feasible,
    testing::Values(
        Small{"EvenIterationsRotateBackwards", 8,
              "  for (int k = 0; k < 3; k++) y[8 * k + lane] = x[?sw_xform(lane, 8, 2 * k)];",
              each(8, "for (int k = 0; k < 3; k++) y[8 * k + i] = x[(i - 2 * k + 8) % 8];")},
        Small{"SpacedArgumentsCompareAtMost", 4, fmt::format(kGuardedCopy, "4 * lane", 6),
              each(4, "for (int k = 0; k < 2; k++) y[k * 4 + i] = 4 * i <= 6 * k ? x[i] : 0;")},
        Small{"SpacedArgumentsCompareLess", 4, fmt::format(kGuardedCopy, "4 * lane + 2", 8),
              each(4, "for (int k = 0; k < 2; k++) y[k * 4 + i] = 4 * i + 2 < 8 * k ? x[i] : 0;")},
        Small{"OrBringsAgainWhatIsThere", 4,
              std::string(kTwoFetches) + "  y[lane] = x[lane] | u | v;\n  y[4 + lane] = u | v | x[?sw_xform(lane, 4)];",
              each(4, "y[i] = x[i] | x[3 - i]; y[4 + i] = x[i] | x[3 - i] | x[(i + 2) % 4];")},
        Small{"AnXorTakesAway", 4, "  y[lane] = x[4 + lane] ^ x[?sw_xform(lane, 4)] ^ x[?sw_xform(lane, 4)];",
              each(4, "y[i] = x[4 + i] + 0 * x[i];")},
        Small{
            "AnXorTakesAwayWhatIsThere", 4,
            "  y[lane] = x[lane] ^ (?sw_cond(lane) ? x[lane] : 2 * x[lane]) ^ (?sw_cond(lane) ? x[lane] : x[4 + lane]);",
            each(4, "y[i] = i < 3 ? x[4 + i] : x[i];")},
        Small{"ProductsVanish", 4, "  y[lane] = x[lane] * ?sw_xform(lane, 4);",
              each(4, "y[i] = x[i] * ((i + 1) % 4);")},
        Small{"SumsBecomeNegative", 4, "  const int h = ?sw_xform(lane, 4);\n  y[lane] = x[lane] * h - h - 1;",
              each(4, "const int h = (i + 1) % 4; y[i] = x[i] * h - h - 1;")},
        Small{"ShiftsBecomeProducts", 4, "  y[lane] = x[lane] << ?sw_xform(lane, 4);",
              each(4, "y[i] = x[i] << (3 - i);")},
        Small{"LeastOfAMaximum", 4, "  y[lane] = max(x[lane], ?sw_cond(lane) ? x[4 + lane] : -2147483647 - 1);",
              each(4, "y[i] = i < 2 ? x[i] : max(x[i], x[4 + i]);")},
        Small{"ConstantsOfAnXor", 4, "  y[lane] = (?sw_cond(lane) ? x[lane] : 5) ^ (?sw_cond(lane) ? x[4 + lane] : 3);",
              each(4, "y[i] = i < 1 ? 6 : i < 2 ? 5 ^ x[4 + i] : x[i] ^ x[4 + i];")}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Regression, Infeasible,
    testing::Values(
        Small{"MaximumWithAnotherConstant", 4, "  y[lane] = max(1, x[?sw_xform(lane, 4)]);",
              each(4, "y[i] = max(0, x[i]);")},
        Small{"OrWithAnotherConstant", 4, "  y[lane] = 1 | x[?sw_xform(lane, 4)];", each(4, "y[i] = 2 | x[i];")},
        Small{
            "ZeroIsSomethingToAMaximum", 4,
            "  const int v = x[?sw_xform(lane, 4)];\n  y[lane] = max(x[4 + lane], ?sw_cond(lane) ? v : 0);\n  y[4 + lane] = max(x[8 + lane], ?sw_cond(lane) ? v : 0);",
            each(4, "y[i] = max(x[4 + i], x[3 - i]); y[4 + i] = x[8 + i];")}),
    named);

TEST(SecondOpinion, TablesSolveTheProblem) {
  std::optional<Problem> problem = posed({"", 8, kStencil, each(8, "y[i] = x[i] + x[i + 1] + x[i + 2];")});
  ASSERT_TRUE(problem);
  const SecondOpinion opinion = ask_z3(*problem, IssueCosts{}, 20);
  ASSERT_EQ(opinion.outcome, Outcome::kFound);
  Assignment assignment(problem->points.size(), -1);
  for (std::size_t h = 0; h < problem->holes.size(); ++h)
    for (std::size_t p = 0; p < problem->holes[h].points.size(); ++p)
      assignment[problem->holes[h].points[p].value] = opinion.tables[h][p];
  PointId blocked;
  for (const Equation& e : problem->equations)
    EXPECT_TRUE(e.holds(problem->provenance.resolve(e.actual, assignment, blocked)));
}

TEST(Inquiry, ConfirmsWhatTheSearchFoundAndNothingElse) {
  std::optional<Problem> problem = posed({"", 8, kStencil, each(8, "y[i] = x[i] + x[i + 1] + x[i + 2];")});
  ASSERT_TRUE(problem);
  const Solution solution = solve(*problem, {});
  ASSERT_EQ(solution.outcome, Outcome::kFound);
  const Completion& best = solution.completions[0];
  Inquiry inquiry(*problem, IssueCosts{});
  ASSERT_EQ(inquiry.why_not(), "");
  const auto outcome = [&](const Query& query) { return inquiry.ask(query, 20).outcome; };
  EXPECT_EQ(outcome(inquiry.any()), Outcome::kFound);
  EXPECT_EQ(outcome(inquiry.completed_by(best.tables, best.cost.total)), Outcome::kFound);
  EXPECT_EQ(outcome(inquiry.completed_by(best.tables, best.cost.total - 0.5)), Outcome::kInfeasible);
  EXPECT_EQ(outcome(inquiry.cheaper_than(best.cost.total)), Outcome::kInfeasible);
  EXPECT_EQ(outcome(inquiry.cheaper_than(best.cost.total + 0.5)), Outcome::kFound);
  std::vector<HoleTable> other = best.tables;
  other[0].values[0] = static_cast<std::int16_t>(1 - other[0].values[0]);
  EXPECT_EQ(outcome(inquiry.completed_by(other, best.cost.total + 100)), Outcome::kInfeasible);
}

TEST(SecondOpinion, IsAlsoAScript) {
  std::optional<Problem> problem = posed({"", 4, "  y[lane] = x[?sw_xform(lane, 4)];", each(4, "y[i] = x[3 - i];")});
  ASSERT_TRUE(problem);
  const std::string script = problem_to_smt2(*problem, IssueCosts{});
  EXPECT_NE(script.find("(declare-fun"), std::string::npos);
  EXPECT_NE(script.find("(check-sat)"), std::string::npos);
}

TEST(SecondOpinion, WithoutTimeIsUnknown) {
  std::optional<Problem> problem = posed({"", 2, polynomial_on_pairs("012"), kPolynomial4Spec});
  ASSERT_TRUE(problem);
  const SecondOpinion opinion = ask_z3(*problem, IssueCosts{}, 0);
  EXPECT_EQ(opinion.outcome, Outcome::kUnknown);
  EXPECT_NE(opinion.reason, "");
}

}  // namespace
}  // namespace swizzle::second_opinion_test
