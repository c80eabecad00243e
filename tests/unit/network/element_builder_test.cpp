#include "synth/network/element_builder.h"

#include <gtest/gtest.h>

namespace swizzle::element_builder_test {
namespace {

using Way = std::pair<std::vector<std::pair<PointId, int>>, NodeId>;

// Its alternatives, as the steps on the way and the leaf at its end.
std::vector<Way> ways(const ElementConstraint& fetch) {
  std::vector<Way> ways;
  for (const ElementScheme::Alternative& a : fetch.shape->alternatives) {
    Way way{{}, fetch.shape->leaves[a.leaf]};
    for (std::uint32_t s = a.first_step; s < a.first_step + a.steps; ++s)
      way.first.emplace_back(fetch.points[fetch.shape->steps[s].local], fetch.shape->steps[s].value);
    ways.push_back(std::move(way));
  }
  return ways;
}

class ElementBuilders : public testing::Test {
 protected:
  PointId point(std::int64_t argument) { return problem_.points.intern(HoleId(0), {argument}, 2); }
  Value leaf(std::int64_t index) { return problem_.provenance.input(BufferId(0), index, Scalar::kU32); }
  Value choice(PointId p, Value a, Value b) { return problem_.provenance.choice(p, {a, b}); }
  ElementConstraint fetch_of(ElementBuilder& builder, Value choice) {
    LeafSet useful;
    for (int i = 0; i < 4; ++i) useful.insert(builder.number_of(leaf(i).as_node()));
    return builder.build(choice.as_node(), useful);
  }

  Problem problem_;
};

TEST_F(ElementBuilders, LetFetchesThatDifferInTheirFirstPointShareTheirShape) {
  const PointId p = point(0), q = point(1), r = point(2);
  const Value inner = choice(r, leaf(1), leaf(2)), one = choice(p, leaf(0), inner), other = choice(q, leaf(0), inner);
  ElementBuilder builder(problem_);
  const ElementConstraint first = fetch_of(builder, one), second = fetch_of(builder, other);
  EXPECT_EQ(first.shape, second.shape);
  EXPECT_EQ(ways(first), (std::vector<Way>{{{{p, 0}}, leaf(0).as_node()},
                                           {{{p, 1}, {r, 0}}, leaf(1).as_node()},
                                           {{{p, 1}, {r, 1}}, leaf(2).as_node()}}));
  EXPECT_EQ(ways(second), (std::vector<Way>{{{{q, 0}}, leaf(0).as_node()},
                                            {{{q, 1}, {r, 0}}, leaf(1).as_node()},
                                            {{{q, 1}, {r, 1}}, leaf(2).as_node()}}));
}

TEST_F(ElementBuilders, LetFetchesThatDifferInAllTheirPointsShareTheirShape) {
  const PointId p = point(0), q = point(1), r = point(2), s = point(3);
  const Value one = choice(p, choice(q, leaf(0), leaf(7)), leaf(1)),
              other = choice(s, choice(r, leaf(0), leaf(7)), leaf(1));
  ElementBuilder builder(problem_);
  const ElementConstraint first = fetch_of(builder, one), second = fetch_of(builder, other);
  EXPECT_EQ(first.shape, second.shape);
  EXPECT_EQ(ways(first), (std::vector<Way>{{{{p, 0}, {q, 0}}, leaf(0).as_node()}, {{{p, 1}}, leaf(1).as_node()}}));
  EXPECT_EQ(ways(second), (std::vector<Way>{{{{s, 0}, {r, 0}}, leaf(0).as_node()}, {{{s, 1}}, leaf(1).as_node()}}));
}

// Below p = 1 the inner choice at p is decided; below q = 1 it is not.
TEST_F(ElementBuilders, FollowTheirFirstPointWhereItStandsAgain) {
  const PointId p = point(0), q = point(1);
  const Value inner = choice(p, leaf(1), leaf(2)), one = choice(p, leaf(0), inner), other = choice(q, leaf(0), inner);
  for (const bool again_first : {true, false}) {
    ElementBuilder builder(problem_);
    const ElementConstraint first = fetch_of(builder, again_first ? one : other),
                            second = fetch_of(builder, again_first ? other : one);
    EXPECT_EQ(ways(again_first ? first : second),
              (std::vector<Way>{{{{p, 0}}, leaf(0).as_node()}, {{{p, 1}}, leaf(2).as_node()}}));
    EXPECT_EQ(ways(again_first ? second : first), (std::vector<Way>{{{{q, 0}}, leaf(0).as_node()},
                                                                    {{{q, 1}, {p, 0}}, leaf(1).as_node()},
                                                                    {{{q, 1}, {p, 1}}, leaf(2).as_node()}}));
  }
}

}  // namespace
}  // namespace swizzle::element_builder_test
