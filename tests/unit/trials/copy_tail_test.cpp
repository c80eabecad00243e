// Chains that only copy, met in the middle.
#include "synth/trials/copy_tail.h"

#include <gtest/gtest.h>

#include "synth/trials/copied_values.h"
#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::copy_tail_test {
namespace {

// v = shuffle(x, P); v = shuffle(v, Q); y = shuffle(v, R) on 4 lanes, lane l to have x[3 - l].
class ThreeShuffles : public testing::Test {
 protected:
  ThreeShuffles() {
    std::vector<Value> v{b_.x(0), b_.x(1), b_.x(2), b_.x(3)};
    for (HoleId hole : {first_, second_, third_}) {
      std::vector<Value> next;
      for (std::size_t lane = 0; lane < 4; ++lane) next.push_back(b_.choice(b_.at(hole, lane), v));
      v = next;
    }
    for (std::size_t lane = 0; lane < 4; ++lane) b_.equation(v[lane], b_.x(3 - static_cast<std::int64_t>(lane)));
    graph_ = TrialGraph::of(b_.problem, {0, 1, 2, 3});
  }

  ProblemBuilder b_;
  const HoleId first_ = b_.transform(4), second_ = b_.transform(4), third_ = b_.transform(4);
  std::optional<TrialGraph> graph_;
  const std::vector<HoleTable> tables_{table({0, 1, 2, 3}), table({1, 0, 3, 2}), table({2, 3, 0, 1}),
                                       table({0, 0, 2, 2})};
  const TableTrie trie_{{&tables_[0], &tables_[1], &tables_[2], &tables_[3]}, {0, 1, 2, 1}, {{0, 1, 2, 3}}};
};

TEST_F(ThreeShuffles, MayBePartedBeforeEachButTheFirst) {
  ASSERT_TRUE(graph_);
  EXPECT_EQ(CopiedValues(*graph_).starts(), (std::vector<std::size_t>{1, 2}));
}

TEST_F(ThreeShuffles, AreLeftWhereAValueThatIsWantedIsLost) {
  ASSERT_TRUE(graph_);
  CopiedValues copied(*graph_);
  graph_->decide(0, tables_[1]);
  EXPECT_TRUE(copied.are_kept(*graph_, 0));
  graph_->decide(0, tables_[3]);
  EXPECT_FALSE(copied.are_kept(*graph_, 0));
}

TEST_F(ThreeShuffles, AreFoundByWhatTheFirstLeaves) {
  ASSERT_TRUE(graph_);
  CopyTail tail(*graph_, 1);
  ASSERT_TRUE(tail.list({&trie_, &trie_, &trie_}, {.most_cost = 9, .most = 100, .keeps_all = true}));
  graph_->decide(0, tables_[1]);
  std::vector<CopyTail::Match> matches;
  tail.find(*graph_, matches);
  ASSERT_EQ(matches.size(), 2u);  // x ^ 1, then x ^ 2 and x, or x and x ^ 2
  EXPECT_EQ(matches[0].cost, 2);
  graph_->decide(0, tables_[3]);
  matches.clear();
  tail.find(*graph_, matches);
  EXPECT_TRUE(matches.empty());
}

TEST_F(ThreeShuffles, LeaveOutWhatCostsMore) {
  ASSERT_TRUE(graph_);
  CopyTail tail(*graph_, 1);
  ASSERT_TRUE(tail.list({&trie_, &trie_, &trie_}, {.most_cost = 1, .most = 100, .keeps_all = true}));
  EXPECT_EQ(tail.least_left_out(), 2);
  graph_->decide(0, tables_[1]);
  std::vector<CopyTail::Match> matches;
  tail.find(*graph_, matches);
  EXPECT_TRUE(matches.empty());
  EXPECT_FALSE(tail.list({&trie_, &trie_, &trie_}, {.most_cost = 9, .most = 5, .keeps_all = true}));
}

// What is computed at the end is not copied.
TEST(CopiedValues, OfASumAreNone) {
  ProblemBuilder b;
  const HoleId p = b.transform(2), q = b.transform(2);
  std::vector<Value> v{b.choice(b.at(p, 0), {b.x(0), b.x(1)}), b.choice(b.at(p, 1), {b.x(0), b.x(1)})};
  b.equation(b.sum({v[0], b.choice(b.at(q, 0), v)}), b.sum({b.x(0), b.x(1)}));
  const auto graph = TrialGraph::of(b.problem, {0});
  ASSERT_TRUE(graph);
  EXPECT_TRUE(CopiedValues(*graph).starts().empty());
}

// What is required of a step is settled with it: behind, values are copied.
TEST(CopiedValues, BeginBehindWhatIsRequired) {
  for (const std::size_t required : {0, 1, 2}) {
    ProblemBuilder b;
    const std::vector<HoleId> holes{b.transform(2), b.transform(2), b.transform(2)};
    std::vector<Value> v{b.x(0), b.x(1)};
    for (HoleId hole : holes) v = {b.choice(b.at(hole, 0), v), b.choice(b.at(hole, 1), v)};
    for (std::size_t lane = 0; lane < 2; ++lane) b.equation(v[lane], b.x(static_cast<std::int64_t>(lane)));
    b.forbid(b.equal(b.index(b.at(holes[required], 0)), b.index(b.at(holes[required], 1))));
    const auto graph = TrialGraph::of(b.problem, {0, 1});
    ASSERT_TRUE(graph);
    const CopiedValues copied(*graph);
    EXPECT_EQ(copied.starts().empty(), required == 2);
    for (std::size_t s = graph->copies_from(); s < graph->steps().size(); ++s)
      EXPECT_GT(graph->steps()[s].hole.value, required);
  }
}

// Two outputs that want the same number for different forms would be taken for one.
TEST(CopiedValues, OfOutputsWithTheSameNumberAreNone) {
  ProblemBuilder b(Ring::kSum, Scalar::kBool);
  const HoleId p = b.transform(4), q = b.transform(4);
  const std::vector<Value> x{b.x(0), b.x(1), b.x(2), b.x(3)};
  std::vector<Value> v;
  for (std::size_t lane = 0; lane < 4; ++lane) v.push_back(b.choice(b.at(p, lane), x));
  for (std::size_t lane = 0; lane < 4; ++lane) b.equation(b.choice(b.at(q, lane), v), x[lane]);
  const auto graph = TrialGraph::of(b.problem, {0, 1, 2, 3});
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->has_plain_goals());
}

}  // namespace
}  // namespace swizzle::copy_tail_test
