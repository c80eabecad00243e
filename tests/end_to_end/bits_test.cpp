// Words that are followed bit by bit: `#pragma swizzle bits(x, y)`.
#include <set>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/bits_sketch.h"

namespace swizzle::test::bits_test {
namespace {

using namespace bits;

// The seed's rounds, with their constants as they are known.
constexpr const char* kRounds = R"(
  unsigned a = x[t], m = 0x0000ffffu;
  for (int s = 16; s > 0; s >>= 1, m ^= m << s) {
    unsigned b = __shfl_xor_sync(0xffffffffu, a, s);
    unsigned c = (t & s) == 0 ? b << s : b >> s, k = (t & s) == 0 ? m : ~m;
    a = (a & k) | (c & ~k);
  }
  y[t] = a;)";

class EqualBits : public ::testing::TestWithParam<Sketch> {};
TEST_P(EqualBits, AreVerified) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Bits, EqualBits,
    ::testing::Values(
        Sketch{"HalvesByBytePerm", kernel_of("y[t] = __byte_perm(x[t], 0, 0x1032);"),
               spec_of("y[t] = x[t] << 16 | x[t] >> 16;"), kRuns},
        Sketch{"TransposedByShuffles", kernel_of(kRounds), kTransposed, kRuns},
        Sketch{"TransposedByBallots",
               kernel_of("unsigned r = 0, v = x[t]; for (int i = 0; i < 32; i++) { unsigned b = "
                         "__ballot_sync(~0u, v >> i & 1); if (t == i) r = b; } y[t] = r;"),
               kTransposed, kRuns},
        Sketch{
            "ReversedByRounds",
            kernel_of("unsigned v = x[t]; v = v >> 1 & 0x55555555u | (v & 0x55555555u) << 1; v = v >> 2 & 0x33333333u "
                      "| (v & 0x33333333u) << 2; v = v >> 4 & 0x0f0f0f0fu | (v & 0x0f0f0f0fu) << 4; y[t] = "
                      "__byte_perm(v, 0, 0x0123);"),
            spec_of("unsigned r = 0; for (int b = 0; b < 32; b++) if (x[t] >> b & 1) r |= 1u << (31 - b); y[t] = r;"),
            kRuns},
        Sketch{"ReversedAtOnce", kernel_of("y[t] = __brevll(x[t]);", "unsigned long long"),
               spec_of(
                   "unsigned long long r = 0; for (int b = 0; b < 64; b++) r |= (x[t] >> b & 1) << (63 - b); y[t] = r;",
                   "unsigned long long"),
               kRuns},
        Sketch{"RotatedByFunnel", kernel_of("y[t] = __funnelshift_l(x[t], x[t], t & 31);"),
               spec_of("y[t] = t % 32 == 0 ? x[t] : x[t] << t % 32 | x[t] >> (32 - t % 32);"), kRuns},
        Sketch{"Majority", kernel_of("unsigned a = x[t], b = x[t ^ 1], c = x[t ^ 2]; y[t] = (a & b) | (c & (a | b));"),
               spec_of("unsigned a = x[t], b = x[t ^ 1], c = x[t ^ 2]; y[t] = (a & b) ^ (b & c) ^ (c & a);"), kRuns},
        Sketch{"Bytes", kernel_of("y[t] = (unsigned char)(x[t] << 4 | x[t] >> 4);", "unsigned char"),
               spec_of("y[t] = x[t] % 16 * 16 + x[t] / 16;", "unsigned char"), kRuns},
        Sketch{"SignedHalves", kernel_of("y[t] = (short)(x[t] >> 15);", "short"),
               spec_of("y[t] = x[t] < 0 ? -1 : 0;", "short"), kRuns},
        Sketch{"ThroughSharedBytes",
               kernel_of("__shared__ unsigned char s[128]; reinterpret_cast<unsigned*>(s)[t] = x[t]; __syncthreads(); "
                         "y[t] = s[4 * t + 3] | s[4 * t + 2] << 8 | s[4 * t + 1] << 16 | (unsigned)s[4 * t] << 24;"),
               spec_of("y[t] = x[t] >> 24 | (x[t] >> 8 & 0xff00) | (x[t] << 8 & 0xff0000) | x[t] << 24;"), kRuns},
        Sketch{
            "OrderOfWordsUnderAHole", kernel_of("y[t] = __brev(x[?sw_xform(t, 32)]);"),
            spec_of(
                "unsigned r = 0; for (int b = 0; b < 32; b++) r |= (x[(t + 5) % 32] >> b & 1) << (31 - b); y[t] = r;"),
            kRuns}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Bits, ADifferenceNamesTheBit) {
  const ToolResult r =
      run_sketch({"", kernel_of("y[t] = __byte_perm(x[t], 0, 0x1023);"), spec_of("y[t] = x[t] << 16 | x[t] >> 16;")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("bit 0 of y[0]"), std::string::npos) << r.output;
}

class RefusedBits : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(RefusedBits, PointAtTheOperation) {
  const ToolResult r = run_sketch({"", kernel_of(GetParam().first), spec_of("y[t] = x[t];")});
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("sketch.cu:6:"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find(GetParam().second), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Bits, RefusedBits,
    ::testing::Values(std::pair{"y[t] = x[t] + x[t ^ 1];", "the bits of this '+' cannot be followed"},
                      std::pair{"y[t] = x[t] * 3;", "'*' cannot be followed"},
                      std::pair{"y[t] = x[t] < 7 ? 1 : 0;", "'<' cannot be followed"},
                      std::pair{"y[t] = __popc(x[t]);", "function cannot be followed"},
                      std::pair{"y[t] = x[t] ? 1 : 0;", "conversion cannot be followed"},
                      std::pair{"unsigned o = 0; for (int b = 0; b < 32; b++) o |= x[t] >> b & 1; y[t] = o;",
                                "too many bits of the input decide one of them together"},
                      std::pair{"y[t] = x[x[t] & 31];", "data decide this index"},
                      std::pair{"y[t] = x[t] >> (x[0] & 31);", "'>>' cannot be followed"}));

TEST(Bits, TheDirectiveNamesArraysOfIntegers) {
  const auto told = [](const std::string& names, const std::string& type) {
    return run_sketch(
        {"",
         fmt::format("#pragma swizzle launch grid(1) block(32)\n#pragma swizzle bits({})\n__global__ void "
                     "f(const {}* x, {}* y, int n) {{ y[threadIdx.x] = x[threadIdx.x]; }}\n#pragma "
                     "swizzle instance n = 32\n",
                     names, type, type),
         fmt::format("void f(const {0}* x, {0}* y, int n) {{ for (int i = 0; i < n; i++) y[i] = x[i]; }}", type)});
  };
  EXPECT_EQ(told("x, y", "unsigned").exit_code, 0);
  EXPECT_NE(told("x, z", "unsigned").output.find("no parameter 'z'"), std::string::npos);
  EXPECT_NE(told("x", "float").output.find("only the bits of arrays of integers"), std::string::npos);
  EXPECT_NE(told("n", "unsigned").output.find("only the bits of arrays of integers"), std::string::npos);
}

// One round fewer than bits_morton has.
TEST(Bits, ThreeRoundsSpreadNoSixteenBits) {
  const ToolResult r =
      run_sketch({"", std::string(kHead) + R"(
__global__ void f(const unsigned* x, unsigned* y, int n) {
  unsigned a = x[threadIdx.x] & ?sw_mask();
  for (int k = 0; k < 3; k++) a = (a | a << ?sw_const(1, 16, k)) & ?sw_mask(k);
  y[threadIdx.x] = a;
}
)",
                  spec_of("y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> b & 1) << 2 * b;")});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("which cannot come there beside the others"), std::string::npos) << r.output;
}

// The other way round, with other names and a loop that counts by itself.
TEST(Bits, BitsThatWereSpreadAreGathered) {
  expect_verified({"", std::string(kHead) + R"(
__device__ unsigned gathered(unsigned v, int d, unsigned keep) { return (v | v >> d) & keep; }
__global__ void f(const unsigned* x, unsigned* y, int n) {
  unsigned odd = x[threadIdx.x] >> ?sw_const(0, 32) & ?sw_mask();
  int round = 0;
  while (round < 4) {
    odd = gathered(odd, ?sw_const(1, 32, round), ?sw_mask(round));
    round++;
  }
  y[threadIdx.x] = odd;
}
)",
                   spec_of("y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> (2 * b + 1) & 1) << b;"), kRuns});
}

