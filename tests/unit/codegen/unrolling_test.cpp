#include "codegen/emit/unrolling.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::unrolling_test {
namespace {

struct Kernel {
  Program program;
  Completion completion;
  std::vector<ExprId> sites;  // r[…] that are read, in the order of the text

  explicit Kernel(const std::string& body) {
    auto parsed = parse_kernel(
        SourceText(
            "k.cu",
            "__global__ void f(const int* x, int* y, int n) {\n  const int lane = threadIdx.x;\n  int r[4] = {}, s[4] = {};\n" +
                body + "\n}\n"),
        "");
    EXPECT_TRUE(parsed.ok());
    if (parsed.ok()) program = *parsed;
    completion.tables.resize(program.holes.size());
    for (std::size_t e = 0; e < program.exprs.size(); ++e)
      if (program.exprs[e].kind == ExprKind::kSubscript &&
          program.source.slice(program.exprs[e].range).starts_with("r["))
        sites.emplace_back(e);
  }
  ExprId index(std::size_t site) const { return program.expr(sites[site]).operands[1]; }
  bool knows() const { return Unrolling(program, completion).knows(sites.at(0), index(0)); }
};

TEST(Unrolling, KnowsWhatLoopsOfKnownBoundsDecide) {
  EXPECT_TRUE(Kernel("y[0] = r[2];").knows());
  EXPECT_TRUE(Kernel("for (int j = 0; j < 4; j++) y[j] = r[(3 * j + 1) & 3];").knows());
  EXPECT_TRUE(Kernel("for (int j = 3; j >= 0; j -= 1) { const int k = 3 - j; y[j] = r[k]; }").knows());
  EXPECT_TRUE(Kernel("for (int j = 0; j < 4; j++) for (int k = j; k < 4; k++) y[j] = r[k - j];").knows());
  EXPECT_TRUE(Kernel("for (int j = 0; j < n; j++) for (int k = 0; k < 4; k++) y[j] = r[k];").knows());
  EXPECT_TRUE(Kernel("#pragma unroll\n  for (int j = 0; j < 4; j++) y[j] = r[j];").knows());
}

TEST(Unrolling, DoesNotKnowWhatThreadsOrArgumentsDecide) {
  EXPECT_FALSE(Kernel("y[0] = r[lane & 3];").knows());
  EXPECT_FALSE(Kernel("for (int j = 0; j < 4; j++) y[j] = r[(j + lane) & 3];").knows());
  EXPECT_FALSE(Kernel("for (int j = 0; j < n; j++) y[j] = r[j & 3];").knows());
  EXPECT_FALSE(Kernel("for (int j = 0; j < 4; j++) { if (x[j]) j++; y[j] = r[j & 3]; }").knows());
  EXPECT_FALSE(Kernel("int k = 0; for (int j = 0; j < 4; j++) y[j] = r[k++];").knows());
}

TEST(Unrolling, LeavesLoopsThatTheUserKeeps) {
  EXPECT_FALSE(Kernel("#pragma unroll 2\n  for (int j = 0; j < 4; j++) y[j] = r[j];").knows());
  EXPECT_FALSE(Kernel("#pragma nounroll\n  for (int j = 0; j < 4; j++) y[j] = r[j];").knows());
}

TEST(Unrolling, NamesTheLoopsThatDecide) {
  const Kernel k("for (int i = 0; i < 2; i++)\n#pragma unroll  // all\n    for (int j = 0; j < 4; j++) y[i] = r[j];");
  const Unrolling unrolling(k.program, k.completion);
  const auto loops = unrolling.loops(k.sites[0], {k.index(0)});
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_TRUE(unrolling.is_marked(loops[0]));
  EXPECT_TRUE(k.program.source.text().substr(unrolling.begin(loops[0])).starts_with("#pragma unroll  // all"));
  EXPECT_EQ(unrolling.iterations(k.sites[0], {k.index(0)}).size(), 4u);
}

TEST(Unrolling, ReadsPragmasAcrossBlankLinesAndComments) {
  const auto is_marked = [](const std::string& before) {
    const Kernel k(before + "for (int j = 0; j < 4; j++) y[j] = r[j];");
    const Unrolling unrolling(k.program, k.completion);
    const auto loops = unrolling.loops(k.sites.at(0), {k.index(0)});
    return loops.size() == 1 && unrolling.is_marked(loops[0]) &&
           k.program.source.text().substr(unrolling.begin(loops[0])).starts_with("#pragma unroll");
  };
  for (const std::string between :
       {"", "\n", "  \n\n", "\\\n", "  // each of them\n", "  /* each\n of them */\n", "  /* a *//* b */ "})
    EXPECT_TRUE(is_marked("#pragma unroll\n" + between)) << between;
  for (const std::string before :
       {"// #pragma unroll\n", "/*\n#pragma unroll\n*/\n", "#pragma unroll\n  while (n < 0) n++;\n"})
    EXPECT_FALSE(is_marked(before)) << before;
  EXPECT_FALSE(Kernel("#pragma nounroll\n\n  // kept\n  for (int j = 0; j < 4; j++) y[j] = r[j];").knows());
}

TEST(Unrolling, TellsWhatALoopKeeps) {
  const auto keeps = [](const std::string& body) {
    const Kernel k(body);
    const Unrolling unrolling(k.program, k.completion);
    const ExprId array = k.program.expr(k.sites.at(0)).operands[0];
    for (StmtId s : unrolling.around(k.sites[0]))
      if (k.program.stmt(s).kind == StmtKind::kFor) return unrolling.is_invariant(s, array);
    return false;
  };
  EXPECT_TRUE(keeps("for (int j = 0; j < 4; j++) y[j] = r[j];"));
  EXPECT_TRUE(keeps("for (int j = 0; j < 4; j++) s[j] = r[j];"));
  EXPECT_FALSE(keeps("for (int j = 0; j < 4; j++) { y[j] = r[j]; r[0] = j; }"));
  EXPECT_FALSE(keeps("for (int j = 0; j < 4; j++) y[j] = r[j]++;"));
  EXPECT_FALSE(keeps("for (int j = 0; j < 4; j++) { int r[4] = {j}; y[j] = r[0]; }"));
}

}  // namespace
}  // namespace swizzle::unrolling_test
