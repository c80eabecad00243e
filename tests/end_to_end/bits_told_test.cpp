// What is known of words, and what is said where bits cannot arrive.
#include <gtest/gtest.h>

#include "tests/end_to_end/bits_sketch.h"

namespace swizzle::test::bits_told_test {
namespace {

using namespace bits;

TEST(BitsToTell, FunnelShiftsOfKnownWordsAreKnown) {
  for (const char* shifted :
       {"__funnelshift_l(0xff00ffu, 0xff00ffu, 5)", "__funnelshift_r(0xff00ffu, 0x1u, t)",
        "__funnelshift_lc(0xff00ffu, 0x1u, t + 16)", "__funnelshift_rc(0xff00ffu, 0x1u, t + 16)"}) {
    const std::string value = fmt::format("x[t] & {}", shifted);
    expect_verified({"", kernel_of(fmt::format("y[t] = ?sw_choose({}, 0u);", value)),
                     spec_of(fmt::format("y[t] = {};", value)), kRuns});
  }
  expect_verified({"", kernel_of("const unsigned m = ?sw_mask(); y[t] = x[t] & __funnelshift_l(m, m, t);"),
                   spec_of("y[t] = x[t] & (0xf0fu << t | (t == 0 ? 0 : 0xf0fu >> (32 - t)));"), kRuns});
}

// What two words have together, what one inverts, and lanes that each keep another word.
TEST(BitsToFind, OrsComplementsAndPlacesOfWords) {
  expect_verified(
      {"",
       kernel_of("const unsigned char v = x[t]; y[t] = (v & ?sw_mask()) | (v >> ?sw_const(0, 8) & ?sw_mask());",
                 "unsigned char"),
       spec_of("y[t] = x[t] | (x[t] >> 1);", "unsigned char"), kRuns});
  expect_verified({"",
                   kernel_of("const unsigned v = x[t], b = v >> ?sw_const(0, 32), c = ~v >> ?sw_const(0, 32);\n"
                             "  y[t] = (b & ?sw_mask()) | (c & ?sw_mask());"),
                   spec_of("y[t] = (x[t] >> 5 & 0x00f0f0f0) | (~x[t] >> 9 & 0x000f0f0f);"), kRuns});
  expect_verified({"",
                   kernel_of("unsigned column = 0;\n  for (int k = 0; k < 32; k++) {\n"
                             "    const unsigned heard = __ballot_sync(~0u, x[t] >> ?sw_const(0, 32, k) & 1);\n"
                             "    if (t == ?sw_const(0, 32, k)) column = heard;\n  }\n  y[t] = column;"),
                   kTransposed, kRuns});
}

// One round of three spreads any single bit as far, and not all of them.
TEST(BitsToTell, WhatOtherBitsKeepOutIsNotCalledOutOfReach) {
  const std::string sketch = kernel_of(
      "unsigned a = x[t]; a = (a | a << ?sw_const(1, 16)) & ?sw_mask(); a = (a | a << ?sw_const(1, 16)) & ?sw_mask();\n"
      "  a = (a | a << ?sw_const(1, 16)) & ?sw_mask(); y[t] = a;");
  const ToolResult all =
      run_sketch({"", sketch, spec_of("y[t] = 0; for (int b = 0; b < 8; b++) y[t] |= (x[t] >> b & 1) << 4 * b;")});
  EXPECT_EQ(all.exit_code, 10) << all.output;
  EXPECT_NE(all.output.find("which cannot come there beside the others"), std::string::npos) << all.output;
  EXPECT_EQ(run_sketch({"", sketch, spec_of("y[t] = (x[t] >> 4 & 1) << 16;")}).exit_code, 0);
}

TEST(BitsToTell, OneRoundTooFewNamesTheBit) {
  const ToolResult r = run_sketch({"", kernel_of(R"(
  unsigned a = x[t];
  for (int k = 0; k < 4; k++) {
    const int s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k), b = __shfl_xor_sync(0xffffffffu, a, 1 << ?sw_const(0, 5, k));
    const unsigned c = (t & s) == 0 ? b << s : b >> s, kept = (t & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[t] = a;)"),
                                   kTransposed});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("bit 31 of y[0] needs bit 0 of x[31], which no choice of the holes brings there"),
            std::string::npos)
      << r.output;
}

// Whatever the four distances are: bits of 32 words cannot come together in four rounds.
TEST(BitsToTell, OneRoundTooFewIsToldOfAnyDistances) {
  const ToolResult r = run_sketch({"", kernel_of(R"(
  unsigned a = x[t];
  for (int k = 0; k < 4; k++) {
    const int s = ?sw_const(1, 32, k);
    const unsigned m = ?sw_mask(k), b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 32, k));
    const unsigned c = (t & s) == 0 ? b << s : b >> s, kept = (t & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[t] = a;)"),
                                   kTransposed});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("bit 16 of y[0] needs bit 0 of x[16], which cannot come there beside the others: y[0] needs "
                          "bits of 32 elements, and no more than 16 can come together there"),
            std::string::npos)
      << r.output;
}

}  // namespace
}  // namespace swizzle::test::bits_told_test
