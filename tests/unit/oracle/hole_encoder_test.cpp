#include "synth/oracle/hole_encoder.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "synth/oracle/z3_solver.h"

namespace swizzle::hole_encoder_test {
namespace {

struct Shape {
  HoleKind kind;
  int domain, lanes;
  std::vector<std::int64_t> first, second;  // what the arguments after i take; second empty: one argument
};

HoleSpace space_of(const Shape& shape) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = shape.kind;
  s.domain = shape.domain;
  s.first_argument = s.traits().first_key;
  std::vector<Arguments> all;
  const auto add = [&](Arguments arguments) {
    s.points.emplace_back(s.points.size());
    all.push_back(std::move(arguments));
  };
  for (int lane = 0; lane < shape.lanes; ++lane)
    for (std::int64_t a : shape.first) {
      const Arguments arguments = s.traits().index ? Arguments{lane, a} : Arguments{2 * lane, a};
      if (shape.second.empty()) add(arguments);
      for (std::int64_t b : shape.second) {
        add(arguments);
        all.back().push_back(b);
      }
    }
  s.arguments = all;
  return s;
}

// The least cost of this table by its parameters; nothing if no parameters give it.
std::optional<int> least_ops(const HoleSpace& space, const std::vector<std::int16_t>& table) {
  Formula formula;
  const auto hole = HoleEncoder(space, formula).encode();
  if (!hole) return std::nullopt;
  for (std::size_t p = 0; p < table.size(); ++p) formula.add({hole->values[p][static_cast<std::size_t>(table[p])]});
  for (const auto& [literal, ops] : hole->ops) formula.minimize(literal, ops);
  const Z3Answer answer = Z3Session(formula).minimize({}, 20);
  EXPECT_NE(answer.outcome, Outcome::kUnknown) << answer.reason;
  return answer.outcome == Outcome::kFound ? std::optional(static_cast<int>(answer.objective)) : std::nullopt;
}

class HoleEncoding : public testing::TestWithParam<Shape> {
 protected:
  HoleEncoding() : space_(space_of(GetParam())) {
    PointTable points;
    for (const auto& arguments : space_.arguments) points.intern(space_.id, arguments, space_.domain);
    const std::vector<HoleSpace> holes{space_};
    all_ = grammars_of(holes)[0]->within(Domains(points), kAnyCost, 1'000'000);
  }
  const HoleTable& pick() { return all_.tables[random_() % all_.tables.size()]; }

  static constexpr int kSamples = 6;
  HoleSpace space_;
  Enumeration all_;
  std::mt19937 random_{3};
};

TEST_P(HoleEncoding, PricesTablesAsTheGrammarDoes) {
  ASSERT_TRUE(all_.complete);
  for (int sample = 0; sample < kSamples; ++sample) {
    const HoleTable& table = pick();
    EXPECT_EQ(least_ops(space_, table.values), table.integer_ops) << table.expression.print({"p", "q", "r", "s"});
  }
}

TEST_P(HoleEncoding, KnowsNoOtherTables) {
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<std::int16_t> table = pick().values;
    std::int16_t& changed = table[random_() % table.size()];
    changed = static_cast<std::int16_t>((changed + 1) % space_.domain);
    const auto known =
        std::find_if(all_.tables.begin(), all_.tables.end(), [&](const HoleTable& t) { return t.values == table; });
    EXPECT_EQ(least_ops(space_, table), known == all_.tables.end() ? std::nullopt : std::optional(known->integer_ops));
  }
}

TEST(HoleEncoder, SaysThatAGrammarHasNoEncoding) {
  const HoleSpace space = space_of({HoleKind::kXor, 4, 4, {0, 1}, {}});
  Formula formula;
  HoleEncoder encoder(space, formula);
  EXPECT_FALSE(encoder.encode());
  EXPECT_EQ(encoder.why(), "a grammar that has no encoding");
}

INSTANTIATE_TEST_SUITE_P(
    Of, HoleEncoding,
    testing::Values(Shape{HoleKind::kXform, 8, 8, {0, 1, 2}, {}}, Shape{HoleKind::kXform, 8, 8, {0, 2, 4}, {}},
                    Shape{HoleKind::kXform, 6, 6, {-1, 0, 1, 2}, {}}, Shape{HoleKind::kXform, 6, 6, {0, 3}, {}},
                    Shape{HoleKind::kXform, 4, 4, {-3, 0, 3}, {0, 1, 2, 3}},
                    Shape{HoleKind::kXform, 3, 3, {0, 1}, {0, 2, 5}}, Shape{HoleKind::kXform, 8, 4, {0, 1, 2}, {}},
                    Shape{HoleKind::kXform, 8, 3, {0, 4}, {}}, Shape{HoleKind::kXform, 6, 4, {0, 1, 2}, {}},
                    Shape{HoleKind::kXform, 12, 5, {0, 6}, {}}, Shape{HoleKind::kXformExtra, 6, 2, {0, 1}, {}},
                    Shape{HoleKind::kXformExtra, 8, 3, {0, 4}, {}},
                    Shape{HoleKind::kXformExtra, 4, 4, {0, 1, 2, 3}, {}},
                    Shape{HoleKind::kXformExtra, 6, 6, {0, 1}, {}}, Shape{HoleKind::kXformExtra, 4, 4, {-1, 0}, {0, 3}},
                    Shape{HoleKind::kCond, 2, 4, {0, 1, 2, 3}, {}}, Shape{HoleKind::kCond, 2, 4, {-3, 2, 7}, {0, 10}},
                    Shape{HoleKind::kPart, 2, 6, {0, 5}, {}}, Shape{HoleKind::kPart, 3, 4, {0, 3}, {}},
                    Shape{HoleKind::kPart, 4, 3, {0, 2}, {}}));

}  // namespace
}  // namespace swizzle::hole_encoder_test
