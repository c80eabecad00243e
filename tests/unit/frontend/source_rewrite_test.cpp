#include "frontend/source_rewrite.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

TEST(SourceRewrite, HolesKeepEveryOffset) {
  EXPECT_EQ(rewrite_source("a[?sw_part(2, t)] = b ? c : d;").text, "a[$sw_part(2, t)] = b ? c : d;");
}

TEST(SourceRewrite, KnowsEachHoleByItsName) {
  EXPECT_TRUE(rewrite_source("?sw_xform(i, n) ?sw_part(n) ?sw_cond(a) ?sw_const(0, 4)").unknown_holes.empty());
  EXPECT_EQ(rewrite_source("?sw_constant(0, 4)").unknown_holes.size(), 1u);
}

TEST(SourceRewrite, ConstantsThatAHoleDecidesAreNotKnownYet) {
  EXPECT_EQ(rewrite_source("constexpr int a = ?sw_const(1, 5);").text, "const     int a = $sw_const(1, 5);");
  EXPECT_EQ(
      rewrite_source("constexpr int a = ?sw_const(1, 5), b = 2; constexpr int c = 2 * b; constexpr int d = 3;").text,
      "const     int a = $sw_const(1, 5), b = 2; const     int c = 2 * b; constexpr int d = 3;");
  EXPECT_EQ(rewrite_source("constexpr int a[] = {?sw_const(1, 5)};").text, "const     int a[] = {$sw_const(1, 5)};");
  EXPECT_EQ(rewrite_source("constexpr int f() { return ?sw_const(1, 5); }").text,
            "constexpr int f() { return $sw_const(1, 5); }");
  EXPECT_EQ(rewrite_source("constexpr int a = 1;  // ?sw_const(1, 5)").text,
            "constexpr int a = 1;  // ?sw_const(1, 5)");
}

TEST(SourceRewrite, CommentsAndStringsStay) {
  const std::string text = "// ?sw_cond(a)\n/* ?sw_cond */ \"?sw_cond\" '?'";
  EXPECT_EQ(rewrite_source(text).text, text);
}

TEST(SourceRewrite, TuplesOfAccumulateBecomeBraces) {
  EXPECT_EQ(rewrite_source("accumulate(o, [a[1], b], ?sw_cond(t));").text, "accumulate(o, {a[1], b}, $sw_cond(t));");
}

TEST(SourceRewrite, OperatorsOfAccumulatorsAreNamedAndOffsetsMapBack) {
  const std::string text = "create_accumulator(0, identity, ^, &); z";
  const RewrittenSource r = rewrite_source(text);
  EXPECT_EQ(r.text, "create_accumulator(0, identity, bit_xor, bit_and); z");
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find('z'))), text.find('z'));
}

TEST(SourceRewrite, FunctionsOfAccumulatorsAreCalledAndOffsetsMapBack) {
  const std::string text = "create_accumulator(zero, ns::f<2, 3>, +); z";
  const RewrittenSource r = rewrite_source(text);
  EXPECT_EQ(
      r.text,
      "create_accumulator(zero, [&](auto swizzle_a, auto swizzle_b) { return ns::f<2, 3>(swizzle_a, swizzle_b); }, plus); z");
  for (const char* where : {"ns::f", ", ", "z"})
    EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find(where))), text.find(where)) << where;
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.rfind('}') + 1)), text.find(", +"));
  for (const char* same : {"create_accumulator(0, identity, [](int a, int b) { return a; });", "create_accumulator(f);",
                           "create_accumulator(0, 3, f());", "create(0, max);"})
    EXPECT_EQ(rewrite_source(same).text, same);
}

TEST(SourceRewrite, UnknownHolesAreReported) {
  const RewrittenSource r = rewrite_source("x = ?sw_foo(1);");
  ASSERT_EQ(r.unknown_holes.size(), 1u);
  EXPECT_EQ(r.unknown_holes[0].second, "?sw_foo");
}

TEST(RewriteLaunches, ALaunchBecomesACallAndItsShape) {
  EXPECT_EQ(rewrite_launches("f<32><<<dim3(n / 32, 2), 256, 0, s>>>(x, g(n), 3);").text,
            "f<32>(x, g(n), 3), $launch(dim3(n / 32, 2), 256, 0, s);");
  EXPECT_EQ(rewrite_launches("f<<<1, 2>>>(x);\n// g<<<3, 4>>>(y);\ng<<<h(1), (2)>>>();").text,
            "f(x), $launch(1, 2);\n// g<<<3, 4>>>(y);\ng(), $launch(h(1), (2));");
}

TEST(RewriteLaunches, OtherBracketsStay) {
  for (const char* text : {"a << b; c >> d;", "\"f<<<1, 2>>>(x)\"", "v<v<v<int>>> x; f(x);", "a <<< b; f(x);"})
    EXPECT_EQ(rewrite_launches(text).text, text);
}

TEST(RewriteLaunches, PlacesAreThoseOfTheFile) {
  const std::string text = "f<<<1, 2>>>(x); y = 3;";
  const RewrittenSource r = rewrite_launches(text);
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find("(x)"))), text.find("(x)"));
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find("y = 3"))), text.find("y = 3"));
}

TEST(RewriteProgram, HolesAndLaunchesAreBothRewrittenAndPlacesStay) {
  const std::string text =
      "void f() { accumulate(o, [a, b], ?sw_cond(t)); g[?sw_layout(2, 2)]; }\nint main() { k<<<1, 2>>>(x); y = 3; }";
  const RewrittenSource r = rewrite_program(text);
  EXPECT_EQ(r.text,
            "void f() { accumulate(o, {a, b}, $sw_cond(t)); g[$sw_layout<0>(2, 2)]; }\n"
            "int main() { k(x), $launch(1, 2); y = 3; }");
  for (const char* word : {"$sw_cond", "(2, 2)", "main", "(x)", "y = 3"}) {
    const std::string original = word[0] == '$' ? "?sw_cond" : word;
    EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find(word))), text.find(original)) << word;
  }
}

TEST(RewriteProgram, HolesOfNoKindAreTold) {
  EXPECT_EQ(rewrite_program("k<<<1, 2>>>(x); ?sw_none(1)").unknown_holes.size(), 1u);
}

}  // namespace
}  // namespace swizzle
