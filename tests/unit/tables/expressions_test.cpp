#include "synth/tables/expressions.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "synth/tables/tables.h"

namespace swizzle::expressions_test {
namespace {

constexpr int kDomain = 16;
constexpr std::size_t kMany = 1'000'000;

HoleSpace space_of(HoleKind kind, std::vector<Arguments> arguments, int domain, std::int64_t least = 0) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = kind;
  s.domain = domain;
  s.least = least;
  for (std::size_t p = 0; p < arguments.size(); ++p) s.points.emplace_back(p);
  s.arguments = std::move(arguments);
  return s;
}

std::vector<Arguments> lanes_and_rounds(std::int64_t lanes, std::int64_t rounds) {
  std::vector<Arguments> arguments;
  for (std::int64_t k = 0; k < rounds; ++k)
    for (std::int64_t lane = 0; lane < lanes; ++lane) arguments.push_back({lane, k});
  return arguments;
}

class Asked {
 public:
  explicit Asked(HoleSpace space) : holes_{std::move(space)} {
    const HoleSpace& hole = holes_[0];
    for (const Arguments& a : hole.arguments) points_.intern(hole.id, a, hole.domain);
    open();
    grammars_ = grammars_of(holes_);
  }

  // All values of all points, again.
  void open() { domains_.emplace(points_); }

  void fix(const std::vector<std::int64_t>& values) {
    for (std::size_t p = 0; p < values.size(); ++p)
      domains_->fix(holes_[0].points[p], static_cast<int>(values[p] - holes_[0].least));
  }
  Domains& domains() { return *domains_; }
  Enumeration within(int ops) const { return grammars_[0]->within(*domains_, ops, kMany); }
  const TableGrammar& grammar() const { return *grammars_[0]; }

 private:
  std::vector<HoleSpace> holes_;  // one
  PointTable points_;
  std::optional<Domains> domains_;
  std::vector<std::unique_ptr<TableGrammar>> grammars_;
};

// Expressions by the rules of the language, made without the catalogue.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  IndexExpr arithmetic(int ops) {
    if (ops == 0) return below(3) == 0 ? IndexExpr::constant(below(8)) : IndexExpr::argument(below(2));
    const int left = static_cast<int>(below(static_cast<std::size_t>(ops)));
    IndexExpr a = arithmetic(left), b = arithmetic(ops - 1 - left);
    switch (below(6)) {
      case 0: return IndexExpr::add(std::move(a), std::move(b));
      case 1: return IndexExpr::sub(std::move(a), std::move(b));
      case 2: return IndexExpr::product(std::move(a), std::move(b));
      case 3: return IndexExpr::bit_and(std::move(a), std::move(b));
      case 4: return IndexExpr::bit_xor(std::move(a), std::move(b));
      default: return IndexExpr::bit_or(std::move(a), std::move(b));
    }
  }
  IndexExpr comparison(int ops) {
    const IndexExpr::Op kinds[] = {IndexExpr::Op::kLt, IndexExpr::Op::kLe, IndexExpr::Op::kEq, IndexExpr::Op::kNe};
    const int left = static_cast<int>(below(static_cast<std::size_t>(ops)));
    return IndexExpr::compare(kinds[below(4)], arithmetic(left), arithmetic(ops - 1 - left));
  }
  IndexExpr arm(int ops) { return ops > 0 && below(2) == 0 ? comparison(ops) : arithmetic(ops); }
  IndexExpr any(int ops) {
    if (ops >= 2 && below(3) == 0) {
      const int of_arm = ops == 3 && below(2) == 0 ? 1 : 0;
      IndexExpr condition = comparison(ops - 1 - of_arm), larger = arm(of_arm), plain = arithmetic(0);
      return below(2) == 0 ? IndexExpr::select(std::move(condition), std::move(larger), std::move(plain))
                           : IndexExpr::select(std::move(condition), std::move(plain), std::move(larger));
    }
    return ops >= 1 && below(3) == 0 ? comparison(ops) : arithmetic(ops);
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  std::mt19937 random_;
};

std::vector<std::int64_t> values_of(const IndexExpr& e, const std::vector<Arguments>& arguments) {
  std::vector<std::int64_t> values;
  for (const Arguments& a : arguments) values.push_back(e.evaluate(a));
  return values;
}

// Whatever has three operations or fewer is found, at its own cost or less.
TEST(Expressions, OfUpToThreeOperationsAreAllThere) {
  const std::vector<Arguments> arguments = lanes_and_rounds(8, 3);
  Asked asked(space_of(HoleKind::kExpr, arguments, kDomain, -4));
  int tried = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomExpression random(seed);
    const IndexExpr e = random.any(1 + static_cast<int>(seed % 3));
    const std::vector<std::int64_t> values = values_of(e, arguments);
    const auto [least, most] = std::ranges::minmax(values);
    if (least < -4 || most >= kDomain - 4) continue;
    ++tried;
    asked.open();
    asked.fix(values);
    const Enumeration found = asked.within(e.integer_ops());
    ASSERT_EQ(found.tables.size(), 1u) << seed << ": " << e.print({"lane", "k"});
    EXPECT_TRUE(found.complete);
    EXPECT_LE(found.tables[0].integer_ops, e.integer_ops()) << e.print({"lane", "k"});
    EXPECT_EQ(values_of(found.tables[0].expression, arguments), values)
        << e.print({"lane", "k"}) << " came out as " << found.tables[0].expression.print({"lane", "k"});
  }
  EXPECT_GT(tried, 400);
}

