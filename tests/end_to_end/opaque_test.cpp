// What is compared as opaque functions may be found equal, and is never taken for different.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::opaque_test {
namespace {

const char* const kLonger = "#pragma swizzle extent x(n + 4)\n";

struct Doubted {
  const char* name;
  std::string text, spec;
  const char* says;
};

class Opaque : public testing::TestWithParam<Doubted> {};

TEST_P(Opaque, DifferenceInFormAloneIsUnknown) {
  const ToolResult r = run_sketch(Sketch{"", GetParam().text, GetParam().spec});
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_EQ(r.report["outcome"], "unknown");
  EXPECT_NE(r.output.find(GetParam().says), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Opaque,
    testing::Values(Doubted{"BytePermutation",
                            body("  y[t] = __byte_perm(x[t], 0, 0x1032) + x[t + 1];", "unsigned", kLonger),
                            each("(x[t] << 16 | x[t] >> 16) + x[t + 1]", "unsigned"),
                            "__byte_perm at 6:10 is compared as an opaque function"},
                    Doubted{"AbsorbedByOr", body("  y[t] = (x[t] | (x[t] & x[t + 4])) + x[t];", "int", kLonger),
                            each("x[t] + x[t]"), "'|' at 6:11"},
                    Doubted{"AbsorbedByMax", body("  y[t] = max(x[t] | x[t + 1], x[t]);", "unsigned"),
                            each("x[t] | x[t + 1]", "unsigned"), "'|' at 5:14"},
                    Doubted{"SumOfAndAndOr", body("  y[t] = (x[t] & x[t + 1]) + (x[t] | x[t + 1]);", "int"),
                            each("x[t] + x[t + 1]"), "'|' at 5:31"},
                    Doubted{"MaxOfSums", body("  y[t] = fmaxf(x[t] + x[t + 1], x[t] + x[t + 2]);", "float"),
                            each("x[t] + (x[t + 1] < x[t + 2] ? x[t + 2] : x[t + 1])", "float"), "fmaxf at 5:10"},
                    Doubted{"WithHoles",
                            body("  y[t] = __byte_perm(x[?sw_xform(t, 32)], 0, 0x1032) + x[t];", "unsigned"),
                            each("(x[31 - t] << 16 | x[31 - t] >> 16) + x[t]", "unsigned"), "__byte_perm at 5:10"}),
    [](const auto& test) { return std::string(test.param.name); });

// No sum stands in the way of following each bit.
TEST(OpaqueFunctions, OfBitsAloneAreFollowedBitByBit) {
  const auto expect_followed = [](const std::string& text, const std::string& spec) {
    const ToolResult r = run_sketch({"", text, spec, kRuns});
    EXPECT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["optimality"], "proved");
    EXPECT_NE(r.output.find("note: words were followed bit by bit, as by '#pragma swizzle bits(x, y)'"),
              std::string::npos)
        << r.output;
  };
  expect_followed(body("  y[t] = __byte_perm(x[t], 0, 0x1032);", "unsigned"),
                  each("x[t] << 16 | x[t] >> 16", "unsigned"));
  expect_followed(body("  y[t] = x[t] | (x[t] & x[t + 4]);", "int", kLonger), each("x[t]"));
  expect_followed(body("  y[t] = __byte_perm(x[?sw_xform(t, 32)], 0, 0x1032);", "unsigned"),
                  each("x[31 - t] << 16 | x[31 - t] >> 16", "unsigned"));
  // A constant for each round is one for all words then.
  expect_followed(
      body("  unsigned g = x[t];\n  for (int k = 0; k < 3; k++) g ^= g >> ?sw_const(1, 9, k);\n  y[t] = g & 0xff;",
           "unsigned", "#pragma swizzle assume n == 32\n"),
      "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) { unsigned b = 0; for (int s = "
      "0; s < 8; s++) b ^= x[i] >> s; y[i] = b & 0xff; } }");
}

TEST(OpaqueFunctions, OfBitsAloneAreVerifiedBitByBit) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("f.cu", std::string("#pragma swizzle launch grid(1) block(32)\n"
                                                               "#pragma swizzle instance n = 32\n") +
                                                       body("  y[t] = __byte_perm(x[t], 0, 0x1032);", "unsigned"));
  const std::string spec = scratch.write("f.cpp", each("x[t] << 16 | x[t] >> 16", "unsigned"));
  const std::string verify = fmt::format("'{}' verify '{}' --spec '{}' --run=none > '{}' 2>&1", SWIZZLE_SYNTH_TOOL,
                                         kernel, spec, (scratch / "said").string());
  EXPECT_EQ(std::system(verify.c_str()), 0) << read_file(scratch / "said");
}