// Words that do not overlap may be combined by xor: bits are spread, and gathered again.
TEST(Bits, XorCombinesWhatDoesNotOverlap) {
  const std::string spread =
      "unsigned a = x[t] & ?sw_mask(); for (int k = 0; k < 3; k++) "
      "a = (a ^ a << ?sw_const(1, 16, k)) & ?sw_mask(k); y[t] = a;";
  const std::string gathered =
      "unsigned a = x[t] >> ?sw_const(0, 32) & ?sw_mask(); for (int k = 0; k < 4; k++) "
      "a = (a ^ a >> ?sw_const(1, 32, k)) & ?sw_mask(k); y[t] = a;";
  expect_verified({"", kernel_of(spread),
                   spec_of("y[t] = 0; for (int b = 0; b < 8; b++) y[t] |= (x[t] >> b & 1) << 2 * b;"), kRuns});
  expect_verified({"", kernel_of(gathered),
                   spec_of("y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> (2 * b + 1) & 1) << b;"), kRuns});
}

TEST(Bits, XorOfWhatOverlapsIsNoOr) {
  expect_verified({"",
                   kernel_of("unsigned a = x[t]; for (int k = 0; k < 5; k++) a ^= a << ?sw_const(1, 32, k); y[t] = a;"),
                   spec_of("unsigned sum = 0; y[t] = 0; for (int b = 0; b < 32; b++) { sum ^= x[t] >> b & 1; "
                           "y[t] |= sum << b; }"),
                   kRuns});
}

