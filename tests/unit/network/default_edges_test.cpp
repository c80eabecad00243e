#include "synth/network/default_edges.h"

#include <gtest/gtest.h>

namespace swizzle::default_edges_test {
namespace {

// Words of memory as choices of their writers: points P0, P1, … say where.
class DefaultEdgesOfWriters : public testing::Test {
 protected:
  DefaultEdgesOfWriters() {
    for (int p = 0; p < 12; ++p) problem_.points.intern(HoleId(0), {p}, kDomain);
    problem_.holes.emplace_back();
  }

  Value x(int i) { return problem_.provenance.input(BufferId(0), i, Scalar::kI32); }
  // P = v ? then : otherwise
  Value stored(std::size_t p, int v, Value then, Value otherwise) {
    std::vector<Value> children(kDomain, otherwise);
    children[static_cast<std::size_t>(v)] = then;
    return problem_.provenance.choice(PointId(p), std::move(children));
  }
  void forbid(Value violation) { problem_.requirements.push_back({violation, "", {}}); }
  Value together(std::size_t p, int a, std::size_t q, int b) {
    return stored(p, a, stored(q, b, Value::integer(1), Value::integer(0)), Value::integer(0));
  }
  static Path path(std::initializer_list<std::pair<PointId, int>> steps) { return Path(steps.begin(), steps.end()); }

  static constexpr int kDomain = 4;
  Problem problem_;
  const PointId p0_{0}, p1_{1}, p2_{2};
};

TEST_F(DefaultEdgesOfWriters, GoAroundTheValuesThatLeadElsewhere) {
  DefaultEdges default_edges(problem_);
  const Value word = stored(1, 3, x(1), stored(0, 3, x(0), x(9)));
  const DefaultEdges::Split& split = default_edges.split(word.as_node());
  ASSERT_EQ(split.others.size(), 1u);
  EXPECT_EQ(split.others[0].steps, path({{p1_, 3}}));
  EXPECT_EQ(split.others[0].to, x(1));
  EXPECT_EQ(split.rest, stored(0, 3, x(0), x(9)));
}

TEST_F(DefaultEdgesOfWriters, AreNotTakenWhereEachValueLeadsElsewhere) {
  DefaultEdges default_edges(problem_);
  const Value fetched = problem_.provenance.choice(p0_, {x(0), x(1), x(2), x(3)});
  EXPECT_TRUE(default_edges.split(fetched.as_node()).others.empty());
}

TEST_F(DefaultEdgesOfWriters, GoAroundTwoHolesTogether) {
  DefaultEdges default_edges(problem_);
  const Value before = stored(0, 3, x(0), x(9));
  const Value word = problem_.provenance.choice(p1_, {stored(2, 1, x(1), before), before});
  const DefaultEdges::Split& split = default_edges.split(word.as_node());
  ASSERT_EQ(split.others.size(), 1u);
  EXPECT_EQ(split.others[0].steps, path({{p1_, 0}, {p2_, 1}}));
  EXPECT_EQ(split.rest, before);
}

TEST_F(DefaultEdgesOfWriters, HaveTheConditionThatTheBranchIsNotTaken) {
  const DefaultEdges default_edges(problem_);
  bool relaxed = false;
  EXPECT_EQ(default_edges.conditions(path({{p0_, 3}}), {path({{p1_, 3}})}, relaxed),
            (std::vector<Path>{path({{p1_, ~3}})}));
  EXPECT_EQ(default_edges.conditions(path({{p0_, 3}}), {path({{p1_, 0}, {p2_, 1}})}, relaxed),
            (std::vector<Path>{path({{p1_, ~0}}), path({{p1_, 0}, {p2_, ~1}})}));
  EXPECT_TRUE(default_edges.conditions(path({{p1_, 3}}), {path({{p1_, 3}})}, relaxed).empty());
  EXPECT_EQ(default_edges.conditions(path({{p1_, 2}}), {path({{p1_, 3}})}, relaxed), (std::vector<Path>{Path{}}));
  EXPECT_FALSE(relaxed);
}

TEST_F(DefaultEdgesOfWriters, NeedNoConditionWhereARequirementHasIt) {
  forbid(together(0, 3, 1, 3));
  forbid(stored(2, 1, Value::integer(1), Value::integer(0)));
  const DefaultEdges default_edges(problem_);
  bool relaxed = false;
  EXPECT_TRUE(default_edges.excludes(p1_, 3, p0_, 3));
  EXPECT_FALSE(default_edges.excludes(p1_, 2, p0_, 3));
  EXPECT_TRUE(default_edges.excludes(p2_, 1));
  EXPECT_EQ(default_edges.conditions(path({{p0_, 3}}), {path({{p1_, 3}})}, relaxed), (std::vector<Path>{Path{}}));
  EXPECT_EQ(default_edges.conditions(path({{p0_, 2}}), {path({{p1_, 3}})}, relaxed),
            (std::vector<Path>{path({{p1_, ~3}})}));
  EXPECT_EQ(default_edges.conditions(path({{p0_, 2}}), {path({{p1_, 0}, {p2_, 1}})}, relaxed),
            (std::vector<Path>{Path{}}));
}

TEST_F(DefaultEdgesOfWriters, NeverContradictThemselves) {
  const DefaultEdges default_edges(problem_);
  bool relaxed = false;
  const std::vector<Path> conditions =
      default_edges.conditions({}, {path({{p1_, 0}, {p2_, 1}}), path({{p1_, 1}, {p2_, 2}})}, relaxed);
  for (const Path& condition : conditions)
    for (const auto& [point, value] : condition)
      for (const auto& [other, known] : condition)
        EXPECT_FALSE(point == other && (known == ~value || (known >= 0 && value < 0)));
  EXPECT_EQ(conditions.size(), 3u);
}

TEST_F(DefaultEdgesOfWriters, TellWhereConditionsAreTooMany) {
  const DefaultEdges default_edges(problem_);
  bool relaxed = false;
  std::vector<Path> around;
  for (std::size_t p = 0; p < 12; p += 2) around.push_back(path({{PointId(p), 0}, {PointId(p + 1), 0}}));
  default_edges.conditions({}, around, relaxed);
  EXPECT_TRUE(relaxed);
}

}  // namespace
}  // namespace swizzle::default_edges_test
