// A completion of words costs what it costs when it stands in the sketch, its constants written out.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::bits_prices_test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

void expect_same_price(const std::string& sketch, const std::string& spec) {
  const ToolResult found = run_sketch({"", sketch, spec});
  ASSERT_EQ(found.exit_code, 0) << found.output;
  ASSERT_EQ(found.report["optimality"], "proved");
  ASSERT_EQ(found.kernel.find("?sw_"), std::string::npos);
  const ToolResult again = run_sketch({"", replaced(found.kernel, "// swizzle ", "#pragma swizzle "), spec});
  ASSERT_EQ(again.exit_code, 0) << again.output;
  EXPECT_EQ(again.report["cost"], found.report["cost"]) << found.kernel;
}

class PublishedPrices : public ::testing::TestWithParam<const char*> {};
TEST_P(PublishedPrices, AreTheSameWithTheConstantsWrittenOut) {
  const std::string name = GetParam();
  const std::filesystem::path root = SWIZZLE_SOURCE_DIR;
  expect_same_price(read_file(root / "sketches" / (name + ".cu")), read_file(root / "specs" / (name + ".cpp")));
}

INSTANTIATE_TEST_SUITE_P(Bits, PublishedPrices,
                         ::testing::Values("bits_ballot", "bits_bytes4", "bits_crumbs32", "bits_half16", "bits_hybrid",
                                           "bits_interleave4", "bits_morton", "bits_nibbles32", "bits_pack4",
                                           "bits_reverse", "bits_shared", "bits_shuffle32", "bits_shuffle8",
                                           "bits_slices", "bits_wide", "bits_wide4", "bits_wide64"),
                         [](const auto& i) { return std::string(i.param); });

struct Priced {
  const char* name;
  std::string body, spec;
};

class BitPrices : public ::testing::TestWithParam<Priced> {
 protected:
  static std::string sketch_of(const std::string& body) {
    return "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n"
           "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  const int t = threadIdx.x;\n" +
           body + "\n}\n";
  }
  static std::string spec_of(const std::string& body) {
    return "void f(const unsigned* x, unsigned* y, int n) { for (int t = 0; t < n; t++) { " + body + " } }\n";
  }
};

TEST_P(BitPrices, AreTheSameWithTheConstantsWrittenOut) {
  expect_same_price(sketch_of(GetParam().body), spec_of(GetParam().spec));
}

const Priced kPriced[] = {
    {"OneMaskTwice",
     "  const unsigned m = ?sw_mask(), a = x[t], b = __shfl_xor_sync(~0u, a, ?sw_const(1, 32));\n"
     "  y[t] = (a & m) | (b & ~m);",
     "y[t] = (x[t] & 0xf00ff00f) | (x[t ^ 4] & 0x0ff00ff0);"},
    {"TwoMasks",
     "  const unsigned a = x[t], b = __shfl_xor_sync(~0u, a, ?sw_const(1, 32));\n"
     "  y[t] = (a & ?sw_mask()) | (b & ?sw_mask());",
     "y[t] = (x[t] & 0xf00ff00f) | (x[t ^ 4] & 0x0ff00ff0);"},
    {"ShiftsOfRounds",
     "  unsigned a = x[t];\n  for (int k = 0; k < 3; k++) a ^= a >> ?sw_const(1, 32, k);\n  y[t] = a;",
     "y[t] = 0; for (int d = 0; d < 8; d++) y[t] ^= x[t] >> d;"},
    {"MasksOfRoundsInverted",
     "  for (int k = 0; k < 4; k++) {\n    const unsigned a = x[4 * t + k], b = x[4 * t + (k ^ 1)];\n"
     "    y[4 * t + k] = (a & ?sw_mask(k)) | (b & ?sw_mask(k));\n  }",
     "for (int k = 0; k < 4; k++) { const unsigned m = 0xffu << 8 * k; y[4 * t + k] = (x[4 * t + k] & ~m) | (x[4 * t + (k ^ 1)] & m); }"},
    {"MasksOfLanes", "  const unsigned a = x[t], p = a & ?sw_mask(t), q = x[t ^ 1] & ?sw_mask(t);\n  y[t] = p | q;",
     "y[t] = (x[t] & (1u << t)) | (x[t ^ 1] & (t % 2 == 0 ? 0x0f00u : 0xf000u) & ~(1u << t));"},
    {"BytesOfTwoWords", "  y[t] = __byte_perm(x[t], x[t ^ 1], ?sw_bytes());", "y[t] = x[t] >> 16 | x[t ^ 1] << 16;"},
    {"AChosenWord", "  const unsigned a = x[t], b = x[t ^ 1];\n  y[t] = ?sw_choose(a & b, a | b, a ^ b, a & ~b);",
     "y[t] = (x[t] | x[t ^ 1]) & ~(x[t] & x[t ^ 1]);"},
    {"ARotation", "  const unsigned a = x[t];\n  y[t] = __funnelshift_l(a, a, ?sw_const(0, 32, t));",
     "y[t] = 5 * t % 32 == 0 ? x[t] : x[t] << 5 * t % 32 | x[t] >> (32 - 5 * t % 32);"},
};

