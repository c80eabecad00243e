#include "synth/base/outcome.h"

#include <gtest/gtest.h>

#include <set>

namespace swizzle::outcome_test {
namespace {

TEST(Outcome, IsSpelledAsInTheReport) {
  EXPECT_STREQ(name_of(Outcome::kFound), "found");
  EXPECT_STREQ(name_of(Outcome::kInfeasible), "infeasible");
  EXPECT_STREQ(name_of(Outcome::kUnknown), "unknown");
  EXPECT_STREQ(name_of(Optimality::kBestFound), "best_found");
}

TEST(UnknownReason, EachHasWordsOfItsOwn) {
  const std::set<std::string> texts = {
      unknown_text(UnknownReason::kTimeOfParsing),     unknown_text(UnknownReason::kTimeOfPosing),
      unknown_text(UnknownReason::kTimeOfSearch),      unknown_text(UnknownReason::kTooManyTables),
      unknown_text(UnknownReason::kLargerExpressions), unknown_text(UnknownReason::kOutOfMemory)};
  EXPECT_EQ(texts.size(), 6u);
  EXPECT_FALSE(texts.contains(""));
  EXPECT_EQ(unknown_text(UnknownReason::kOther), "");
  EXPECT_EQ(unknown_text(UnknownReason::kTimeOfSearch, "the limit of 7 s"), "the limit of 7 s ended the search");
  EXPECT_EQ(unknown_text(UnknownReason::kTooManyTables, "the ?sw_xform at 7:14"),
            "too many tables of the ?sw_xform at 7:14 fit to try them all");
}

}  // namespace
}  // namespace swizzle::outcome_test
