#include "synth/proof/thread_digits.h"

#include <array>
#include <tuple>

#include <gtest/gtest.h>

namespace swizzle::thread_digits_test {
namespace {

SizeTree tree_of(const std::string& text) { return *parse_size({text, {}}, SourceText("k.cu", text)); }

// A dimension of the size, whatever is done with it.
bool add(SizeRegion& whole, const std::string& count, const std::vector<Sizes>& known = {}, std::size_t order = 0) {
  return add_digits(whole, tree_of(count), 64, known, order, [&](std::size_t position, const SizeTree& factor) {
    whole.dimensions[position] = Dimension{text_of(factor), 1, 0, false, whole.fresh(), whole.fresh(), {}};
    whole.block[position] = Polynomial::atom(whole.dimensions[position]->before);
    whole.grid[position] = whole.block[position] + Polynomial::atom(whole.dimensions[position]->behind) + Polynomial(1);
    return true;
  });
}

bool is_followed(const std::string& count, const std::vector<Sizes>& known = {}) {
  SizeRegion whole;
  return add(whole, count, known);
}

TEST(ThreadDigits, AreThoseOfProductsThatABlockDivides) {
  EXPECT_TRUE(is_followed("(n * c + 63) / 64"));
  EXPECT_TRUE(is_followed("((h - 2) * (w - 2) * 3 + 63) / 64"));
  EXPECT_FALSE(is_followed("(n * c + 31) / 32"));
  EXPECT_FALSE(is_followed("(n * c + 62) / 64"));
  EXPECT_TRUE(is_followed("(n * n + 63) / 64"));
  EXPECT_FALSE(is_followed("(n + 63) / 64"));
  EXPECT_TRUE(is_followed("(n * 3 + 63) / 64"));
  EXPECT_FALSE(is_followed("(n * 17 + 63) / 64"));
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
  add(first, "(n * c + 63) / 64");
  add(second, "(n * c + 63) / 64", {}, 1);
  EXPECT_EQ(first.dimensions[kDigits]->size, "n");
  EXPECT_EQ(second.dimensions[kDigits]->size, "c");
}

TEST(ThreadDigits, OfNumbersComeBehindThoseOfSizesAndByPrimesToo) {
  EXPECT_EQ(orders_of_digits(tree_of("(n * c * 3 + 63) / 64")), 6u);
  EXPECT_EQ(orders_of_digits(tree_of("(n * c * 4 + 63) / 64")), 6u + 12u);
  SizeRegion four, primes;
  ASSERT_TRUE(add(four, "(n * (4 * c) + 63) / 64"));
  EXPECT_EQ(four.dimensions[kDigits + 1]->size, "c");
  EXPECT_EQ(four.threads, (std::array{4, 1, 1}));
  const std::vector<NumberedThreads::Thread>& looked_at = four.numbered->looked_at;
  EXPECT_EQ(looked_at[3].number - looked_at[0].number, Polynomial(3));
  EXPECT_EQ(looked_at[3].block, looked_at[0].block);
  EXPECT_EQ(four.numbered->in_their_blocks().size(), 2u);

  std::size_t order = 0;  // n, 2, c, 2
  const auto is_apart = [&] {
    const auto& t = primes.numbered->looked_at;
    return t.size() == 4 && t[2].number - t[0].number == primes.grid[kDigits + 1] * Polynomial(2) &&
           t[1].number - t[0].number == Polynomial(1);
  };
  do {
    primes = SizeRegion();
    ASSERT_TRUE(add(primes, "(n * c * 4 + 63) / 64", {}, order)) << order;
  } while (!is_apart() && ++order < 18);
  EXPECT_LT(order, 18u);
  EXPECT_EQ(primes.dimensions[kDigits]->size, "n");
  EXPECT_EQ(primes.numbered->looked_at[0].block, primes.numbered->looked_at[1].block);
  EXPECT_FALSE(primes.numbered->looked_at[0].block == primes.numbered->looked_at[2].block);
}

// All digits of small numbers: what stands in the kernel as a quotient is the one that integers have.
TEST(ThreadDigits, AreWhatDivisionsGive) {
  SizeRegion whole;
  ASSERT_TRUE(add(whole, "(b * n * c + 63) / 64"));
  const Polynomial &number = whole.numbered->looked_at[0].number, &n = whole.grid[kDigits + 1],
                   &c = whole.grid[kDigits + 2];
  const auto is_known = [&](const Polynomial& p) { return whole.least(p).value_or(-1) >= 0; };
  for (const Polynomial& divisor : {c, n * c, n * c * Polynomial(2)}) {
    const auto division = divided(number, divisor, is_known);
    if (divisor == n * c * Polynomial(2)) {
      EXPECT_FALSE(division.has_value());
      continue;
    }
    ASSERT_TRUE(division.has_value());
    EXPECT_EQ(division->quotient * divisor + division->rest, number);
    EXPECT_GE(*whole.least(division->rest), 0);
    EXPECT_GE(*whole.least(divisor - division->rest), 1);
  }
  EXPECT_FALSE(divided(number + n, c, is_known).has_value());
  EXPECT_TRUE(divided(number + c, c, is_known).has_value());
}

// Of one size twice, n · n by n: terms of n · n first.
TEST(ThreadDigits, AreDividedBySquares) {
  SizeRegion region;
  const Polynomial u = Polynomial::atom(region.fresh()), s = Polynomial::atom(region.fresh()),
                   r = Polynomial::atom(region.fresh()), n = u + s + Polynomial(1);
  const auto is_known = [&](const Polynomial& p) { return region.least(p).value_or(-1) >= 0; };
  for (const auto& [number, divisor, quotient] :
       {std::tuple{r * n * n + u * n + s, n, r * n + u}, {r * n * n + u * n + s, n * n, r}, {u * n + u, n, u}}) {
    const auto division = divided(number, divisor, is_known);
    ASSERT_TRUE(division.has_value());
    EXPECT_EQ(division->quotient, quotient);
    EXPECT_EQ(division->quotient * divisor + division->rest, number);
  }
}

TEST(ThreadDigits, AreBeyondTheProductInItsLastBlockAlone) {
  SizeRegion whole, exact;
  ASSERT_TRUE(add(whole, "(n * c * 2 + 63) / 64"));
  ASSERT_TRUE(add(exact, "n * c / 64"));
  const auto beyond = beyond_digits(whole);
  ASSERT_TRUE(beyond.has_value());
  const Polynomial more = beyond->numbered->looked_at[0].number - beyond->numbered->count;
  EXPECT_EQ(beyond->least(more), 0);
  EXPECT_EQ(beyond->most(more), 62);
  EXPECT_EQ(beyond->threads, (std::array{1, 1, 1}));
  EXPECT_FALSE(beyond_digits(exact).has_value());
}

}  // namespace
}  // namespace swizzle::thread_digits_test
