#include "codegen/picture/tile_picture.h"

#include <gtest/gtest.h>

namespace swizzle::tile_picture_test {
namespace {

// 4 × columns floats by rows on 4 banks; lane l reads the first element of row l.
TilePicture column_of(int columns) {
  TilePicture p;
  p.title = "tile";
  p.rows = 4;
  p.columns = 4;
  p.address = [columns](int r, int c) { return std::int64_t{4} * (r * columns + c); };
  p.memory = SharedMemoryModel{"four", 4, 4, 4, 16, false};
  for (int lane = 0; lane < 4; ++lane) p.addresses.push_back(p.address(lane, 0));
  return p;
}

TEST(TilePicture, LanesThatShareABankWait) {
  EXPECT_EQ(lanes_text(column_of(4)),
            "tile\nrow 0 |  0!  .   .   .\nrow 1 |  1!  .   .   .\nrow 2 |  2!  .   .   .\nrow 3 |  3!  .   .   .\n");
}

TEST(TilePicture, PaddingSpreadsThem) {
  const TilePicture p = column_of(5);
  EXPECT_EQ(lanes_text(p),
            "tile\nrow 0 |  0   .   .   .\nrow 1 |  1   .   .   .\nrow 2 |  2   .   .   .\nrow 3 |  3   .   .   .\n");
  const auto cells = cells_of(p);
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(cells[r][0].bank, static_cast<int>(r));
}

TEST(TilePicture, ABroadcastIsNoConflict) {
  TilePicture p = column_of(4);
  p.addresses = {8, 8, 8, 8};
  EXPECT_EQ(cells_of(p)[0][2].lanes, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_FALSE(cells_of(p)[0][2].waits());
  EXPECT_EQ(lanes_text(p).substr(5, 22), "row 0 |  .   .  0+   .");
}

TEST(TilePicture, AWideAccessCoversItsElements) {
  TilePicture p = column_of(4);
  p.bits = 64;
  p.addresses = {0, 8, std::nullopt, std::nullopt};
  EXPECT_EQ(cells_of(p)[0][1].lanes, std::vector<int>{0});
  EXPECT_EQ(cells_of(p)[0][3].lanes, std::vector<int>{1});
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(TilePicture, AnSvgHasOneCellAnElementAndNeedsNothingElse) {
  const std::string svg = to_svg({{column_of(4)}});
  EXPECT_EQ(count(svg, "<g><title>"), 16u);
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_NE(svg.find("4 wavefronts, ideal 1"), std::string::npos);
  EXPECT_NE(svg.find("[2][0]: byte 32, bank 0, lanes 2, waits: 4 words of this bank"), std::string::npos);
}

TEST(TilePicture, TheMoreWordsABankHasToGiveTheDarkerTheyAre) {
  TilePicture p = column_of(4);
  EXPECT_EQ(count(to_svg({{p}}), "class='x x2'"), 4u);
  p.addresses = {0, 16, 4, 4};
  const std::string svg = to_svg({{p}});
  EXPECT_EQ(count(svg, "class='x x1'"), 2u);
  EXPECT_EQ(count(svg, "class='a'"), 1u);
  EXPECT_EQ(cells_of(p)[1][0].words, 2);
  EXPECT_EQ(cells_of(p)[0][1].words, 1);
}

TEST(TilePicture, PicturesStandSideBySide) {
  EXPECT_EQ(banks_text({{column_of(4), column_of(5)}}),
            "tile                       tile\n"
            "row 0 |  0!  1   2   3     row 0 |  0*  1   2   3\n"
            "row 1 |  0!  1   2   3     row 1 |  1*  2   3   0\n"
            "row 2 |  0!  1   2   3     row 2 |  2*  3   0   1\n"
            "row 3 |  0!  1   2   3     row 3 |  3*  0   1   2\n");
  const std::string svg = to_svg({{column_of(4), column_of(5)}, {column_of(4)}});
  EXPECT_EQ(count(svg, "<g transform='translate("), 3u);
  EXPECT_EQ(count(svg, "<g><title>"), 48u);
  EXPECT_EQ(count(svg, "<g transform='translate(0 0)'>"), 1u);
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
}

}  // namespace
}  // namespace swizzle::tile_picture_test
