#include "frontend/source_rewrite.h"

#include <gtest/gtest.h>

namespace swizzle::source_rewrite_test {
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
  EXPECT_EQ(rewrite_source("if constexpr (b) y = ?sw_const(1, 5);").text, "if constexpr (b) y = $sw_const(1, 5);");
  EXPECT_EQ(rewrite_source("if constexpr (?sw_const(1, 5) > 2) y = 1;").text,
            "if           ($sw_const(1, 5) > 2) y = 1;");
  EXPECT_EQ(rewrite_source("constexpr int a = ?sw_const(1, 5); if constexpr (b + a > 2) y = 1;").text,
            "const     int a = $sw_const(1, 5); if           (b + a > 2) y = 1;");
  EXPECT_EQ(rewrite_source("constexpr int a = 1;  // ?sw_const(1, 5)").text,
            "constexpr int a = 1;  // ?sw_const(1, 5)");
}

TEST(SourceRewrite, CommentsAndStringsStay) {
  const std::string text = "// ?sw_cond(a)\n/* ?sw_cond */ \"?sw_cond\" '?'";
  EXPECT_EQ(rewrite_source(text).text, text);
}

TEST(SourceRewrite, TuplesOfAccumulateBecomeBraces) {
  EXPECT_EQ(rewrite_source("accumulate(o, [a[1], b], ?sw_cond(t));").text, "accumulate(o, {a[1], b}, $sw_cond(t));");
  // Brackets that do not match are clang's to tell.
  for (const std::string text : {"accumulate(o, [a, b}, t); ]", "accumulate(o, [a, f(b], t));", "accumulate(o, [a"})
    EXPECT_EQ(rewrite_source(text).text, text);
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

TEST(SourceRewrite, HolesThatAreWrittenInOtherWaysAreReported) {
  const auto unknown = [](const std::string& text) {
    const RewrittenSource r = rewrite_source(text);
    return r.unknown_holes.empty() ? "" : r.unknown_holes[0].second;
  };
  EXPECT_EQ(unknown("x = ?xform(i, n);"), "?xform");
  EXPECT_EQ(unknown("f(a, ?swxform(i, n));"), "?swxform");
  EXPECT_EQ(unknown("x[?sw_xform];"), "?sw_xform");
  EXPECT_EQ(unknown("x[?sw_xform /* of */ (i, n)];"), "");
  for (const char* conditional :
       {"x = a ?f(1) : 2;", "x = g(a)?f(1) : 2;", "x = a[1]\n?f(1) : 2;", "x = a++ ?f(1) : 2;", "x = 'a'?f(1) : 2;",
        "x = a /* b = */ ?f(1) : 2;", "x = a ?(1) : 2;"})
    EXPECT_EQ(unknown(conditional), "") << conditional;
}

TEST(RewriteLaunches, EachPartOfALaunchBecomesAStatement) {
  EXPECT_EQ(rewrite_launches("f<32><<<dim3(n / 32, 2), 256, 0, s>>>(x, g(n), 3);").text,
            "({ $launched(); $kernel(f<32>); $grid(dim3(n / 32, 2)); $block( 256); $shared( 0); $argument<0>(x); "
            "$argument<1>( g(n)); $argument<2>( 3); f<32>(x, g(n), 3); });");
  EXPECT_EQ(rewrite_launches("f<<<1, 2>>>();\n// g<<<3, 4>>>(y);").text,
            "({ $launched(); $kernel(f); $grid(1); $block( 2); f(); });\n// g<<<3, 4>>>(y);");
}

TEST(RewriteLaunches, MacrosMayBeAConfiguration) {
  const std::string define = "#define CFG(g, b) <<<g, b + 1>>>\n";
  EXPECT_EQ(
      rewrite_launches(define + "f<2> CFG(n / 32, 64) (x);").text,
      define + "({ $launched(); $kernel(f<2> ); $grid((n / 32)); $block((64) + 1); $argument<0>(x); f<2> (x); });");
  const std::string plain = "# define ONCE \\\n  <<<1, 32>>>\n";
  EXPECT_EQ(rewrite_launches(plain + "f ONCE(x);").text,
            plain + "({ $launched(); $kernel(f ); $grid(1); $block(32); $argument<0>(x); f (x); });");
  for (const char* other : {"f MY_CFG(1, 2)(x);", "CFG(1, 2, 3)(x);", "f CFG(1, 2);", "// f CFG(1, 2)(x);"})
    EXPECT_EQ(rewrite_launches(define + other).text, define + other);
}

TEST(RewriteLaunches, MacrosMayLackTheArguments) {
  EXPECT_EQ(rewrite_launches("#define RUN(k, n) k<<<n / 32, 32>>>\nRUN(f, 64)(x);").text,
            "#define RUN(k, n) ({ $launched(); $kernel(k); $grid(n / 32); $block( 32); k; })\nRUN(f, 64)(x);");
}

TEST(RewriteLaunches, PragmasInMacrosAreFoundAndBlank) {
  const std::string text = "#pragma once\n# define UNROLL #pragma unroll\nint x;  // no define, #pragma unroll\n";
  EXPECT_EQ(pragma_in_macro(text, 0), text.find("#pragma unroll"));
  EXPECT_EQ(pragma_in_macro(text, text.find("#pragma unroll") + 1), std::string::npos);
  EXPECT_EQ(rewrite_launches(text).text,
            "#pragma once\n# define UNROLL               \nint x;  // no define, #pragma unroll\n");
}

TEST(RewriteLaunches, WhatIsLaunchedMayBeAnyExpression) {
  for (const char* kernel : {"ns::f<g<1>, 2>", "(*table)[3]", "this->f", "::f", "p->template f<T>", "kernels[i]",
                             "f<1ull << 63>", "f<1<<3>", "f<(3 > 2)>", "f<(3 > 2), g<(1 >> 1)>>", "f<4 /* > 3 */>"}) {
    const std::string text = rewrite_launches("if (a > b) " + std::string(kernel) + "<<<1, 2>>>();").text;
    EXPECT_EQ(text.find("if (a > b) ({ $launched(); $kernel(" + std::string(kernel) + "); $grid(1)"), 0u) << text;
  }
}

TEST(RewriteLaunches, CommentsAreNoPartOfAName) {
  for (const char* comment :
       {"// They end with a period.\n", "/* or so: */ ", "// ->\n  ", "// twice,\n  // std::\n"}) {
    const std::string before = "g(x); " + std::string(comment);
    EXPECT_EQ(rewrite_launches(before + "f<<<1, 2>>>();").text,
              before + "({ $launched(); $kernel(f); $grid(1); $block( 2); f(); });");
  }
  EXPECT_EQ(
      rewrite_launches("ns:: /* here. */ f<<<1, 2>>>();").text.find("({ $launched(); $kernel(ns:: /* here. */ f)"), 0u);
}

TEST(RewriteLaunches, BracketsThatNothingOpensNameNothing) {
  for (const char* kernel : {"f<32]", "]", ")", "f)", "a[1]]"}) {
    const std::string text = "; " + std::string(kernel) + "<<<1, 2>>>();";
    EXPECT_EQ(rewrite_launches(text).text, text);
  }
}

TEST(RewriteLaunches, CommasOfTemplateArgumentsDivideNothing) {
  const std::string text = rewrite_launches("f<<<div_up<int, 4>(n), g<a, b>::size>>>(h<1, 2>(x), i < n, 3);").text;
  EXPECT_NE(
      text.find("$grid(div_up<int, 4>(n)); $block( g<a, b>::size); $argument<0>(h<1, 2>(x)); $argument<1>( i < n);"),
      std::string::npos)
      << text;
}

TEST(RewriteLaunches, OtherBracketsStay) {
  for (const char* text : {"a << b; c >> d;", "\"f<<<1, 2>>>(x)\"", "v<v<v<int>>> x; f(x);", "a <<< b; f(x);"})
    EXPECT_EQ(rewrite_launches(text).text, text);
}

TEST(RewriteLaunches, PlacesAreThoseOfTheFile) {
  const std::string text = "f<<<1, 2>>>(x); y = 3;";
  const RewrittenSource r = rewrite_launches(text);
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.rfind("(x)"))), text.find("(x)"));
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find("f);"))), 0u);
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find("2);"))), text.find("2>>>"));
  EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find("y = 3"))), text.find("y = 3"));
}

TEST(RewriteProgram, HolesAndLaunchesAreBothRewrittenAndPlacesStay) {
  const std::string text =
      "void f() { accumulate(o, [a, b], ?sw_cond(t)); g[?sw_layout(2, 2)]; }\nint main() { k<<<1, 2>>>(x); y = 3; }";
  const RewrittenSource r = rewrite_program(text);
  EXPECT_EQ(r.text,
            "void f() { accumulate(o, {a, b}, $sw_cond(t)); g[$sw_layout<0>(2, 2)]; }\n"
            "int main() { ({ $launched(); $kernel(k); $grid(1); $block( 2); $argument<0>(x); k(x); }); y = 3; }");
  for (const char* word : {"$sw_cond", "(2, 2)", "main", "x);", "y = 3"}) {
    const std::string original = word[0] == '$' ? "?sw_cond" : word;
    EXPECT_EQ(r.original(static_cast<std::uint32_t>(r.text.find(word))), text.find(original)) << word;
  }
}

TEST(RewriteProgram, HolesOfNoKindAreTold) {
  EXPECT_EQ(rewrite_program("k<<<1, 2>>>(x); ?sw_none(1)").unknown_holes.size(), 1u);
}

}  // namespace
}  // namespace swizzle::source_rewrite_test
