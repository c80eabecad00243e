#include "frontend/directive_parser.h"

#include <string>

#include <gtest/gtest.h>

namespace swizzle::directive_parser_test {
namespace {

Directives directives_of(const std::string& text) {
  const auto parsed = parse_directives(SourceText("a.cu", text));
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : render(parsed.errors()[0]));
  return parsed.ok() ? *parsed : Directives{};
}

Diagnostics errors_of(const std::string& text) {
  const auto parsed = parse_directives(SourceText("a.cu", text));
  return parsed.ok() ? Diagnostics{} : parsed.errors();
}

TEST(DirectiveParser, KnowsTheConstantsOfTheFile) {
  const SourceText source("a.cu",
                          "#pragma swizzle launch grid(n / (2 * kWarps)) block(32, kWarps)\n"
                          "#pragma swizzle instance n = 4 * kWarps\n");
  const auto d = parse_directives(source, {{"kWarps", 8}});
  ASSERT_TRUE(d.ok()) << render(d.errors()[0]);
  EXPECT_EQ(d->instances[0].sizes, (Sizes{{"n", 32}}));
  const auto shape = evaluate(*d->launch, d->instances[0].sizes, source);
  ASSERT_TRUE(shape.ok()) << render(shape.errors()[0]);
  EXPECT_EQ(shape->grid[0], 2);
  EXPECT_EQ(shape->block[1], 8);
}

TEST(DirectiveParser, ReadsAllKinds) {
  const Directives d = directives_of(
      "#pragma swizzle launch grid(w / 8, max(h, 4)) block(8, 4)  // two dimensions\n"
      "  # pragma  swizzle instance w = 16, h = 8\n"
      "#pragma swizzle check w=24,h=12\n"
      "#pragma swizzle extent x(w * h + 2) y(w * h)\n"
      "#pragma swizzle range a(0, w)\n#pragma swizzle range b(-h, min(w, 4)) distinct  // each once\n");
  ASSERT_TRUE(d.launch);
  ASSERT_EQ(d.launch->grid.size(), 2u);
  EXPECT_EQ(d.launch->grid[1].text, "max(h, 4)");
  EXPECT_EQ(d.launch->block[0].text, "8");
  ASSERT_EQ(d.instances.size(), 1u);
  EXPECT_EQ(d.instances[0].sizes, (Sizes{{"h", 8}, {"w", 16}}));
  ASSERT_EQ(d.checks.size(), 1u);
  EXPECT_EQ(d.checks[0].sizes, (Sizes{{"h", 12}, {"w", 24}}));
  ASSERT_EQ(d.extents.size(), 2u);
  EXPECT_EQ(d.extents[0].buffer, "x");
  EXPECT_EQ(d.extents[0].elements.text, "w * h + 2");
  EXPECT_EQ(d.extents[1].buffer, "y");
  ASSERT_EQ(d.ranges.size(), 2u);
  EXPECT_EQ(d.ranges[0].buffer, "a");
  EXPECT_EQ(d.ranges[0].high.text, "w");
  EXPECT_FALSE(d.ranges[0].is_distinct);
  EXPECT_EQ(d.ranges[1].low.text, "-h");
  EXPECT_TRUE(d.ranges[1].is_distinct);
}

TEST(DirectiveParser, SkipsCommentsAndJoinsContinuedLines) {
  const Directives d = directives_of(
      "#pragma swizzle launch grid(n /* ), elements */ / 64) \\\n    block(2 * \\\r\n 32)\n"
      "#pragma swizzle instance n = 64 /* one, two */, m = 3 // ) more\n"
      "#pragma swizzle check n = 128 /* last */\n");
  ASSERT_TRUE(d.launch);
  const SourceText nothing;
  EXPECT_EQ(*evaluate(d.launch->grid[0], {{"n", 128}}, nothing), 2);
  EXPECT_EQ(*evaluate(d.launch->block[0], {}, nothing), 64);
  EXPECT_EQ(d.instances[0].sizes, (Sizes{{"m", 3}, {"n", 64}}));
  EXPECT_EQ(d.checks[0].sizes, (Sizes{{"n", 128}}));
}

// As for the preprocessor, which joins lines before it looks for words.
TEST(DirectiveParser, JoinsWordsOfTwoLines) {
  const Directives d = directives_of("#pragma swizzle ext\\\nent in\\\r\nput(n)\n");
  ASSERT_EQ(d.extents.size(), 1u);
  EXPECT_EQ(d.extents[0].buffer, "input");
  const Diagnostics errors = errors_of("#pragma swizzle extent\\\nx(n)\n");
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].message, "unknown directive 'extentx'; did you mean 'extent'?");
}

TEST(DirectiveParser, LeavesOtherTextAlone) {
  const Directives d = directives_of(
      "// #pragma swizzle launch nonsense\n/*\n#pragma swizzle lunch\n*/\nconst char* s = \"#pragma swizzle lunch\";\n#pragma unroll\n#pragma once\n");
  EXPECT_FALSE(d.launch);
  EXPECT_TRUE(d.instances.empty() && d.checks.empty() && d.extents.empty());
}

Result<Directives> commented(const std::string& comment) {
  return parse_directives_in_comments(SourceText("a.cu", "// swizzle " + comment + "\nint x;\n"));
}

