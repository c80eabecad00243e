// Sketches whose steps build on each other: scans, reductions, butterflies, merges.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::chains_test {
namespace {

std::string steps_of(const char* steps) {
  return std::string("  int lane = t % 32, v = x[t];\n#pragma unroll\n") + steps + "  y[t] = v;";
}

constexpr const char* kAll =
    "void f(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k < 32; k++) s += x[k]; y[i] = s; }\n}\n";

// Each step has a distance of its own, which no formula needs to give.
TEST(Chains, OfConstantsForEachStepAreFound) {
  const auto steps = [](int count) {
    return steps_of(
        fmt::format("  for (int s = 0; s < {}; s++) v += __shfl_xor_sync(~0u, v, ?sw_const(1, 32, s));\n", count)
            .c_str());
  };
  const ToolResult r = run_sketch({"", steps(5), kAll});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_NE(r.kernel.find("1 << s"), std::string::npos) << r.kernel;
  EXPECT_EQ(run_sketch({"", steps(4), kAll}).exit_code, 10);
}

constexpr const char* kSumsBefore =
    "void f(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) { y[i] = 0; for (int k = 0; k < (i == 0 ? n : i); k++) y[i] += x[k]; }\n}\n";

// What the steps leave goes on to other lanes: an exclusive scan by the inclusive one, and the sum of all.
TEST(Chains, GoOnThroughAnotherShuffle) {
  constexpr const char* kShifted = "  v = __shfl_sync(~0u, v, ?sw_xform(lane, 32));\n";
  expect_verified({"",
                   steps_of((std::string("  for (int s = 0; s < 5; s++) {\n"
                                         "    int o = __shfl_up_sync(~0u, v, ?sw_const(1, 32, s));\n"
                                         "    if (lane >= (1 << s)) v += o;\n  }\n") +
                             kShifted)
                                .c_str()),
                   kSumsBefore});
  expect_verified({"",
                   steps_of((std::string("  for (int d = 1; d < 32; d *= 2) {\n"
                                         "    int o = __shfl_sync(~0u, v, ?sw_xform(lane, 32, d));\n"
                                         "    if (?sw_cond(lane, d)) v += o;\n  }\n") +
                             kShifted)
                                .c_str()),
                   kSumsBefore});
}

// The last lane needs all steps, the first none.
TEST(Chains, WithOneConditionForAllLanesAreInfeasible) {
  const ToolResult r =
      run_sketch({"",
                  steps_of("  for (int s = 0; s < 5; s++) {\n"
                           "    int o = __shfl_up_sync(~0u, v, ?sw_const(1, 32, s));\n"
                           "    if (?sw_cond(s)) v += o;\n  }\n"),
                  "void f(const int* x, int* y, int n) {\n"
                  "  for (int i = 0; i < n; i++) { y[i] = 0; for (int k = 0; k <= i; k++) y[i] += x[k]; }\n}\n"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// In place: who adds must not be read by another one.
// Sums a block, of `threads`, in shared memory.
ToolResult run_tree(int threads) {
  const std::string text = fmt::format(
      "#pragma swizzle launch grid(1) block({0})\n#pragma swizzle instance n = {0}\n"
      "__global__ void f(const int* x, int* y, int n) {{\n"
      "  __shared__ int s[{0}];\n  const int t = threadIdx.x;\n  s[t] = x[t];\n  __syncthreads();\n"
      "  for (int d = {1}; d > 0; d /= 2) {{\n"
      "    if (?sw_cond(t, d)) s[t] += s[?sw_xform(t, {0}, d)];\n    __syncthreads();\n  }}\n"
      "  if (t == 0) y[t] = s[t];\n}}\n",
      threads, threads / 2);
  return run_sketch(
      {"", text,
       "void f(const int* x, int* y, int n) { int s = 0; for (int k = 0; k < n; k++) s += x[k]; y[0] = s; }\n"});
}

TEST(Chains, OfSharedMemoryAreFoundWithWhoTakesPart) {
  const ToolResult r = run_tree(8);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("if (t < d) s[t] += s[(t + d) & 7]"), std::string::npos) << r.kernel;
}

// Bank conflicts that another completion may have are worth no more than what is left to gain.
TEST(Chains, OfSharedMemoryAreProvedTheCheapestForWholeBlocks) {
  for (const int threads : {64, 128}) {
    const ToolResult r = run_tree(threads);
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["optimality"], "proved");
  }
}

// A reordering behind the steps, of more tables than can be listed: a transform whose outputs stand in bit-reversed
// order.
TEST(Chains, EndInALinearMapThatIsNotListed) {
  const ToolResult r = run_sketch(
      {"",
       steps_of("  for (int d = 16; d > 0; d /= 2) {\n"
                "    int w = __shfl_sync(~0u, v, ?sw_xor(lane, 32, d));\n"
                "    v = ?sw_cond(lane % (2 * d), d) ? w - v : v + w;\n  }\n"
                "  v = __shfl_sync(~0u, v, ?sw_linear(lane, 32));\n"),
       "void f(const int* x, int* y, int n) {\n  for (int k = 0; k < n; k++) {\n"
       "    int reversed = 0, s = 0;\n    for (int b = 0; b < 5; b++) reversed = 2 * reversed + (k >> b) % 2;\n"
       "    for (int j = 0; j < 32; j++) {\n      int minus = 0;\n      for (int p = reversed & j; p > 0; p &= p - 1) minus ^= 1;\n"
       "      s += minus ? -x[j] : x[j];\n    }\n    y[k] = s;\n  }\n}\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], 6);
}

// No table of a ?sw_xform(lane, 32, d) is lane ^ d for every d, whatever the conditions are.
TEST(Chains, ByTransformationsAreInfeasibleWhereAnExchangeIsAsked) {
  const auto run = [](const char* step, const char* spec) {
    return run_sketch({"",
                       steps_of(fmt::format("  for (int d = 16; d > 0; d /= 2) {{\n"
                                            "    int w = __shfl_sync(~0u, v, ?sw_xform(lane, 32, d));\n    {}\n  }}\n",
                                            step)
                                    .c_str()),
                       spec});
  };
  const ToolResult transform = run(
      "v = ?sw_cond(lane % (2 * d), d) ? w - v : v + w;",
      "void f(const int* x, int* y, int n) {\n  for (int k = 0; k < n; k++) {\n    int s = 0;\n"
      "    for (int j = 0; j < 32; j++) {\n      int minus = 0;\n      for (int p = k & j; p > 0; p &= p - 1) minus ^= 1;\n"
      "      s += minus ? -x[j] : x[j];\n    }\n    y[k] = s;\n  }\n}\n");
  EXPECT_EQ(transform.exit_code, 10) << transform.output;
  const ToolResult merge =
      run("if (?sw_cond(lane % (2 * d), d)) v = max(v, w); else v = min(v, w);",
          "void f(const int* x, int* y, int n) {\n  int t[32];\n  for (int k = 0; k < 32; k++) t[k] = x[k];\n"
          "  for (int d = 16; d > 0; d /= 2)\n    for (int k = 0; k < 32; k++)\n      if ((k & d) == 0) {\n"
          "        int p = t[k], q = t[k + d];\n        t[k] = min(p, q);\n        t[k + d] = max(p, q);\n      }\n"
          "  for (int k = 0; k < n; k++) y[k] = t[k];\n}\n");
  EXPECT_EQ(merge.exit_code, 10) << merge.output;
  EXPECT_NE(merge.output.find("?sw_xor(lane, 32, d) here there is a completion"), std::string::npos) << merge.output;
}

// Next to a hole of another kind.
TEST(Chains, OfConstantsAndConditionsAreFoundTogether) {
  const char* const kRounds =
      "  for (int s = 0; s < 2; s++) {\n"
      "    int o = __shfl_down_sync(~0u, v, ?sw_const(-8, 9, s));\n"
      "    if (?sw_cond(lane, s)) v += o;\n  }\n";
  expect_verified(
      {"", steps_of(kRounds),
       "void f(const int* x, int* y, int n) {\n"
       "  for (int i = 0; i < n; i++) { y[i] = 0; for (int k = i; k < 32 && k < i + 4; k++) y[i] += x[k]; }\n}\n"});
}

// Maxima often start from what is below all numbers, or below all numbers that a float can be.
TEST(Chains, OfMaximaMayStartFromABound) {
  for (const std::string bound : {"-INFINITY", "-FLT_MAX", "-1e30f"}) {
    const std::string include = "#include <cfloat>\n#include <cmath>\n";
    const std::string steps =
        "  for (int k = 0; k < 5; k++) m = fmaxf(m, __shfl_xor_sync(~0u, m, ?sw_const(1, 32, k)));";
    const std::string some = fmt::format("  float m = t < 20 ? x[t] : {};\n{}\n  y[t] = m;", bound, steps);
    const std::string spec = fmt::format(
        "void f(const float* x, float* y, int n) {{\n  for (int i = 0; i < n; i++) {{\n    float m = {};\n"
        "    for (int k = 0; k < 20; k++) m = fmaxf(m, x[k]);\n    y[i] = m;\n  }}\n}}\n",
        bound);
    expect_verified({"", include + body(some, "float"), include + spec, kRuns});
  }
}

// exp(x - m), where m is -infinity in a lane on the way.
TEST(Chains, OfSumsMayFollowMaximaFromABound) {
  const std::string text =
      "  float m = t < 20 ? x[t] : -INFINITY;\n"
      "  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, ?sw_const(1, 32, d)));\n"
      "  y[t] = x[t] - m;";
  const std::string spec =
      "#include <cmath>\nvoid f(const float* x, float* y, int n) {\n  float m = -INFINITY;\n"
      "  for (int k = 0; k < 20; k++) m = fmaxf(m, x[k]);\n  for (int i = 0; i < n; i++) y[i] = x[i] - m;\n}\n";
  expect_verified({"", "#include <cmath>\n" + body(text, "float"), spec, kRuns});
}

// What the second chain adds rests on what the first one found; each is refuted by itself.
TEST(Chains, OfASoftmaxAreFoundOneAfterTheOther) {
  constexpr const char* kText =
      "  float m = x[t];\n"
      "  for (int k = 0; k < 5; k++) m = fmaxf(m, __shfl_xor_sync(~0u, m, ?sw_const(1, 32, k)));\n"
      "  const float e = expf(x[t] - m);\n  float s = e;\n"
      "  for (int k = 0; k < 5; k++) s += __shfl_xor_sync(~0u, s, ?sw_const(1, 32, k));\n  y[t] = e / s;";
  constexpr const char* kSpec =
      "#include <cmath>\nvoid f(const float* x, float* y, int n) {\n  float m = x[0], s = 0;\n"
      "  for (int k = 1; k < n; k++) m = fmaxf(m, x[k]);\n  for (int k = 0; k < n; k++) s += expf(x[k] - m);\n"
      "  for (int k = 0; k < n; k++) y[k] = expf(x[k] - m) / s;\n}\n";
  expect_verified({"", body(kText, "float"), kSpec});
}

TEST(Chains, OfALogarithmOfASumOfExponentialsAreFoundOneAfterTheOther) {
  constexpr const char* kText =
      "  float m = x[t];\n"
      "  for (int k = 0; k < 5; k++) m = fmaxf(m, __shfl_xor_sync(~0u, m, ?sw_const(1, 32, k)));\n"
      "  float s = expf(x[t] - m);\n"
      "  for (int k = 0; k < 5; k++) s += __shfl_xor_sync(~0u, s, ?sw_const(1, 32, k));\n"
      "  y[t] = x[t] - m - logf(s);";
  constexpr const char* kSpec =
      "#include <cmath>\nvoid f(const float* x, float* y, int n) {\n  float m = x[0], s = 0;\n"
      "  for (int k = 1; k < n; k++) m = fmaxf(m, x[k]);\n  for (int k = 0; k < n; k++) s += expf(x[k] - m);\n"
      "  for (int k = 0; k < n; k++) y[k] = x[k] - m - logf(s);\n}\n";
  expect_verified({"", body(kText, "float"), kSpec});
}

// The prefix sums of eight lanes, divided by the last one's.
TEST(Chains, OfAQuotientAreFoundBySideOfIt) {
  constexpr const char* kText =
      "  float v = x[t];\n"
      "  for (int d = 1; d < 8; d *= 2) {\n"
      "    const float o = __shfl_up_sync(~0u, v, ?sw_const(1, 32, d));\n    if (?sw_cond(t % 8, d)) v += o;\n  }\n"
      "  y[t] = v / __shfl_sync(~0u, v, ?sw_xform(t, 32));";
  constexpr const char* kSpec =
      "void f(const float* x, float* y, int n) {\n  for (int w = 0; w < n; w += 8) {\n    float all = 0, s = 0;\n"
      "    for (int k = 0; k < 8; k++) all += x[w + k];\n"
      "    for (int k = 0; k < 8; k++) { s += x[w + k]; y[w + k] = s / all; }\n  }\n}\n";
  const ScratchFolder scratch;
  const ToolResult r = run_tool(fmt::format(
      "'{}' --spec '{}' --run=none --first",
      scratch.write(
          "f.cu", "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n" + body(kText, "float")),
      scratch.write("f.cpp", kSpec)));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

TEST(Chains, ConstantsOfLanesAreListed) {
  const ToolResult r = run_sketch({"", "  const int k = t % 4;\n  y[t] = x[t - k + ?sw_const(0, 4, k)];",
                                   "void f(const int* x, int* y, int n) {\n  const int from[4] = {2, 0, 3, 1};\n"
                                   "  for (int i = 0; i < n; i++) y[i] = x[i / 4 * 4 + from[i % 4]];\n}\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("{2, 0, 3, 1}"), std::string::npos) << r.kernel;
}

// Bits of 0, 1, 2, 3 and 4, moved, never make the five distances.
TEST(Chains, OfStepsThatTheHoleCannotTellApartAreInfeasible) {
  const ToolResult r = run_sketch(
      {"", steps_of("  for (int s = 0; s < 3; s++) v += __shfl_sync(~0u, v, ?sw_xor(lane, 32, s));\n"), kAll});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

TEST(Chains, OfThreeShufflesDoNotReverseFiveBits) {
  std::string steps = "  int lane = t % 32, v = x[t];\n";
  for (int s = 0; s < 3; ++s) steps += "  v = __shfl_sync(~0u, v, ?sw_xform(lane, 32));\n";
  const ToolResult r = run_sketch({"", steps + "  y[t] = v;",
                                   "void f(const int* x, int* y, int n) {\n"
                                   "  for (int i = 0; i < n; i++) {\n"
                                   "    int r = 0;\n"
                                   "    for (int b = 0; b < 5; b++) r = r * 2 + (i >> b) % 2;\n"
                                   "    y[i] = x[r];\n  }\n}\n"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// Prefix sums of a row of 128 by two warps; shared memory has what the warps before bring. Which lanes add and which
// warps count is open, the partner is not.
TEST(Chains, OfGuardsAloneAreFoundAcrossWarps) {
  expect_verified({.name = "scan",
                   .text = R"(
#pragma swizzle launch grid(1) block(64)
#pragma swizzle instance n = 128
__global__ void f(const float* x, float* y, int n) {
  __shared__ float totals[2];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float own = x[2 * t], both = own + x[2 * t + 1];
  float sum = both;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const float w = __shfl_sync(~0u, sum, (lane - d) & 31);
    if (?sw_cond(lane, d)) sum += w;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  float before = sum - both;
#pragma unroll
  for (int w = 0; w < 2; w++)
    if (?sw_cond(w, warp)) before += totals[w];
  y[2 * t] = before + own;
  y[2 * t + 1] = before + both;
}
)",
                   .spec = "void f(const float* x, float* y, int n) {\n"
                           "  float s = 0;\n  for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }\n}\n",
                   .runs = true});
}

constexpr const char* kStart = "  int lane = t % 32, v = x[t];\n";
constexpr const char* kEnd = "  y[t] = v;";

std::string with_functions(const std::string& functions, const std::string& body) {
  return functions + "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n" + kStart + body +
         kEnd + "\n}\n";
}

void expect_the_same(const std::vector<std::string>& ways, const std::string& spec) {
  std::set<double> costs;
  for (const std::string& way : ways) {
    const ToolResult r = run_sketch({"", way, spec});
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["optimality"], "proved") << way;
    costs.insert(r.report["cost"]["total"].get<double>());
  }
  EXPECT_EQ(costs.size(), 1u);
}

// The same steps, written differently: in another order, in functions, one by one.
TEST(Chains, CostTheSameHoweverTheyAreWritten) {
  const std::string start = kStart, end = kEnd;
  const std::string step = "v += __shfl_sync(~0u, v, ?sw_xor(lane, 32, d));";
  std::string one_by_one;
  for (const char* d : {"1", "2", "4", "8", "16"})
    one_by_one += std::string("  v += __shfl_sync(~0u, v, partner(lane, ") + d + "));\n";
  expect_the_same(
      {start + "#pragma unroll\n  for (int d = 1; d < 32; d *= 2) " + step + "\n" + end,
       start + "#pragma unroll\n  for (int d = 16; d > 0; d /= 2) " + step + "\n" + end,
       start + "#pragma unroll\n  for (int s = 0; s < 5; s++) {\n    const int d = 1 << s;\n    " + step + "\n  }\n" +
           end,
       with_functions("__device__ int added(int v, int lane, int d) {\n  " + step + "\n  return v;\n}\n",
                      "#pragma unroll\n  for (int d = 1; d < 32; d *= 2) v = added(v, lane, d);\n"),
       with_functions("__device__ int partner(int lane, int d) { return ?sw_xor(lane, 32, d); }\n", one_by_one)},
      kAll);
}

TEST(Chains, WithConditionsCostTheSameHoweverTheyAreWritten) {
  const std::string loop = "#pragma unroll\n  for (int d = 1; d < 32; d *= 2) ";
  std::string one_by_one;
  for (const char* d : {"1", "2", "4", "8", "16"}) one_by_one += std::string("  v = step(v, lane, ") + d + ");\n";
  const std::string step =
      "__device__ int step(int v, int lane, int d) {\n"
      "  const int w = __shfl_sync(~0u, v, ?sw_xform(lane, 32, d));\n  return ?sw_cond(lane, d) ? v + w : v;\n}\n";
  expect_the_same(
      {kStart + loop +
           "{\n    const int w = __shfl_sync(~0u, v, ?sw_xform(lane, 32, d));\n    if (?sw_cond(lane, d)) v += w;\n  }\n" +
           kEnd,
       "  int me = t % 32, sum = x[t];\n#pragma unroll\n  for (int far = 1; far < 32; far *= 2) {\n"
       "    const bool adds = ?sw_cond(me, far);\n    const int other = __shfl_sync(~0u, sum, ?sw_xform(me, 32, far));\n"
       "    if (adds) sum += other;\n  }\n  y[t] = sum;",
       with_functions(step, loop + "v = step(v, lane, d);\n"), with_functions(step, one_by_one)},
      "void f(const int* x, int* y, int n) {\n"
      "  int s = 0;\n  for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }\n}\n");
}

TEST(Chains, OfHolesOfTheirOwnAreProvedTheCheapest) {
  std::string steps;
  for (int s = 0; s < 5; ++s) steps += "  v += __shfl_sync(~0u, v, ?sw_xor(lane, 32));\n";
  expect_verified({"", "  int lane = t % 32, v = x[t];\n" + steps + "  y[t] = v;", kAll});
}

// The place of the greatest, the first of those that are alike: told by one condition, in two arms, or by a choice for
// each.
TEST(Chains, OfAKeyAndItsPlaceAreFoundHoweverTheyAreWritten) {
  const auto of_lanes = [](int lanes, const std::string& step) {
    const std::string sketch =
        "#pragma swizzle launch grid(n / W) block(W)\n#pragma swizzle instance n = 2 * W\n"
        "__global__ void f(const float* x, int* y, int n) {\n  int t = threadIdx.x, i = blockIdx.x * W + t, p = t;\n"
        "  float v = x[i];\n  for (int d = 1; d < W; d *= 2) {\n    int s = ?sw_xor(t, W, d);\n"
        "    float w = __shfl_sync(~0u >> (32 - W), v, s);\n    int q = __shfl_sync(~0u >> (32 - W), p, s);\n    " +
        step + "\n  }\n  y[i] = p;\n}\n";
    const std::string spec =
        "void f(const float* x, int* y, int n) {\n  for (int r = 0; r < n; r += W) {\n"
        "    float v = x[r];\n    int p = 0;\n"
        "    for (int k = 1; k < W; k++) if (x[r + k] > v) { v = x[r + k]; p = k; }\n"
        "    for (int k = 0; k < W; k++) y[r + k] = p;\n  }\n}\n";
    const std::string width = fmt::format("constexpr int W = {};\n", lanes);
    return run_sketch({"", width + sketch, width + spec});
  };
  for (const auto& [lanes, step] :
       {std::pair{32, "if (w > v || (w == v && q < p)) { v = w; p = q; }"},
        {8, "if (w > v) { v = w; p = q; } else if (w == v) p = min(p, q);"},
        {8, "if (w > v) { v = w; p = q; } else if (v == w && q < p) p = q;"},
        {8, "bool first = v < w || (v == w && q < p); p = first ? q : p; v = first ? w : v;"}}) {
    const ToolResult r = of_lanes(lanes, step);
    EXPECT_EQ(r.exit_code, 0) << step << r.output;
    EXPECT_EQ(r.report["optimality"], "proved") << step;
    EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << step;
  }
  // Without the tie, lanes keep their own, and the places of elements that are alike differ.
  const ToolResult r = of_lanes(8, "if (w > v) { v = w; p = q; }");
  EXPECT_NE(r.report["outcome"], "found") << r.output;
}

// Sums since the last flag: what a lane adds depends on the flags in between.
TEST(Chains, OfFlagsAreFound) {
  const ToolResult r = run_sketch(
      {"",
       "#pragma swizzle launch grid(n / 8) block(8)\n#pragma swizzle instance n = 16\n"
       "__global__ void f(const int* x, const int* z, int* y, int n) {\n"
       "  int t = threadIdx.x, i = blockIdx.x * 8 + t, v = x[i], h = z[i] != 0;\n  for (int d = 1; d < 8; d *= 2) {\n"
       "    int s = ?sw_xform(t, 8, d), w = __shfl_sync(0xffu, v, s), g = __shfl_sync(0xffu, h, s);\n"
       "    if (?sw_cond(t, d)) { if (!h) v += w; h |= g; }\n  }\n  y[i] = v;\n}\n",
       "void f(const int* x, const int* z, int* y, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) {\n"
       "    if (i % 8 == 0 || z[i] != 0) s = 0;\n    s += x[i];\n    y[i] = s;\n  }\n}\n"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

}  // namespace
}  // namespace swizzle::test::chains_test
