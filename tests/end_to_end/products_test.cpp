// Products of polynomials over GF(2), as people write them: one condition for both branches, Karatsuba's three
// products.
#include <string>

#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::products_test {
namespace {

// Of 2 · half coefficients: a lane has two of each operand, `half` lanes apart.
std::string kernel_of(const std::string& fetches, const std::string& step, const std::string& outputs) {
  return "#pragma swizzle launch grid(n) block(32)\n#pragma swizzle instance n = 1\n#pragma swizzle check n = 3\n"
         "__global__ void f(const unsigned* a, const unsigned* b, unsigned* c, int n) {\n"
         "  const int lane = threadIdx.x, p = blockIdx.x;\n"
         "  const unsigned x0 = a[p * 64 + lane], x1 = a[p * 64 + 32 + lane];\n"
         "  const unsigned w0 = b[p * 64 + lane], w1 = b[p * 64 + 32 + lane];\n"
         "  unsigned v0 = 0, v1 = 0, v2 = 0, v3 = 0, v4 = 0, v5 = 0;\n  for (int k = 0; k < 32; k++) {\n" +
         fetches +
         "    const unsigned a0 = __shfl_sync(~0u, x0, s0), a1 = __shfl_sync(~0u, x1, s1);\n"
         "    const unsigned b0 = __shfl_sync(~0u, w0, r0), b1 = __shfl_sync(~0u, w1, r1);\n" +
         step + "  }\n" + outputs + "}\n";
}

constexpr const char* kTwoFetches =
    "    const int s0 = ?sw_xform(lane, 32, k), r0 = ?sw_xform(lane, 32, k), s1 = s0, r1 = r0;\n";
constexpr const char* kFourFetches =
    "    const int s0 = ?sw_xform(lane, 32, k), r0 = ?sw_xform(lane, 32, k);\n"
    "    const int s1 = ?sw_xform(lane, 32, k), r1 = ?sw_xform(lane, 32, k);\n";

constexpr const char* kBriefly = "--time-limit 10";  // of which a part goes to looking for other expressions

constexpr const char* kSpec =
    "void f(const unsigned* a, const unsigned* b, unsigned* c, int n) {\n  for (int p = 0; p < n; p++)\n"
    "    for (int i = 0; i < 128; i++) {\n      unsigned sum = 0;\n"
    "      for (int k = 0; k < 64; k++)\n        if (i - k >= 0 && i - k < 64) sum ^= a[p * 64 + k] & b[p * 64 + i - k];\n"
    "      c[p * 128 + i] = sum;\n    }\n}\n";

// Four products, of which one branch has the lower and the other the upper halves of the outputs.
TEST(BinaryProducts, ByTwoBranchesOfOneConditionAreFoundAndProved) {
  const std::string outputs =
      "  c[p * 128 + lane] = v0; c[p * 128 + 32 + lane] = v1;\n"
      "  c[p * 128 + 64 + lane] = v2; c[p * 128 + 96 + lane] = v3;\n";
  const std::string then =
      "    if (?sw_cond(lane, k)) { v0 ^= a0 & b0; v1 ^= a0 & b1; v1 ^= a1 & b0; v2 ^= a1 & b1; }\n";
  const std::string otherwise = "    else { v1 ^= a0 & b0; v2 ^= a0 & b1; v2 ^= a1 & b0; v3 ^= a1 & b1; }\n";
  expect_verified({"", kernel_of(kTwoFetches, then + otherwise, outputs), kSpec, kRuns});
  const std::string without = "    else { v1 ^= a0 & b0; v2 ^= a0 & b1; v3 ^= a1 & b1; }\n";
  EXPECT_EQ(run_sketch({"", kernel_of(kTwoFetches, then + without, outputs), kSpec, !kRuns, kBriefly}).exit_code, 10);
}

// Karatsuba and Ofman 1962: what the product of the sums has too much is taken away again.
TEST(BinaryProducts, OfKaratsubaAreFoundAndProved) {
  const std::string outputs =
      "  c[p * 128 + lane] = v0; c[p * 128 + 32 + lane] = v1 ^ v4 ^ v0 ^ v2;\n"
      "  c[p * 128 + 64 + lane] = v2 ^ v5 ^ v1 ^ v3; c[p * 128 + 96 + lane] = v3;\n";
  const std::string sums = "    const unsigned as = a0 ^ a1, bs = b0 ^ b1;\n";
  const std::string one =
      "    if (?sw_cond(lane, k)) { v0 ^= a0 & b0; v2 ^= a1 & b1; v4 ^= as & bs; }\n"
      "    else { v1 ^= a0 & b0; v3 ^= a1 & b1; v5 ^= as & bs; }\n";
  const std::string six =
      "    if (?sw_cond(lane, k)) v0 ^= a0 & b0;\n    if (?sw_cond(lane, k)) v1 ^= a0 & b0;\n"
      "    if (?sw_cond(lane, k)) v2 ^= a1 & b1;\n    if (?sw_cond(lane, k)) v3 ^= a1 & b1;\n"
      "    if (?sw_cond(lane, k)) v4 ^= as & bs;\n    if (?sw_cond(lane, k)) v5 ^= as & bs;\n";
  expect_verified({"", kernel_of(kTwoFetches, sums + one, outputs), kSpec});
  expect_verified({"", kernel_of(kFourFetches, sums + six, outputs), kSpec});
  const std::string without = "  c[p * 128 + lane] = v0; c[p * 128 + 32 + lane] = v1 ^ v4 ^ v0;\n" +
                              outputs.substr(outputs.find("  c[p * 128 + 64"));
  EXPECT_EQ(run_sketch({"", kernel_of(kTwoFetches, sums + one, without), kSpec, !kRuns, kBriefly}).exit_code, 10);
}

}  // namespace
}  // namespace swizzle::test::products_test
