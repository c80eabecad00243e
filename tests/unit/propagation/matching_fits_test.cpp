#include "synth/propagation/matching_fits.h"

#include <gtest/gtest.h>

#include "synth/base/bits.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::matching_fits_test {
namespace {

// a_f · b_g + a_f · b_h, where f says a[0] or a[1], and g and h say b[0] or b[1]; needed are a[0] · b[0] and a[0] ·
// b[1], or others.
class MatchingFitsOfProducts : public testing::Test {
 protected:
  void pose(const std::vector<std::pair<int, int>>& needed) {
    const auto fetch = [&](std::size_t i, bool of_a) {
      return b_.choice(b_.at(hole_, i),
                       of_a ? std::vector<Value>{b_.a(0), b_.a(1)} : std::vector<Value>{b_.b(0), b_.b(1)});
    };
    std::vector<Value> expected;
    for (const auto& [i, j] : needed) expected.push_back(b_.product(b_.a(i), b_.b(j)));
    b_.equation(b_.sum({b_.product(fetch(0, true), fetch(1, false)), b_.product(fetch(0, true), fetch(2, false))}),
                b_.sum(expected));
    ASSERT_FALSE(b_.compile(network_));
    ASSERT_EQ(network_.matchings.size(), 1u);
    domains_.emplace(b_.problem.points);
    fetches_.emplace(network_, *domains_);
    fits_.emplace(matching());
  }
  const Matching& matching() const { return network_.matchings[0]; }
  void refresh() {
    for (std::uint32_t f = 0; f < network_.fetches.size(); ++f) {
      fetches_->mark_stale(f);
      ASSERT_TRUE(fetches_->refresh(f));
    }
  }
  // How many monomials each tuple may be.
  std::vector<int> sizes() {
    const Mask& may = fits_->update(matching(), *fetches_);
    std::vector<int> sizes;
    for (std::size_t t = 0; t < matching().tuples.size(); ++t)
      sizes.push_back(size(&may[t * matching().words], matching().words));
    return sizes;
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kI32};
  const HoleId hole_ = b_.hole(HoleKind::kPart, 2, {{0}, {1}, {2}});
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<ElementPropagator> fetches_;
  std::optional<MatchingFits> fits_;
};

TEST_F(MatchingFitsOfProducts, ATupleMayBeWhatAllItsFetchesReach) {
  pose({{0, 0}, {0, 1}});
  EXPECT_EQ(sizes(), (std::vector<int>{2, 2}));
  ASSERT_TRUE(domains_->fix(b_.at(hole_, 1), 1));
  refresh();
  EXPECT_EQ(sizes(), (std::vector<int>{1, 2}));
}

TEST_F(MatchingFitsOfProducts, WhatComesBackFitsAgain) {
  pose({{0, 0}, {0, 1}});
  const std::vector<int> before = sizes();
  const std::size_t mark = fetches_->mark(), domains = domains_->mark();
  ASSERT_TRUE(domains_->fix(b_.at(hole_, 1), 1));
  refresh();
  ASSERT_NE(sizes(), before);
  fetches_->undo(mark);
  domains_->undo(domains);
  EXPECT_EQ(sizes(), before);
}

TEST_F(MatchingFitsOfProducts, FetchesKeepWhatTheirTuplesMayBe) {
  pose({{0, 0}, {1, 1}});
  Mask may = fits_->update(matching(), *fetches_);
  const std::size_t only = first(may.data(), matching().words);
  may[0] = std::uint64_t{1} << only;  // of the first tuple
  ASSERT_TRUE(fits_->restrict(matching(), *fetches_, may));
  EXPECT_TRUE(fits_->is_settled(may));
  EXPECT_EQ(sizes()[0], 1);
  EXPECT_EQ(sizes()[1], 1) << "they share the fetch of a";
}

TEST_F(MatchingFitsOfProducts, ATupleThatMayBeNothingIsAContradiction) {
  pose({{0, 0}, {0, 1}});
  Mask may = fits_->update(matching(), *fetches_);
  may[0] = 0;
  EXPECT_FALSE(fits_->restrict(matching(), *fetches_, may));
}

TEST_F(MatchingFitsOfProducts, OtherFitsAreNotSettled) {
  pose({{0, 0}, {0, 1}});
  const Mask may = fits_->update(matching(), *fetches_);
  EXPECT_FALSE(fits_->is_settled(may));
  ASSERT_TRUE(fits_->restrict(matching(), *fetches_, may));
  EXPECT_TRUE(fits_->is_settled(may));
  EXPECT_EQ(sizes(), (std::vector<int>{2, 2})) << "nothing was taken away";
}

}  // namespace
}  // namespace swizzle::matching_fits_test
