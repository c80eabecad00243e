#include "synth/propagation/masks.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace swizzle {
namespace {

constexpr std::size_t kWords = 3;

std::set<std::size_t> elements(const Mask& mask) {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < mask.size() * 64; ++i)
    if ((mask[i / 64] >> (i % 64) & 1) != 0) found.insert(i);
  return found;
}

// Sparse and dense ones, against sets of numbers.
TEST(Masks, AreSets) {
  std::mt19937_64 random(1);
  const auto any = [&] {
    Mask mask(kWords, 0);
    for (std::uint64_t& w : mask) w = random() % 3 == 0 ? 0 : random() & random() & random() & random();
    return mask;
  };
  for (int round = 0; round < 500; ++round) {
    const Mask a = any(), b = any();
    const std::set<std::size_t> s = elements(a), t = elements(b);
    bool met = false, beyond = false;
    for (std::size_t i : s) (t.contains(i) ? met : beyond) = true;
    EXPECT_EQ(meets(a.data(), b.data(), kWords), met);
    EXPECT_EQ(exceeds(a.data(), b.data(), kWords), beyond);
    EXPECT_EQ(static_cast<std::size_t>(size(a.data(), kWords)), s.size());
    EXPECT_EQ(first(a.data(), kWords), s.empty() ? kWords * 64 : *s.begin());
  }
}

class MasksHolds : public testing::Test {
 protected:
  MasksHolds() {
    for (int i = 0; i < 2; ++i) points_.intern(HoleId(0), {i}, 70);
    domains_.emplace(points_);
  }
  const PointId p_{0}, q_{1};
  PointTable points_;
  std::optional<Domains> domains_;
};

TEST_F(MasksHolds, AValueWhileThePointAllowsIt) {
  EXPECT_TRUE(holds(p_, 66, *domains_));
  ASSERT_TRUE(domains_->remove_value(p_, 66));
  EXPECT_FALSE(holds(p_, 66, *domains_));
  EXPECT_TRUE(holds(p_, 65, *domains_));
}

TEST_F(MasksHolds, AnyOtherValueUntilItIsTheOnlyOne) {
  EXPECT_TRUE(holds(p_, ~66, *domains_));
  ASSERT_TRUE(domains_->fix(p_, 66));
  EXPECT_FALSE(holds(p_, ~66, *domains_));
  EXPECT_TRUE(holds(p_, ~65, *domains_));
}

TEST_F(MasksHolds, APathWhileEachOfItsStepsDoes) {
  const Guard path{{p_, 1}, {q_, ~2}};
  EXPECT_TRUE(holds(path, *domains_));
  EXPECT_TRUE(holds(Guard{}, *domains_));
  ASSERT_TRUE(domains_->fix(q_, 2));
  EXPECT_FALSE(holds(path, *domains_));
}

}  // namespace
}  // namespace swizzle
