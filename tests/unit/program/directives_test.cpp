#include "synth/program/directives.h"

#include <string>

#include <gtest/gtest.h>

namespace swizzle::directives_test {
namespace {

// An expression within a line, so that offsets into the file and into the expression differ.
struct Written {
  SourceText source;
  SizeExpr expr;
  explicit Written(const std::string& text) : source("a.cu", "// one\n#pragma swizzle extent x(" + text + ")\n") {
    const auto at = static_cast<std::uint32_t>(source.text().find('(') + 1);
    expr = {text, {at, static_cast<std::uint32_t>(at + text.size())}};
  }
  Result<std::int64_t> value(const Sizes& sizes = {{"n", 128}, {"m", -3}}) const {
    return evaluate(expr, sizes, source);
  }
};

std::int64_t value_of(const std::string& text) {
  const auto value = Written(text).value();
  EXPECT_TRUE(value.ok()) << text << ": " << (value.ok() ? "" : render(value.errors()[0]));
  return value.ok() ? *value : -999;
}

TEST(SizeExpr, ComputesAsC) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("100 / 10 / 5"), 2);
  EXPECT_EQ(value_of("(n + 31) / 32 * 32"), 128);
  EXPECT_EQ(value_of(" n/64 "), 2);
  EXPECT_EQ(value_of("- -n"), 128);
  EXPECT_EQ(value_of("2 * -m"), 6);
  EXPECT_EQ(value_of("min(n, 7) + max(m, -1)"), 6);
}

TEST(SizeExpr, DivisionTruncatesTowardsZero) {
  EXPECT_EQ(value_of("m / 2"), -1);
  EXPECT_EQ(value_of("m % 2"), -1);
  EXPECT_EQ(value_of("7 / -2"), -3);
  EXPECT_EQ(value_of("7 % -2"), 1);
}

TEST(SizeExpr, TheLargestIntegerFits) { EXPECT_EQ(value_of("9223372036854775807"), INT64_MAX); }

struct Wrong {
  const char* name;
  std::string text;
  int at;     // 0-based position in the expression
  int width;  // underlined
  const char* message;
};

class WrongSizeExpr : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSizeExpr, PointsAtTheNarrowestRange) {
  const Wrong& wrong = GetParam();
  const Written written(wrong.text);
  const auto value = written.value();
  ASSERT_FALSE(value.ok()) << *value;
  ASSERT_EQ(value.errors().size(), 1u);
  const Diagnostic& d = value.errors()[0];
  const LineColumn start = written.source.locate(written.expr.range.begin);
  EXPECT_EQ(d.where.line, 2);
  EXPECT_EQ(d.where.column - start.column, wrong.at) << render(d);
  EXPECT_EQ(d.width, wrong.width) << render(d);
  EXPECT_EQ(d.message, wrong.message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongSizeExpr,
    testing::Values(Wrong{"UnknownName", "n + size / 2", 4, 4, "'size' is no integer parameter with a value here"},
                    Wrong{"DivisionByZero", "n / (m + 3)", 2, 1, "division by zero"},
                    Wrong{"RemainderByZero", "n % 0", 2, 1, "division by zero"},
                    Wrong{"MissingOperand", "n + ", 4, 1, "expected a number or the name of a parameter"},
                    Wrong{"Empty", "", 0, 1, "expected a number or the name of a parameter"},
                    Wrong{"Unclosed", "(n + 1", 6, 1, "expected ')'"},
                    Wrong{"LeftOver", "n 64", 2, 1, "unexpected '6'"},
                    Wrong{"NoSuchOperator", "n & 3", 2, 1, "unexpected '&'"},
                    Wrong{"NotAnInteger", "64u", 0, 3, "'64u' is no integer of 64 bits"},
                    Wrong{"TooLong", "9223372036854775808", 0, 19, "'9223372036854775808' is no integer of 64 bits"},
                    Wrong{"Overflow", "n * 9223372036854775807", 2, 1, "the value does not fit in 64 bits"},
                    Wrong{"QuotientOverflow", "(-9223372036854775807 - 1) / -1", 27, 1,
                          "the value does not fit in 64 bits"},
                    Wrong{"OneOfTwoArguments", "min(n)", 5, 1, "expected ','"},
                    Wrong{"FirstErrorWins", "a / b", 0, 1, "'a' is no integer parameter with a value here"},
                    Wrong{"TooDeep", std::string(100'000, '('), 200, 1, "nested more than 200 deep"},
                    Wrong{"TooManySigns", std::string(100'000, '-') + "n", 200, 1, "nested more than 200 deep"}),
    [](const auto& info) { return info.param.name; });

Result<LaunchShape> launch_of(const std::vector<std::string>& grid, const std::vector<std::string>& block,
                              const Sizes& sizes) {
  std::string text = "launch";
  Launch launch;
  const auto add = [&](const std::vector<std::string>& from, std::vector<SizeExpr>& to) {
    for (const std::string& e : from) {
      text += ' ';
      const auto at = static_cast<std::uint32_t>(text.size());
      text += e;
      to.push_back({e, {at, static_cast<std::uint32_t>(text.size())}});
    }
  };
  add(grid, launch.grid);
  add(block, launch.block);
  launch.range = {0, static_cast<std::uint32_t>(text.size())};
  return evaluate(launch, sizes, SourceText("a.cu", text));
}

TEST(Launch, DimensionsThatAreNotGivenAreOne) {
  const auto shape = launch_of({"n / 64"}, {"32", "2"}, {{"n", 256}});
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ(shape->grid, (std::array<int, 3>{4, 1, 1}));
  EXPECT_EQ(shape->block, (std::array<int, 3>{32, 2, 1}));
  EXPECT_EQ(shape->threads_per_block(), 64);
  EXPECT_EQ(shape->blocks(), 4);
}

TEST(Launch, AnEmptyGridIsAnErrorThatNamesTheSize) {
  const auto shape = launch_of({"n / 64"}, {"64"}, {{"n", 32}});
  ASSERT_FALSE(shape.ok());
  EXPECT_EQ(shape.errors()[0].message, "'n / 64' is 0 at n = 32, and must be between 1 and 1048576");
  EXPECT_EQ(shape.errors()[0].where.column, 8);
  EXPECT_EQ(shape.errors()[0].width, 6);
}

TEST(Launch, ABlockHas1024ThreadsAtMost) {
  EXPECT_TRUE(launch_of({"1"}, {"1024"}, {}).ok());
  EXPECT_TRUE(launch_of({"1"}, {"32", "32"}, {}).ok());
  EXPECT_FALSE(launch_of({"1"}, {"1025"}, {}).ok());
  const auto shape = launch_of({"1"}, {"32", "33"}, {});
  ASSERT_FALSE(shape.ok());
  EXPECT_EQ(shape.errors()[0].message, "a block of 1056 threads is more than the 1024 that there can be");
  EXPECT_FALSE(launch_of({"1"}, {"1024", "1024", "1024"}, {}).ok());
}

TEST(Launch, AnUnknownNameIsReported) {
  const auto shape = launch_of({"m / 64"}, {"64"}, {{"n", 64}});
  ASSERT_FALSE(shape.ok());
  EXPECT_EQ(shape.errors()[0].message, "'m' is no integer parameter with a value here");
  EXPECT_EQ(shape.errors()[0].width, 1);
}

}  // namespace
}  // namespace swizzle::directives_test