// The rounds of bits_crumbs32 in another order: whole words change places last.
TEST(Bits, WordsMayChangePlacesAfterTheirHalves) {
  expect_verified({"",
                   R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
#pragma swizzle bits(rows, columns)
__global__ void turn(const uint2* rows, uint2* columns, int n) {
  const int t = threadIdx.x;
  uint2 w = rows[t];
  for (int j = 0; j < 4; j++) {
    const int from = ?sw_const(1, 32, j), by = ?sw_const(1, 32, j);
    const unsigned keep = ?sw_mask(j);
    const bool up = (t & from) != 0;
    const unsigned sent = up ? (w.x & keep) | (w.y << by & ~keep) : (w.x >> by & keep) | (w.y & ~keep);
    const unsigned got = __shfl_xor_sync(0xffffffffu, sent, from);
    w.x = up ? (got & keep) | (w.x & ~keep) : (w.x & keep) | (got << by & ~keep);
    w.y = up ? (got >> by & keep) | (w.y & ~keep) : (w.y & keep) | (got & ~keep);
  }
  const int from = ?sw_const(1, 32);
  const bool up = (t & from) != 0;
  const unsigned got = __shfl_xor_sync(0xffffffffu, up ? w.x : w.y, from);
  columns[t] = up ? make_uint2(got, w.y) : make_uint2(w.x, got);
}
)",
                   R"(
void turn(const uint2* rows, uint2* columns, int n) {
  for (int i = 0; i < n; i++) {
    unsigned words[2] = {0, 0};
    for (int j = 0; j < 32; j++) words[j / 16] |= ((i < 16 ? rows[j].x : rows[j].y) >> 2 * (i % 16) & 3) << 2 * (j % 16);
    columns[i].x = words[0];
    columns[i].y = words[1];
  }
}
)",
                   kRuns});
}

// The seed's own function, round by round, each with holes of its own.
TEST(Bits, RoundsAreFoundInAFunctionOfTheirOwn) {
  std::string rounds;
  for (int k = 0; k < 5; ++k) rounds += "a = shuffle_round(a, ?sw_mask(), ?sw_const(1, 32));\n";
  expect_verified({"",
                   fmt::format(R"({}
__device__ unsigned shuffle_round(unsigned a, unsigned m, unsigned s) {{
  unsigned b = __shfl_xor_sync(0xffffffffu, a, s), c;
  if ((threadIdx.x & s) == 0) {{ c = b << s; }} else {{ m = ~m; c = b >> s; }}
  return (a & m) | (c & ~m);
}}
__global__ void f(const unsigned* x, unsigned* y, int n) {{
  unsigned a = x[threadIdx.x];
  {}
  y[threadIdx.x] = a;
}}
)",
                               kHead, rounds),
                   kTransposed, kRuns});
}

TEST(Bits, AMaskMayDependOnTheLaneAndAConditionBeChosen) {
  const ToolResult r = run_sketch({"", kernel_of(R"(
  unsigned a = x[t];
  for (int s = 1; s < 32; s *= 2) {
    const unsigned b = __shfl_xor_sync(0xffffffffu, a, s), m = ?sw_mask(s, (t & s) == 0);
    const bool up = ?sw_choose(t < s, (t & s) != 0, (t & s) == 0);
    const unsigned c = up ? b << s : b >> s;
    a = (a & m) | (c & ~m);
  }
  y[t] = a;)"),
                                   kTransposed, kRuns});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_NE(r.kernel.find("up = (t & s) == 0;"), std::string::npos) << r.kernel;
}

TEST(Bits, AMaskIsAsWideAsWhatItMeets) {
  const std::string type = "unsigned long long";
  expect_verified(
      {"",
       kernel_of("y[t] = (x[t] & ?sw_mask()) | (x[t] >> ?sw_const(1, 64) & ?sw_mask()) | (x[t] << ?sw_const(1, 64) & "
                 "?sw_mask());",
                 type),
       spec_of(
           "unsigned long long r = 0; for (int b = 0; b < 64; b++) r |= (x[t] >> (b < 16 || b >= 48 ? b : b < 32 ? b + "
           "16 : b - 16) & 1) << b; y[t] = r;",
           type),
       kRuns});
}

