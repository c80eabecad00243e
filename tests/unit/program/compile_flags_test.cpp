#include "synth/program/compile_flags.h"

#include <gtest/gtest.h>

namespace swizzle::compile_flags_test {
namespace {

TEST(CompileFlags, MacrosAreLinesInTheirOrder) {
  CompileFlags flags;
  flags.macros = {"DN", "DM=4", "DSQUARE(x)=x*x", "UN", "DEMPTY="};
  EXPECT_EQ(macro_lines(flags), "#define N 1\n#define M 4\n#define SQUARE(x) x*x\n#undef N\n#define EMPTY \n");
}

TEST(CompileFlags, ThePreambleLeavesOutWhatTheTextHas) {
  CompileFlags flags;
  flags.macros = {"DN=1", "DM=2"};
  flags.forced_headers = {"sizes.h"};
  EXPECT_EQ(preamble(flags), "#define N 1\n#define M 2\n#include \"sizes.h\"\n");
  EXPECT_EQ(preamble(flags, "// head\n#define M 2\n"), "#define N 1\n#include \"sizes.h\"\n");
}

}  // namespace
}  // namespace swizzle::compile_flags_test