// Nor where they tell that nothing serves: the reason is one bit's.
TEST(OpaqueFunctions, OfBitsAloneAreRefutedBitByBit) {
  const ToolResult r =
      run_sketch({"", body("  y[t] = __byte_perm(x[t], 0, ?sw_choose(0x1032, 0x3210)) & 0xff;", "unsigned"),
                  each("(x[t] >> 8) & 0xff", "unsigned")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

TEST(OpaqueFunctions, AnInputThatTellsThemApartRefutes) {
  EXPECT_EQ(run_sketch({"", "  y[t] = x[t] | x[t + 1];", each("x[t] ^ x[t + 1]")}).exit_code, 10);
  EXPECT_EQ(run_sketch({"", body("  y[t] = __byte_perm(x[t], 0, 0x1032);", "unsigned"),
                        each("x[t] << 16 | x[t] >> 17", "unsigned")})
                .exit_code,
            10);
}

TEST(OpaqueFunctions, WhatDoesNotReachTheOutputRefutes) {
  EXPECT_EQ(run_sketch({"", "  y[t] = x[?sw_xform(t, 32)] >> 3;", each("x[t * t % 32] >> 3")}).exit_code, 10);
}

TEST(OpaqueFunctions, AreProvedCheapestWhereOthersAreReachedByOtherInputs) {
  expect_verified({"", "  y[t] = x[?sw_xform(t, 32)] >> 3;", each("x[31 - t] >> 3")});
}

TEST(OpaqueFunctions, ACheaperCompletionInDoubtLeavesTheBestFound) {
  const ToolResult r = run_sketch(
      {"",
       body(
           "  int r[2] = {x[t], x[t + 4]};\n  int s = r[0];\n  if (?sw_cond(t)) s |= r[0] & r[1];\n  if (?sw_cond(t)) s ^= 0;\n  y[t] = s;",
           "int", std::string("#pragma swizzle launch grid(1) block(4)\n#pragma swizzle instance n = 4\n") + kLonger),
       each("x[t] | (x[t] & x[t + 4])")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "best_found");
}

// min(x, max(…, x)) is x whatever a hole moves there: the cheapest is the one that costs least where it is placed.
TEST(OpaqueFunctions, AreProvedCheapestInSharedMemoryAlsoWhereAnythingServes) {
  const ToolResult r =
      run_sketch({"",
                  body("  __shared__ int tile[3];\n  tile[?sw_xform_extra(t, 3)] = x[t];\n  __syncthreads();\n"
                       "  y[t] = min(x[t], max(tile[t / 2], x[t]));",
                       "int", "#pragma swizzle launch grid(1) block(3)\n#pragma swizzle instance n = 3\n"),
                  each("x[t]")});
  EXPECT_EQ(r.report["optimality"], "proved") << r.output;
  EXPECT_EQ(r.report["holes"][0]["expression"], "t") << r.output;
}

// Of a row of 32: what `before` makes of v, then the sum over all lanes by steps that are open, then `after`.
Sketch reduced(const std::string& before, const std::string& after, const std::string& spec) {
  const std::string rows = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";
  return {
      "",
      rows + "__global__ void f(const float* x, float* y, int n) {\n  const int t = threadIdx.x;\n  float v = x[t];\n" +
          before + "  for (int d = 16; d > 0; d /= 2) s += __shfl_sync(~0u, s, ?sw_xor(t, 32, d));\n" + after + "}\n",
      "void f(const float* x, float* y, int n) {\n" + spec + "}\n"};
}

// The order in which functions without evaluation are added is no difference.
TEST(OpaqueFunctions, AreAddedInAnyOrder) {
  expect_verified(reduced("  float s = __expf(v);\n", "  y[t] = s;\n",
                          "  float s = 0;\n  for (int i = 0; i < 32; i++) s += __expf(x[i]);\n"
                          "  for (int t = 0; t < 32; t++) y[t] = s;\n"));
  expect_verified(reduced("  float s = sqrtf(v) * v;\n", "  y[t] = v / s;\n",
                          "  float s = 0;\n  for (int i = 0; i < 32; i++) s += sqrtf(x[31 - i]) * x[31 - i];\n"
                          "  for (int t = 0; t < 32; t++) y[t] = x[t] / s;\n"));
}

TEST(OpaqueFunctions, OfWhatNoHoleDecidesAreElements) {
  expect_verified(reduced("  int s = v > 0.5f ? 1 : 0;\n", "  y[t] = s;\n",
                          "  int s = 0;\n  for (int i = 0; i < 32; i++) s += x[i] > 0.5f ? 1 : 0;\n"
                          "  for (int t = 0; t < 32; t++) y[t] = s;\n"));
  expect_verified(reduced("  int s = __popc(__float_as_int(v));\n", "  y[t] = s;\n",
                          "  int s = 0;\n  for (int i = 0; i < 32; i++) s += __popc(__float_as_int(x[i]));\n"
                          "  for (int t = 0; t < 32; t++) y[t] = s;\n"));
}

// A constant of many digits, and squares: mean and variance of a row.
TEST(OpaqueFunctions, OfSumsAndSquaresAreFound) {
  const ToolResult r = run_sketch(reduced(
      "  float q = v * v, s = v;\n  for (int d = 16; d > 0; d /= 2) q += __shfl_sync(~0u, q, ?sw_xor(t, 32, d));\n",
      "  y[t] = (v - s / 32) * rsqrtf(q / 32 - s / 32 * (s / 32) + 1e-5f);\n",
      "  float s = 0, q = 0;\n  for (int i = 0; i < 32; i++) { s += x[i]; q += x[i] * x[i]; }\n"
      "  for (int t = 0; t < 32; t++) y[t] = (x[t] - s / 32) * rsqrtf(q / 32 - s / 32 * (s / 32) + 1e-5f);\n"));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// max(sum, 0) is max(another sum, 0) where the sums are the same.
TEST(OpaqueFunctions, OfSumsAreComparedByTheirSums) {
  const auto window = [](const std::string& after, const std::string& wanted) {
    return Sketch{
        "",
        "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle extent x(n + 32)\n"
        "__global__ void f(const float* x, const float* w, const float* b, float* y, int n) {\n"
        "  const int t = threadIdx.x;\n  auto r = load(x, 0, 1, 2);\n  float s = b[0];\n"
        "  for (int k = 0; k < 5; k++) s += w[k] * __shfl_sync(~0u, r[?sw_part(2, t, k)], ?sw_xform(t, 32, k));\n" +
            after + "}\n",
        "void f(const float* x, const float* w, const float* b, float* y, int n) {\n"
        "  for (int i = 0; i < n; i++) {\n    float s = b[0];\n    for (int k = 0; k < 5; k++) s += w[k] * x[i + k];\n" +
            wanted + "  }\n}\n"};
  };
  expect_verified(window("  y[t] = fmaxf(s, 0.0f);\n", "    y[i] = fmaxf(s, 0.0f);\n"));
  expect_verified(window("  y[t] = fminf(fmaxf(s, 0.0f), 6.0f);\n", "    y[i] = fminf(fmaxf(s, 0.0f), 6.0f);\n"));
}

// 64 threads: rows of lanes, then what the warps have, through shared memory; exp of each is an element.
TEST(OpaqueFunctions, OfAWholeBlockAreAddedInTwoLevels) {
  expect_verified(
      {"",
       R"(
#pragma swizzle launch grid(n / 128) block(128)
#pragma swizzle instance n = 128
__global__ void f(const float* x, float* y, int n) {
  __shared__ float part[4];
  const int t = threadIdx.x, lane = t % 32;
  float s = __expf(x[blockIdx.x * 128 + t]);
  for (int k = 0; k < 5; k++) s += __shfl_down_sync(~0u, s, ?sw_const(1, 32, k));
  if (lane == 0) part[t / 32] = s;
  __syncthreads();
  if (t < 32) {
    s = lane < 4 ? part[lane] : 0;
    for (int k = 0; k < 2; k++) s += __shfl_down_sync(~0u, s, ?sw_const(1, 32, k));
    if (t == 0) y[blockIdx.x] = s;
  }
}
)",
       "void f(const float* x, float* y, int n) {\n  for (int b = 0; b < n / 128; b++) {\n    float s = 0;\n"
       "    for (int i = 0; i < 128; i++) s += __expf(x[b * 128 + i]);\n    y[b] = s;\n  }\n}\n"});
}

// Each lane has four elements of the row: what outputs share is looked at once for all of them.
TEST(OpaqueFunctions, OfSeveralElementsALaneStandBetweenTwoChains) {
  const ToolResult r =
      run_sketch({"",
                  "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 128\n"
                  "__global__ void f(const float* x, float* y, int n) {\n  const int t = threadIdx.x;\n"
                  "  float v[4], m = x[4 * t], s = 0;\n"
                  "  for (int e = 0; e < 4; e++) {\n    v[e] = x[4 * t + e];\n    m = fmaxf(m, v[e]);\n  }\n"
                  "  for (int d = 1; d < 32; d *= 2) m = fmaxf(m, __shfl_sync(~0u, m, ?sw_xor(t, 32, d)));\n"
                  "  for (int e = 0; e < 4; e++) s += v[e] = expf(v[e] - m);\n"
                  "  for (int d = 1; d < 32; d *= 2) s += __shfl_sync(~0u, s, ?sw_xor(t, 32, d));\n"
                  "  for (int e = 0; e < 4; e++) y[4 * t + e] = v[e] / s;\n}\n",
                  "void f(const float* x, float* y, int n) {\n  float m = x[0], s = 0;\n"
                  "  for (int i = 1; i < n; i++) m = fmaxf(m, x[i]);\n"
                  "  for (int i = 0; i < n; i++) s += expf(x[i] - m);\n"
                  "  for (int i = 0; i < n; i++) y[i] = expf(x[i] - m) / s;\n}\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

TEST(OpaqueFunctions, StandBetweenTwoChains) {
  const std::string maximum =
      "  float m = v;\n  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_sync(~0u, m, ?sw_xor(t, 32, d)));\n";
  const std::string softmax =
      "  float m = x[0], s = 0;\n  for (int i = 1; i < 32; i++) m = fmaxf(m, x[i]);\n"
      "  for (int i = 0; i < 32; i++) s += __expf(x[i] - m);\n"
      "  for (int t = 0; t < 32; t++) y[t] = __expf(x[t] - m) / s;\n";
  expect_verified(reduced(maximum + "  float e = __expf(v - m), s = e;\n", "  y[t] = e / s;\n", softmax));
  const ToolResult r = run_sketch(reduced("  float m = v, e = __expf(v - m), s = e;\n", "  y[t] = e / s;\n", softmax));
  EXPECT_NE(r.exit_code, 0) << r.output;  // the maximum is none
}

// What lanes say of their data is put together as a spec does it.
// Which of 256 elements a row's norm needs is asked once for all outputs that lack some, not for each again.
// What is unsigned becomes the longer word by way of an unsigned one, which is written nowhere.
TEST(OpaqueFunctions, AConversionThatNobodyWroteIsNamed) {
  const ToolResult r = run_sketch(
      {"compare",
       "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n"
       "__global__ void f(const unsigned* a, long long* y, int n) {\n  const int t = threadIdx.x;\n"
       "  const unsigned v = __shfl_sync(~0u, a[blockIdx.x * 32 + t], ?sw_xform(t, 32));\n"
       "  y[blockIdx.x * 32 + t] = v / 2 * 2 + v;\n}\n",
       "void f(const unsigned* a, long long* y, int n) { for (int i = 0; i < n; i++) y[i] = a[i] - a[i] % 2 + a[i]; }\n"});
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_NE(r.output.find("a conversion of 'unsigned' to 'unsigned long'"), std::string::npos) << r.output;
}

// The true reason comes first, whatever is made of it.
TEST(OpaqueFunctions, AConversionThatCutsIsWarnedAboutWhereItStands) {
  const char* const kLaunch = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";
  const ToolResult r = run_sketch(
      {"cut",
       kLaunch + std::string("__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n"
                             "  short v = 0;\n  v += __shfl_sync(~0u, x[t], ?sw_xform(t, 32));\n  v += x[t];\n"
                             "  y[t] = v;\n}\n"),
       "void f(const int* x, int* y, int n) { for (int t = 0; t < 32; t++) y[t] = x[(t + 1) % 32] + x[t]; }\n"});
  EXPECT_NE(r.exit_code, 0);
  const std::size_t reason = r.output.find(":6:3: warning: the upper bits are lost: '+=' is computed in 'int'");
  EXPECT_LT(reason, r.output.find("infeasible")) << r.output;
}

TEST(OpaqueFunctions, OfSumsOfManyElementsAreToldToLackSome) {
  expect_verified({"root_mean_square", R"(
#include <cmath>
#pragma swizzle launch grid(m) block(64)
#pragma swizzle instance m = 2
__global__ void f(const float4* x, float4* y, int m) {
  __shared__ float part[2];
  const int t = threadIdx.x, lane = t % 32;
  const float4 v = x[blockIdx.x * 64 + t];
  float s = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  for (int k = 0; k < 5; k++) s += __shfl_xor_sync(~0u, s, ?sw_const(1, 32, k));
  if (lane == 0) part[t / 32] = s;
  __syncthreads();
  const float r = rsqrtf((part[0] + part[?sw_const(0, 2)]) / 256 + 1e-6f);
  y[blockIdx.x * 64 + t] = make_float4(v.x * r, v.y * r, v.z * r, v.w * r);
}
)",
                   R"(
#include <cmath>
void f(const float4* x, float4* y, int m) {
  for (int b = 0; b < m; b++) {
    float s = 0;
    for (int k = 0; k < 64; k++) {
      const float4 v = x[b * 64 + k];
      s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    const float r = rsqrtf(s / 256 + 1e-6f);
    for (int k = 0; k < 64; k++) {
      const float4 v = x[b * 64 + k];
      y[b * 64 + k] = make_float4(v.x * r, v.y * r, v.z * r, v.w * r);
    }
  }
}
)"});
}

TEST(Votes, OnDataAreFollowed) {
  const auto spec = [](const char* start, const char* step, const char* y) {
    return fmt::format(
        "void f(const int* x, int* y, int n) {{\n  int p = {};\n  for (int k = 0; k < 32; k++) {};\n"
        "  for (int k = 0; k < 32; k++) y[k] = {};\n}}\n",
        start, step, y);
  };
  const std::string other = "  const int o = __shfl_sync(~0u, x[t], ?sw_xform(t, 32));\n";
  expect_verified({"", body(other + "  y[t] = __any_sync(~0u, x[t] > 3) ? o : 0;", "int"),
                   spec("0", "p |= x[k] > 3", "p ? x[31 - k] : 0"), kRuns});
  expect_verified({"", body(other + "  y[t] = __any_sync(~0u, x[t]) ? o : 0;", "int"),
                   spec("0", "p |= x[k] != 0", "p ? x[31 - k] : 0"), kRuns});
  const ToolResult all = run_sketch({"", body(other + "  y[t] = __all_sync(~0u, x[t] > 3) ? o : 0;", "int"),
                                     spec("1", "p &= x[k] > 3", "p ? x[31 - k] : 0"), kRuns});
  EXPECT_EQ(all.exit_code, 0) << all.output;
  const ToolResult fewer = run_sketch({"", body(other + "  y[t] = __any_sync(~0u, x[t] > 3) ? o : 0;", "int"),
                                       spec("0", "if (k != 7) p |= x[k] > 3", "p ? x[31 - k] : 0")});
  EXPECT_TRUE(fewer.exit_code == 10 || fewer.exit_code == 20) << fewer.output;
}

// Of five elements around one, whatever is made of them: what must reach the outputs leads to the completion.
struct Window {
  const char* name;
  const char *of_sketch, *of_spec;  // make r of a[0], …, a[4]
};

class OfAWindow : public testing::TestWithParam<Window> {};

TEST_P(OfAWindow, IsFoundByWhatReachesIt) {
  const auto around = [](const char* made) { return std::string("    float a[5], r = 0;\n") + made; };
  const std::string sketch =
      "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 256\n"
      "__global__ void f(const float* x, float* y, int n) {\n  int lane = threadIdx.x;\n"
      "  auto own = load(x, blockIdx.x * 32, 1, 2);\n" +
      around("") +
      "    for (int k = 0; k < 5; k++)\n"
      "      a[k] = __shfl_sync(~0u, own[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));\n" +
      GetParam().of_sketch + "\n    y[blockIdx.x * 32 + lane] = r;\n}\n";
  const std::string spec = "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n" +
                           around("    for (int k = 0; k < 5; k++) a[k] = x[i + k];\n") + GetParam().of_spec +
                           "\n    y[i] = r;\n  }\n}\n";
  expect_verified({"", sketch, spec});
}

INSTANTIATE_TEST_SUITE_P(
    Each, OfAWindow,
    testing::Values(Window{"Median",
                           "    for (int i = 0; i < 4; i++)\n      for (int j = 0; j < 4; j++) {\n"
                           "        float low = fminf(a[j], a[j + 1]);\n        a[j + 1] = fmaxf(a[j], a[j + 1]);\n"
                           "        a[j] = low;\n      }\n    r = a[2];",
                           "    for (int p = 0; p < 5; p++)\n      for (int q = p + 1; q < 5; q++)\n"
                           "        if (a[q] < a[p]) { float s = a[p]; a[p] = a[q]; a[q] = s; }\n    r = a[2];"},
                    Window{"SizeOfAGradient",
                           "    float g = a[4] + 2 * a[3] - 2 * a[1] - a[0], h = a[4] - 2 * a[2] + a[0];\n"
                           "    r = sqrtf(g * g + h * h);",
                           "    float g = (a[4] - a[0]) + 2 * (a[3] - a[1]), h = a[0] + a[4] - 2 * a[2];\n"
                           "    r = sqrtf(h * h + g * g);"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace swizzle::test::opaque_test