TEST(DirectiveParser, NoticesMisspeltOnesInComments) {
  const auto expect_meant = [](const std::string& comment, const std::string& word, const std::string& meant) {
    const auto parsed = commented(comment);
    ASSERT_FALSE(parsed.ok()) << comment;
    EXPECT_EQ(parsed.errors()[0].message, "unknown directive '" + word + "'; did you mean '" + meant + "'?");
    EXPECT_EQ(parsed.errors()[0].where.column, 12);
    EXPECT_EQ(parsed.errors()[0].width, static_cast<int>(word.size()));
  };
  expect_meant("chek n = 64", "chek", "check");
  expect_meant("instances n = m", "instances", "instance");
  expect_meant("extnt in(n + 999)", "extnt", "extent");
  expect_meant("lunch grid(1)", "lunch", "launch");
  expect_meant("asume n % 64 == 0", "asume", "assume");
  expect_meant("machin sm_90", "machin", "machine");
  expect_meant("bit(n)", "bit", "bits");
  expect_meant("chek n 64", "chek", "check");
}

TEST(DirectiveParser, TakesProseForProse) {
  for (const char* prose : {"the lanes",
                            "checks the lanes",
                            "bit 3 of the lane",
                            "launches",
                            "extents of both arrays = n",
                            "extents x (elements)",
                            "bit (n)",
                            "instances (of a tile)",
                            "machines differ",
                            "assumed, as n is",
                            "check the lanes",
                            "launch of grid(4)",
                            "instance of n",
                            "extent of x(n)",
                            "machine code",
                            "machine",
                            "bits move",
                            "assume that n is large",
                            "n = 64",
                            "check n elements",
                            "check 3 64",
                            "instance 64",
                            "instance n",
                            "check n 64 times",
                            "instance n 64x",
                            "extent x of 64",
                            "",
                            "-ignore: one"}) {
    const auto parsed = commented(prose);
    EXPECT_TRUE(parsed.ok() && parsed->instances.empty() && parsed->checks.empty()) << prose;
  }
}

TEST(DirectiveParser, TellsWhatIsWrongWithDirectivesInComments) {
  const auto expect_told = [](const std::string& comment, int column, const std::string& what) {
    const auto parsed = commented(comment);
    ASSERT_FALSE(parsed.ok()) << comment;
    EXPECT_EQ(parsed.errors()[0].where.column, column) << render(parsed.errors()[0]);
    EXPECT_NE(parsed.errors()[0].message.find(what), std::string::npos) << render(parsed.errors()[0]);
  };
  expect_told("launch grid(n / 64", 30, "expected ')'");
  expect_told("launch grid(4)", 1, "a launch needs both");
  expect_told("instance n = ", 25, "");
  expect_told("instance n 64", 23, "expected 'name = value'");
  expect_told("check n: 64, m: 3", 19, "expected 'name = value'");
  expect_told("extent x = 64", 1, "expected 'extent buffer(elements)'");
  expect_told("extent x 64", 1, "expected 'extent buffer(elements)'");
  expect_told("check n = 64 m = 3", 25, "unexpected 'm'");
  expect_told("extent x(n", 1, "expected 'extent buffer(elements)'");
  expect_told("assume n % 64 == 0, n", 33, "expected a comparison of sizes");
  expect_told("machine toy9", 19, "unknown machine 'toy9'");
  expect_told("bits(x", 18, "expected ')'");
}

struct Malformed {
  const char* name;
  const char* text;
  int line, column;
  const char* says;
};

class MalformedDirective : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedDirective, IsPointedAt) {
  const Diagnostics errors = errors_of(GetParam().text);
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].where.line, GetParam().line) << render(errors[0]);
  EXPECT_EQ(errors[0].where.column, GetParam().column) << render(errors[0]);
  EXPECT_NE(errors[0].message.find(GetParam().says), std::string::npos) << render(errors[0]);
}

INSTANTIATE_TEST_SUITE_P(
    Each, MalformedDirective,
    testing::Values(
        Malformed{"Unknown", "\n#pragma swizzle lunch grid(1)\n", 2, 17, "unknown directive 'lunch'"},
        Malformed{"Nothing", "#pragma swizzle\n", 1, 16, "unknown directive ''"},
        Malformed{"OnlyGrid", "#pragma swizzle launch grid(1)\n", 1, 1, "both grid(…) and block(…)"},
        Malformed{"FourDimensions", "#pragma swizzle launch grid(1, 2, 3, 4) block(1)\n", 1, 40, "three dimensions"},
        Malformed{"Unclosed", "#pragma swizzle launch grid(1 block(1)\n", 1, 39, "expected ')'"},
        Malformed{"Empty", "#pragma swizzle launch grid() block(1)\n", 1, 30, "expected an expression"},
        Malformed{"Second", "#pragma swizzle launch grid(1) block(1)\n#pragma swizzle launch grid(1) block(2)\n", 2, 1,
                  "a second launch"},
        Malformed{"NoName", "#pragma swizzle instance = 3\n", 1, 26, "expected 'name = value'"},
        Malformed{"NoNumber", "#pragma swizzle check n = m\n", 1, 27, "'m' is no integer parameter"},
        Malformed{"Extent", "#pragma swizzle extent x\n", 1, 1, "expected 'extent buffer(elements)'"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::directive_parser_test
