#include "synth/propagation/element_propagator.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "synth/network/element_builder.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::element_propagator_test {
namespace {

// P says the lane, Q and R the register at lanes 1 and 2:  P = 0 → x[0]   P = 1, Q = 0 → x[1]   P = 1, Q = 1 → x[5]   P
// = 2, R = … → x[2], x[6]
class ElementPropagatorOf : public testing::Test {
 protected:
  std::uint32_t fetch(Value choice, const std::vector<int>& useful) {
    ElementBuilder builder(b_.problem);
    LeafSet leaves;
    for (int i : useful) leaves.insert(builder.number_of(b_.x(i).as_node()));
    network_.fetches.push_back(builder.build(choice.as_node(), leaves));
    return static_cast<std::uint32_t>(network_.fetches.size() - 1);
  }
  std::uint32_t shuffled(const std::vector<int>& useful = {0, 1, 2, 5, 6}) {
    return fetch(b_.choice(p_, {b_.x(0), b_.choice(q_, {b_.x(1), b_.x(5)}), b_.choice(r_, {b_.x(2), b_.x(6)})}),
                 useful);
  }
  void start() {
    domains_.emplace(b_.problem.points);
    fetches_.emplace(network_, *domains_);
  }
  bool refresh(std::uint32_t f) {
    fetches_->mark_stale(f);
    return fetches_->refresh(f);
  }
  std::set<int> reached(std::uint32_t f) const {
    const std::vector<NodeId>& leaves = network_.fetches[f].shape->leaves;
    Mask each(leaves.size()), out(1, 0);
    for (std::size_t l = 0; l < leaves.size(); ++l)
      each[l] = std::uint64_t{1} << b_.problem.provenance.node(leaves[l]).index();
    fetches_->reach(f, each, out.data(), 1);
    std::set<int> found;
    for (int i = 0; i < 64; ++i)
      if ((out[0] >> i & 1) != 0) found.insert(i);
    return found;
  }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(3), registers_ = b_.part(2, 2);
  const PointId p_ = b_.at(lanes_, 0), q_ = b_.at(registers_, 0), r_ = b_.at(registers_, 1);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<ElementPropagator> fetches_;
};

using Set = std::set<int>;

TEST_F(ElementPropagatorOf, ALaneReachWhatItHolds) {
  const std::uint32_t f = shuffled();
  start();
  EXPECT_EQ(reached(f), (Set{0, 1, 2, 5, 6}));
  ASSERT_TRUE(domains_->fix(p_, 1));
  ASSERT_TRUE(refresh(f));
  EXPECT_EQ(reached(f), (Set{1, 5}));
  EXPECT_EQ(fetches_->only_leaf(f), std::nullopt);
  ASSERT_TRUE(domains_->fix(q_, 1));
  ASSERT_TRUE(refresh(f));
  ASSERT_TRUE(fetches_->only_leaf(f));
  EXPECT_EQ(network_.fetches[f].shape->leaves[*fetches_->only_leaf(f)], b_.x(5).as_node());
}

TEST_F(ElementPropagatorOf, NothingUsefulEndInAContradiction) {
  const std::uint32_t f = shuffled({1, 5});
  start();
  ASSERT_TRUE(refresh(f));
  ASSERT_TRUE(domains_->remove_value(p_, 1));
  EXPECT_FALSE(refresh(f));
}

TEST_F(ElementPropagatorOf, AProjectionStrikesOutWhatNoAlternativeHas) {
  const std::uint32_t f = shuffled({1, 5, 6});
  start();
  ASSERT_TRUE(fetches_->project(f));
  EXPECT_FALSE(domains_->allows(p_, 0));
  EXPECT_EQ(domains_->count(r_), 2) << "the way over lane 1 does not pass it";
  EXPECT_EQ(domains_->count(q_), 2);
  ASSERT_TRUE(domains_->remove_value(p_, 1));
  ASSERT_TRUE(refresh(f));
  ASSERT_TRUE(fetches_->project(f));
  EXPECT_EQ(domains_->count(r_), 1);
  EXPECT_EQ(domains_->first(r_), 1);
}

TEST_F(ElementPropagatorOf, ALeafThatIsDroppedIsNotReached) {
  const std::uint32_t f = shuffled();
  start();
  ASSERT_TRUE(fetches_->drop(f, b_.x(5).as_node()));
  EXPECT_EQ(reached(f), (Set{0, 1, 2, 6}));
  ASSERT_TRUE(fetches_->drop(f, b_.x(9).as_node())) << "it has no such leaf";
  EXPECT_EQ(reached(f), (Set{0, 1, 2, 6}));
  for (int i : {0, 1, 2}) ASSERT_TRUE(fetches_->drop(f, b_.x(i).as_node()));
  EXPECT_FALSE(fetches_->drop(f, b_.x(6).as_node()));
}

TEST_F(ElementPropagatorOf, TheirVersionChangesOnlyWithThem) {
  const std::uint32_t f = shuffled(), g = fetch(b_.choice(b_.at(lanes_, 1), {b_.x(0), b_.x(1), b_.x(2)}), {0, 1, 2});
  start();
  const std::uint64_t before = fetches_->version(f), other = fetches_->version(g);
  ASSERT_TRUE(refresh(f));
  EXPECT_EQ(fetches_->version(f), before);
  ASSERT_TRUE(domains_->remove_value(p_, 1));
  ASSERT_TRUE(refresh(f) && refresh(g));
  EXPECT_NE(fetches_->version(f), before);
  EXPECT_EQ(fetches_->version(g), other);
}

TEST_F(ElementPropagatorOf, UndoBringsThemBack) {
  const std::uint32_t f = shuffled();
  start();
  const std::size_t mark = fetches_->mark(), domains = domains_->mark();
  ASSERT_TRUE(domains_->fix(p_, 2) && refresh(f));
  EXPECT_EQ(reached(f), (Set{2, 6}));
  fetches_->undo(mark);
  domains_->undo(domains);
  EXPECT_EQ(reached(f), (Set{0, 1, 2, 5, 6}));
}

TEST_F(ElementPropagatorOf, ADecisionIsOnePointThatTellsTheLeaf) {
  const std::uint32_t f = shuffled();
  start();
  EXPECT_FALSE(fetches_->decision(f)) << "the lane and a register decide it";
  ASSERT_TRUE(domains_->fix(p_, 1) && refresh(f));
  const auto decision = fetches_->decision(f);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->point, q_);
  ASSERT_EQ(decision->leaves.size(), 2u);
  for (const auto& [value, leaf] : decision->leaves)
    EXPECT_EQ(network_.fetches[f].shape->leaves[leaf], b_.x(value == 0 ? 1 : 5).as_node());
}

