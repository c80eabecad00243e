#include "synth/bounds/product_prices.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::product_prices_test {
namespace {

// An output that is offered a product under a guard of its own for each k of 4.
class PricesOfProducts : public testing::Test {
 protected:
  PricesOfProducts() {
    Matching matching;
    matching.words = 1;
    matching.tuples.resize(4);
    matching.sums = {{0, {15}}};
    for (std::uint32_t k = 0; k < 4; ++k) matching.assignments.push_back({k, 0, 0, {{b_.at(adds_, k), 1}}});
    network_.matchings.push_back(matching);
  }

  // Of issues of so many accumulates, each of which brings what is offered at these k.
  double price(const std::vector<std::vector<std::size_t>>& issues, double accumulates) {
    for (const std::vector<std::size_t>& brings : issues) {
      GuardedIssue issue{{}, {.accumulates = accumulates}};
      for (std::size_t k : brings) issue.guards.push_back(b_.when(b_.at(adds_, k), Value::integer(1)));
      b_.problem.guarded.push_back(std::move(issue));
    }
    const ProductPrices prices = product_prices(b_.problem, network_, GuardedIssues(b_.problem, machine_));
    EXPECT_EQ(prices.size(), 1u);
    return prices[0].at(adds_.value);
  }

  ProblemBuilder b_;
  const HoleId adds_ = b_.condition(4);
  const IssueCosts machine_;
  ConstraintNetwork network_;
};

TEST_F(PricesOfProducts, AreThoseOfTheIssueThatBringsOne) {
  EXPECT_EQ(price({{0}, {1}, {2}, {3}}, 1), machine_.accumulate);
}

TEST_F(PricesOfProducts, AreSharedByWhatAnIssueBringsTogether) {
  EXPECT_EQ(price({{0, 1}, {2, 3}}, 2), 2 * machine_.accumulate / 2);
}

TEST_F(PricesOfProducts, AreTheLeastOfAny) { EXPECT_EQ(price({{0}, {1, 2, 3}}, 3), 3 * machine_.accumulate / 3); }

TEST_F(PricesOfProducts, AreNothingWhereOneIsBroughtWithoutAnIssue) { EXPECT_EQ(price({{0}, {1}, {2}}, 1), 0); }

}  // namespace
}  // namespace swizzle::product_prices_test
