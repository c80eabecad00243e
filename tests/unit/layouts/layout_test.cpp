#include "synth/layouts/layout.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "synth/layouts/layout_families.h"

namespace swizzle::layout_test {
namespace {

std::string text(const Layout& layout) { return layout.expression().print({"r", "c"}); }

Layout with_xor(int rows, int columns, int pitch, RowXor x) { return {rows, columns, pitch, x, {}, {}}; }
Layout with_swizzle(int rows, int columns, BitSwizzle s) { return {rows, columns, columns, {}, {}, s}; }

TEST(Layout, PrintsAsAnEngineerWouldWriteIt) {
  EXPECT_EQ(text({32, 32, 33, {}, {}, {}}), "r * 33 + c");
  EXPECT_EQ(text(with_xor(32, 32, 32, {0, 0, 31})), "r * 32 + (c ^ r)");
  EXPECT_EQ(text(with_xor(64, 64, 64, {0, 3, 7})), "r * 64 + (c ^ ((r & 7) * 8))");
  EXPECT_EQ(text(with_xor(8, 64, 64, {0, 3, 7})), "r * 64 + (c ^ (r * 8))");
  EXPECT_EQ(text({32, 32, 32, {}, {1, 0, 32}, {}}), "r * 32 + ((c + r) & 31)");
  EXPECT_EQ(text({33, 48, 48, {}, {1, 0, 48}, {}}), "r * 48 + (c + r) % 48");
  EXPECT_EQ(text(with_swizzle(16, 16, {2, 3, 3})), "(r * 16 + c) ^ ((r * 2) & 24)");
  EXPECT_EQ(text(with_swizzle(1, 1024, {5, 0, 5})), "c ^ (c >> 5)");
}

TEST(Layout, SwizzleIsThatOfCuTe) {
  const BitSwizzle s{3, 2, 3};
  EXPECT_EQ(s.source_mask(), 0b11100000);
  EXPECT_EQ(s.target_mask(), 0b00011100);
  EXPECT_EQ(s.apply(0x24), 0x20);
  const BitSwizzle down{2, 1, -3};
  EXPECT_EQ(down.source_mask(), 0b000110);
  EXPECT_EQ(down.target_mask(), 0b110000);
  EXPECT_EQ(down.apply(0b100110), 0b010110);
}

class EveryLayout : public testing::TestWithParam<LayoutShape> {};

TEST_P(EveryLayout, IsAnInjectionIntoItsBuffer) {
  for (const RankedLayout& m : layouts_of(GetParam())) {
    std::set<std::int64_t> addresses;
    for (int r = 0; r < m.layout.rows; ++r)
      for (int c = 0; c < m.layout.columns; ++c) addresses.insert(m.layout.address(r, c));
    EXPECT_EQ(addresses.size(), static_cast<std::size_t>(m.layout.rows * m.layout.columns)) << text(m.layout);
    EXPECT_GE(*addresses.begin(), 0) << text(m.layout);
    EXPECT_EQ(*addresses.rbegin() + 1, m.layout.extent()) << text(m.layout);
    EXPECT_LE(m.layout.extent(), m.layout.size()) << text(m.layout);
    EXPECT_LE(m.layout.extent(), GetParam().capacity.value_or(m.layout.size())) << text(m.layout);
  }
}

TEST_P(EveryLayout, PrintsWhatItComputesAtTheCostItSays) {
  int last = 0;
  for (const RankedLayout& m : layouts_of(GetParam())) {
    const IndexExpr e = m.layout.expression();
    EXPECT_EQ(e.integer_ops(), m.integer_ops) << text(m.layout);
    EXPECT_GE(m.integer_ops, last);
    last = m.integer_ops;
    for (int r = 0; r < m.layout.rows; ++r)
      for (int c = r % 3; c < m.layout.columns; c += 3)
        ASSERT_EQ(e.evaluate({r, c}), m.layout.address(r, c)) << text(m.layout);
  }
}

TEST_P(EveryLayout, PrintsTheColumnOfARow) {
  for (const RankedLayout& m : layouts_of(GetParam())) {
    const IndexExpr e = m.layout.column_expression();
    for (int r = 0; r < m.layout.rows; ++r)
      for (int c = r % 3; c < m.layout.columns; c += 3)
        ASSERT_EQ(e.evaluate({r, c}), m.layout.column(r, c)) << text(m.layout);
  }
}

TEST_P(EveryLayout, KeepsNeighboursTogetherAndAligned) {
  const int together = GetParam().together;
  for (const RankedLayout& m : layouts_of(GetParam()))
    for (int r = 0; r < m.layout.rows; ++r)
      for (int c = 0; c + together <= m.layout.columns; c += together) {
        ASSERT_EQ(m.layout.address(r, c) % together, 0) << text(m.layout);
        for (int i = 1; i < together; ++i)
          ASSERT_EQ(m.layout.address(r, c + i), m.layout.address(r, c) + i) << text(m.layout);
      }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryLayout,
                         testing::Values(LayoutShape{2, 3, 4, 1, 32, {}}, LayoutShape{4, 6, 4, 1, 32, 24},
                                         LayoutShape{8, 8, 4, 1, 32, 64}, LayoutShape{8, 8, 4, 4, 32, {}},
                                         LayoutShape{5, 33, 4, 1, 32, {}}, LayoutShape{16, 16, 2, 8, 128, 256},
                                         LayoutShape{7, 48, 4, 2, 32, {}}, LayoutShape{3, 80, 2, 4, 128, 250},
                                         LayoutShape{1, 128, 4, 1, 128, 128}, LayoutShape{16, 1, 4, 1, 32, {}}));

TEST(Families, HoldThePaddingTheXorTheRotationAndTheSwizzle) {
  const std::vector<RankedLayout> all = layouts_of({8, 8, 4, 1, 32, {}});
  const auto has = [&](const Layout& l) {
    return std::any_of(all.begin(), all.end(), [&](const RankedLayout& m) { return m.layout == l; });
  };
  EXPECT_TRUE(has({8, 8, 9, {}, {}, {}}));
  EXPECT_TRUE(has({8, 8, 8, {0, 0, 7}, {}, {}}));
  EXPECT_TRUE(has({8, 8, 8, {}, {1, 0, 8}, {}}));
  EXPECT_TRUE(has({8, 8, 8, {}, {}, {3, 0, 3}}));
  EXPECT_TRUE(has({8, 8, 10, {0, 0, 1}, {}, {}}));
  EXPECT_TRUE(has({8, 8, 8, {0, 0, 1}, {1, 1, 8}, {}}));
}

TEST(Families, LeaveOutAnXorThatLeavesTheTile) {
  for (const LayoutShape& shape : {LayoutShape{2, 3, 4, 1, 32, 6}, LayoutShape{4, 6, 4, 1, 32, 24}})
    for (const RankedLayout& m : layouts_of(shape)) {
      EXPECT_FALSE(m.layout.row_xor.of(shape.rows - 1) == shape.rows - 1) << text(m.layout);
      for (int r = 0; r < shape.rows; ++r)
        for (int c = 0; c < shape.columns; ++c)
          EXPECT_LT(m.layout.address(r, c), shape.rows * shape.columns) << text(m.layout);
    }
}

}  // namespace
}  // namespace swizzle::layout_test
