#include "synth/proof/stores_apart.h"

#include <gtest/gtest.h>

namespace swizzle::stores_apart_test {
namespace {

// r and c below w and h, as atoms of a region.
class StoresApart : public testing::Test {
 protected:
  StoresApart() {
    region_.sizes["w"] = w_;
    region_.sizes["h"] = h_;
  }
  bool are_apart(const std::vector<SpecIndex>& indices, const std::vector<SpecStore>& stores) const {
    return why_not_apart(indices, stores, region_).empty();
  }
  Polynomial below(const Polynomial& p, const Polynomial& end) const { return end - p - Polynomial(1); }

  SizeRegion region_;
  const Atom r_ = region_.fresh(), c_ = region_.fresh();
  const Polynomial w_ = Polynomial::atom(region_.fresh()) + Polynomial(1),
                   h_ = Polynomial::atom(region_.fresh()) + Polynomial(1);
  const Polynomial row_ = Polynomial::atom(r_), column_ = Polynomial::atom(c_);
};

TEST_F(StoresApart, InMixedRadix) {
  const std::vector<SpecIndex> both{{r_, h_}, {c_, w_}};
  EXPECT_TRUE(are_apart(both, {{row_ * w_ + column_, {}}}));
  EXPECT_TRUE(are_apart(both, {{column_ * h_ + row_, {}}}));
  EXPECT_FALSE(are_apart(both, {{row_ * h_ + column_, {}}}));
  EXPECT_FALSE(are_apart(both, {{row_ + column_, {}}}));
  EXPECT_FALSE(are_apart(both, {{row_, {}}}));
  EXPECT_TRUE(are_apart({{r_, h_}}, {{row_ * Polynomial(2), {}}, {row_ * Polynomial(2) + Polynomial(1), {}}}));
  EXPECT_FALSE(are_apart({{r_, h_}}, {{row_ * Polynomial(2), {}}, {row_ * Polynomial(2) + Polynomial(2), {}}}));
}

// Rows of 2 · m + 1, of which the last element is left out.
TEST_F(StoresApart, InHalvesOfRows) {
  const std::vector<SpecIndex> rows{{r_, h_}, {c_, w_}};
  const Polynomial size = w_ + w_ + Polynomial(1), at = row_ * size + column_;
  region_.sizes["d"] = size;
  const std::vector<Polynomial> inside{below(column_, w_), column_};
  EXPECT_TRUE(are_apart(rows, {{at, inside}, {at + w_, inside}}));
  EXPECT_FALSE(are_apart(rows, {{at, inside}, {at + w_ - Polynomial(1), inside}}));
  EXPECT_FALSE(are_apart(rows, {{at, inside}, {at + w_ + w_, inside}, {at + w_, inside}, {at + size, inside}}));
}

// v[d] and v[d + m], d < m, of rows of 2 · m, whatever that is called.
TEST_F(StoresApart, AtADistanceThatIsADigit) {
  const std::vector<SpecIndex> rows{{r_, h_}, {c_, w_}};
  const Polynomial at = row_ * (w_ + w_) + column_;
  EXPECT_TRUE(are_apart(rows, {{at, {}}, {at + w_, {}}}));
  EXPECT_TRUE(are_apart(rows, {{at + w_, {}}, {at, {}}, {at + w_, {}}}));
  EXPECT_FALSE(are_apart(rows, {{at, {}}, {at + w_ - Polynomial(1), {}}}));
  EXPECT_FALSE(are_apart(rows, {{at, {}}, {at + w_ + Polynomial(1), {}}}));
  EXPECT_FALSE(are_apart(rows, {{at, {}}, {at + w_, {}}, {at + w_ + w_, {}}}));
  EXPECT_FALSE(are_apart(rows, {{row_ * w_ + column_, {}}, {row_ * w_ + column_ + w_, {}}}));
}

TEST_F(StoresApart, FromTheirEnds) {
  const std::vector<SpecIndex> both{{r_, h_}, {c_, w_}};
  const Polynomial column = below(column_, w_), row = below(row_, h_);
  EXPECT_TRUE(are_apart(both, {{row_ * w_ + column, {}}}));
  EXPECT_TRUE(are_apart(both, {{row * w_ + column, {}}}));
  EXPECT_FALSE(are_apart(both, {{row * h_ + column, {}}}));
  EXPECT_FALSE(are_apart(both, {{row + column, {}}}));
}

TEST_F(StoresApart, WhereRowsAndColumnsChangePlaces) {
  const std::vector<SpecIndex> square{{r_, w_}, {c_, w_}};
  const Polynomial at = row_ * w_ + column_, across = column_ * w_ + row_;
  const std::vector<Polynomial> both{below(row_, w_), below(column_, w_)};
  auto lower = both, strictly = both;
  lower.push_back(row_ - column_);
  strictly.push_back(row_ - column_ - Polynomial(1));
  EXPECT_TRUE(are_apart(square, {{at, lower}, {across, lower}}));
  EXPECT_TRUE(are_apart(square, {{at, strictly}, {across, strictly}}));
  EXPECT_FALSE(are_apart(square, {{at, both}, {across, both}}));
  EXPECT_FALSE(are_apart(square, {{at, lower}, {across, both}}));
  EXPECT_FALSE(are_apart(square, {{at, lower}, {across + Polynomial(1), lower}}));
}

TEST_F(StoresApart, InTilesOfWhichSomeElementsAreInside) {
  const std::vector<SpecIndex> tiles{{r_, h_}, {c_, w_}};
  std::vector<SpecStore> inside, anywhere;
  for (int dr = 0; dr < 4; ++dr)
    for (int dc = 0; dc < 32; ++dc) {
      const Polynomial row = row_ * Polynomial(4) + Polynomial(dr), column = column_ * Polynomial(32) + Polynomial(dc);
      inside.push_back({row * w_ + column, {below(column, w_), below(row, h_)}});
      anywhere.push_back({row * w_ + column, {below(row, h_)}});
    }
  EXPECT_TRUE(are_apart(tiles, inside));
  EXPECT_FALSE(are_apart(tiles, anywhere));
  // A tile that is higher than its stride meets the next one.
  inside.push_back({(row_ * Polynomial(4) + Polynomial(4)) * w_ + column_ * Polynomial(32),
                    {below(column_ * Polynomial(32), w_), below(row_, h_)}});
  EXPECT_FALSE(are_apart(tiles, inside));
}

}  // namespace
}  // namespace swizzle::stores_apart_test
