// Words that are looked at as their bytes, and constants that have no formula.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::bits_views_test {
namespace {

Sketch sketch_of(const std::string& body, const std::string& spec) {
  return {
      "",
      fmt::format("#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle "
                  "bits(x, y)\n__global__ void f(const unsigned* x, unsigned* y, int n) {{\n  int t = threadIdx.x;\n"
                  "  {}\n}}\n",
                  body),
      fmt::format("void f(const unsigned* x, unsigned* y, int n) {{ for (int t = 0; t < n; t++) {{ {} }} }}\n", spec),
      kRuns};
}

constexpr const char* kReversed = "y[t] = x[t] >> 24 | (x[t] >> 8 & 0xff00) | (x[t] << 8 & 0xff0000) | x[t] << 24;";

TEST(BitsViews, BytesOfARegister) {
  expect_verified(
      sketch_of("unsigned w = x[t], r; unsigned char* a = reinterpret_cast<unsigned char*>(&w); unsigned "
                "char* b = reinterpret_cast<unsigned char*>(&r); for (int i = 0; i < 4; i++) b[i] = a[3 - i]; "
                "y[t] = r;",
                kReversed));
}

TEST(BitsViews, BytesOfSharedWords) {
  expect_verified(
      sketch_of("__shared__ unsigned s[32]; s[t] = x[t]; __syncthreads(); unsigned char* b = "
                "reinterpret_cast<unsigned char*>(s); y[t] = b[4 * t + 3] | b[4 * t + 2] << 8 | b[4 * t + 1] "
                "<< 16 | (unsigned)b[4 * t] << 24;",
                kReversed));
}

TEST(BitsViews, BytesOfAUnion) {
  expect_verified(
      sketch_of("union { unsigned w; unsigned char b[4]; } u, v; u.w = x[t]; for (int i = 0; i < 4; i++) "
                "v.b[i] = u.b[3 - i]; y[t] = v.w;",
                kReversed));
}

TEST(BitsViews, BytesOfWhatLiesInMemoryAreRefused) {
  const ToolResult r = run_sketch(sketch_of(
      "const unsigned* p[2] = {x, x + 1}; y[t] = reinterpret_cast<const unsigned char*>(p[t % 2])[t];", kReversed));
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("only integers can be looked at as narrower values"), std::string::npos) << r.output;
}

TEST(BitsViews, MasksOfRoundsWithoutAFormulaAreAnArray) {
  const ToolResult r = run_sketch(
      sketch_of("unsigned r = 0, v = x[t]; for (int k = 0; k < 3; k++) r ^= v >> 7 * k & ?sw_mask(k); y[t] = r;",
                "y[t] = (x[t] & 0x1) ^ (x[t] >> 7 & 0x60) ^ (x[t] >> 14 & 0x800);"));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_NE(r.kernel.find("const unsigned masks[3] = {0x00000001u, 0x00000060u, 0x00000800u};"), std::string::npos)
      << r.kernel;
}

}  // namespace
}  // namespace swizzle::test::bits_views_test
