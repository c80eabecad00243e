#include "driver/lossy_conversions.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::lossy_conversions_test {
namespace {

std::vector<std::string> warned(const std::string& body) {
  const auto program = parse_spec(
      SourceText("a.cpp", "#define CUT(v) ((int)(v))\nvoid f(const float* x, const double* d, float* y, int* z) {\n" +
                              body + "\n}\n"),
      "f");
  EXPECT_TRUE(program.ok()) << render(program.errors()[0]);
  std::vector<std::string> told;
  for (const Diagnostic& w : lossy_conversions(*program)) {
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
  EXPECT_EQ(warned("  float a = 0.5, b = 3, c = -1.5;\n  double e = x[0];\n  int k = 2;\n  y[0] = a + b + c * k;\n"
                   "  z[0] = k * 3;\n  y[1] = x[1] * 0.5;\n  if (e > 0) y[2] = 1;"),
            Told{});
}

}  // namespace
}  // namespace swizzle::lossy_conversions_test
