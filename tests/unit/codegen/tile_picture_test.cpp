#include "codegen/picture/drawing.h"

#include <regex>
#include <sstream>

#include <gtest/gtest.h>

namespace swizzle::tile_picture_test {
namespace {

// 4 × columns floats by rows on 4 banks; lane l reads the first element of row l.
TilePicture column_of(int columns) {
  TilePicture p;
  p.title = "tile";
  p.rows = p.columns = {0, 1, 2, 3};
  p.address = [columns](int r, int c) { return std::int64_t{4} * (r * columns + c); };
  p.memory = SharedMemoryModel{"four", 4, 4, 4, 16, false};
  for (int lane = 0; lane < 4; ++lane) p.addresses.push_back(p.address(lane, 0));
  return p;
}

TEST(TilePicture, LanesThatShareABankWait) {
  EXPECT_EQ(lanes_text(column_of(4)),
            "tile\n4 wavefronts, ideal 1\n"
            "row 0 | 0! .  .  .\nrow 1 | 1! .  .  .\nrow 2 | 2! .  .  .\nrow 3 | 3! .  .  .\n");
}

TEST(TilePicture, PaddingSpreadsThem) {
  const TilePicture p = column_of(5);
  EXPECT_EQ(lanes_text(p),
            "tile\n1 wavefront, ideal 1\n"
            "row 0 | 0  .  .  .\nrow 1 | 1  .  .  .\nrow 2 | 2  .  .  .\nrow 3 | 3  .  .  .\n");
  const auto cells = cells_of(p);
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(cells[r][0].bank, static_cast<int>(r));
}

TEST(TilePicture, ABroadcastIsNoConflict) {
  TilePicture p = column_of(4);
  p.addresses = {8, 8, 8, 8};
  EXPECT_EQ(cells_of(p)[0][2].lanes, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_FALSE(cells_of(p)[0][2].waits());
  EXPECT_NE(lanes_text(p).find("row 0 | .  .  0+ .\n"), std::string::npos) << lanes_text(p);
}

TEST(TilePicture, AWideAccessCoversItsElements) {
  TilePicture p = column_of(4);
  p.bits = 64;
  p.addresses = {0, 8, std::nullopt, std::nullopt};
  EXPECT_EQ(cells_of(p)[0][1].lanes, std::vector<int>{0});
  EXPECT_EQ(cells_of(p)[0][3].lanes, std::vector<int>{1});
}

std::string svg_of(const PictureRows& rows) { return to_svg(Drawing{rows, {}}); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(TilePicture, AnSvgHasOneCellAnElementAndNeedsNothingElse) {
  const std::string svg = svg_of({{column_of(4)}});
  EXPECT_EQ(count(svg, "<g><title>"), 16u);
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_NE(svg.find("4 wavefronts, ideal 1"), std::string::npos);
  EXPECT_NE(svg.find("[2][0]: byte 32, bank 0, lanes 2, waits: 4 words of this bank"), std::string::npos);
}

TEST(TilePicture, TheMoreWordsABankHasToGiveTheDarkerTheyAre) {
  TilePicture p = column_of(4);
  EXPECT_EQ(count(svg_of({{p}}), "class='x x2'"), 4u);
  p.addresses = {0, 16, 4, 4};
  const std::string svg = svg_of({{p}});
  EXPECT_EQ(count(svg, "class='x x1'"), 2u);
  EXPECT_EQ(count(svg, "class='a'"), 1u);
  EXPECT_EQ(cells_of(p)[1][0].words, 2);
  EXPECT_EQ(cells_of(p)[0][1].words, 1);
}

TEST(TilePicture, PicturesStandSideBySide) {
  EXPECT_EQ(banks_text({{column_of(4), column_of(5)}}),
            "tile                     tile\n"
            "4 wavefronts, ideal 1    1 wavefront, ideal 1\n"
            "row 0 | 0! 1  2  3       row 0 | 0* 1  2  3\n"
            "row 1 | 0! 1  2  3       row 1 | 1* 2  3  0\n"
            "row 2 | 0! 1  2  3       row 2 | 2* 3  0  1\n"
            "row 3 | 0! 1  2  3       row 3 | 3* 0  1  2\n");
  const std::string svg = svg_of({{column_of(4), column_of(5)}, {column_of(4)}});
  EXPECT_EQ(count(svg, "<g transform='translate("), 3u);
  EXPECT_EQ(count(svg, "<g><title>"), 48u);
  EXPECT_EQ(count(svg, "<g transform='translate(0 0)'>"), 1u);
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
}

// 32 rows of 33 words on 32 banks; lane l reads the first element of row l.
TilePicture wide(int pitch) {
  TilePicture p;
  p.title = "tile";
  p.rows = shown_part(32, {}, kMostRows);
  p.columns = shown_part(33, {}, kMostWords);
  p.address = [pitch](int r, int c) { return std::int64_t{4} * (r * pitch + c); };
  for (int lane = 0; lane < 32; ++lane) p.addresses.push_back(p.address(lane, 0));
  return p;
}

TEST(TilePicture, TextHas120ColumnsAtMost) {
  for (const std::string& text : {banks_text({{wide(33), wide(32)}}), lanes_text(wide(33))}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  }
  const std::string both = banks_text({{wide(32), wide(33)}});
  EXPECT_LT(both.find("\n32 wavefronts, ideal 1\n"), both.find("\n1 wavefront, ideal 1\n"));
}

TEST(TilePicture, EveryCellTellsItsBank) {
  const std::string svg = svg_of({{column_of(5)}});
  EXPECT_EQ(count(svg, "<text class='k'"), 12u);
  EXPECT_EQ(count(svg, "<text class='n l'"), 4u);
  EXPECT_NE(svg.find("<text class='n l' x='47' y='147'>3</text>"), std::string::npos) << svg;
}

// What stands at x, with letters as wide as they may be, ends before the drawing does.
TEST(TilePicture, TheLegendIsNotCut) {
  for (const TilePicture& p : {column_of(4), wide(33)}) {
    const std::string svg = svg_of({{p}});
    std::smatch width, line;
    ASSERT_TRUE(std::regex_search(svg, width, std::regex("<svg [^>]* width='(\\d+)'")));
    std::string rest = svg.substr(svg.rfind("</g>")), said;
    const std::regex text("<text x='8' y='\\d+' text-anchor='start'>([^<]*)</text>");
    for (; std::regex_search(rest, line, text); rest = line.suffix()) {
      said += (said.empty() ? "" : " ") + line.str(1);
      EXPECT_LE(8 + 6.2 * static_cast<double>(line.str(1).size()), std::stod(width.str(1))) << line.str(1);
    }
    EXPECT_EQ(said, kTileLegend);
  }
}

TEST(TilePicture, OfATallTileTheRowsThatAreAccessed) {
  EXPECT_EQ(shown_part(4, {2}, 4), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(shown_part(100, {7, 3, 7}, 4), (std::vector<int>{3, 7}));
  EXPECT_EQ(shown_part(100, {9, 8, 7, 6, 5}, 4), (std::vector<int>{5, 6, 7, 8}));
  TilePicture p = column_of(4);
  p.rows = {1, 3};
  EXPECT_EQ(lanes_text(p), "tile\n4 wavefronts, ideal 1\nrow 1 | 1! .  .  .\n...\nrow 3 | 3! .  .  .\n");
}

}  // namespace
}  // namespace swizzle::tile_picture_test
