#include "synth/oracle/second_opinion.h"

#include <optional>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/search/solve.h"

namespace swizzle {
namespace {

// The bodies of a kernel f(const int* x, const int* w, int* y) on few lanes, which know their `lane`, and of its spec.
struct Small {
  const char* name;
  int lanes;
  std::string kernel;
  std::string spec;
};

void PrintTo(const Small& small, std::ostream* out) { *out << small.kernel << "\n  must equal\n" << small.spec; }

std::optional<Problem> posed(const Small& small) {
  const std::string parameters = "(const int* x, const int* w, int* y) {\n";
  const std::string sketch = "#pragma swizzle launch grid(1) block(" + std::to_string(small.lanes) +
                             ")\n#pragma swizzle extent x(32)\n#pragma swizzle extent w(8)\n__global__ void f" +
                             parameters + "  const int lane = threadIdx.x;\n" + small.kernel + "\n}\n";
  const auto kernel = parse_kernel(SourceText("a.cu", sketch), "");
  const auto spec = parse_spec(SourceText("a.cpp", "void f" + parameters + small.spec + "\n}\n"), "f");
  EXPECT_TRUE(kernel.ok()) << render(kernel.errors()[0]);
  EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
  if (!kernel.ok() || !spec.ok()) return std::nullopt;
  Problem problem;
  const auto size = pose(*kernel, *spec, {}, problem);
  EXPECT_TRUE(size.ok()) << render(size.errors()[0]);
  if (!size.ok()) return std::nullopt;
  collect_holes(*kernel, problem);
  return problem;
}

std::string printed(const Problem& problem, const std::vector<HoleTable>& tables) {
  std::string text;
  for (std::size_t h = 0; h < tables.size(); ++h)
    if (!problem.holes[h].points.empty()) text += tables[h].expression.print({"a", "b", "c", "d"}) + "\n";
  return text;
}

Outcome expect_agreement(const Small& small) {
  SCOPED_TRACE(testing::PrintToString(small));
  std::optional<Problem> problem = posed(small);
  if (!problem) return Outcome::kUnknown;
  const SecondOpinion second = ask_z3(*problem, IssueCosts{}, 20);
  const Solution first = solve(*problem, {});
  EXPECT_NE(second.outcome, Outcome::kUnknown) << second.reason;
  EXPECT_EQ(first.outcome, second.outcome) << first.reason;
  if (second.outcome != Outcome::kFound || first.outcome != Outcome::kFound) return second.outcome;
  EXPECT_EQ(first.optimality, Optimality::kProved);
  EXPECT_NEAR(first.completions[0].cost.total, second.cost, 1e-6) << printed(*problem, first.completions[0].tables);
  return second.outcome;
}

// Of the sketches of `seeds` seeds, at least 10 have a completion, and at least `least_none` have none.
void expect_agreement_on(Small (*random)(std::uint32_t seed), std::uint32_t seeds, int least_none) {
  int found = 0, none = 0;
  for (std::uint32_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Outcome outcome = expect_agreement(random(seed));
    found += outcome == Outcome::kFound;
    none += outcome == Outcome::kInfeasible;
  }
  EXPECT_GE(found, 10);
  EXPECT_GE(none, least_none);
}

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

std::string each(int lanes, const std::string& body) {
  return fmt::format("  for (int i = 0; i < {}; i++) {{ {} }}", lanes, body);
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

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool chance(int percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

 private:
  std::mt19937 engine_;
};

// Accumulates a few shuffled elements into one or two outputs; lanes, registers and guards are holes. The spec says
// what random affine indices and thresholds say, so that some have a completion and others have none.
Small random_small(std::uint32_t seed) {
  Random random(seed);
  const int n = random.chance(50) ? 4 : random.between(3, 8), registers = random.between(1, 3),
            iterations = random.between(1, 3);
  const std::string op = random.pick({"+=", "^=", "|=", "max"});
  const std::string product = op == "+=" && random.chance(40)   ? "w[k] * "
                              : op == "^=" && random.chance(40) ? "w[k] & "
                                                                : "";
  const std::string initial = random.chance(60) ? "0" : random.pick({"1", "x[{lane}]"});
  const auto accumulate = [&](const std::string& to, const std::string& v) {
    return op == "max" ? fmt::format("{0} = max({0}, {1});", to, v) : fmt::format("{} {} {};", to, op, v);
  };
  const auto start = [&](const std::string& lane) { return initial == "x[{lane}]" ? "x[" + lane + "]" : initial; };
  const int outputs = random.between(1, 2);

  const std::string k = fmt::format("{} * k + {}", random.between(1, 3), random.between(-2, 2)),
                    lane = random.chance(70) ? "lane" : fmt::format("{} * lane + 1", random.between(2, 4));
  const std::string which = registers == 1      ? "0"
                            : random.chance(50) ? fmt::format("?sw_part({}, {}, {})", registers, lane, k)
                                                : fmt::format("?sw_xform(k % {0}, {0}, lane)", registers);
  Small small{"", n, "", ""};
  small.kernel = fmt::format(
      "  int r[{1}];\n  for (int j = 0; j < {1}; j++) r[j] = x[{0} * j + lane];\n  int a = {2}, b = {2};\n  for (int k = 0; k < {3}; k++) {{\n"
      "    const int v = {6}__shfl_sync(~0u, r[{4}], ?sw_xform(lane, {0}, {5}));\n",
      n, registers, start("lane"), iterations, which, k, product);
  const std::string from = fmt::format(
      "x[{0} * ({1}) + (i * {2} + k * {3} + {4} + 64) % {0}]", n,
      registers == 1      ? "0"
      : random.chance(50) ? fmt::format("i + k * {} < {}", random.between(-1, 1), random.between(-1, n))
                          : fmt::format("(i * {} + k + {}) % {}", random.below(3), random.below(3), registers),
      random.between(0, 3), random.between(-2, 3), random.between(0, 7));
  std::string sums;
  for (const char* to : {"a", "b"}) {
    if (to[0] == 'b' && outputs == 1) break;
    const bool guarded = random.chance(40);
    small.kernel +=
        fmt::format("    {}{}\n", guarded ? fmt::format("if (?sw_cond({}, {})) ", lane, k) : "", accumulate(to, "v"));
    sums += guarded || random.chance(5) ? fmt::format("if (i * {} {} k + {}) ", random.between(1, 2),
                                                      random.pick({"<", ">=", "==", "!="}), random.between(-2, 3))
                                        : "";
    sums += accumulate(to, product + from) + " ";
  }
  small.kernel += fmt::format("  }}\n  y[lane] = a;{}", outputs == 2 ? fmt::format("\n  y[{} + lane] = b;", n) : "");
  small.spec = fmt::format(
      "  for (int i = 0; i < {0}; i++) {{\n    int a = {1}, b = {1};\n    for (int k = 0; k < {2}; k++) {{ {3} }}\n    y[i] = a;{4}\n  }}",
      n, start("i"), iterations, sums, outputs == 2 ? fmt::format("\n    y[{} + i] = b;", n) : "");
  return small;
}

// Lanes store to a buffer, to shared memory or to registers where holes say; some under a guard, some twice, some a
// value that a hole chooses.
Small random_stores(std::uint32_t seed) {
  Random random(seed);
  const int n = random.between(2, 4), wide = random.chance(70) ? n : n + 1, fields = random.between(2, 3);
  const std::string at = fmt::format("?sw_xform(lane, {})", wide),
                    other = fmt::format("?sw_xform(lane, {})", random.chance(70) ? n : wide);
  const std::string value =
      random.pick({"x[lane]", "x[lane]", "x[lane / 2]",
                   fmt::format("__shfl_sync(~0u, x[lane], ?sw_xform(lane, {}))", n), "x[lane] + x[lane + 1]"});
  std::string guard = random.pick({"", "", "if (?sw_cond(lane)) ", "if (lane > 0) "});
  const std::string where = random.pick({"y", "y", "shared", "registers"});
  if (value.find("shfl") != std::string::npos) guard = "";  // all lanes must reach it
  Small small{"", n, "", ""};
  if (where == "y") {
    small.kernel = fmt::format("  {}y[{}] = {};", guard, at, value);
    if (random.chance(40))
      small.kernel += fmt::format("\n  {}y[{}] = {};", random.pick({"", "if (?sw_cond(lane)) "}), other,
                                  random.pick({"x[lane]", "x[lane + 1]"}));
  } else if (where == "shared") {
    small.kernel = fmt::format(
        "  __shared__ int s[5];\n  s[lane] = x[lane];\n  __syncthreads();\n  {}s[{}] = {};\n  __syncthreads();\n  y[lane] = s[{}];",
        guard, at, value, random.pick({"lane", other}));
  } else {
    small.kernel = fmt::format(
        "  int r[5];\n  for (int j = 0; j < {0}; j++) r[?sw_xform(j, {0}, lane)] = x[j * {1} + lane];\n  for (int j = 0; j < {0}; j++) y[j * {1} + lane] = r[j];",
        fields, n);
  }
  const std::string element = fmt::format(
      "x[{}]",
      random.pick({fmt::format("(i * {} + {}) % {}", random.between(1, 3), random.below(4), n), "i", "i / 2"}));
  small.spec =
      where == "registers"
          ? fmt::format(
                "  for (int i = 0; i < {0}; i++) for (int j = 0; j < {2}; j++) y[j * {0} + i] = x[({1}) % {2} * {0} + i];",
                n, random.pick({"j", "j + 1", "i + j", "i + 2 * j"}), fields)
          : each(n, fmt::format("{}y[i] = {};", where == "y" && guard.empty() && random.chance(20) ? "if (i > 0) " : "",
                                random.chance(15) ? element + " + " + element : element));
  return small;
}

// A hole chooses between two sums of the same fetches, or the output that they are added to.
Small random_arms(std::uint32_t seed) {
  Random random(seed);
  const int n = random.between(2, 4), way = random.below(6), iterations = random.between(1, 3);
  const std::string fetch = fmt::format("__shfl_sync(~0u, x[lane], ?sw_xform(lane, {}))", n),
                    times =
                        random.chance(50) ? fmt::format(" * __shfl_sync(~0u, w[lane], ?sw_xform(lane, {}))", n) : "";
  const int shift = random.below(n), other = random.below(n), weight = random.below(n);
  const auto element = [&](const std::string& offset) {
    return fmt::format("x[(i + {}) % {}]", offset, n) +
           (times.empty() ? "" : fmt::format(" * w[(i + {}) % {}]", weight, n));
  };
  const std::string p = element(std::to_string(shift)), q = element(std::to_string(other));
  const std::string first = fmt::format("i {} {}", random.pick({"<", "==", "!=", ">="}), random.below(n));
  const auto coefficient = [&] { return random.pick({"-2", "-1", "1", "1", "2", "0"}); };
  const std::string a = coefficient(), b = coefficient(), c = random.chance(60) ? a : coefficient(), d = coefficient();
  const std::string arms =
      fmt::format("{} * {{0}} + {} * {{1}} : {} * {{0}} + {} * {{1}}", a, b, c, random.chance(60) ? d : coefficient());
  Small small{"", n, "", ""};
  const std::string both = fmt::format("  const int p = {0}{1}, q = {0}{1};\n", fetch, times);
  if (way == 0) {
    small.kernel = both + fmt::format("  y[lane] = ?sw_cond(lane) ? {};", fmt::format(fmt::runtime(arms), "p", "q"));
    small.spec = each(n, fmt::format("y[i] = {} ? {} * {} + {} * {} : {} * {} + {} * {};", first, a, p, b,
                                     random.chance(70) ? q : "3 * " + q, c, p, d, q));
  } else if (way == 1) {
    small.kernel = both + "  int s = p;\n  if (?sw_cond(lane)) s -= q; else s += q;\n  y[lane] = s;";
    small.spec =
        each(n, fmt::format("y[i] = {} ? {} - {} : {} + {};", first, p, q, p, random.chance(60) ? q : "2 * " + q));
  } else if (way == 2 || way == 3) {
    const auto sum = [&](const std::string& u, const std::string& v) {
      return fmt::format("{} * {} + {} * {}", a, u, d, v);
    };
    const std::string third = fmt::format("{} * {{}} + {} * {{}}", coefficient(), b);
    const auto chosen = [&](const std::string& one, const std::string& two, const std::string& u,
                            const std::string& v) {
      return fmt::format("{} ? {} : {} ? {} - {} : {}", one, sum(u, v), two, u, v,
                         fmt::format(fmt::runtime(third), u, v));
    };
    small.kernel = both +
                   (way == 2 ? "  const int o = ?sw_part(3, lane);\n  y[lane] = " + chosen("o == 0", "o == 1", "p", "q")
                             : "  y[lane] = " + chosen("?sw_cond(lane)", "?sw_cond(lane)", "p", "q")) +
                   ";";
    small.spec =
        each(n, "y[i] = " + chosen("i < 1", fmt::format("i < {}", random.between(1, n)), p, random.chance(80) ? q : p) +
                    ";");
  } else {
    const std::string k = way == 4 ? "lane, k" : "k, lane";
    small.kernel = fmt::format(
        "  int s = 0, t = 0;\n  for (int k = 0; k < {}; k++) {{\n    const int v = __shfl_sync(~0u, x[lane], ?sw_xform(lane, {}, k)){};\n    if (?sw_cond({})) s += v; else t += v;\n  }}\n  y[lane] = s;\n  y[{} + lane] = t;",
        iterations, n, times, k, n);
    small.spec = fmt::format(
        "  for (int i = 0; i < {0}; i++) {{\n    int s = 0, t = 0;\n    for (int k = 0; k < {1}; k++) if ({2}) s += {3}; else t += {3};\n    y[i] = s;\n    y[{0} + i] = t;\n  }}",
        n, iterations,
        random.chance(30) ? random.pick({"false", "true"})
                          : fmt::format("i {} k + {}", random.pick({"<", "==", "!=", ">="}), random.between(-1, 2)),
        element(fmt::format("k + {}", shift)));
  }
  return small;
}

TEST(SecondOpinion, AgreesOnRandomArms) { expect_agreement_on(random_arms, 70, 4); }

TEST(SecondOpinion, AgreesOnRandomStores) { expect_agreement_on(random_stores, 80, 10); }

TEST(SecondOpinion, AgreesOnRandomKernels) { expect_agreement_on(random_small, 50, 10); }

}  // namespace
}  // namespace swizzle
