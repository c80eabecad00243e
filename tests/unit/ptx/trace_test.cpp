// Accesses of small pieces of PTX, against figures derived by hand.
#include "synth/ptx/trace.h"

#include <string>

#include <gtest/gtest.h>

#include "synth/ptx/parameters.h"
#include "synth/ptx/reader.h"

namespace swizzle::ptx_trace_test {
namespace {

using namespace swizzle::ptx;

// The trace of BODY, whose registers %r1 and %rd1, %rd2 are threadIdx.x, x and y; s begins at 0.
struct Traced {
  explicit Traced(const std::string& body, std::array<int, 3> block = {32, 1, 1}, std::int64_t step_limit = 200'000) {
    const SourceText source(
        "k.ptx",
        ".version 8.0\n.target sm_90\n.shared .align 16 .b8 s[8192];\n.shared .align 4 .b8 t[128];\n"
        ".entry k(.param .u64 x, .param .u64 y, .param .u32 n)\n{\n.reg .b32 %r<40>; .reg .b64 %rd<40>; "
        ".reg .f32 %f<10>; .reg .pred %p<10>; .reg .b16 %h<9>;\n"
        "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; mov.u32 %r39, s;\n" +
            body + "\n}\n");
    const auto module = read_module(source);
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : render(module.errors()[0]));
    if (!module.ok()) return;
    const ptx::Function& kernel = module->functions[0];
    std::vector<Argument> arguments = arguments_of(*module, kernel, {"x", "y", "n"});
    arguments[0][0].kind = arguments[1][0].kind = ArgumentPart::Kind::kBuffer;
    arguments[2][0].value = 64;
    TraceOptions options;
    options.shape.block = block;
    options.step_limit = step_limit;
    trace = trace_accesses({*module, kernel, source, {}, lines_of(source), {}, arguments}, options);
  }
  static std::vector<PlaceInSource> lines_of(const SourceText& source) {
    std::vector<PlaceInSource> lines(1);
    for (std::uint32_t at = 0; at < source.text().size(); ++at)
      if (at == 0 || source.text()[at - 1] == '\n') lines.push_back({{at, at + 1}, {}, {}});
    return lines;
  }
  // "store32 s 32/1 x1": operation, bits, array, worst and ideal, requests; ? if data decide who takes part.
  std::string shared() const { return listed(MemorySpace::kShared); }
  std::string global() const { return listed(MemorySpace::kGlobal); }
  std::string listed(MemorySpace space) const {
    std::string text;
    for (const AccessSite& s : trace.sites) {
      if (s.space != space) continue;
      text +=
          (text.empty() ? "" : ", ") + std::string(name_of(s.operation)) + std::to_string(s.bits) + " " + s.array + " ";
      text += s.requests == 0
                  ? "unknown"
                  : std::to_string(s.worst) + "/" + std::to_string(s.worst_ideal) + " x" + std::to_string(s.requests);
      if (s.requests > 0 && s.not_counted > 0) text += " and unknown";
      if (s.is_conditional) text += "?";
    }
    return text;
  }
  std::string remarks() const {
    std::string text;
    for (const Diagnostic& d : trace.remarks) text += d.message + "\n";
    return text;
  }
  AccessTrace trace;
};

TEST(PtxTrace, FragmentsOfMatrices) {
  const std::string eight = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}";
  EXPECT_EQ(Traced("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + eight + ", [%r39], 16;").shared(),
            "ldmatrix128 s 8/4 x1");
  EXPECT_EQ(Traced("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + eight + ", [%r39+32], 24;").shared(),
            "ldmatrix128 s 4/4 x1");
  EXPECT_EQ(
      Traced("cvta.shared.u32 %r3, %r39; cvt.u64.u32 %rd3, %r3; wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 " +
             eight + ", [%rd3];")
          .shared(),
      "ldmatrix128 s 8/4 x1");  // without a stride: lines of 16
  EXPECT_EQ(Traced("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r39], " + eight + ", 16;").shared(),
            "store64 s 4/2 x4");
  EXPECT_EQ(Traced("wmma.load.c.sync.aligned.col.m16n16k16.global.f32 " + eight + ", [%rd1], 16;").global(),
            "load32 x 4/4 x8");
  EXPECT_NE(Traced("wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%r10}, [%r39], 32;").remarks().find("not counted"),
            std::string::npos);
}

TEST(PtxTrace, RowsAndColumnsOfATile) {
  EXPECT_EQ(Traced("shl.b32 %r3, %r1, 7; mov.u32 %r4, s; add.s32 %r5, %r4, %r3; st.shared.f32 [%r5], %f1;").shared(),
            "store32 s 32/1 x1");
  EXPECT_EQ(Traced("mad.lo.s32 %r5, %r1, 132, 0; mov.u32 %r4, s; add.s32 %r5, %r4, %r5; ld.shared.f32 %f1, [%r5+8];")
                .shared(),
            "load32 s 1/1 x1");
  EXPECT_EQ(
      Traced("shl.b32 %r3, %r1, 4; mov.u32 %r4, s; add.s32 %r5, %r4, %r3; ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r5];")
          .shared(),
      "load128 s 4/4 x1");
}

TEST(PtxTrace, GlobalAccessesAreCountedInSectors) {
  EXPECT_EQ(Traced("cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r1, 32; add.s64 %rd5, %rd3, %rd4;\n"
                   "ld.global.f32 %f1, [%rd5];\nst.global.v2.f32 [%rd2], {%f1, %f1};")
                .global(),
            "load32 x 32/4 x1, store64 y 1/1 x1");
}

TEST(PtxTrace, GenericAddressesGoWhereTheyPoint) {
  EXPECT_EQ(
      Traced("mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; mul.wide.u32 %rd5, %r1, 8; add.s64 %rd6, %rd4, %rd5;\n"
             "ld.f32 %f1, [%rd6];\ncvta.to.shared.u64 %rd7, %rd6; cvt.u32.u64 %r3, %rd7; ld.shared.f32 %f2, [%r3];")
          .shared(),
      "load32 s 2/1 x1, load32 s 2/1 x1");
  const Traced each(
      "setp.lt.u32 %p1, %r1, 16; mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; selp.b64 %rd5, %rd4, %rd1, %p1;\n"
      "st.u32 [%rd5], %r1;");
  EXPECT_EQ(each.shared(), "store32 s 1/1 x1");
  EXPECT_EQ(each.global(), "store32 x 1/1 x1");
}

TEST(PtxTrace, LanesPartAndMeetAgain) {
  const Traced parted(
      "setp.lt.u32 %p1, %r1, 8; mov.u32 %r4, s; @%p1 bra A;\nshl.b32 %r3, %r1, 7; bra B;\nA: shl.b32 %r3, %r1, 2;\n"
      "B: add.s32 %r5, %r4, %r3; st.shared.f32 [%r5], %f1;");
  EXPECT_EQ(parted.shared(), "store32 s 25/1 x1") << "lane 0 to 7 in banks 0 to 7, 24 others in bank 0";
  EXPECT_EQ(Traced("setp.ge.u32 %p1, %r1, 16; @%p1 ret; shl.b32 %r3, %r1, 7; st.shared.f32 [%r3], %f1;").shared(),
            "store32 s 16/1 x1");
}

TEST(PtxTrace, LoopsRunAsOftenAsLanesSay) {
  const std::string loop =
      "mov.u32 %r3, 0; mov.u32 %r4, s;\nL: shl.b32 %r5, %r3, 2; add.s32 %r5, %r4, %r5; ld.shared.f32 %f1, [%r5];\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, ";
  EXPECT_EQ(Traced(loop + "%r2; @%p1 bra L;\nst.shared.f32 [%r4], %f1;").shared(),
            "load32 s 1/1 x64, store32 s 1/1 x1");
  EXPECT_EQ(Traced(loop + "%r1; @%p1 bra L;\nst.shared.f32 [%r4], %f1;").shared(), "load32 s 1/1 x31, store32 s 1/1 x1")
      << "lane 31 goes round most often; all meet behind";
}

TEST(PtxTrace, BothSidesOfWhatDataDecideAreCounted) {
  const Traced both(
      "ld.global.u32 %r6, [%rd1]; setp.eq.s32 %p1, %r6, 0; shl.b32 %r3, %r1, 2; mov.u32 %r7, 5; @%p1 bra A;\n"
      "st.shared.f32 [%r3], %f1;\nmov.u32 %r3, 0; mov.u32 %r7, 5; bra B;\nA: shl.b32 %r3, %r1, 7;\nst.shared.f32 [%r3], %f1;\n"
      "B:\nst.shared.f32 [%r3], %f1;\nshl.b32 %r8, %r7, 2; st.shared.f32 [%r8], %f1;");
  EXPECT_EQ(both.shared(), "store32 s 1/1 x1?, store32 s 32/1 x1?, store32 s unknown, store32 s 1/1 x1");
  EXPECT_NE(both.remarks().find("data decide this condition"), std::string::npos) << both.remarks();
  EXPECT_EQ(both.trace.uncounted.size(), 1u) << "behind, the sides' addresses differ";
}

TEST(PtxTrace, ALoopThatDataEndIsWalkedOnceAndForgotten) {
  const Traced rotated(
      "mov.u32 %r3, 0;\nL: shl.b32 %r5, %r3, 2; st.shared.f32 [%r5], %f1;\nadd.u32 %r3, %r3, 1; ld.global.u32 %r6, [%rd1];\n"
      "setp.lt.u32 %p1, %r3, %r6; @%p1 bra L;\nshl.b32 %r5, %r3, 2; st.shared.f32 [s], %f1;\nst.global.u32 [%rd2], %r5;");
  EXPECT_EQ(rotated.shared(), "store32 s 1/1 x1, store32 s 1/1 x1");
  EXPECT_NE(rotated.remarks().find("data decide how often this loop runs"), std::string::npos);
  EXPECT_EQ(rotated.trace.uncounted.size(), 1u);
  const Traced tested_first(
      "mov.u32 %r3, 0;\nL: ld.global.u32 %r6, [%rd1]; setp.ge.u32 %p1, %r3, %r6; @%p1 bra D;\n"
      "st.shared.f32 [s+4], %f1;\nadd.u32 %r3, %r3, 4; bra L;\nD: ld.shared.f32 %f1, [%r3];");
  EXPECT_EQ(tested_first.shared(), "store32 s 1/1 x1?") << tested_first.remarks();
  EXPECT_EQ(tested_first.trace.uncounted.size(), 2u) << tested_first.remarks();
}

TEST(PtxTrace, WhoPerhapsLeftPerhapsTakesPart) {
  const Traced left("ld.global.u32 %r6, [%rd1]; setp.eq.s32 %p1, %r6, 0; @%p1 ret;\nst.shared.f32 [s], %f1;");
  EXPECT_EQ(left.shared(), "store32 s 1/1 x1?");
  const Traced branched(
      "ld.global.u32 %r6, [%rd1]; setp.eq.s32 %p1, %r6, 0; @%p1 bra D;\nst.shared.f32 [s], %f1;\nD: ret;");
  EXPECT_EQ(branched.shared(), "store32 s 1/1 x1?");
}

TEST(PtxTrace, WhatIsStoredInSharedMemoryIsFoundAgain) {
  const std::string write =
      "shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.s32 %r5, %r4, %r3; xor.b32 %r6, %r1, 1; st.shared.u32 [%r5], %r6;\n";
  EXPECT_EQ(
      Traced(write + "bar.sync 0; ld.shared.u32 %r7, [%r5]; shl.b32 %r7, %r7, 7; st.shared.f32 [%r7], %f1;").shared(),
      "store32 s 1/1 x1, load32 s 1/1 x1, store32 s 32/1 x1");
  EXPECT_EQ(
      Traced(
          write +
          "ld.global.u32 %r8, [%rd1]; st.shared.u32 [%r5], %r8; ld.shared.u32 %r7, [%r5];\nadd.s32 %r7, %r4, %r7; st.shared.f32 [%r7], %f1;")
          .shared(),
      "store32 s 1/1 x1, load32 s 1/1 x1, store32 s 1/1 x1, store32 s unknown");
}

TEST(PtxTrace, LanesTellEachOther) {
  const std::string use = "shl.b32 %r3, %r3, 7; st.shared.f32 [%r3], %f1;";
  EXPECT_EQ(Traced("shfl.sync.idx.b32 %r3, %r1, 3, 31, -1;" + use).shared(), "store32 s 1/1 x1");
  EXPECT_EQ(Traced("shfl.sync.bfly.b32 %r3|%p1, %r1, 1, 31, -1;" + use).shared(), "store32 s 32/1 x1");
  EXPECT_EQ(Traced("shfl.sync.down.b32 %r3, %r1, 16, 31, -1;" + use).shared(), "store32 s 16/1 x1");
  EXPECT_EQ(Traced("shfl.sync.up.b32 %r3, %r1, 30, 0, -1;" + use).shared(), "store32 s 30/1 x1");
  EXPECT_EQ(
      Traced(
          "setp.lt.u32 %p1, %r1, 1; vote.sync.ballot.b32 %r4, %p1, -1; popc.b32 %r4, %r4; mul.lo.u32 %r3, %r1, %r4;" +
          use)
          .shared(),
      "store32 s 32/1 x1");
  EXPECT_EQ(Traced("redux.sync.min.u32 %r3, %r1, -1;" + use).shared(), "store32 s 1/1 x1");
}

TEST(PtxTrace, VotesAreOfThoseWhoAreNamed) {
  EXPECT_EQ(
      Traced("and.b32 %r4, %r1, 24; mov.u32 %r5, 255; shl.b32 %r5, %r5, %r4; setp.lt.u32 %p1, %r1, 12;\n"
             "vote.sync.ballot.b32 %r6, %p1, %r5; popc.b32 %r6, %r6; shl.b32 %r3, %r6, 7; st.shared.f32 [%r3], %f1;")
          .shared(),
      "store32 s 3/1 x1")
      << "8 of the first 8 lanes, 4 of the next, 0 of the others";
}

TEST(PtxTrace, MatricesCopiesAndAtomics) {
  EXPECT_EQ(Traced("shl.b32 %r3, %r1, 7; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4,%r5,%r6,%r7}, [%r3];").shared(),
            "ldmatrix128 s 32/4 x1");
  const Traced copy(
      "shl.b32 %r3, %r1, 4; cp.async.cg.shared.global [%r3], [%rd1], 16; cp.async.commit_group; cp.async.wait_group 0;");
  EXPECT_EQ(copy.shared(), "store128 s 4/4 x1");
  EXPECT_EQ(copy.global(), "load128 x 1/1 x1");
  EXPECT_EQ(Traced("shl.b32 %r3, %r1, 3; atom.shared.add.u32 %r4, [%r3], 1; red.shared.add.u32 [t], 1;").shared(),
            "atomic32 s 2/1 x1, atomic32 t 1/1 x1");
}

TEST(PtxTrace, WhatIsNotCountedIsSaid) {
  EXPECT_EQ(
      Traced("ld.global.u32 %r3, [%rd1]; mov.u32 %r4, s; add.s32 %r3, %r4, %r3; st.shared.f32 [%r3], %f1;").shared(),
      "store32 s unknown");
  const Traced tma("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 64, [t];");
  EXPECT_EQ(tma.trace.uncounted.size(), 1u);
  EXPECT_EQ(Traced("call.uni f, ();").trace.uncounted.size(), 1u);
  EXPECT_TRUE(Traced("call.uni (%r3), vprintf, (%r4);").trace.uncounted.empty());
}

TEST(PtxTrace, TheStepLimitLeavesItIncomplete) {
  const Traced endless("L: ld.shared.f32 %f1, [s]; bra L;", {32, 1, 1}, 1000);
  EXPECT_FALSE(endless.trace.is_complete);
  ASSERT_EQ(endless.trace.uncounted.size(), 1u);
  EXPECT_NE(endless.trace.uncounted[0].message.find("stopped here"), std::string::npos);
}

TEST(PtxTrace, LocalArraysAreEachThreadsOwn) {
  EXPECT_EQ(
      Traced(".local .align 8 .b8 d[16]; mov.u64 %rd3, d; cvta.local.u64 %rd4, %rd3; st.local.u32 [%rd3+4], %r1;\n"
             "ld.u32 %r3, [%rd4+4]; shl.b32 %r3, %r3, 7; st.shared.f32 [%r3], %f1;")
          .shared(),
      "store32 s 32/1 x1");
}

TEST(PtxTrace, WaitsForBarriersInMemoryEnd) {
  EXPECT_EQ(
      Traced("L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [t], 0; @%p1 bra D; bra L;\nD: st.shared.f32 [s], %f1;")
          .shared(),
      "store32 s 1/1 x1");
}

}  // namespace
}  // namespace swizzle::ptx_trace_test
