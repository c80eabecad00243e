#include "synth/proof/thread_digits.h"

#include <gtest/gtest.h>

namespace swizzle::thread_digits_test {
namespace {

SizeTree tree_of(const std::string& text) { return *parse_size({text, {}}, SourceText("k.cu", text)); }

bool is_followed(const std::string& count, const std::vector<Sizes>& known = {}) {
  SizeRegion whole;
  return add_digits(whole, tree_of(count), 64, known, 0);
}

TEST(ThreadDigits, AreThoseOfProductsThatABlockDivides) {
  EXPECT_TRUE(is_followed("(n * c + 63) / 64"));
  EXPECT_TRUE(is_followed("((h - 2) * (w - 2) * 3 + 63) / 64"));
  EXPECT_FALSE(is_followed("(n * c + 31) / 32"));
  EXPECT_FALSE(is_followed("(n * c + 62) / 64"));
  EXPECT_FALSE(is_followed("(n * n + 63) / 64"));
  EXPECT_FALSE(is_followed("(n + 63) / 64"));
  EXPECT_FALSE(is_followed("n * c"));
}

// Where the last threads were missing, they would be looked at all the same.
TEST(ThreadDigits, LeaveNothingWithoutAThread) {
  EXPECT_TRUE(is_followed("n * c / 64", {{{"n", 8}, {"c", 16}}}));
  EXPECT_FALSE(is_followed("n * c / 64", {{{"n", 8}, {"c", 16}}, {{"n", 5}, {"c", 13}}}));
}

TEST(ThreadDigits, ComeInAllOrders) {
  EXPECT_EQ(orders_of_digits(tree_of("(n + 63) / 64")), 1u);
  EXPECT_EQ(orders_of_digits(tree_of("(n * c + 63) / 64")), 2u);
  EXPECT_EQ(orders_of_digits(tree_of("(b * n * c + 63) / 64")), 6u);
  SizeRegion first, second;
  add_digits(first, tree_of("(n * c + 63) / 64"), 64, {}, 0);
  add_digits(second, tree_of("(n * c + 63) / 64"), 64, {}, 1);
  EXPECT_EQ(first.dimensions[kDigits]->size, "n");
  EXPECT_EQ(second.dimensions[kDigits]->size, "c");
}

// All digits of small numbers: what stands in the kernel as a quotient is the one that integers have.
TEST(ThreadDigits, AreWhatDivisionsGive) {
  SizeRegion whole;
  ASSERT_TRUE(add_digits(whole, tree_of("(b * n * c + 63) / 64"), 64, {}, 0));
  const Polynomial &number = whole.numbered->number, &n = whole.sizes.at("n"), &c = whole.sizes.at("c");
  for (const Polynomial& divisor : {c, n * c, n * c * Polynomial(2)}) {
    const auto division = divided(number, divisor, whole);
    if (divisor == n * c * Polynomial(2)) {
      EXPECT_FALSE(division.has_value());
      continue;
    }
    ASSERT_TRUE(division.has_value());
    EXPECT_EQ(division->quotient * divisor + division->rest, number);
    EXPECT_GE(*whole.least(division->rest), 0);
    EXPECT_GE(*whole.least(divisor - division->rest), 1);
  }
  EXPECT_FALSE(divided(number + n, c, whole).has_value());
  EXPECT_TRUE(divided(number + c, c, whole).has_value());
}

TEST(ThreadDigits, AreBeyondTheProductInItsLastBlockAlone) {
  SizeRegion whole, exact;
  ASSERT_TRUE(add_digits(whole, tree_of("(n * c + 63) / 64"), 64, {}, 0));
  ASSERT_TRUE(add_digits(exact, tree_of("n * c / 64"), 64, {}, 0));
  const auto beyond = beyond_digits(whole);
  ASSERT_TRUE(beyond.has_value());
  const Polynomial more = beyond->numbered->number - beyond->numbered->count;
  EXPECT_EQ(beyond->least(more), 0);
  EXPECT_EQ(beyond->most(more), 62);
  EXPECT_FALSE(beyond_digits(exact).has_value());
}

}  // namespace
}  // namespace swizzle::thread_digits_test