// The same with values that are open: what fits is among what is listed.
TEST(Expressions, AreAllListedWhereValuesAreOpen) {
  const std::vector<Arguments> arguments = lanes_and_rounds(6, 2);
  const HoleSpace space = space_of(HoleKind::kExpr, arguments, kDomain);
  Asked asked(space);
  int tried = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomExpression random(seed);
    const IndexExpr e = random.any(1 + static_cast<int>(seed % 2));
    const std::vector<std::int64_t> values = values_of(e, arguments);
    const auto [least, most] = std::ranges::minmax(values);
    if (least < 0 || most >= kDomain) continue;
    ++tried;
    asked.open();
    for (std::size_t p = 0; p < values.size(); ++p) {
      std::vector<Domains::Word> mask(asked.domains().words(), 0);
      mask[0] = 1ull << values[p] | 1ull << random.below(kDomain) |
                (random.below(2) == 0 ? 1ull << random.below(kDomain) : 0);
      asked.domains().keep(space.points[p], mask.data());
    }
    const Enumeration found = asked.within(e.integer_ops());
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(std::ranges::any_of(found.tables, [&](const HoleTable& t) {
      return std::ranges::equal(t.values, values);
    })) << e.print({"lane", "k"});
    std::set<std::vector<std::int16_t>> distinct;
    for (const HoleTable& t : found.tables) {
      EXPECT_TRUE(distinct.insert(t.values).second);
      EXPECT_TRUE(std::ranges::equal(values_of(t.expression, arguments), t.values))
          << t.expression.print({"lane", "k"});
      for (std::size_t p = 0; p < t.values.size(); ++p)
        EXPECT_TRUE(asked.domains().allows(space.points[p], t.values[p]));
    }
  }
  EXPECT_GT(tried, 50);
}

// Of four operations: a choice within another one, whatever stands between which.
TEST(Expressions, ThatChooseAmongThreeRangesAreFound) {
  const std::vector<Arguments> arguments = lanes_and_rounds(32, 1);
  std::vector<std::int64_t> of = {0, 1, 2};
  do {
    Asked asked(space_of(HoleKind::kExpr, arguments, 3));
    std::vector<std::int64_t> values;
    for (const Arguments& a : arguments) values.push_back(a[0] < 9 ? of[0] : a[0] < 21 ? of[1] : of[2]);
    asked.fix(values);
    const Enumeration found = asked.within(4);
    ASSERT_EQ(found.tables.size(), 1u) << of[0] << of[1] << of[2];
    EXPECT_TRUE(std::ranges::equal(found.tables[0].values, values)) << found.tables[0].expression.print({"lane", "k"});
  } while (std::ranges::next_permutation(of).found);
}

TEST(Expressions, ThatArePredicatesAreFound) {
  const std::vector<Arguments> arguments = lanes_and_rounds(32, 3);
  for (const auto& holds : {+[](std::int64_t lane, std::int64_t k) { return lane + 3 * k < 32; },
                            +[](std::int64_t lane, std::int64_t k) { return (lane & (1 << k)) != 0; },
                            +[](std::int64_t lane, std::int64_t) { return lane > 3 && lane < 20; },
                            +[](std::int64_t lane, std::int64_t k) { return lane < 5 || k == 2; }}) {
    Asked asked(space_of(HoleKind::kPred, arguments, 2));
    std::vector<std::int64_t> values;
    for (const Arguments& a : arguments) values.push_back(holds(a[0], a[1]) ? 1 : 0);
    asked.fix(values);
    const Enumeration found = asked.within(3);
    ASSERT_EQ(found.tables.size(), 1u);
    EXPECT_TRUE(std::ranges::equal(found.tables[0].values, values)) << found.tables[0].expression.print({"lane", "k"});
  }
}

TEST(Expressions, AreNeverSaidToBeAll) {
  Asked asked(space_of(HoleKind::kExpr, lanes_and_rounds(8, 2), 8));
  std::mt19937 random(5);
  std::vector<std::int64_t> values;
  for (int p = 0; p < 16; ++p) values.push_back(static_cast<std::int64_t>(random() % 8));
  asked.fix(values);
  EXPECT_TRUE(asked.within(3).tables.empty());
  EXPECT_TRUE(asked.within(3).complete);
  EXPECT_FALSE(asked.within(4).complete);
  EXPECT_FALSE(asked.within(kAnyCost).complete);
  EXPECT_EQ(asked.grammar().exhausted_ops(), 3);
}

TEST(Expressions, ComputeWhatTheyPrint) {
  const IndexExpr a = IndexExpr::argument(0), b = IndexExpr::argument(1), one = IndexExpr::constant(1);
  using Op = IndexExpr::Op;
  EXPECT_EQ(IndexExpr::bit_or(IndexExpr::bit_or(a, b), one).print({"i", "k"}), "i | k | 1");
  EXPECT_EQ(IndexExpr::bit_or(IndexExpr::add(a, b), one).print({"i", "k"}), "(i + k) | 1");
  EXPECT_EQ(IndexExpr::shift(Op::kShl, one, IndexExpr::add(a, b)).print({"i", "k"}), "1 << (i + k)");
  EXPECT_EQ(IndexExpr::add(IndexExpr::shift(Op::kShr, a, b), one).print({"i", "k"}), "(i >> k) + 1");
  EXPECT_EQ(IndexExpr::product(IndexExpr::add(a, one), b).print({"i", "k"}), "(i + 1) * k");
  EXPECT_EQ(IndexExpr::shift(Op::kShl, IndexExpr::constant(3), b).evaluate({0, 4}), 48);
  EXPECT_EQ(IndexExpr::bit_and(a, b).evaluate({12, 10}), 8);
}

}  // namespace
}  // namespace swizzle::expressions_test
