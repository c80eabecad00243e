// What moves between the registers of small kernels' first warps.
#include "synth/execution/movement.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::movement_test {
namespace {

// On 4 lanes of a warp.
Movement movement(const std::string& body, std::vector<bool> has_bits = {}) {
  const auto program = parse_kernel(
      SourceText("a.cu",
                 "__global__ void f(const int* x, int* y) {\n  const unsigned m = 15;\n  int t = threadIdx.x;\n" +
                     body + "\n}\n"),
      "");
  EXPECT_TRUE(program.ok()) << render(program.errors()[0]);
  Execution execution;
  execution.shape = LaunchShape{{2, 1, 1}, {4, 1, 1}};
  execution.extents = std::vector<std::int64_t>{64, 64};
  execution.has_bits = std::move(has_bits);
  execution.memory = SharedMemoryModel{"four", 4, 4, 4, 16, false};
  auto found = movement_of(*program, execution);
  EXPECT_TRUE(found.ok()) << render(found.errors()[0]);
  return std::move(*found);
}

// "rc[0]: 0 1 2 3", a line each.
std::string text(const std::vector<RegisterRow>& rows) {
  std::string out;
  for (const RegisterRow& row : rows) {
    out += row.name + ":";
    for (const Held& held : row.holds) out += " " + (held.brief.empty() ? "-" : held.brief);
    out += "\n";
  }
  return out;
}

// "0.1>0.0" for each: row and lane.
std::string moves(const MovementStep& step) {
  std::string out;
  for (const LaneMove& m : step.moves)
    out += (out.empty() ? "" : " ") + std::to_string(m.from_row) + "." + std::to_string(m.from_lane) + ">" +
           std::to_string(m.to_row) + "." + std::to_string(m.to_lane);
  return out;
}

TEST(Movement, AShuffleOfRegisters) {
  const Movement m = movement(
      "  int rc[2] = {x[t], x[t + 4]};\n  int tmp = __shfl_sync(m, t == 0 ? rc[1] : rc[0], (t + 1) & 3);\n  y[t] = tmp;");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_EQ(m.lanes, 4);
  EXPECT_TRUE(m.steps[0].is_shuffle);
  EXPECT_EQ(text(m.steps[0].before), "rc[0]: 0 1 2 3\nrc[1]: 4 5 6 7\n");
  EXPECT_EQ(text(m.steps[0].after), "tmp: 1 2 3 4\n");
  EXPECT_EQ(moves(m.steps[0]), "0.1>0.0 0.2>0.1 0.3>0.2 1.0>0.3");
  EXPECT_EQ(m.steps[0].before[0].holds[2].text, "x[2]");
}

TEST(Movement, EachRoundOfALoopIsAStep) {
  const Movement m = movement(
      "  int r = x[t], out = 0;\n  for (int k = 0; k < 3; k++) {\n    int tmp = __shfl_sync(m, r, (t + k) & 3);\n"
      "    out += tmp;\n  }\n  y[t] = out;");
  ASSERT_EQ(m.steps.size(), 3u);
  EXPECT_EQ(m.steps[2].loops, (std::vector<std::pair<std::string, std::int64_t>>{{"k", 2}}));
  EXPECT_EQ(text(m.steps[2].after), "tmp: 2 3 0 1\n");
}

TEST(Movement, RoundsThatFillAnArrayAreOneStep) {
  const Movement m = movement(
      "  int a[2] = {x[t], x[t + 4]}, b[2];\n  for (int r = 0; r < 2; r++) b[r] = __shfl_sync(m, a[r], t ^ 1);\n"
      "  y[t] = b[0] - b[1];");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_TRUE(m.steps[0].loops.empty());
  EXPECT_EQ(text(m.steps[0].after), "b[0]: 1 0 3 2\nb[1]: 5 4 7 6\n");
  EXPECT_EQ(m.steps[0].moves.size(), 8u);
}

TEST(Movement, WhatIsReceivedWithoutARegisterHasNoName) {
  const Movement m = movement("  y[t] = __shfl_sync(m, x[t], 3 - t);");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_EQ(text(m.steps[0].before), "sent: 0 1 2 3\n");
  EXPECT_EQ(text(m.steps[0].after), "received: 3 2 1 0\n");
}

TEST(Movement, ACopyThatDiffersFromLaneToLaneIsAStep) {
  const Movement m =
      movement("  int a[2] = {x[t], x[t + 4]};\n  int b = (t & 1) ? a[1] : a[0];\n  int c = a[1];\n  y[t] = b - c;");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_FALSE(m.steps[0].is_shuffle);
  EXPECT_EQ(text(m.steps[0].after), "b: 0 5 2 7\n");
  EXPECT_EQ(moves(m.steps[0]), "0.0>0.0 1.1>0.1 0.2>0.2 1.3>0.3");
}

TEST(Movement, ARotationOfRegistersIsAStep) {
  const Movement m = movement(
      "  int a[2] = {x[t], x[t + 4]}, b[2];\n  for (int r = 0; r < 2; r++) b[r] = a[(r + t) & 1];\n  y[t] = b[0] - b[1];");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_EQ(text(m.steps[0].after), "b[0]: 0 5 2 7\nb[1]: 4 1 6 3\n");
}

TEST(Movement, SumsAreCounted) {
  const Movement m =
      movement("  int v = x[t];\n  v += __shfl_xor_sync(m, v, 1);\n  v += __shfl_xor_sync(m, v, 2);\n  y[t] = v;");
  ASSERT_EQ(m.steps.size(), 2u);
  EXPECT_EQ(text(m.steps[1].before), "v: +2 +2 +2 +2\n");
  EXPECT_EQ(m.steps[1].before[0].holds[0].text, "x[0] + x[1]");
}

TEST(Movement, ElementsOfSeveralInputsHaveTheirNames) {
  const Movement m =
      movement("  y[t] = 7;\n  int a = x[t];\n  y[t + 8] = __shfl_sync(m, t & 1 ? a : y[t + 16], t ^ 1);");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_EQ(text(m.steps[0].after), "received: x1 y16 x3 y18\n");
}

TEST(Movement, NothingMovesWhereLanesKeepToThemselves) {
  EXPECT_TRUE(movement("  int a = x[t];\n  int b = a;\n  y[t] = b + 1;").steps.empty());
}

// "w: 2 1 0 . #", the highest bit first, of so many bits.
std::string text(const WordState& state, std::size_t bits) {
  std::string out = state.name + ":";
  for (std::size_t i = bits; i-- > 0;) out += " " + state.bits[i].brief;
  return out;
}

TEST(Movement, WordsOfTheFirstLaneAreToldBitByBit) {
  const Movement m = movement("  int w = x[t];\n  w = w << 2 | 1;\n  y[t + 4 * blockIdx.x] = w;", {true, true});
  ASSERT_EQ(m.words.size(), 3u);
  EXPECT_EQ(text(m.words[0], 5), "w: 4 3 2 1 0");
  EXPECT_EQ(text(m.words[1], 5), "w: 2 1 0 . #");
  EXPECT_EQ(text(m.words[2], 5), "y[0]: 2 1 0 . #");
  EXPECT_EQ(m.words[1].bits[3].text, "bit 1 of x[0]");
  EXPECT_TRUE(m.steps.empty());
}

TEST(Movement, BitsOfSeveralElementsNameThem) {
  const Movement m =
      movement("  int w = x[t] & 3 | x[t + 4] << 2;\n  w ^= x[t] & 1;\n  w ^= x[t + 4] & 2;", {true, true});
  ASSERT_EQ(m.words.size(), 3u);
  EXPECT_EQ(text(m.words[0], 4), "w: 4:1 4:0 0:1 0:0");
  EXPECT_EQ(text(m.words[1], 4), "w: 4:1 4:0 0:1 .");
  EXPECT_EQ(text(m.words[2], 4), "w: 4:1 4:0 ^2 .");
}

TEST(Movement, AWordIsAnElementOrOfSeveral) {
  const Movement m = movement(
      "  int w = x[t], v = __shfl_sync(m, w, (t + 1) & 3);\n  w = w & 1 | v & 2;\n"
      "  v = __shfl_sync(m, w, (t + 1) & 3);\n  y[t] = v;",
      {true, true});
  ASSERT_EQ(m.steps.size(), 2u);
  EXPECT_EQ(text(m.steps[0].after), "v: 1 2 3 0\n");
  EXPECT_EQ(text(m.steps[1].after), "v: *2 *2 *2 *2\n");
}

}  // namespace
}  // namespace swizzle::movement_test
