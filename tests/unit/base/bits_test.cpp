#include "synth/base/bits.h"

#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace swizzle::bits_test {
namespace {

using Mask = std::vector<std::uint64_t>;
constexpr std::size_t kWords = 3;

std::set<std::size_t> elements(const Mask& mask) {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < mask.size() * 64; ++i)
    if ((mask[i / 64] >> (i % 64) & 1) != 0) found.insert(i);
  return found;
}

// Sparse and dense ones, against sets of numbers.
TEST(WordSets, AreSets) {
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

}  // namespace
}  // namespace swizzle::bits_test
