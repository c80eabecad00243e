#include "frontend/variants.h"

#include <gtest/gtest.h>

namespace swizzle::variants_test {
namespace {

TEST(Variants, FindsChoicesInCodeAndDirectivesAndNowhereElse) {
  const SourceText source("a.cu",
                          "#pragma swizzle launch grid(1) block(?sw_tune(32, 64))\n"
                          "// ?sw_tune(1, 2)\nconst char* s = \"?sw_tune(3)\";\nconstexpr int k = ?sw_tune( -4 ,8);\n");
  const auto tunes = tunes_in(source);
  ASSERT_TRUE(tunes.ok());
  ASSERT_EQ(tunes->size(), 2u);
  EXPECT_EQ((*tunes)[0].choices, (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ((*tunes)[1].choices, (std::vector<std::int64_t>{-4, 8}));
  EXPECT_EQ(source.slice((*tunes)[1].range), "?sw_tune( -4 ,8)");
}

TEST(Variants, AreAllCombinationsTheLastFastest) {
  const SourceText source("a.cu", "?sw_tune(1, 2) ?sw_tune(3, 4)");
  const auto choices = choices_of(source, *tunes_in(source));
  EXPECT_EQ(*choices, (std::vector<TuneChoice>{{1, 3}, {1, 4}, {2, 3}, {2, 4}}));
}

TEST(Variants, KeepPlacesAndLeaveNothingBehind) {
  const SourceText source("a.cu", "int a = ?sw_tune(4, 8);\nint b;\n");
  const SourceText eight = with_choice(source, *tunes_in(source), {8});
  EXPECT_EQ(eight.text().size(), source.text().size());
  EXPECT_EQ(eight.text().find("int b"), source.text().find("int b"));
  EXPECT_EQ(without_filling(eight.text()), "int a = 8;\nint b;\n");
  EXPECT_EQ(without_filling(with_choice(source, *tunes_in(source), {}).text()), "int a = 4;\nint b;\n");
}

TEST(Variants, SaysWhereAChoiceIsNone) {
  const auto error = [](const char* text) {
    const auto tunes = tunes_in(SourceText("a.cu", text));
    return tunes.ok() ? "" : tunes.errors()[0].message;
  };
  EXPECT_EQ(error("?sw_tune(1, n)"), "?sw_tune(a, b…) chooses among integers, written as numbers");
  EXPECT_EQ(error("?sw_tune()"), "?sw_tune(a, b…) chooses among integers, written as numbers");
  EXPECT_EQ(error("?sw_tune(2, 2)"), "2 is a choice already");
  EXPECT_EQ(error("?sw_tune;"), "?sw_tune(a, b…) has its choices in parentheses");
  std::string many;
  for (int k = 0; k < 7; ++k) many += "?sw_tune(1, 2) ";
  const SourceText source("a.cu", many);
  EXPECT_FALSE(choices_of(source, *tunes_in(source)).ok());
}

}  // namespace
}  // namespace swizzle::variants_test