TEST(Bits, AByteOfAWordIsMaskedAsAnUnsigned) {
  expect_verified({"",
                   kernel_of("y[t] = (x[t] & ?sw_mask()) | (x[t] >> ?sw_const(0, 8) & ?sw_mask());", "unsigned char"),
                   spec_of("y[t] = (x[t] & 0x81) | x[t] >> 3 & 0x0c;", "unsigned char"), kRuns});
}

// Eight words a lane: two rounds through shuffles, four shuffles each; four words a lane: three rounds of two. No
// fewer.
TEST(Bits, TheWideOnesTakeTheFewestShuffles) {
  for (const auto& [name, shuffles] : {std::pair{"bits_wide", 8}, std::pair{"bits_wide4", 6}}) {
    const ToolResult r = run_pair(name, "--run=none");
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["cost"]["shuffles"], shuffles) << name;
    EXPECT_EQ(r.report["optimality"], "proved") << name;
  }
}

// Three rounds in any order.
TEST(Bits, AllOrdersOfTheRoundsAreListed) {
  const ToolResult r = run_pair("bits_shuffle8", "--run=none --all=50");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["completions"].size(), 6u);
  std::set<std::string> told;
  for (const auto& c : r.report["completions"]) {
    told.insert(c["expressions"].dump());
    EXPECT_EQ(c["cost"], r.report["completions"][0]["cost"]);
  }
  EXPECT_EQ(told.size(), 6u);
  EXPECT_TRUE(told.contains(R"j(["4 >> k","0xffffffffu / ((1u << (4 >> k)) + 1)","4 >> k"])j")) << *told.begin();
}

TEST(Bits, WhatIsChosenMayHaveHoles) {
  const ToolResult r = run_sketch(
      {"", kernel_of("y[t] = ?sw_choose(x[t] >> ?sw_const(0, 32), x[t] << ?sw_const(0, 32), x[t]) & ?sw_mask();"),
       spec_of("y[t] = x[t] << 3 & 0xf0;"), kRuns});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("y[t] = (x[t] << 3) & 0x000000f0u;"), std::string::npos) << r.kernel;
}

TEST(Bits, WhatIsChosenMayBeAHoleAlone) {
  const ToolResult r = run_sketch({"", kernel_of("unsigned m = ?sw_choose(?sw_mask(), x[t ^ 1]); y[t] = x[t] & m;"),
                                   spec_of("y[t] = x[t] & 0x0ff0;"), kRuns});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("unsigned m = 0x00000ff0u;"), std::string::npos) << r.kernel;
}

// One LOP3 for three words, two for four; a shift, a permutation of bytes and a ballot one each.
TEST(Bits, LogicOfThreeWordsCostsOneInstruction) {
  const auto accumulates = [](const std::string& body) {
    const ToolResult r =
        run_sketch({"", kernel_of("unsigned a = x[t], b = x[t ^ 1], c = x[t ^ 2], d = x[t ^ 3]; " + body),
                    spec_of("unsigned a = x[t], b = x[t ^ 1], c = x[t ^ 2], d = x[t ^ 3]; " + body)});
    EXPECT_EQ(r.exit_code, 0) << r.output;
    return r.report["cost"]["accumulates"].get<double>();
  };
  EXPECT_EQ(accumulates("y[t] = (a & b) | (c & ~b);"), 1);
  EXPECT_EQ(accumulates("y[t] = a ^ b ^ c ^ d;"), 2);
  EXPECT_EQ(accumulates("unsigned r = a; r ^= b & c; y[t] = r;"), 1);
  EXPECT_EQ(accumulates("y[t] = (a >> 3 & b) | (c << 2 & ~b);"), 3);
}

TEST(Bits, AConstantThatSizesALoopIsTriedByItsValues) {
  expect_verified(
      {"",
       kernel_of("unsigned v = x[t]; for (int k = 0; k < ?sw_const(1, 9); k++) v = v << 4 | v >> 28; y[t] = "
                 "v & ?sw_mask();"),
       spec_of("y[t] = x[t] >> 20 & 0xff;"), kRuns});
}

TEST(Bits, HolesOfWordsNeedTheDirective) {
  for (const char* hole : {"x[t] & ?sw_mask()", "__byte_perm(x[t], 0, ?sw_bytes(t))"}) {
    const ToolResult r = run_sketch({"", fmt::format("  y[t] = {};", hole)});
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(r.output.find("needs words that are followed bit by bit"), std::string::npos) << r.output;
  }
}

}  // namespace
}  // namespace swizzle::test::bits_test
