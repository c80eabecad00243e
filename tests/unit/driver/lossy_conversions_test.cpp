#include "driver/lossy_conversions.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::lossy_conversions_test {
namespace {

Program parsed(const std::string& body) {
  const auto program = parse_spec(SourceText("a.cpp",
                                             "#define CUT(v) ((int)(v))\nvoid f(const float* x, const double* d, "
                                             "const int* k, const short* s, float* y, int* z) {\n" +
                                                 body + "\n}\n"),
                                  "f");
  EXPECT_TRUE(program.ok()) << render(program.errors()[0]);
  return *program;
}

std::vector<std::string> warned(const std::string& body, const std::string& other = "") {
  const auto program = parsed(body), also = parsed(other);
  std::vector<std::string> told;
  for (const Diagnostic& w : lossy_conversions(program, &also)) {
    EXPECT_EQ(w.severity, Severity::kWarning);
    told.push_back(std::to_string(w.where.line) + ":" + std::to_string(w.where.column) + " " + w.message);
  }
  return told;
}

using Told = std::vector<std::string>;

TEST(LossyConversions, AnIntegerThatTakesAReal) {
  EXPECT_EQ(warned("  int a = x[0];\n  z[0] = a;"),
            Told{"3:11 what is behind the point is lost: 'float' becomes 'int' here; write a cast if that is meant"});
}

TEST(LossyConversions, ASumOfRealsThatIsKeptInAnInteger) {
  EXPECT_EQ(
      warned("  int a = 0;\n  for (int k = 0; k < 3; k++) a += x[k];\n  z[0] = a;"),
      Told{
          "4:31 what is behind the point is lost: '+=' is computed in 'float' and kept in 'int'; write a cast if that is meant"});
}

TEST(LossyConversions, ADoubleThatIsReadAsAFloat) {
  EXPECT_EQ(warned("  y[0] = d[1];").size(), 1u);
  EXPECT_EQ(warned("  float a = d[1];\n  y[0] = a;").size(), 1u);
}

TEST(LossyConversions, WhatIsWrittenIsMeant) {
  EXPECT_EQ(warned("  z[0] = (int)x[0];\n  z[1] = int(x[1]);\n  z[2] = static_cast<int>(x[2]);\n  z[3] = CUT(x[3]);"),
            Told{});
}

TEST(LossyConversions, NothingIsLostOfConstantsAndOfWhatIsWidened) {
  EXPECT_EQ(warned("  float a = 0.5, b = 3, c = -1.5;\n  double e = x[0];\n  int i = 2;\n  y[0] = a + b + c * i;\n"
                   "  z[0] = i * 3;\n  y[1] = x[1] * 0.5;\n  if (e > 0) y[2] = 1;"),
            Told{});
}

TEST(LossyConversions, IntegersThatBecomeNarrower) {
  EXPECT_EQ(warned("  short a = k[0];\n  z[0] = a;"),
            Told{"3:13 the upper bits are lost: 'int' becomes 'short' here; write a cast if that is meant"});
  EXPECT_EQ(warned("  long long a = k[0];\n  z[0] = a;").size(), 0u);
  EXPECT_EQ(warned("  long long a = 1ll << k[0];\n  a *= 3;\n  z[0] = a;").size(), 1u);
  EXPECT_EQ(warned("  unsigned a = k[0];\n  unsigned char b = a;\n  z[0] = b;").size(), 1u);
  EXPECT_EQ(
      warned("  short a = 0;\n  a += k[1];\n  z[0] = a;"),
      Told{
          "4:3 the upper bits are lost: '+=' is computed in 'int' and kept in 'short'; write a cast if that is meant"});
  EXPECT_EQ(warned("  short a = s[0] * s[1];\n  z[0] = a;").size(), 1u);
}

TEST(LossyConversions, WhatIsKeptAsTrueOrFalse) {
  EXPECT_EQ(warned("  bool a = k[0];\n  z[0] = a;"),
            Told{"3:12 all but whether it is 0 is lost: 'int' becomes 'bool' here; write a cast if that is meant"});
  EXPECT_EQ(warned("  bool a = x[0];\n  z[0] = a;").size(), 1u);
  EXPECT_EQ(warned("  if (k[0] && x[0]) z[0] = !k[1] ? 1 : 2;\n  bool a = k[0] > 1 || k[1];\n  z[1] = a;"), Told{});
}

TEST(LossyConversions, DoublesThatAreComputed) {
  EXPECT_EQ(warned("  float a = d[0] * 2 + 1;\n  y[0] = a;").size(), 1u);
  EXPECT_EQ(warned("  float a = 0;\n  a += d[0];\n  y[0] = a;").size(), 1u);
  EXPECT_EQ(warned("  y[0] = fabs(d[0]);").size(), 1u);
}

TEST(LossyConversions, WhatGoesThereAndBackLosesNothing) {
  EXPECT_EQ(warned("  double a = x[0];\n  double b = a * 2;\n  float c = b;\n  y[0] = c;"), Told{});
  EXPECT_EQ(warned("  int a = s[0];\n  short b = a > 3 ? a : s[1];\n  z[0] = b;"), Told{});
  EXPECT_EQ(warned("  unsigned char a = k[0] >> 8 & 0xff;\n  z[0] = a;"), Told{});
}

TEST(LossyConversions, AnIndexIsNoDatum) {
  EXPECT_EQ(
      warned("  for (short a = 0; a < 9; a++) { unsigned char b = a * 2 + 1; long c = b; int e = c; z[e] = k[e]; }"),
      Told{});
}

TEST(LossyConversions, WhatTheOtherConvertsLikewiseIsMeant) {
  EXPECT_EQ(warned("  short a = k[0];\n  z[0] = a;", "  short b = k[3];\n  z[0] = b;"), Told{});
  EXPECT_EQ(warned("  short a = k[0];\n  z[0] = a;", "  z[0] = (short)k[3];"), Told{});
  EXPECT_EQ(warned("  short a = s[0] + s[1];\n  z[0] = a;", "  short b = 0;\n  b += s[3];\n  z[0] = b;"), Told{});
  EXPECT_EQ(warned("  short b = 0;\n  b += s[3];\n  z[0] = b;"), Told{});
  EXPECT_EQ(warned("  short a = k[0];\n  z[0] = a;", "  signed char b = k[3];\n  z[0] = b;").size(), 1u);
}

TEST(LossyConversions, AFunctionOfThePreludeIsNotTheUsers) {
  EXPECT_EQ(warned("  int a = __float2int_rd(x[0]);\n  z[0] = a;"), Told{});
}

}  // namespace
}  // namespace swizzle::lossy_conversions_test
