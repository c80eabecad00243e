// Figures of the examples in the PTX ISA, or derived by hand.
#include "synth/ptx/lane_operations.h"

#include <gtest/gtest.h>

#include "synth/ptx/reader.h"

namespace swizzle::ptx_lane_operations_test {
namespace {

using namespace swizzle::ptx;

Instruction instruction(const std::string& name) {
  const auto module =
      read_module(SourceText("k.ptx", ".version 8.0\n.entry k()\n{ .reg .b64 a, b;\n" + name + " a, b;\n}\n"));
  return module->functions[0].instructions[0];
}

std::int64_t of(const std::string& name, const std::vector<std::int64_t>& operands) {
  std::vector<LaneValue> values;
  for (const std::int64_t v : operands) values.push_back(LaneValue::uniform(v));
  const LaneValue result = computed(instruction(name), values);
  EXPECT_TRUE(result.is_uniform()) << name;
  return result.is_uniform() ? result.at(0) : -1;
}

TEST(PtxLaneOperations, SumsAndProductsKeepTheirWidth) {
  EXPECT_EQ(of("add.u32", {0xffffffff, 2}), 1);
  EXPECT_EQ(of("sub.s32", {1, 2}), 0xffffffff);
  EXPECT_EQ(of("mul.lo.s32", {0xffffffff, 3}), 0xfffffffd);
  EXPECT_EQ(of("mul.wide.s32", {0xffffffff, 3}), -3);
  EXPECT_EQ(of("mul.wide.u32", {0xffffffff, 3}), 0x2fffffffd);
  EXPECT_EQ(of("mul.hi.u32", {0x80000000, 6}), 3);
  EXPECT_EQ(of("mul.hi.s64", {-1, 5}), -1);
  EXPECT_EQ(of("mad.lo.s32", {4, 5, 6}), 26);
  EXPECT_EQ(of("mad.wide.u16", {0xffff, 0xffff, 1}), 0xfffe0002);
  EXPECT_EQ(of("mul24.lo.u32", {0x1000002, 3}), 6);
}

TEST(PtxLaneOperations, SignsDecideQuotientsShiftsAndOrders) {
  EXPECT_EQ(of("div.s32", {0xfffffff9, 2}), 0xfffffffd);
  EXPECT_EQ(of("rem.s32", {0xfffffff9, 2}), 0xffffffff);
  EXPECT_EQ(of("div.u32", {0xfffffff9, 2}), 0x7ffffffc);
  EXPECT_EQ(of("shr.s32", {0x80000000, 31}), 0xffffffff);
  EXPECT_EQ(of("shr.u32", {0x80000000, 31}), 1);
  EXPECT_EQ(of("shl.b32", {1, 32}), 0) << "a shift by more than the width gives nothing";
  EXPECT_EQ(of("shr.s32", {0x80000000, 99}), 0xffffffff);
  EXPECT_EQ(of("min.s32", {0xffffffff, 1}), 0xffffffff);
  EXPECT_EQ(of("min.u32", {0xffffffff, 1}), 1);
  EXPECT_FALSE(computed(instruction("div.u32"), {LaneValue::uniform(1), LaneValue::uniform(0)}).is_uniform());
}

TEST(PtxLaneOperations, BitsAreFoundMovedAndReversed) {
  EXPECT_EQ(of("popc.b32", {0xff}), 8);
  EXPECT_EQ(of("clz.b32", {1}), 31);
  EXPECT_EQ(of("clz.b64", {1}), 63);
  EXPECT_EQ(of("brev.b32", {1}), 0x80000000);
  EXPECT_EQ(of("bfind.u32", {0x100}), 8);
  EXPECT_EQ(of("bfind.shiftamt.u32", {0x100}), 23);
  EXPECT_EQ(of("bfind.u32", {0}), 0xffffffff);
  EXPECT_EQ(of("bfind.s32", {0xffffffff}), 0xffffffff);
  EXPECT_EQ(of("bfe.u32", {0xabcd, 4, 8}), 0xbc);
  EXPECT_EQ(of("bfe.s32", {0xf0, 4, 4}), 0xffffffff);
  EXPECT_EQ(of("bfe.s32", {0x80000000, 30, 8}), 0xfffffffe);
  EXPECT_EQ(of("bfi.b32", {0xf, 0xff00, 0, 4}), 0xff0f);
  EXPECT_EQ(of("bfi.b32", {0, 0xff00, 8, 4}), 0xf000);
  EXPECT_EQ(of("bmsk.clamp.b32", {4, 3}), 0x70);
  EXPECT_EQ(of("bmsk.clamp.b32", {30, 40}), 0xc0000000);
  EXPECT_EQ(of("bmsk.clamp.b32", {32, 5}), 0);
  EXPECT_EQ(of("bmsk.wrap.b32", {33, 2}), 6);
}

TEST(PtxLaneOperations, TablesAndPermutationsChooseByBitAndByte) {
  EXPECT_EQ(of("lop3.b32", {0xcc, 0xaa, 0xf0, 0x80}), 0x80) << "a & b & c";
  EXPECT_EQ(of("lop3.b32", {1, 2, 4, 0x96}), 7) << "a ^ b ^ c";
  EXPECT_EQ(of("lop3.b32", {1, 2, 4, 0xf0}), 1) << "a";
  EXPECT_EQ(of("prmt.b32", {0x33221100, 0x77665544, 0x7531}), 0x77553311);
  EXPECT_EQ(of("prmt.b32", {0x00000080, 0, 0x8}), 0x808080ff) << "nibble 8 repeats the sign of byte 0";
  EXPECT_EQ(of("shf.l.wrap.b32", {0x80000000, 1, 1}), 3);
  EXPECT_EQ(of("shf.r.wrap.b32", {0x80000000, 1, 1}), 0xc0000000);
  EXPECT_EQ(of("shf.r.clamp.b32", {5, 7, 40}), 7);
  EXPECT_EQ(of("shf.l.wrap.b32", {5, 7, 32}), 7);
}

TEST(PtxLaneOperations, ConversionsExtendBySign) {
  EXPECT_EQ(of("cvt.s64.s32", {0xffffffff}), -1);
  EXPECT_EQ(of("cvt.u64.u32", {0xffffffff}), 0xffffffff);
  EXPECT_EQ(of("cvt.u16.u32", {0x12345}), 0x2345);
  EXPECT_TRUE(computed(instruction("cvt.rn.f32.s32"), {LaneValue::uniform(1)}).is_unknown());
  EXPECT_TRUE(computed(instruction("add.f32"), {LaneValue::uniform(1), LaneValue::uniform(1)}).is_unknown());
}

TEST(PtxLaneOperations, AnUnknownLaneStaysUnknownAlone) {
  const LaneValue some = LaneValue::partly({1, 2, 0, 4}, {1, 1, 0, 1});
  const LaneValue result = computed(instruction("shl.b32"), {some, LaneValue::uniform(2)});
  EXPECT_EQ(result.find(3), 16);
  EXPECT_FALSE(result.knows(2));
  EXPECT_TRUE(computed(instruction("add.s32"), {some, LaneValue()}).is_unknown());
  const LaneValue moved = computed(instruction("add.s64"), {LaneValue::in_region(3), LaneValue()});
  EXPECT_EQ(moved.region(), 3) << "an index that nobody knows stays in its array";
}

TEST(PtxLaneOperations, ComparisonsAndWhatDecidesThem) {
  const LaneValue minus = LaneValue::uniform(0xffffffff), one = LaneValue::uniform(1);
  EXPECT_EQ(compared(instruction("setp.lt.s32"), minus, one).at(0), 1);
  EXPECT_EQ(compared(instruction("setp.lt.u32"), minus, one).at(0), 0);
  EXPECT_EQ(compared(instruction("setp.lo.s32"), minus, one).at(0), 0);
  EXPECT_TRUE(compared(instruction("setp.lt.f32"), minus, one).is_unknown());
  EXPECT_EQ(decided(true, LaneValue(), LaneValue::uniform(0), 2).find(1), 0);
  EXPECT_FALSE(decided(true, LaneValue(), LaneValue::uniform(1), 2).knows(1));
  EXPECT_EQ(decided(false, LaneValue(), LaneValue::uniform(1), 2).find(0), 1);
  EXPECT_EQ(selected(LaneValue(), one, one, 2).find(0), 1);
}

TEST(PtxLaneOperations, RegistersAreTakenApartAndPutTogether) {
  EXPECT_EQ(part_of(LaneValue::uniform(0x100000002), 1, 32).at(0), 1);
  EXPECT_EQ(packed({LaneValue::uniform(2), LaneValue::uniform(1)}, 32).at(0), 0x100000002);
  EXPECT_TRUE(packed({LaneValue::uniform(2), LaneValue()}, 32).is_unknown());
}

}  // namespace
}  // namespace swizzle::ptx_lane_operations_test
