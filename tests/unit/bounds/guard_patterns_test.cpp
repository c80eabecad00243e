#include "synth/bounds/guard_patterns.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace swizzle::guard_patterns_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr GuardPrice kOpen{0, 128, 160, 128};

// Four products, each offered to c0 … c3 under a guard of its own: hole 4 · product + accumulator. 32 lanes keep two
// coefficients of each operand; c_r on a lane needs as many products as pairs of coefficients add up to 32 r + lane.
struct FiniteField {
  std::vector<std::vector<std::size_t>> shares;
  std::vector<Capacity> capacities;
  std::vector<GuardPrice> prices = std::vector<GuardPrice>(16, kOpen);
  std::vector<double> least = std::vector<double>(16, 0);  // price and rank of each

  FiniteField() {
    for (std::size_t p = 0; p < 4; ++p) shares.push_back({4 * p, 4 * p + 1, 4 * p + 2, 4 * p + 3});
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t degree = 32 * r + lane;
        capacities.push_back(
            {degree < 64 ? degree + 1 : 127 - degree, {{r, 32}, {4 + r, 32}, {8 + r, 32}, {12 + r, 32}}});
      }
  }

  KnownCosts known() const { return {least, least}; }
  GuardPatterns patterns() const { return GuardPatterns(shares, capacities, prices); }
};

TEST(GuardPatterns, DegreeSixtyFourNeedsSixAccumulatesOfWhichFourAreCompared) {
  const FiniteField field;
  EXPECT_EQ(field.patterns().holes().size(), 16u);
  EXPECT_EQ(field.patterns().least(field.known()), 2 * 128 + 4 * 160);
}

TEST(GuardPatterns, WhatIsKnownOfAGuardExcludesPatterns) {
  FiniteField field;
  field.least[1] = 129;  // a0·b0 for c1: not 0, not 1 everywhere
  field.least[6] = 129;  // a0·b1 for c2: likewise
  field.least[9] = 129;
  field.least[12] = 129;
  EXPECT_EQ(field.patterns().least(field.known()), 8 * 160) << "each product is compared twice";
}

TEST(GuardPatterns, AHoleThatIsNotCountedIsFree) {
  FiniteField field;
  field.least[0] = kInfinity;
  EXPECT_EQ(field.patterns().least(field.known()), 2 * 128 + 3 * 160);
}

TEST(GuardPatterns, NoPatternIfAProductHasNowhereToGo) {
  FiniteField field;
  for (std::size_t h = 0; h < 4; ++h) field.prices[h] = {0, kInfinity, kInfinity};
  EXPECT_EQ(field.patterns().least(field.known()), kInfinity);
}

// Of guards that are each 0, 1 or compared: the least that they cost together, by trying all.
double tried(const std::vector<std::vector<std::size_t>>& shares, const std::vector<Capacity>& capacities,
             const std::vector<GuardPrice>& prices) {
  enum { kNowhere, kEverywhere, kCompared, kStates };
  double least = kInfinity;
  std::vector<int> states(prices.size(), kNowhere);
  const auto holds = [&] {
    for (const auto& share : shares) {
      const auto count = [&](int state) {
        return std::count_if(share.begin(), share.end(), [&](std::size_t h) { return states[h] == state; });
      };
      if (count(kEverywhere) > 1 || (count(kEverywhere) == 1 && count(kCompared) > 0) ||
          (count(kEverywhere) == 0 && count(kCompared) < 2))
        return false;
    }
    for (const Capacity& capacity : capacities) {
      std::size_t everywhere = 0, offered = 0;
      for (const auto& [hole, products] : capacity.offered) {
        everywhere += states[hole] == kEverywhere ? products : 0;
        offered += states[hole] != kNowhere ? products : 0;
      }
      if (everywhere > capacity.needed || offered < capacity.needed) return false;
    }
    return true;
  };
  for (bool more = true; more;) {
    double cost = 0;
    for (std::size_t h = 0; h < states.size(); ++h)
      cost += states[h] == kNowhere      ? prices[h].nowhere
              : states[h] == kEverywhere ? prices[h].everywhere
                                         : prices[h].compared;
    if (cost < least && holds()) least = cost;
    more = false;
    for (std::size_t h = 0; h < states.size() && !more; ++h) {
      states[h] = (states[h] + 1) % kStates;
      more = states[h] != kNowhere;
    }
  }
  return least;
}

// Shares that have a guard in common, too.
TEST(GuardPatterns, CostWhatTheBestOfAllPatternsCosts) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  int found = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::vector<std::size_t>> shares{{0, 1, 2}, {3, 4, 5}};
    if (below(2) == 0) shares.push_back({2, 5, 6});
    std::vector<GuardPrice> prices;
    for (std::size_t h = 0; h < 7; ++h)
      prices.push_back(
          {static_cast<double>(below(3) * 8), static_cast<double>(below(9) * 16), static_cast<double>(below(9) * 16)});
    std::vector<Capacity> capacities(3);
    for (Capacity& capacity : capacities) {
      capacity.needed = below(5);
      for (std::size_t h = 0; h < (shares.size() == 3 ? 7u : 6u); ++h)
        if (below(2) == 0) capacity.offered.emplace_back(h, 1 + below(3));
    }
    if (shares.size() == 2) prices.pop_back();
    const GuardPatterns patterns(shares, capacities, prices);
    const double expected = tried(shares, capacities, prices);
    EXPECT_EQ(patterns.least({std::vector<double>(prices.size(), 0), std::vector<double>(prices.size(), 0)}), expected)
        << round;
    found += expected < kInfinity ? 1 : 0;
  }
  EXPECT_GT(found, 30);
}

TEST(GuardPatterns, CountsPatternsBelowACost) {
  const GuardPatterns one({{0, 1}}, {{8, {{0, 8}, {1, 8}}}}, {kOpen, kOpen});  // either, or both by comparisons
  EXPECT_FALSE(one.are_few({{0, 0}, {0, 0}}, 129, 1));
  EXPECT_TRUE(one.are_few({{0, 0}, {0, 0}}, 129, 2));
  EXPECT_FALSE(one.are_few({{0, 0}, {0, 0}}, 321, 2));
  EXPECT_TRUE(one.are_few({{0, 0}, {0, 0}}, 321, 3));
}

// A product that goes to one of two outputs is told from one that goes to both.
TEST(GuardPatterns, OnlyProductsThatOneOutputNeedsAreShared) {
  Problem problem;
  problem.holes.resize(2);
  for (std::size_t h = 0; h < 2; ++h) {
    problem.holes[h].id = HoleId(h);
    problem.holes[h].domain = 2;
  }
  ConstraintNetwork network;
  Matching matching;
  matching.words = 1;
  matching.tuples.resize(1);
  matching.sums = {{0, {1}}, {1, {2}}};
  for (std::uint32_t g = 0; g < 2; ++g) {
    problem.holes[g].points = {problem.points.intern(HoleId(g), {0}, 2)};
    matching.assignments.push_back({0, g, 0, {{problem.holes[g].points[0], 1}}});
  }
  network.matchings.push_back(matching);
  EXPECT_EQ(shared_products(problem, network), (std::vector<std::vector<std::size_t>>{{0, 1}}));
  network.matchings[0].sums[1].needs = {3};
  EXPECT_TRUE(shared_products(problem, network).empty());
  network.matchings[0].sums[1].needs = {2};
  problem.holes[1].points.push_back(
      problem.points.intern(HoleId(1), {1}, 2));  // where nothing is shared: it may differ there
  EXPECT_TRUE(shared_products(problem, network).empty());
}

}  // namespace
}  // namespace swizzle::guard_patterns_test
