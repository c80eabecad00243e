// Where a hole's own value, or a constant that a hole chooses, is combined with data: products that vanish, functions
// that become constants, operands that are neutral. And where a hole chooses between sums.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::constants_among_data_test {
namespace {

std::string each(const std::string& value) {
  return "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = " + value + "; }\n";
}

std::string words(const std::string& body) {
  return "__global__ void f(const unsigned* x, unsigned* y, int n) { int t = threadIdx.x;\n" + body + " }\n";
}

std::string each_word(const std::string& value) {
  return "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) y[i] = " + value + "; }\n";
}

const std::string kSecondWord =
    "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle extent x(2 * n)\n";

class ConstantsAmongData : public testing::TestWithParam<Sketch> {};

TEST_P(ConstantsAmongData, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Each, ConstantsAmongData,
    testing::Values(
        Sketch{"ProductWithAHole", "  y[t] = x[t] * ?sw_xform(t, 32);", each("x[i] * ((i + 3) % 32)"), kRuns},
        Sketch{"SquareOfAHole", "  int h = ?sw_xform(t, 32); y[t] = x[t] * h * h;",
               each("x[i] * ((i + 3) % 32) * ((i + 3) % 32)")},
        Sketch{
            "PolynomialInAHole", "  int h = ?sw_xform(t, 32); y[t] = x[t] * (h - 1) * (h - 2) - h;",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int h = (5 * i + 3) % 32; y[i] = x[i] * (h - 1) * (h - 2) - h; } }\n",
            kRuns},
        Sketch{"ProductsThatVanish", "  y[t] = x[t] * (?sw_cond(t) ? 0 : 3) * (?sw_cond(t) ? 5 : 1);",
               each("i < 4 ? 0 : i < 9 ? 15 * x[i] : 3 * x[i]")},
        Sketch{
            "WeightOfAFetch",
            "  int v = x[t], s = 0; for (int k = 0; k < 4; k++) s += (?sw_cond(t, k) ? 1 : 0) * __shfl_sync(~0u, v, ?sw_xform(t, 32, k)); y[t] = s;",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = 0; for (int k = 0; k <= i && k < 4; k++) y[i] += x[i - k]; } }\n",
            kRuns},
        Sketch{"ShiftByAHole", words("y[t] = x[t] << ?sw_xform(t, 32);"), each_word("x[i] << (i + 3) % 32"), kRuns},
        Sketch{"MaskOfAHole", words("y[t] = x[t] & ?sw_xform(t, 32);"), each_word("x[i] & (i + 3) % 32")},
        Sketch{"MasksWithoutACommonBit",
               words("y[t] = x[t] & (?sw_cond(t) ? 0xffu : 0xff00u) & (?sw_cond(t) ? 0xf0u : 0xf000u);"),
               each_word("i < 7 ? x[i] & 0xf0 : i < 10 ? 0 : x[i] & 0xf000")},
        Sketch{"ConstantsOfAnXor",
               kSecondWord + words("y[t] = (?sw_cond(t) ? x[t] : 5) ^ (?sw_cond(t) ? x[n + t] : 3);"),
               each_word("i < 7 ? 6 : i < 9 ? 5 ^ x[n + i] : x[i] ^ x[n + i]")},
        Sketch{"ZeroInAMaximumOfUnsigned", kSecondWord + words("y[t] = max(x[t], ?sw_cond(t) ? x[n + t] : 0u);"),
               each_word("i < 7 ? x[i] : max(x[i], x[n + i])"), kRuns},
        Sketch{
            "LeastInAMaximum",
            "#include <climits>\n" + kSecondWord +
                "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x, m = INT_MIN; m = max(m, ?sw_cond(t) ? x[t] : INT_MIN); m = max(m, ?sw_cond(t) ? x[n + t] : INT_MIN); y[t] = m; }\n",
            each("i < 7 ? x[i] : i < 9 ? max(x[i], x[n + i]) : x[n + i]")},
        Sketch{
            "LargestOfBytes",
            "__global__ void f(const unsigned char* x, unsigned char* y, int n) { int t = threadIdx.x; unsigned char m = 0; for (int k = 0; k < 3; k++) { unsigned char v = x[?sw_xform(t, 32, k)]; m = m > v ? m : v; } y[t] = m; }\n",
            "void f(const unsigned char* x, unsigned char* y, int n) { for (int i = 0; i < n; i++) { unsigned char m = 0; for (int k = 2; k >= 0; k--) if (x[(i + k) % 32] >= m) m = x[(i + k) % 32]; y[i] = m; } }\n",
            kRuns},
        Sketch{
            "LeastOfShorts",
            "__global__ void f(const short* x, short* y, int n) { int t = threadIdx.x; short m = 5; for (int k = 0; k < 3; k++) { short v = x[?sw_xform(t, 32, k)]; if (v < m) m = v; } y[t] = m; }\n",
            "void f(const short* x, short* y, int n) { for (int i = 0; i < n; i++) y[i] = min(min((int)x[i], (int)x[(i + 1) % 32]), min((int)x[(i + 2) % 32], 5)); }\n",
            kRuns},
        Sketch{
            "MaximumWithAConstantUnderACondition",
            "  int m = -100, v = __shfl_sync(~0u, x[t], ?sw_xform(t, 32)); if (?sw_cond(t)) m = max(m, v); y[t] = m;",
            each("i == 16 ? -100 : max(-100, x[i ^ 8])"), kRuns},
        Sketch{
            "ConstantInACast",
            kSecondWord +
                "__global__ void f(const int* x, float* y, int n) { int t = threadIdx.x; y[t] = float(?sw_cond(t) ? x[t] : -1) + 3.f; }\n",
            "void f(const int* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 7 ? 2.f : float(x[i]) + 3.f; }\n"},
        Sketch{
            "ConstantsInAMaximumInASum",
            kSecondWord +
                "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = max(?sw_cond(t) ? x[t] : -2, -5) + 3; }\n",
            each("i < 7 ? 1 : max(x[i], -5) + 3")},
        Sketch{
            "ConstantInABitFunction",
            kSecondWord +
                "__global__ void f(const unsigned* x, int* y, int n) { int t = threadIdx.x; y[t] = __popc(?sw_cond(t) ? x[t] : 7u); }\n",
            "void f(const unsigned* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 7 ? 3 : __popc(x[i]); }\n"},
        Sketch{
            "ConstantsInADivision",
            kSecondWord +
                "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = (?sw_cond(t) ? x[t] : 6) / (?sw_cond(t) ? 3 : 2); }\n",
            each("i < 7 ? 2 : i < 20 ? x[i] / 3 : x[i] / 2")},
        Sketch{"ComparisonThatBecomesTrue",
               "  int v = x[t], u = __shfl_sync(~0u, v, ?sw_xform(t, 32)); y[t] = u == v ? 1 : 2;",
               each("1 + 0 * x[i]")},
        Sketch{
            "BytesWidenedToUnsigned",
            "__global__ void f(const unsigned char* x, unsigned* y, int n) { int t = threadIdx.x; unsigned o = 0; for (int j = 0; j < 4; j++) o |= unsigned(x[4 * t + j]) << 8 * ?sw_xform(j, 4); y[t] = o; }\n",
            "void f(const unsigned char* x, unsigned* y, int n) { for (int i = 0; i < n; i++) y[i] = x[4 * i] << 24 | x[4 * i + 1] << 16 | x[4 * i + 2] << 8 | x[4 * i + 3]; }\n",
            kRuns},
        Sketch{
            "SquareOfAFetch",
            "  int v = x[t], s = 0; for (int k = 1; k < 4; k++) { int d = __shfl_sync(~0u, v, ?sw_xform(t, 32, k)) - v; s += d * d; } y[t] = s;",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = 0; for (int k = 1; k < 4; k++) y[i] += (x[(i + k) % 32] - x[i]) * (x[(i + k) % 32] - x[i]); } }\n",
            kRuns},
        Sketch{
            "SumsInAMinimum",
            "  int v = x[t], a = v, b = v; for (int k = 1; k < 3; k++) { a += __shfl_sync(~0u, v, ?sw_xform(t, 32, k)); b += 2 * v; } y[t] = min(a, b);",
            each("min(x[i] + x[(i + 1) % 32] + x[(i + 2) % 32], 5 * x[i])")},
        Sketch{"DifferencesThatAreZero",
               words("unsigned v = x[t], u = __shfl_sync(~0u, v - v, ?sw_xform(t, 32)); y[t] = (v & u) - u;"),
               each_word("0 * x[i]")},
        Sketch{
            "ZeroOutsideOfAnArray",
            "#pragma swizzle launch grid((n + 31) / 32) block(32)\n#pragma swizzle instance n = 77\n#pragma swizzle check n = 33\n"
            "__global__ void f(const float* x, float* y, int n) {\n"
            "  int lane = threadIdx.x, i = blockIdx.x * 32 + lane;\n"
            "  float left = i >= 32 ? x[i - 32] : 0.f, mid = i < n ? x[i] : 0.f, right = i + 32 < n ? x[i + 32] : 0.f;\n"
            "  float l = __shfl_sync(~0u, ?sw_cond(lane) ? left : mid, ?sw_xform(lane, 32)), r = __shfl_sync(~0u, ?sw_cond(lane) ? right : mid, ?sw_xform(lane, 32));\n"
            "  if (i < n) y[i] = l - 2 * mid + r;\n}\n",
            "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = (i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0); }\n",
            kRuns},
        Sketch{
            "WhatIsTakenAwayIsBroughtAgain",
            "  int v = x[t]; y[t] = __shfl_sync(~0u, v, ?sw_xform(t, 32)) - 3 * v + 2 * __shfl_sync(~0u, v, ?sw_xform(t, 32));",
            each("x[(i + 1) % 32] - x[i]"), kRuns},
        Sketch{
            "ProductsOfComplexNumbers",
            "__global__ void f(const float* x, const float* z, float* y, int n) {\n"
            "  const int lane = threadIdx.x;\n  const float a = x[lane], b = z[lane];\n"
            "  const float p = __shfl_sync(~0u, a, ?sw_xform(lane, 32)) * __shfl_sync(~0u, b, ?sw_xform(lane, 32));\n"
            "  const float q = __shfl_sync(~0u, a, ?sw_xform(lane, 32)) * __shfl_sync(~0u, b, ?sw_xform(lane, 32));\n"
            "  y[lane] = ?sw_cond(lane % 2) ? p - q : p + q;\n}\n",
            "void f(const float* x, const float* z, float* y, int n) {\n  for (int i = 0; i < n; i += 2) {\n"
            "    y[i] = x[i] * z[i] - x[i + 1] * z[i + 1];\n    y[i + 1] = x[i] * z[i + 1] + x[i + 1] * z[i];\n  }\n}\n",
            kRuns},
        Sketch{
            "PairsTurnedByAnAngle",
            "__global__ void f(const float* x, const float* c, const float* s, float* y, int n) {\n"
            "  const int lane = threadIdx.x;\n  const float v = x[lane], other = __shfl_sync(~0u, v, ?sw_xform(lane, 32));\n"
            "  y[lane] = ?sw_cond(lane % 2) ? v * c[lane / 2] - other * s[lane / 2] : v * c[lane / 2] + other * s[lane / 2];\n}\n",
            "void f(const float* x, const float* c, const float* s, float* y, int n) {\n  for (int j = 0; j < n / 2; j++) {\n"
            "    y[2 * j] = x[2 * j] * c[j] - x[2 * j + 1] * s[j];\n    y[2 * j + 1] = x[2 * j + 1] * c[j] + x[2 * j] * s[j];\n  }\n}\n",
            kRuns},
        Sketch{
            "ThreeSumsOfTwoFetches",
            "  const int v = x[t], p = __shfl_sync(~0u, v, ?sw_xform(t, 32)), q = __shfl_sync(~0u, v, ?sw_xform(t, 32)), o = ?sw_part(3, t);\n"
            "  y[t] = o == 0 ? p + q : o == 1 ? p - q : 3 * p + 2 * q;",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int p = x[(i + 5) % n], q = x[n - 1 - i]; y[i] = i < 7 ? p + q : i < 20 ? p - q : 3 * p + 2 * q; } }\n",
            kRuns},
        Sketch{
            "WrapsOfNarrowTypes",
            "__global__ void f(const short* x, short* y, int n) { int t = threadIdx.x; short v = x[t], u = __shfl_sync(~0u, v, ?sw_xform(t, 32)), w = ?sw_cond(t) ? v + v : u - v; y[t] = short(2 * v * (w - u)); }\n",
            "void f(const short* x, short* y, int n) { for (int i = 0; i < n; i++) { short u = x[(i + 3) % 32]; y[i] = i < 19 ? 2 * x[i] * (2 * x[i] - u) : -2 * x[i] * x[i]; } }\n"},
        Sketch{"WideConstants",
               "__global__ void f(long long* y, int n) { int t = threadIdx.x; y[t] = ?sw_cond(t) ? 1ll << 32 : 0; }\n",
               "void f(long long* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 9 ? 1ll << 32 : 0; }\n"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(ConstantsAmongData, ThatNoChoiceMakesAreInfeasible) {
  const ToolResult product = run_sketch({"", "  y[t] = x[t] * (2 + ?sw_xform(t, 32));", each("0 * x[i]")});
  EXPECT_EQ(product.exit_code, 10) << product.output;
  const ToolResult maximum = run_sketch({"", kSecondWord + words("y[t] = max(x[t], ?sw_cond(t) ? x[n + t] : 1u);"),
                                         each_word("i < 7 ? x[i] : max(x[i], x[n + i])")});
  EXPECT_EQ(maximum.exit_code, 10) << maximum.output;
  const ToolResult difference = run_sketch({"", "  int v = x[t]; y[t] = __shfl_sync(~0u, v, ?sw_xform(t, 32)) - 3 * v;",
                                            each("x[(i + 1) % 32] - 2 * x[i]")});
  EXPECT_EQ(difference.exit_code, 10) << difference.output;
}

// Minima of maxima of minima with a number among them: one form leads to another, and to no end of them.
TEST(ConstantsAmongData, AreLimitsInsideOfLimits) {
  const ToolResult r = run_sketch({"", "  y[t] = x[?sw_xform(t, 32)];", R"(
void f(const int* x, int* y, int n) {
  for (int b = 0; b < n; b += 16) {
    int v[16];
    for (int k = 0; k < 16; k++) v[k] = x[b + k];
    for (int k = 2; k <= 16; k *= 2)
      for (int d = k / 2; d > 0; d /= 2)
        for (int l = 0; l < 16; l++)
          if ((l & d) == 0) {
            const int lo = min(v[l], v[l + d]), hi = max(v[l], v[l + d]);
            const bool down = (l & k & 15) != 0;
            v[l] = down ? hi : lo;
            v[l + d] = down ? 2 : hi;
          }
    for (int k = 0; k < 16; k++) y[b + k] = v[k];
  }
}
)"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

}  // namespace
}  // namespace swizzle::test::constants_among_data_test
