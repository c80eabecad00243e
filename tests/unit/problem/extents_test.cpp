#include "synth/problem/extents.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::extents_test {
namespace {

// How long x is where the spec stores to y[0 … n - 1] what it reads at x[index].
ExtentText extent_of(const std::string& parameters, const std::string& index, const std::vector<Sizes>& sizes,
                     const std::string& before = "", const std::string& element = "int") {
  const std::string head = "void f(const " + element + "* x, int* y" + parameters + ") {";
  const auto sketch =
      parse_kernel(SourceText("f.cu", "#pragma swizzle launch grid(1) block(1)\n__global__ " + head + "}\n"), "");
  const auto spec = parse_spec(SourceText("f.cpp", before + head + " for (int i = 0; i < n; i++) y[i] = x[" + index +
                                                       "]" + (element == "int" ? "" : ".x") + "; }\n"),
                               "f");
  EXPECT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
  std::vector<Posed> posed;
  for (const Sizes& s : sizes) {
    const auto measured = measure(*sketch, *spec, s);
    EXPECT_TRUE(measured.ok()) << render(measured.errors()[0]);
    posed.push_back(*measured);
  }
  const auto text = extent_text({*sketch, *spec, posed}, 0, {0, 1});
  return text.ok() ? *text : ExtentText{render(text.errors()[0]), {}};
}

TEST(Extents, AreLinesThroughWhatIsPosed) {
  EXPECT_EQ(extent_of(", int n", "i + 2", {{{"n", 64}}, {{"n", 256}}}).text, "n + 2");
  EXPECT_EQ(extent_of(", int n", "2 * i", {{{"n", 64}}, {{"n", 256}}}).text, "2 * n - 1");
}

TEST(Extents, TellParametersOfOneValueFromConstants) {
  const ExtentText varying = extent_of(", int n, int d", "i + 4 * d", {{{"d", 4}, {"n", 64}}, {{"d", 4}, {"n", 128}}});
  EXPECT_EQ(varying.text, "4 * d + n");
  EXPECT_TRUE(varying.fixed.empty());
  EXPECT_EQ(extent_of(", int n, int d", "i + 16", {{{"d", 4}, {"n", 64}}}).text, "n + 16");
}

TEST(Extents, MayHaveProductsAndSquares) {
  EXPECT_EQ(extent_of(", int n, int d", "i * d", {{{"d", 4}, {"n", 64}}, {{"d", 6}, {"n", 32}}}).text, "d * n + 1 - d");
  EXPECT_EQ(extent_of(", int n", "i * n", {{{"n", 8}}}).text, "n * n + 1 - n");
}

TEST(Extents, AreThoseOfWholeMultiplesWhereASizeComesInSuch) {
  EXPECT_EQ(extent_of(", int n", "i / 32 * 32 + 31 - i % 32", {{{"n", 64}}}).text, "n");
}

TEST(Extents, AreFixedWhereTheSpecHasNoOtherSize) {
  const ExtentText text = extent_of(", int n, int d", "i + shift[d]", {{{"d", 2}, {"n", 64}}, {{"d", 2}, {"n", 96}}},
                                    "static const int shift[] = {0, 1, 7};\n");
  EXPECT_EQ(text.text, "n + 7");
  EXPECT_EQ(text.fixed, (Sizes{{"d", 2}}));
}

TEST(Extents, AreInItems) { EXPECT_EQ(extent_of(", int n", "i + 1", {{{"n", 64}}}, "", "float2").text, "n + 1"); }

TEST(Extents, ThatAreNoPolynomialAreAnError) {
  EXPECT_NE(extent_of(", int n", "i / 3", {{{"n", 64}}, {{"n", 128}}, {{"n", 256}}}).text.find("cannot be told"),
            std::string::npos);
}

}  // namespace
}  // namespace swizzle::extents_test
