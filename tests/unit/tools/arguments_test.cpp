#include "tools/arguments.h"

#include <gtest/gtest.h>

namespace swizzle::arguments_test {
namespace {

using Arguments = std::vector<std::string>;

TEST(ResponseFile, SpacesAndNewlinesSeparate) {
  EXPECT_EQ(split_arguments(" a.cu\n\t--spec  a.cpp\n"), (Arguments{"a.cu", "--spec", "a.cpp"}));
  EXPECT_EQ(split_arguments(""), Arguments());
}

TEST(ResponseFile, QuotesAndBackslashesKeepTogether) {
  EXPECT_EQ(split_arguments(R"("a b" 'c d' e\ f -D"X=1 2")"), (Arguments{"a b", "c d", "e f", "-DX=1 2"}));
  EXPECT_EQ(split_arguments(R"('a\b' "a\"b" "")"), (Arguments{"a\\b", "a\"b", ""}));
}

TEST(ExpandedArguments, LongNamesWithOneDashAreThoseOfCompilers) {
  const auto expanded = expanded_arguments({"-include", "a.h", "-std=c++20", "-I", "std", "@"});
  ASSERT_TRUE(expanded.ok());
  EXPECT_EQ(*expanded, (Arguments{"--include", "a.h", "--std=c++20", "-I", "std", "@"}));
}

TEST(ExpandedArguments, WhatOthersAreGivenStaysAsItIs) {
  const auto expanded =
      expanded_arguments({"-std=c++20", "--", "-include", "a.h", "-std=c++20", "@/no/such/file", "--"});
  ASSERT_TRUE(expanded.ok());
  EXPECT_EQ(*expanded, (Arguments{"--std=c++20", "--", "-include", "a.h", "-std=c++20", "@/no/such/file", "--"}));
}

TEST(ExpandedArguments, AFileThatIsNotThereIsAnError) { EXPECT_FALSE(expanded_arguments({"@/no/such/file"}).ok()); }

}  // namespace
}  // namespace swizzle::arguments_test