TEST_F(ElementPropagatorOf, TheirPathsAreThoseThatAreLeft) {
  const std::uint32_t f = shuffled();
  start();
  EXPECT_EQ(fetches_->live_paths(f).size(), 5u);
  ASSERT_TRUE(domains_->fix(p_, 2) && refresh(f));
  EXPECT_EQ(fetches_->live_paths(f).size(), 2u);
  EXPECT_EQ(fetches_->first_live_path(f), (Path{{p_, 2}, {r_, 0}}));
  std::vector<bool> asked(b_.problem.points.size(), false);
  fetches_->note_asked(asked);
  EXPECT_TRUE(asked[p_.value] && asked[r_.value]);
  EXPECT_FALSE(asked[q_.value]);
}

// A word that three writers may have written: the way on has steps away from values.
TEST_F(ElementPropagatorOf, StepsAwayFromAValueEndWhereItIsTheOnlyOne) {
  const PointId s = b_.at(lanes_, 1);
  const std::uint32_t f = fetch(b_.choice(p_, {b_.x(1), b_.x(0), b_.x(0)}), {0, 1});
  const std::uint32_t g = fetch(b_.choice(s, {b_.x(1), b_.x(0), b_.x(0)}), {0});
  start();
  ASSERT_TRUE(domains_->fix(p_, 0) && refresh(f));
  EXPECT_EQ(reached(f), (Set{1}));
  ASSERT_TRUE(refresh(g) && fetches_->project(g));
  EXPECT_FALSE(domains_->allows(s, 0));
  EXPECT_EQ(domains_->count(s), 2);
}

// Whatever the domains are: reached is what some assignment within them fetches. All points at once, or those that
// changed only.
TEST_F(ElementPropagatorOf, ReachWhatSomeAssignmentFetches) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    network_ = {};
    std::vector<Value> values;
    for (int v = 0; v < 3; ++v) {
      const PointId at = random() % 2 == 0 ? q_ : r_;
      values.push_back(random() % 2 == 0 ? b_.x(v)
                                         : b_.choice(at, {b_.x(v), random() % 3 == 0 ? Value{} : b_.x(v + 3)}));
    }
    const Value choice = b_.choice(p_, values);
    const std::uint32_t f = fetch(choice, {0, 1, 2, 3, 4, 5});
    start();
    bool stands = true;
    for (int step = 0; step < 3 && stands; ++step) {
      const std::size_t local = random() % network_.fetches[f].points.size();
      const PointId p = network_.fetches[f].points[local];
      if (domains_->count(p) == 1) continue;
      ASSERT_TRUE(domains_->remove_value(p, domains_->first(p) + static_cast<int>(random() % 2)));
      if (random() % 2 == 0) fetches_->mark_stale(f);
      else fetches_->mark_stale(f, static_cast<std::uint32_t>(local));
      stands = fetches_->refresh(f);
      Set expected;
      for_each_assignment(b_.problem, [&](const Assignment& a) {
        PointId blocked;
        if (!lies_within(a, *domains_)) return;
        if (const Value v = b_.problem.provenance.resolve(choice, a, blocked); !v.is_undefined())
          expected.insert(static_cast<int>(b_.problem.provenance.node(v).index()));
      });
      EXPECT_EQ(stands, !expected.empty()) << round;
      EXPECT_EQ(reached(f), expected) << round;
    }
  }
}

}  // namespace
}  // namespace swizzle::element_propagator_test
