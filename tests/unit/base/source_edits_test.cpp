#include "synth/base/source_edits.h"

#include <gtest/gtest.h>

namespace swizzle::source_edits_test {
namespace {

const SourceText kLetters("letters", "abcdef");

TEST(SourceEdits, AreMadeInTheOrderOfTheText) {
  EXPECT_EQ(edited(kLetters, {{{4, 5}, "E"}, {{0, 2}, "AB"}}), "ABcdEf");
}
TEST(SourceEdits, WithoutAnyTheTextIsAsItWas) { EXPECT_EQ(edited(kLetters, {}), "abcdef"); }
TEST(SourceEdits, OneThatBeginsInsideAnotherIsLeftOut) {
  EXPECT_EQ(edited(kLetters, {{{1, 3}, "X"}, {{2, 4}, "Y"}, {{4, 4}, "Z"}}), "aXdZef");
}
TEST(SourceEdits, OfEqualsTheFirstGivenIsMade) { EXPECT_EQ(edited(kLetters, {{{1, 3}, "X"}, {{1, 3}, "Y"}}), "aXdef"); }
TEST(SourceEdits, InsertionsAtOnePlaceStandInTheOrderGiven) {
  EXPECT_EQ(edited(kLetters, {{{3, 3}, "1"}, {{3, 3}, "2"}}), "abc12def");
}
TEST(SourceEdits, OfARangeThoseThatLeaveItAreLeftOut) {
  EXPECT_EQ(edited(kLetters, {1, 4}, {{{0, 2}, "X"}, {{2, 3}, "C"}, {{3, 5}, "Y"}}), "bCd");
}

TEST(SourceEdits, KeepLineNumbersWhereAsked) {
  const SourceText source("lines", "a(\n1,\n2);\nb;");
  EXPECT_EQ(edited(source, {{{0, 8}, "c()"}}), "c();\nb;");
  EXPECT_EQ(edited(source, {{{0, 8}, "c()"}}, LineBreaks::kKept), "c()\n\n;\nb;");
}

TEST(SourceRanges, LieWithinThemselves) {
  EXPECT_TRUE(is_within({1, 3}, {1, 3}));
  EXPECT_TRUE(is_within({2, 2}, {1, 3}));
  EXPECT_FALSE(is_within({0, 2}, {1, 3}));
}

}  // namespace
}  // namespace swizzle::source_edits_test
