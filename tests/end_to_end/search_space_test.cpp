// search_space: of a sketch that any table completes, --all lists as many completions as are counted.
#include <cmath>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::search_space_test {
namespace {

struct Holes {
  const char* name;
  std::string statement;  // adds to s what is x[t] whatever the holes are
  int lanes = 6;
};

class SearchSpace : public testing::TestWithParam<Holes> {};

TEST_P(SearchSpace, CountsTheTablesThatAllLists) {
  const ScratchFolder scratch;
  const std::string sketch =
      scratch.write("same.cu", fmt::format("#pragma swizzle launch grid(1) block({})\n"
                                           "__global__ void f(const int* x, int* y) {{\n"
                                           "  const int t = threadIdx.x;\n  int r[8], s = 0;\n"
                                           "  for (int i = 0; i < 8; i++) r[i] = x[t];\n  {}\n  y[t] = 0 * s;\n}}\n",
                                           GetParam().lanes, GetParam().statement));
  const std::string spec = scratch.write(
      "same.cpp", fmt::format("void f(const int* x, int* y) {{ for (int i = 0; i < {}; i++) y[i] = 0 * x[i]; }}\n",
                              GetParam().lanes));
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --all=100000", sketch, spec));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const double listed = static_cast<double>(r.report["completions"].size());
  ASSERT_GT(listed, 1);
  ASSERT_FALSE(r.report["search_space"]["distinct"].is_null());
  EXPECT_NEAR(std::pow(10, r.report["search_space"]["distinct"].get<double>()), listed, 1e-6 * listed);
}

const Holes kHoles[] = {
    {"part2", "for (int k = 0; k < 3; k++) s += r[?sw_part(2, t, k)];"},
    {"part3", "s += r[?sw_part(3, t)];"},
    {"part3_of_two", "for (int k = 0; k < 2; k++) s += r[?sw_part(3, t, k)];", 4},
    {"part4", "s += r[?sw_part(4, t)];"},
    {"cond", "s += r[?sw_cond(t) ? 1 : 0];"},
    {"xform", "for (int k = 0; k < 3; k++) s += r[?sw_xform(t, 8, k)];", 8},
    {"xform_extra", "for (int k = 0; k < 2; k++) s += r[?sw_xform_extra(t, 8, k)];"},
    {"xor_few_lanes", "for (int k = 0; k < 3; k++) s += r[?sw_xor(t, 8, k)];", 3},
    {"xor_of_two", "for (int k = 0; k < 3; k++) s += r[?sw_xor(t, 8, k, k / 2)];", 8},
    {"const", "s += r[?sw_const(0, 5)];"},
    {"const_and_part", "s += r[?sw_const(0, 2)] + r[?sw_part(3, t)];"},
    {"never_asked", "s += r[?sw_part(3, t)]; if (t < 0) s += r[?sw_xor(t, 8)];"},
    {"two_holes", "s += r[?sw_part(3, t)] * r[?sw_xor(t, 4)];", 4},
};

INSTANTIATE_TEST_SUITE_P(Holes, SearchSpace, testing::ValuesIn(kHoles), [](const auto& i) { return i.param.name; });

TEST(SearchSpaceOfLayouts, EachCombinationOfTheOtherHolesCountsOnce) {
  const ToolResult r = run_sketch(
      {"tile",
       "#pragma swizzle launch grid(1) block(16)\n#pragma swizzle instance n = 16\n"
       "__global__ void f(const int* x, int* y, int n) {\n  auto L = ?sw_layout(4, 4);\n  __shared__ int tile[16];\n"
       "  int t = threadIdx.x, r[2] = {t, t};\n  const int column = r[?sw_const(0, 2)] % 4;\n  tile[L(t / 4, column)] = x[t];\n  __syncthreads();\n"
       "  y[t] = tile[L(t % 4, t / 4)];\n}\n",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i % 4 * 4 + i / 4]; }\n", false,
       "--all=100"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const auto& space = r.report["search_space"];
  EXPECT_EQ(r.report["completions"].size(), 2u);
  EXPECT_NEAR(space["distinct"].get<double>(), std::log10(2), 1e-9);
  EXPECT_GT(space["raw"], space["distinct"]);
}

TEST(SearchSpaceOfMany, IsNullAndNotABound) {
  const ToolResult r =
      run_sketch({"many",
                  "int r[8], s = 0;\n  for (int i = 0; i < 8; i++) r[i] = x[t];\n"
                  "  for (int k = 0; k < 32; k++) s += r[?sw_part(8, t, k)];\n  y[t] = 0 * s;",
                  "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 0 * x[i]; }\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_TRUE(r.report["search_space"]["distinct"].is_null());
  EXPECT_GT(r.report["search_space"]["raw"], 0);
}

}  // namespace
}  // namespace swizzle::test::search_space_test
