#include "synth/ptx/control_flow.h"

#include <gtest/gtest.h>

#include "synth/ptx/reader.h"

namespace swizzle::ptx_control_flow_test {
namespace {

using namespace swizzle::ptx;
using ptx::Function;

Function read(const std::string& body) {
  const auto module = read_module(
      SourceText("k.ptx", ".version 8.0\n.entry k()\n{ .reg .pred p, q; .reg .b32 r, s;\n" + body + "\n}\n"));
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : render(module.errors()[0]));
  return module->functions[0];
}

TEST(PtxControlFlow, SidesOfABranchMeetBehindBoth) {
  const Function f = read("@p bra A;\nmov.u32 r, 1;\nbra B;\nA: mov.u32 r, 2;\nB: ret;");
  const ControlFlow flow(f);
  EXPECT_EQ(flow.join_of(0), 4);
  EXPECT_EQ(flow.loop_around(1), nullptr);
  EXPECT_EQ(flow.loop_left_at(0), nullptr);
}

TEST(PtxControlFlow, SidesThatBothEndMeetAtTheEnd) {
  const Function f = read("@p bra A;\nret;\nA: exit;");
  EXPECT_EQ(ControlFlow(f).join_of(0), 3);
}

TEST(PtxControlFlow, ALoopIsLeftAtTheBranchBack) {
  const Function f = read("mov.u32 r, 0;\nA: add.u32 r, r, 1;\nst.shared.u32 [s], r;\n@p bra A;\nret;");
  const ControlFlow flow(f);
  EXPECT_EQ(flow.join_of(3), 4);
  EXPECT_TRUE(flow.goes_back(3, 1));
  EXPECT_FALSE(flow.goes_back(3, 4));
  const Loop* const loop = flow.loop_left_at(3);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->header, 1);
  EXPECT_EQ(loop->written, std::vector<int>{2});
  EXPECT_TRUE(loop->may_access_shared);
}

TEST(PtxControlFlow, TheInnermostLoopCounts) {
  const Function f = read("A: mov.u32 r, 0;\nB: mov.u32 s, 0;\n@p bra B;\n@q bra A;\nret;");
  const ControlFlow flow(f);
  EXPECT_EQ(flow.loop_around(1)->header, 1);
  EXPECT_EQ(flow.loop_around(0)->header, 0);
  EXPECT_EQ(flow.loop_left_at(3)->header, 0);
}

TEST(PtxControlFlow, WhatRunsForeverHasAJoinAsWell) {
  const Function f = read("@p bra A;\nret;\nA: @q bra B;\nmov.u32 r, 1;\nB: bra A;");
  const ControlFlow flow(f);
  EXPECT_EQ(flow.join_of(0), 5);
  EXPECT_EQ(flow.join_of(2), 4);
}

}  // namespace
}  // namespace swizzle::ptx_control_flow_test
