// Ballots on data, as compaction, histograms and run lengths use them.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::ballots_test {
namespace {

struct Ballot {
  const char* name;
  const char *of_sketch, *of_spec;  // y[t] of x[t]; y[0 … 31] of x[0 … 31]
  bool runs = false;
};

Sketch sketch_of(const Ballot& ballot) {
  return {ballot.name, fmt::format("  const int lane = t;\n  {}", ballot.of_sketch),
          fmt::format("void f(const int* x, int* y, int n) {{\n  int s = 0;\n  {}\n}}\n", ballot.of_spec), ballot.runs};
}

class Ballots : public testing::TestWithParam<Ballot> {};

TEST_P(Ballots, AreSumsOfWhatLanesSay) { expect_verified(sketch_of(GetParam())); }

const Ballot kBallots[] = {
    {"before", "y[t] = __popc(__ballot_sync(~0u, x[t] > 0) & ((1u << ?sw_xform(lane, 32)) - 1));",
     "for (int k = 0; k < 32; k++) { y[k] = s; s += x[k] > 0; }", kRuns},
    {"up_to", "y[t] = __popc(__ballot_sync(~0u, x[t] > 0) & (~0u >> (31 - ?sw_xform(lane, 32))));",
     "for (int k = 0; k < 32; k++) { if (x[k] > 0) s++; y[k] = s; }"},
    {"of_a_group", "y[t] = __popc(__ballot_sync(~0u, x[t] > 0) >> ?sw_xform(lane, 32) & 0xff);",
     "for (int k = 0; k < 32; k++) { y[k] = 0; for (int j = 0; j < 8; j++) y[k] += x[k / 8 * 8 + j] > 0; }"},
    {"of_another", "y[t] = __ballot_sync(~0u, x[t] > 0) >> ?sw_xform(lane, 32) & 1;",
     "for (int k = 0; k < 32; k++) y[k] = x[(k + 3) % 32] > 0;"},
    {"as_a_word", "y[t] = __ballot_sync(~0u, x[t] > 0);",
     "for (int k = 0; k < 32; k++) if (x[k] > 0) s |= 1u << k;\n  for (int k = 0; k < 32; k++) y[k] = s;", kRuns},
    {"of_values",
     "int c = 0;\n  for (int b = 0; b < 4; b++) { unsigned m = __ballot_sync(~0u, x[t] == ?sw_const(0, 8, b)); "
     "if (lane == b) c = __popc(m); }\n  if (lane < 4) y[lane] = c;",
     "for (int b = 0; b < 4; b++) { y[b] = 0; for (int k = 0; k < 32; k++) y[b] += x[k] == b + 2; }", kRuns},
    {"of_bits",
     "unsigned b0 = __ballot_sync(~0u, x[t] & 1), b1 = __ballot_sync(~0u, x[t] & 2);\n"
     "  unsigned m = (?sw_cond(lane & 1) ? b0 : ~b0) & (?sw_cond(lane & 2) ? b1 : ~b1);\n"
     "  if (lane < 4) y[lane] = __popc(m);",
     "for (int b = 0; b < 4; b++) { y[b] = 0; for (int k = 0; k < 32; k++) y[b] += ((x[k] & 1) != 0) == (b & 1) && "
     "((x[k] & 2) != 0) == (b >> 1); }",
     kRuns},
    {"where_runs_begin", "unsigned m = __ballot_sync(~0u, x[t] > 0);\n  y[t] = __popc(m & ~(m << ?sw_const(0, 8)));",
     "for (int k = 0; k < 32; k++) s += x[k] > 0 && !(k > 0 && x[(k + 31) % 32] > 0);\n"
     "  for (int k = 0; k < 32; k++) y[k] = s;"},
    {"of_two_conditions", "y[t] = __popc(__ballot_sync(~0u, x[t] < 0 || x[t] > 10));",
     "for (int k = 0; k < 32; k++) s += x[k] < 0 || x[k] > 10;\n  for (int k = 0; k < 32; k++) y[k] = s;"},
    {"in_64_bits",
     "unsigned a = __ballot_sync(~0u, x[t] > 0), b = __ballot_sync(~0u, x[t] > 5);\n"
     "  y[t] = __popcll((unsigned long long)b << 32 | a);",
     "for (int k = 0; k < 32; k++) s += (x[k] > 0) + (x[k] > 5);\n  for (int k = 0; k < 32; k++) y[k] = s;"},
};

INSTANTIATE_TEST_SUITE_P(OnData, Ballots, testing::ValuesIn(kBallots),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(BallotsOnData, AreInfeasibleWhereNoneCounts) {
  const ToolResult r =
      run_sketch(sketch_of({"too_few", "y[t] = __popc(__ballot_sync(~0u, x[t] > 0) >> ?sw_const(1, 8));",
                            "for (int k = 0; k < 32; k++) s += x[k] > 0;\n"
                            "  for (int k = 0; k < 32; k++) y[k] = s;"}));
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// Of what the lane alone decides, too: a vote costs what a shuffle costs.
TEST(Ballots, CostWhatShufflesDo) {
  for (const char* vote : {"__ballot_sync(~0u, t < 16)", "__any_sync(~0u, t == 3) * 0xffffu"}) {
    const ToolResult r = run_sketch(
        {"", fmt::format("  unsigned m; if (?sw_const(0, 2) == 0) m = {}; else m = 0xffffu; y[t] = m & x[t];", vote),
         "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = 0xffff & x[i]; }\n"});
    EXPECT_NE(r.kernel.find("if (1 == 0)"), std::string::npos) << r.kernel;
  }
}

}  // namespace
}  // namespace swizzle::test::ballots_test
