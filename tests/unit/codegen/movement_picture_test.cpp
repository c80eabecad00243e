#include "codegen/picture/drawing.h"

#include <gtest/gtest.h>

namespace swizzle::movement_picture_test {
namespace {

RegisterRow row(const std::string& name, int first, int lanes) {
  RegisterRow row{name, {}};
  for (int lane = 0; lane < lanes; ++lane)
    row.holds.push_back({"x[" + std::to_string(first + lane) + "]", std::to_string(first + lane)});
  return row;
}

// Each lane's element of one of two registers goes to the lane before it.
MovementPicture rotation(int lanes) {
  MovementStep step{
      {4, 28}, true, {{"k", 1}}, {row("rc[0]", 0, lanes), row("rc[1]", lanes, lanes)}, {row("tmp", 1, lanes)}, {}};
  for (int lane = 0; lane < lanes; ++lane) step.moves.push_back({lane + 1 == lanes, (lane + 1) % lanes, 0, lane});
  return {SourceText("k.cu", "x = shfl(rc[i],\n    (t + 1));\n"), {"sw_xform at 1:2 = t + 1"}, {lanes, {step}}};
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(MovementPicture, TextNamesWhatComesFromWhere) {
  EXPECT_EQ(movement_text(rotation(4)),
            "sw_xform at 1:2 = t + 1\n"
            "\n"
            "1 of 1, k = 1, at 1:5: shfl(rc[i], (t + 1))\n"
            "lane     0  1  2  3\n"
            "a rc[0]  0  1  2  3\n"
            "b rc[1]  4  5  6  7\n"
            "from    a1 a2 a3 b0\n"
            "tmp      1  2  3  4\n");
}

TEST(MovementPicture, LanesThatDoNotFitGoBelow) {
  const std::string text = movement_text(rotation(32));
  EXPECT_EQ(count(text, "\nlane "), 2u);
  EXPECT_NE(text.find(" b0\ntmp"), std::string::npos) << text;
}

TEST(MovementPicture, AnArrowForEachMoveBetweenLanes) {
  const std::string svg = to_svg(Drawing{{}, rotation(4)});
  EXPECT_EQ(count(svg, "<line class='m'"), 4u);
  EXPECT_EQ(count(svg, "<title>rc[1] of lane "), 4u);
  EXPECT_EQ(count(svg, "fill='#f4f4f4'"), 4u);  // what stays: rc[0] of lane 0, rc[1] of the others
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
}

TEST(MovementPicture, WithinLanesColoursTellTheRegister) {
  MovementPicture p = rotation(4);
  p.movement.steps[0].is_shuffle = false;
  for (LaneMove& m : p.movement.steps[0].moves) m = {m.to_lane & 1, m.to_lane, 0, m.to_lane};
  const std::string svg = to_svg(Drawing{{}, p});
  EXPECT_EQ(count(svg, "<line class='m'"), 0u);
  EXPECT_EQ(count(svg, "fill='hsl(0,"), 4u);
  EXPECT_EQ(count(svg, "fill='hsl(180,"), 4u);
}

TEST(MovementPicture, OfManyStepsTheFirstOnes) {
  MovementPicture p = rotation(4);
  p.movement.steps.resize(20, p.movement.steps[0]);
  const std::string text = movement_text(p);
  EXPECT_NE(text.find("\n16 of 20, "), std::string::npos);
  EXPECT_EQ(text.find("\n17 of 20, "), std::string::npos);
  EXPECT_TRUE(text.ends_with("\nand 4 more\n")) << text;
}

}  // namespace
}  // namespace swizzle::movement_picture_test
