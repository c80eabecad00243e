#include "synth/network/canonical_choices.h"

#include <gtest/gtest.h>

namespace swizzle::canonical_choices_test {
namespace {

class CanonicalChoicesOf : public testing::Test {
 protected:
  PointId point(std::int64_t argument, int values = 2) { return problem_.points.intern(HoleId(0), {argument}, values); }
  Value leaf(std::int64_t index) { return problem_.provenance.input(BufferId(0), index, Scalar::kU32); }
  Value choice(PointId p, std::vector<Value> values) { return problem_.provenance.choice(p, std::move(values)); }
  std::vector<PointId> points(CanonicalChoices& forms, Value choice) {
    forms.form_of(choice.as_node());
    const auto found = forms.points(choice.as_node());
    return {found.begin(), found.end()};
  }

  Problem problem_;
};

TEST_F(CanonicalChoicesOf, PointsDoNotMatter) {
  const PointId p = point(0), q = point(1), r = point(2), s = point(3);
  const Value one = choice(p, {leaf(0), choice(q, {leaf(1), leaf(2)})}),
              other = choice(r, {leaf(0), choice(s, {leaf(1), leaf(2)})});
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  EXPECT_EQ(forms.form_of(one.as_node()), forms.form_of(other.as_node()));
  EXPECT_TRUE(forms.is_shared(forms.form_of(one.as_node())));
  EXPECT_EQ(points(forms, one), (std::vector<PointId>{p, q}));
  EXPECT_EQ(points(forms, other), (std::vector<PointId>{r, s}));
}

TEST_F(CanonicalChoicesOf, LeavesAndTheirOrderDo) {
  const PointId p = point(0);
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  const auto form = [&](std::vector<Value> values) { return forms.form_of(choice(p, std::move(values)).as_node()); };
  EXPECT_NE(form({leaf(0), leaf(1)}), form({leaf(1), leaf(0)}));
  EXPECT_NE(form({leaf(0), leaf(1)}), form({leaf(0), leaf(2)}));
  EXPECT_NE(form({leaf(0), leaf(1)}), form({leaf(0), Value{}}));
}

TEST_F(CanonicalChoicesOf, ConstantsAreNoLeavesAndAllButZeroAreTold) {
  const PointId p = point(0);
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  const auto form = [&](std::vector<Value> values) { return forms.form_of(choice(p, std::move(values)).as_node()); };
  EXPECT_EQ(form({leaf(0), Value::integer(0)}), form({leaf(0), Value{}}));
  EXPECT_EQ(form({leaf(0), Value::real(0)}), form({leaf(0), Value{}}));
  EXPECT_FALSE(forms.has_constants(form({leaf(0), Value::integer(0)})));
  const CanonicalChoices::FormId with_one = form({leaf(0), Value::integer(1)});
  EXPECT_NE(with_one, form({leaf(0), Value{}}));
  EXPECT_EQ(with_one, form({leaf(0), Value::real(2)}));
  EXPECT_TRUE(forms.has_constants(with_one));
  EXPECT_TRUE(forms.has_constants(form({leaf(0), choice(point(1), {leaf(1), Value::integer(1)})})));
}

// Below p = 1 it is p again, or another point that was asked at the other value, too.
TEST_F(CanonicalChoicesOf, WhichPointsAreTheSameDoes) {
  const PointId p = point(0), q = point(1), r = point(2), s = point(3);
  const auto inner = [&](PointId at) { return choice(at, {leaf(1), leaf(2)}); };
  const Value again = choice(p, {leaf(0), inner(p)}), another = choice(p, {leaf(0), inner(q)});
  const Value twice = choice(r, {choice(s, {leaf(0), leaf(1)}), inner(s)}),
              each = choice(r, {choice(s, {leaf(0), leaf(1)}), inner(q)});
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  EXPECT_NE(forms.form_of(again.as_node()), forms.form_of(another.as_node()));
  EXPECT_NE(forms.form_of(twice.as_node()), forms.form_of(each.as_node()));
  EXPECT_EQ(points(forms, twice), (std::vector<PointId>{r, s}));
  EXPECT_EQ(points(forms, each), (std::vector<PointId>{r, s, q}));
}

TEST_F(CanonicalChoicesOf, ChoicesWithDefaultEdgesAreAlone) {
  const PointId p = point(0, 3), q = point(1, 3), r = point(2);
  const Value one = choice(p, {leaf(0), leaf(1), leaf(1)}), other = choice(q, {leaf(0), leaf(1), leaf(1)}),
              above = choice(r, {one, leaf(2)});
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  EXPECT_NE(forms.form_of(one.as_node()), forms.form_of(other.as_node()));
  for (const Value& v : {one, other, above}) EXPECT_FALSE(forms.is_shared(forms.form_of(v.as_node())));
}

TEST_F(CanonicalChoicesOf, ReachTheLeavesBelow) {
  const Value v = choice(point(0), {leaf(0), choice(point(1), {leaf(1), leaf(2)})});
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  const LeafSet& reach = forms.reach(forms.form_of(v.as_node()));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(reach.contains(forms.number_of(leaf(i).as_node())), i < 3) << i;
}

TEST_F(CanonicalChoicesOf, ThereIsNoneOfSums) {
  const Value v = choice(point(0), {leaf(0), problem_.provenance.combine(Ring::kSum, Scalar::kU32, leaf(1), leaf(2))});
  DefaultEdges ways(problem_);
  CanonicalChoices forms(problem_, ways);
  EXPECT_EQ(forms.form_of(v.as_node()), CanonicalChoices::kOther);
  EXPECT_EQ(forms.form_of(choice(point(1), {leaf(1), v}).as_node()), CanonicalChoices::kOther);
}

}  // namespace
}  // namespace swizzle::canonical_choices_test
