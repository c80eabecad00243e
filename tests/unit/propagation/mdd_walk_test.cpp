// The walk against the enumeration of all that its points may be; examples are in diagrams_test.cpp.
#include "synth/propagation/mdd_walk.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::mdd_walk_test {
namespace {

class MddWalks : public testing::Test {
 protected:
  static constexpr int kValues = 3;

  Value leaf() { return Value::integer(random_() % 3 == 0 ? 1 : 0); }
  // A violation that asks points from `first` on, each or none of them.
  Value violation(std::size_t first) {
    if (first == 3) return leaf();
    if (random_() % 4 == 0) return violation(first + 1);
    std::vector<Value> values;
    for (int v = 0; v < kValues; ++v) values.push_back(random_() % 4 == 0 ? leaf() : violation(first + 1));
    return b_.choice(b_.at(hole_, first), values);
  }
  bool is_violated(Value v, const Assignment& a) {
    PointId blocked;
    return truth(b_.problem.provenance.resolve(v, a, blocked)) != false;
  }
  Domains narrowed() {
    Domains domains(b_.problem.points);
    for (std::size_t p = 0; p < domains.points(); ++p)
      for (int v = 0; v < kValues; ++v)
        if (random_() % 3 == 0 && domains.count(PointId(p)) > 1) domains.remove_value(PointId(p), v);
    return domains;
  }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(kValues);
  std::mt19937 random_{11};
};

TEST_F(MddWalks, KeepTheValuesOfAllWaysToSafety) {
  std::size_t struck = 0, ends = 0;
  for (int round = 0; round < 400; ++round) {
    const Value v = violation(0);
    ViolationMdds mdds;
    const ViolationMdds::Target root = mdds.add(b_.problem.provenance, v);
    if (root == ViolationMdds::kSafe || root == ViolationMdds::kViolated) continue;
    Domains domains = narrowed();
    const Domains before = domains;
    const std::size_t mark = domains.mark();
    const bool is_safe = MddWalk(mdds, domains).keep_safe(root, mdds.points(root));
    std::size_t safe = 0;
    std::vector<Domains::Word> supported(domains.points(), 0);
    for_each_assignment(b_.problem, [&](const Assignment& a) {
      if (!lies_within(a, before) || is_violated(v, a)) return;
      ++safe;
      for (std::size_t p = 0; p < a.size(); ++p) supported[p] |= Domains::Word{1} << a[p];
      EXPECT_TRUE(!is_safe || lies_within(a, domains)) << round;
    });
    EXPECT_EQ(is_safe, safe > 0) << round;
    if (!is_safe) {
      ++ends;
      continue;
    }
    struck += domains.mark() > mark ? 1 : 0;
    for (PointId p : mdds.points(root)) EXPECT_GT(domains.count(p), 0);
    // The first point is asked on every way: what is left of it is just what is safe with something.
    const PointId first = mdds.node(root).point;
    EXPECT_EQ(*domains.values(first), supported[first.value]) << round;
  }
  EXPECT_GT(struck, 20u);
  EXPECT_GT(ends, 5u);
}

// Walks of other MDDs, one after the other, do not disturb each other.
TEST_F(MddWalks, AnswerTheSameAgain) {
  ViolationMdds mdds;
  std::vector<ViolationMdds::Target> roots;
  while (roots.size() < 5)
    if (const ViolationMdds::Target root = mdds.add(b_.problem.provenance, violation(0));
        root != ViolationMdds::kSafe && root != ViolationMdds::kViolated)
      roots.push_back(root);
  Domains domains(b_.problem.points);
  MddWalk walk(mdds, domains);
  for (int round = 0; round < 30; ++round) {
    const ViolationMdds::Target root = roots[random_() % roots.size()];
    const std::size_t mark = domains.mark();
    Domains copy = domains;
    const bool safe = walk.keep_safe(root, mdds.points(root));
    EXPECT_EQ(safe, MddWalk(mdds, copy).keep_safe(root, mdds.points(root)));
    EXPECT_EQ(left_of(domains), left_of(copy));
    domains.undo(mark);
  }
}

}  // namespace
}  // namespace swizzle::mdd_walk_test
