#include "codegen/picture/layout_picture.h"

#include <gtest/gtest.h>

namespace swizzle::layout_picture_test {
namespace {

const SourceText kSource("tile.cu", "tile[L(0, t)] = x;\ny = tile[L(t, 0)];\n");
const TileLayout kNamed{.name = "L", .range = {}, .declaration = {}, .rows = 4, .columns = 4, .sizes = {}, .given = {}};

// 4×4 words on 4 banks, stored by rows and loaded by columns.
TileProblem transposition() {
  TileProblem tile{4, 4, {}, {}, SharedMemoryModel{"four", 4, 4, 4, 16, false}};
  TileAccess store{SharedOperation::kStore, 32, 4, {}, {}, 1, {0, 4}},
      load{SharedOperation::kLoad, 32, 4, {}, {}, 1, {23, 27}};
  for (int t = 0; t < 4; ++t) {
    store.lanes.push_back(TileCell{0, t});
    load.lanes.push_back(TileCell{t, 0});
  }
  tile.accesses = {store, load};
  return tile;
}

Layout padded() { return {4, 4, 5, {}, {}, {}}; }

TEST(LayoutPicture, ShowsTheAccessThatConflictsWithoutTheLayout) {
  EXPECT_EQ(banks_text({before_and_after(kSource, kNamed, transposition(), padded())}),
            "before, r * 4 + c: load at 2:5    after, L(r, c) = r * 5 + c: load at 2:5\n"
            "4 wavefronts, ideal 1             1 wavefront, ideal 1\n"
            "row 0 | 0! 1  2  3                row 0 | 0* 1  2  3\n"
            "row 1 | 0! 1  2  3                row 1 | 1* 2  3  0\n"
            "row 2 | 0! 1  2  3                row 2 | 2* 3  0  1\n"
            "row 3 | 0! 1  2  3                row 3 | 3* 0  1  2\n");
}

// The store is as bad before, and stays so.
TEST(LayoutPicture, ShowsTheAccessThatImproves) {
  TileProblem tile = transposition();
  tile.rows = 16;
  tile.accesses[0].lanes = {TileCell{0, 0}, TileCell{4, 0}, TileCell{8, 0}, TileCell{12, 0}};
  const Layout padded{16, 4, 5, {}, {}, {}};
  EXPECT_EQ(before_and_after(kSource, kNamed, tile, padded)[1].title, "after, L(r, c) = r * 5 + c: load at 2:5");
  std::swap(tile.accesses[0], tile.accesses[1]);
  EXPECT_EQ(before_and_after(kSource, kNamed, tile, padded)[1].title, "after, L(r, c) = r * 5 + c: load at 2:5");
}

TEST(LayoutPicture, OfThoseThatImproveEquallyThatWhichStaysBad) {
  TileProblem tile = transposition();
  tile.accesses[0].lanes = {TileCell{0, 0}, TileCell{1, 0}, TileCell{2, 1},
                            TileCell{3, 1}};  // 2 words in a bank, behind the padding: banks 0 1 3 0
  tile.accesses[1].lanes = {TileCell{0, 0}, TileCell{1, 0}, TileCell{2, 0},
                            TileCell{3, 2}};  // 3 words, then banks 0 1 2 1
  tile.accesses[0].lanes[3] = std::nullopt;
  const auto pictures = before_and_after(kSource, kNamed, tile, padded());
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_TRUE(pictures[0].title.ends_with("load at 2:5")) << pictures[0].title;
  EXPECT_EQ(count_wavefronts(tile.memory, SharedOperation::kLoad, 32, pictures[1].addresses).count, 2);
}

TEST(LayoutPicture, WhatIsNeverIssuedIsNotShown) {
  TileProblem tile = transposition();
  tile.accesses[1].weight = 0;
  EXPECT_TRUE(before_and_after(kSource, kNamed, tile, padded())[0].title.ends_with("store at 1:1"));
  tile.accesses[0].weight = 0;
  EXPECT_TRUE(before_and_after(kSource, kNamed, tile, padded()).empty());
}

TEST(LayoutPicture, OfALargeTileTheRowsThatAreAccessed) {
  TileProblem tile{1000, 4, {}, {}, SharedMemoryModel{"four", 4, 4, 4, 16, false}};
  TileAccess load{SharedOperation::kLoad, 32, 4, {}, {TileCell{700, 0}, TileCell{701, 0}}, 1, {23, 27}};
  tile.accesses = {load};
  const auto pictures = before_and_after(kSource, kNamed, tile, Layout{1000, 4, 5, {}, {}, {}});
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[1].rows, (std::vector<int>{700, 701}));
  EXPECT_EQ(pictures[1].columns, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(pictures[1].address(701, 2), 4 * (701 * 5 + 2));
  EXPECT_EQ(cells_of(pictures[1])[1][0].lanes, std::vector<int>{1});
}

// Halves of a tile that starts behind another in the same array.
TEST(LayoutPicture, ATileAmongOthersLiesWhereItsLanesGo) {
  TileProblem tile{2, 4, {}, {}, SharedMemoryModel{"four", 4, 4, 4, 16, false}};
  tile.accesses = {{SharedOperation::kLoad, 16, 2, 9, {TileCell{0, 1, 0, 1}, TileCell{1, 1, 0, 1}}, 1, {23, 27}}};
  const auto pictures = before_and_after(kSource, kNamed, tile, Layout::plain(2, 4));
  EXPECT_EQ(pictures[0].address(0, 0), 18);
  EXPECT_EQ(cells_of(pictures[0])[1][1].lanes, std::vector<int>{1});
}

}  // namespace
}  // namespace swizzle::layout_picture_test
