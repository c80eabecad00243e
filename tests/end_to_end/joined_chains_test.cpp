// Chains of steps that go on side by side, and come together in each output: carries, products and sums of two scans.
#include <string>

#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::joined_chains_test {
namespace {

std::string kernel_of(const std::string& begins, const std::string& step, const std::string& ends) {
  return "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle check n = 96\n"
         "__global__ void f(const unsigned* a, const unsigned* b, unsigned* y, int n) {\n"
         "  const int lane = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;\n  unsigned " +
         begins + ";\n  for (int d = 1; d < 32; d *= 2) {\n" + step + "  }\n  y[i] = " + ends + ";\n}\n";
}

std::string spec_of(const std::string& begins, const std::string& element) {
  return "void f(const unsigned* a, const unsigned* b, unsigned* y, int n) {\n  for (int r = 0; r < n / 32; r++) {\n"
         "    unsigned " +
         begins + ";\n    for (int j = r * 32; j < r * 32 + 32; j++) " + element + "\n  }\n}\n";
}

constexpr const char* kOneScan =
    "    const int from = ?sw_xform(lane, 32, d);\n"
    "    const unsigned g2 = __shfl_sync(~0u, g, from), p2 = __shfl_sync(~0u, p, from);\n";

// Kogge and Stone 1973: no law of `|` and `&` alone says that both are equal.
TEST(JoinedChains, OfCarriesAreFoundAndProved) {
  const std::string step = std::string(kOneScan) + "    if (?sw_cond(lane, d)) { g |= p & g2; p &= p2; }\n";
  const std::string kernel = kernel_of("g = a[i] & b[i], p = a[i] | b[i]", step, "g");
  const std::string element = "y[j] = c = (a[j] & b[j]) | ((a[j] | b[j]) & c);";
  expect_verified({"carries", kernel, spec_of("c = 0", element), kRuns});
  EXPECT_EQ(run_sketch({"", kernel, spec_of("c = ~0u", element)}).exit_code, 10) << "nothing brings a carry in";
}

// Each scan must be right by itself, as neither has what the other one is made of.
TEST(JoinedChains, OfTwoScansAreFoundAndProved) {
  const std::string two =
      "    const unsigned g2 = __shfl_sync(~0u, g, ?sw_xform(lane, 32, d));\n"
      "    const unsigned p2 = __shfl_sync(~0u, p, ?sw_xform(lane, 32, d));\n"
      "    if (?sw_cond(lane, d)) g += g2;\n    if (?sw_cond(lane, d)) p += p2;\n";
  for (const char* joined : {"g * p", "g + 3 * p", "g - p"}) {
    const std::string element = std::string("{ g += a[j]; p += b[j]; y[j] = ") + joined + "; }";
    SCOPED_TRACE(joined);
    expect_verified({"", kernel_of("g = a[i], p = b[i]", two, joined), spec_of("g = 0, p = 0", element)});
  }
}

// What is added up must be what some output wants, wherever it goes then: neither shuffle is tried with all of the
// other.
TEST(JoinedChains, OfSumsThatGoOnAreFoundAndProved) {
  constexpr const char* kSums =
      "int s = x[t] + 2 * __shfl_sync(~0u, x[t], ?sw_xform(t, 32)) + 3 * __shfl_sync(~0u, x[t], ?sw_xform(t, 32));\n";
  const auto spec = [](const char* output) {
    return fmt::format(
        "void f(const int* x, int* y, int n) {{\n  int s[32];\n"
        "  for (int i = 0; i < 32; i++) s[i] = x[i] + 2 * x[(i + 1) % 32] + 3 * x[(i + 2) % 32];\n"
        "  for (int i = 0; i < 32; i++) y[i] = {};\n}}\n",
        output);
  };
  expect_verified(
      {"moved", std::string(kSums) + "y[t] = __shfl_sync(~0u, s, ?sw_xform(t, 32));", spec("s[31 - i]"), kRuns});
  expect_verified({"pooled", std::string(kSums) + "y[t] = max(s, __shfl_sync(~0u, s, ?sw_xform(t, 32)));",
                   spec("s[i] > s[i ^ 1] ? s[i] : s[i ^ 1]")});
}

}  // namespace
}  // namespace swizzle::test::joined_chains_test
