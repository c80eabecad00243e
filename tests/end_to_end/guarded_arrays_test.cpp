// Arrays under a hole's guard.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::guarded_arrays_test {
namespace {

TEST(Guarded, AnIndexOutsideOfAnArrayRejectsTheCompletion) {
  expect_verified({"",
                   body("  int r[2] = {x[t], x[t + 1]}, s = 0;\n  if (?sw_cond(t)) s += r[t];\n  y[t] = s;", "int",
                        "#pragma swizzle extent x(n + 1)\n"),
                   each("t == 0 ? x[0] : t == 1 ? x[2] : 0")});
  expect_verified({"",
                   "  __shared__ int s[2];\n  if (?sw_cond(t)) s[t] = x[t];\n  __syncthreads();\n  y[t] = s[t & 1];",
                   each("x[t & 1]")});
}

TEST(Guarded, AnIndexOutsideOfAnArrayThatNoHoleGuardsIsAnError) {
  EXPECT_EQ(run_sketch({"", "  int r[2] = {x[t], x[t]};\n  y[t] = r[t];", each("x[t]")}).exit_code, 1);
}

}  // namespace
}  // namespace swizzle::test::guarded_arrays_test
