#include "synth/ptx/reader.h"

#include <gtest/gtest.h>

namespace swizzle::ptx_reader_test {
namespace {

using namespace swizzle::ptx;
using ptx::Function;

constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

Result<Module> read(const std::string& text) { return read_module(SourceText("k.ptx", kHead + text)); }

Function function_of(const std::string& body) {
  const auto module = read(".visible .entry k()\n{\n" + body + "\n}\n");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : render(module.errors()[0]));
  return module.ok() ? module->functions[0] : Function{};
}

TEST(PtxReader, KernelsHaveParametersAndBounds) {
  const auto module = read(
      ".visible .entry k(.param .u64 .ptr .align 1 k_param_0, .param .align 8 .b8 k_param_1[24])\n"
      ".maxntid 32, 4, 1\n{ ret; }\n.extern .func (.param .b32 r) vprintf(.param .b64 a);\n");
  ASSERT_TRUE(module.ok());
  ASSERT_EQ(module->functions.size(), 1u);
  const Function& k = module->functions[0];
  EXPECT_EQ(k.name, "k");
  EXPECT_TRUE(k.is_kernel);
  EXPECT_EQ(k.most_threads, 128);
  ASSERT_EQ(k.parameters.size(), 2u);
  EXPECT_EQ(module->variables[static_cast<std::size_t>(k.parameters[0])].size_bytes, 8);
  EXPECT_EQ(module->variables[static_cast<std::size_t>(k.parameters[1])].size_bytes, 24);
}

TEST(PtxReader, VariablesHaveASpaceASizeAndInitialBytes) {
  const auto module = read(
      ".const .align 4 .u32 t[3] = {1, 0x203};\n.extern .shared .align 16 .b8 open[];\n.global .f32 g = 0f3F800000;\n");
  ASSERT_TRUE(module.ok());
  ASSERT_EQ(module->variables.size(), 3u);
  EXPECT_EQ(module->variables[0].initial, (std::vector<std::uint8_t>{1, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(module->variables[1].size_bytes, 0);
  EXPECT_TRUE(module->variables[1].is_extern);
  EXPECT_EQ(module->variables[1].space, Space::kShared);
  EXPECT_TRUE(module->variables[2].initial.empty()) << "a real number is not followed";
}

TEST(PtxReader, InstructionsHaveModifiersTypesAndOperands) {
  const Function k = function_of(
      ".reg .f32 %f<5>; .reg .b32 %r<3>; .reg .pred %p<2>;\n.shared .align 4 .b8 s[64];\n"
      "ld.shared::cta.v4.f32 {%f1, _, %f3, %f4}, [%r1+16];\n@!%p1 mad.wide.s32 %r2, %r1, -4, 0x10;\nmov.u32 %r1, s;\n");
  ASSERT_EQ(k.instructions.size(), 3u);
  const Instruction& load = k.instructions[0];
  EXPECT_EQ(load.opcode, Opcode::kLd);
  EXPECT_TRUE(load.has(Modifier::kSharedCta));
  EXPECT_TRUE(load.has(Modifier::kV4));
  EXPECT_EQ(load.type.bits, 32);
  ASSERT_EQ(load.operands.size(), 2u);
  ASSERT_EQ(load.operands[0].parts.size(), 4u);
  EXPECT_EQ(load.operands[0].parts[1].kind, Operand::Kind::kNone);
  EXPECT_EQ(load.operands[1].kind, Operand::Kind::kMemory);
  EXPECT_EQ(load.operands[1].parts[0].number, 16);
  const Instruction& mad = k.instructions[1];
  EXPECT_TRUE(mad.is_guarded());
  EXPECT_TRUE(mad.guard_is_negated);
  EXPECT_EQ(mad.operands[2].number, -4);
  EXPECT_EQ(mad.operands[3].number, 16);
  EXPECT_EQ(k.instructions[2].operands[1].kind, Operand::Kind::kVariable);
}

TEST(PtxReader, NamesOfScopesHideThoseOutside) {
  const Function k = function_of(
      ".reg .b32 r; .reg .pred p;\nmov.u32 r, 1;\n{ .reg .b32 r; mov.u32 r, 2;\nAGAIN: @p bra DONE; bra AGAIN;\nDONE: }\n"
      "{ AGAIN: @p bra AGAIN; }\nmov.u32 r, 3;\n");
  ASSERT_EQ(k.instructions.size(), 6u);
  EXPECT_NE(k.instructions[0].operands[0].id, k.instructions[1].operands[0].id);
  EXPECT_EQ(k.instructions[0].operands[0].id, k.instructions[5].operands[0].id);
  EXPECT_EQ(k.instructions[2].targets, std::vector<int>{4});
  EXPECT_EQ(k.instructions[3].targets, std::vector<int>{2});
  EXPECT_EQ(k.instructions[4].targets, std::vector<int>{4});
}

TEST(PtxReader, BranchesByTableHaveAllTargets) {
  const Function k =
      function_of(".reg .b32 %r<2>;\n$T: .branchtargets A, B, A;\nbrx.idx %r1, $T;\nA: ret;\nB: exit;\n");
  ASSERT_EQ(k.instructions.size(), 3u);
  EXPECT_EQ(k.instructions[0].targets, (std::vector<int>{1, 2, 1}));
}

TEST(PtxReader, PlacesSayWhatWasInlinedWhere) {
  const auto module = read(
      ".visible .entry k()\n{\n.loc 1 5 0\n.loc 1 11 3\n.loc 2 4 9, function_name $L__info_string0, inlined_at 1 11 3\n"
      "bar.sync 0;\n.loc 1 12 1\nret;\n}\n.file 1 \"/a/k.cu\"\n.file 2 \"/a/look.h\", 123, 45\n"
      ".section .debug_str\n{\n$L__info_string0:\n.b8 108,111,111,107,0\n}\n");
  ASSERT_TRUE(module.ok());
  EXPECT_EQ(module->files.at(2), "/a/look.h");
  const Function& k = module->functions[0];
  const Place& place = module->places[static_cast<std::size_t>(k.instructions[0].place)];
  EXPECT_EQ(place.function, "look");
  EXPECT_EQ(place.line, 4);
  ASSERT_GE(place.inlined_at, 0);
  EXPECT_EQ(module->places[static_cast<std::size_t>(place.inlined_at)].line, 11);
  EXPECT_EQ(module->places[static_cast<std::size_t>(k.place)].line, 5);
  EXPECT_EQ(module->places[static_cast<std::size_t>(k.instructions[1].place)].line, 12);
}

TEST(PtxReader, CommentsAndUnknownInstructionsArePassedBy) {
  const Function k =
      function_of("// @$&\n/* mov.u32\n */ .pragma \"nounroll\";\nframble.sync.b32 %clock, [0];\nret;\n");
  ASSERT_EQ(k.instructions.size(), 2u);
  EXPECT_EQ(k.instructions[0].opcode, Opcode::kOther);
  EXPECT_EQ(k.instructions[1].line, 10);
}

TEST(PtxReader, WhatIsNoPtxIsAnErrorWithItsLine) {
  const auto code = read_module(SourceText("k.cu", "\n__global__ void k() {}\n"));
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.errors()[0].where.line, 2);
  EXPECT_EQ(code.errors()[0].message, "this is no PTX: '__global__'");
  const auto label = read(".entry k() { bra NOWHERE; }");
  ASSERT_FALSE(label.ok());
  EXPECT_EQ(label.errors()[0].message, "there is no label 'NOWHERE'");
  EXPECT_FALSE(read(".entry k() { @%p9 ret; }").ok());
  EXPECT_FALSE(read(".entry k() { ld.shared.f32 %f1, []; }").ok());
}

}  // namespace
}  // namespace swizzle::ptx_reader_test