INSTANTIATE_TEST_SUITE_P(Of, BitPrices, ::testing::ValuesIn(kPriced), [](const auto& i) { return i.param.name; });

// Operations count as they are written: a mask of 0 may make one needless, which nobody who knows it would write.
TEST(BitPrices, WhatAMaskMakesNeedlessCountsWhileTheMaskIsOpen) {
  const std::string head =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n"
      "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  const int t = threadIdx.x;\n";
  const std::string spec =
      "void f(const unsigned* x, unsigned* y, int n) { for (int t = 0; t < n; t++) y[t] = x[t]; }\n";
  const ToolResult open = run_sketch({"", head + "  y[t] = x[t] | (x[t ^ 1] >> 3 & ?sw_mask());\n}\n", spec});
  const ToolResult known = run_sketch({"", head + "  y[t] = x[t] | (x[t ^ 1] >> 3 & 0);\n}\n", spec});
  ASSERT_EQ(open.exit_code, 0) << open.output;
  ASSERT_EQ(known.exit_code, 0) << known.output;
  EXPECT_GE(open.report["cost"]["accumulates"], known.report["cost"]["accumulates"]);
}

// Of three words one LOP3 is any function, whatever names its parts have.
TEST(BitPricesOfNames, AreThoseOfOneExpression) {
  const auto accumulates = [](const std::string& body) {
    const ToolResult r = run_sketch(
        {"",
         "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n"
         "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  const int t = threadIdx.x;\n"
         "  const unsigned a = x[t], b = __shfl_xor_sync(~0u, a, 1), m = ?sw_mask();\n  " +
             body + "\n}\n",
         "void f(const unsigned* x, unsigned* y, int n) { for (int t = 0; t < n; t++) y[t] = (x[t] & 0xff00ff) | "
         "(x[t ^ 1] & 0xff00ff00); }\n"});
    EXPECT_EQ(r.exit_code, 0) << body << r.output;
    return r.report["cost"]["accumulates"];
  };
  EXPECT_EQ(accumulates("y[t] = (a & m) | (b & ~m);"), 1);
  EXPECT_EQ(accumulates("const unsigned p = a & m; const unsigned q = b & ~m; y[t] = p | q;"), 1);
  EXPECT_EQ(accumulates("const unsigned p = a & m, n_ = ~m, q = b & n_; y[t] = p | q;"), 1);
  EXPECT_EQ(accumulates("unsigned r = a & m; r |= b & ~m; y[t] = r;"), 2) << "set twice";
  EXPECT_EQ(accumulates("const unsigned p = a & m; unsigned r = 0; if (t >= 0) r = p | (b & ~m); y[t] = r;"), 2)
      << "used elsewhere";
}

}  // namespace
}  // namespace swizzle::test::bits_prices_test
