// How bits are moved and combined elsewhere than in transpositions: delta swaps, CRCs, Gray codes, parities, packing by
// masks; each with its constants open.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::bits_idioms_test {
namespace {

struct Idiom {
  const char* name;
  std::string body, spec;
  const char* type = "unsigned";
};

Sketch sketch_of(const Idiom& idiom) {
  return {idiom.name,
          fmt::format(
              "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle "
              "bits(x, y)\n__global__ void f(const {0}* x, {0}* y, int n) {{\n  const int t = threadIdx.x;\n{1}\n}}\n",
              idiom.type, idiom.body),
          fmt::format("void f(const {0}* x, {0}* y, int n) {{ for (int t = 0; t < n; t++) {{ {1} }} }}\n", idiom.type,
                      idiom.spec),
          kRuns};
}

class BitIdioms : public ::testing::TestWithParam<Idiom> {};
TEST_P(BitIdioms, AreCompleted) { expect_verified(sketch_of(GetParam())); }

const char* const kCrc8 =
    "unsigned char c = x[t]; for (int b = 0; b < 8; b++) c = c & 0x80 ? (unsigned char)(c << 1 ^ 7) : (unsigned char)(c << 1); "
    "y[t] = c;";
const char* const kParity = "unsigned w = 0; for (int b = 0; b < 32; b++) w ^= x[t] >> b & 1; y[t] = w;";
const char* const kReversed = "y[t] = x[t] >> 24 | (x[t] >> 8 & 0xff00) | (x[t] << 8 & 0xff0000) | x[t] << 24;";

const Idiom kIdioms[] = {
    {"DeltaSwaps",
     "  unsigned w = x[t];\n#pragma unroll\n  for (int k = 0; k < 2; k++) {\n    const int s = ?sw_const(1, 32, k);\n"
     "    const unsigned d = (w ^ w >> s) & ?sw_mask(k);\n    w ^= d ^ d << s;\n  }\n  y[t] = w;",
     "y[t] = 0; for (int b = 0; b < 32; b++) y[t] |= (x[t] >> b & 1) << (b ^ 3);"},
    {"APerfectShuffle",
     "  unsigned w = x[t];\n#pragma unroll\n  for (int k = 0; k < 4; k++) {\n    const int s = 8 >> k;\n"
     "    const unsigned d = (w ^ w >> s) & ?sw_mask(k);\n    w = w ^ d ^ d << s;\n  }\n  y[t] = w;",
     "y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> b & 1) << 2 * b | (x[t] >> (b + 16) & 1) << (2 * b + 1);"},
    {"EightByEightInAWord",
     "  unsigned long long a = x[t];\n#pragma unroll\n  for (int k = 0; k < 3; k++) {\n    const int s = 7 << k;\n"
     "    const unsigned long long d = (a ^ a >> s) & ?sw_mask(k);\n    a ^= d ^ d << s;\n  }\n  y[t] = a;",
     "unsigned long long r = 0; for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) "
     "r |= (x[t] >> (8 * i + j) & 1) << (8 * j + i); y[t] = r;",
     "unsigned long long"},
    {"ACrcOfAByte",
     "  const unsigned c = x[t];\n  unsigned r = 0;\n#pragma unroll\n  for (int b = 0; b < 8; b++) "
     "r ^= -(c >> b & 1) & ?sw_mask(b);\n  y[t] = r;",
     kCrc8, "unsigned char"},
    {"ACrcBySelects",
     "  const unsigned c = x[t];\n  unsigned r = 0;\n#pragma unroll\n  for (int b = 0; b < 8; b++) "
     "if (c >> b & 1) r ^= ?sw_mask(b);\n  y[t] = r;",
     kCrc8, "unsigned char"},
    {"ACrcByProducts",
     "  const unsigned c = x[t];\n  unsigned r = 0;\n#pragma unroll\n  for (int b = 0; b < 8; b++) "
     "r ^= (c >> b & 1) * ?sw_mask(b);\n  y[t] = r;",
     kCrc8, "unsigned char"},
    {"ACrcOfAWord",
     "  const unsigned c = x[t];\n  unsigned r = 0;\n#pragma unroll\n  for (int b = 0; b < 32; b++) "
     "r ^= c >> b & 1 ? ?sw_mask(b) : 0u;\n  y[t] = r;",
     "unsigned c = x[t]; for (int b = 0; b < 32; b++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; y[t] = c;"},
    {"AGrayCode", "  y[t] = x[t] ^ x[t] >> ?sw_const(1, 32);", "y[t] = x[t] ^ x[t] >> 1;"},
    {"AGrayCodeBack",
     "  unsigned w = x[t];\n#pragma unroll\n  for (int k = 0; k < 5; k++) w ^= w >> ?sw_const(1, 32, k);\n  y[t] = w;",
     "unsigned w = 0, r = 0; for (int b = 31; b >= 0; b--) { w ^= x[t] >> b & 1; r |= w << b; } y[t] = r;"},
    {"AParityWithinAWord",
     "  unsigned w = x[t];\n#pragma unroll\n  for (int k = 0; k < 5; k++) w ^= w >> ?sw_const(1, 32, k);\n  y[t] = w & 1;",
     kParity},
    {"AParityOfAFewBits", "  y[t] = __popc(x[t] >> ?sw_const(0, 32) & 0x16) & 1;",
     "y[t] = (x[t] >> 6 ^ x[t] >> 7 ^ x[t] >> 9) & 1;"},
    {"AXorOfShifts", "  y[t] = x[t] ^ x[t] << ?sw_const(0, 32) ^ x[t] >> ?sw_const(0, 32);",
     "y[t] = x[t] ^ x[t] << 13 ^ x[t] >> 17;"},
    {"ASpreadSign", "  y[t] = -(x[t] >> 31) & ?sw_mask();", "y[t] = (int)x[t] < 0 ? 0x04c11db7u : 0;"},
    {"EvenBitsPacked",
     "  unsigned w = x[t] & ?sw_mask();\n#pragma unroll\n  for (int k = 0; k < 4; k++) "
     "w = (w | w >> ?sw_const(1, 16, k)) & ?sw_mask(k);\n  y[t] = w;",
     "y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> 2 * b & 1) << b;"},
    {"BitsOfAMaskPacked",
     "  unsigned w = x[t] & 0x8421c30fu;\n#pragma unroll\n  for (int k = 0; k < 5; k++) {\n"
     "    const unsigned m = ?sw_mask(k);\n    w = (w & ~m) | (w & m) >> (1 << k);\n  }\n  y[t] = w;",
     "int at = 0; y[t] = 0; for (int b = 0; b < 32; b++) if (0x8421c30fu >> b & 1) { y[t] |= (x[t] >> b & 1) << at; at++; }"},
    {"LowBitsSpread",
     "  unsigned w = x[t] & 0xffff;\n#pragma unroll\n  for (int k = 0; k < 4; k++) "
     "w = (w | w << ?sw_const(1, 16, k)) & ?sw_mask(k);\n  y[t] = w;",
     "y[t] = 0; for (int b = 0; b < 16; b++) y[t] |= (x[t] >> b & 1) << 2 * b;"},
    {"BytesStoredToSharedWords",
     "  __shared__ unsigned tile[32];\n  unsigned char* bytes = reinterpret_cast<unsigned char*>(tile);\n"
     "  const unsigned w = x[t];\n  for (int k = 0; k < 4; k++) bytes[4 * t + k] = w >> ?sw_const(0, 32, k);\n"
     "  __syncthreads();\n  y[t] = tile[t];",
     kReversed},
    {"QuadsStoredToSharedWords",
     "  __shared__ unsigned tile[32];\n  const unsigned w = x[t];\n"
     "  reinterpret_cast<uchar4*>(tile)[t] = make_uchar4(w >> ?sw_const(0, 32), w >> 16, w >> 8, w);\n"
     "  __syncthreads();\n  y[t] = tile[t];",
     kReversed},
    {"WordsOfSharedBytes",
     "  __shared__ unsigned char bytes[128];\n  const unsigned w = x[t];\n"
     "  for (int k = 0; k < 4; k++) bytes[4 * t + k] = w >> ?sw_const(0, 32, k);\n"
     "  __syncthreads();\n  y[t] = reinterpret_cast<const unsigned*>(bytes)[t];",
     kReversed},
    {"WordsOfSharedLongs",
     "  __shared__ unsigned long long tile[32];\n  tile[t] = x[t];\n  __syncthreads();\n"
     "  const unsigned* w = reinterpret_cast<const unsigned*>(tile);\n"
     "  y[t] = (unsigned long long)w[2 * t] << 32 | w[2 * t + ?sw_const(0, 2)];",
     "y[t] = x[t] << 32 | x[t] >> 32;", "unsigned long long"},
    {"LongsAsPairsOfWords",
     "  const uint2 w = reinterpret_cast<const uint2*>(x)[t];\n"
     "  reinterpret_cast<uint2*>(y)[t] = make_uint2(__brev(w.y) & ?sw_mask(), __brev(w.x));",
     "y[t] = 0; for (int b = 32; b < 64; b++) y[t] |= (x[t] >> (63 - b) & 1) << b; for (int b = 0; b < 8; b++) y[t] |= (x[t] >> (63 - b) & 1) << b;",
     "unsigned long long"},
    {"HowManyBitsAreBelow", "  y[t] = x[t] >> __popc(0x55555555u & ((1u << t) - 1)) & ?sw_mask();",
     "y[t] = x[t] >> (t + 1) / 2 & 0xff;"},
    {"BytesOfANeighbour",
     "  const unsigned a = x[t], b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 32));\n"
     "  y[t] = __byte_perm(a, b, ?sw_bytes(t % 2));",
     "const unsigned a = x[t / 2 * 2], b = x[t / 2 * 2 + 1]; y[t] = t % 2 == 0 ? (a & 0xffff) | b << 16 : a >> 16 | (b & 0xffff0000u);"},
    {"RoundsInTheOtherOrder",
     "  unsigned a = x[t];\n  for (int k = 4; k >= 0; k--) {\n    const int s = 1 << k;\n    const unsigned m = ?sw_mask(k);\n"
     "    const unsigned b = __shfl_xor_sync(0xffffffffu, a, s);\n"
     "    a = (t & s) == 0 ? (a & m) | (b << s & ~m) : (b >> s & m) | (a & ~m);\n  }\n  y[t] = a;",
     "unsigned r = 0; for (int j = 0; j < 32; j++) r |= (x[j] >> t & 1) << j; y[t] = r;"},
    {"EightByEightInBytes",
     "  unsigned a = x[t];\n#pragma unroll\n  for (int k = 0; k < 3; k++) {\n    const int s = ?sw_const(1, 8, k);\n"
     "    const unsigned m = ?sw_mask(k);\n    const unsigned b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 8, k));\n"
     "    a = (t & s) == 0 ? (a & m) | (b << s & ~m) : (b >> s & m) | (a & ~m);\n  }\n  y[t] = a;",
     "unsigned r = 0; for (int j = 0; j < 8; j++) r |= (x[t / 8 * 8 + j] >> t % 8 & 1) << j; y[t] = r;",
     "unsigned char"},
    {"AHundredAndTwentyEightBitsMoved",
     "  const uint4 v = x[t];\n  const int s = ?sw_const(0, 32);\n"
     "  y[t] = make_uint4(v.x << s, __funnelshift_l(v.x, v.y, s), __funnelshift_l(v.y, v.z, s), __funnelshift_l(v.z, v.w, s));",
     "const unsigned w[4] = {x[t].x, x[t].y, x[t].z, x[t].w}; unsigned r[4] = {0, 0, 0, 0}; "
     "for (int b = 0; b + 13 < 128; b++) r[(b + 13) / 32] |= (w[b / 32] >> b % 32 & 1) << (b + 13) % 32; "
     "y[t] = make_uint4(r[0], r[1], r[2], r[3]);",
     "uint4"},
};

INSTANTIATE_TEST_SUITE_P(Of, BitIdioms, ::testing::ValuesIn(kIdioms), [](const auto& i) { return i.param.name; });

// Seven bits of a byte have masks: no sum has the eighth.
TEST(BitIdioms, ASumThatCannotBeIsInfeasible) {
  Idiom crc = kIdioms[4];
  crc.body =
      "  const unsigned c = x[t];\n  unsigned r = 0;\n#pragma unroll\n  for (int b = 0; b < 7; b++) "
      "if (c >> b & 1) r ^= ?sw_mask(b);\n  y[t] = r;";
  const ToolResult r = run_sketch(sketch_of(crc));
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("of y[0] needs"), std::string::npos) << r.output;
}

// A parity of 32 bits takes five folds: with four, no bit is of more than 16.
TEST(BitIdioms, FoldsThatAreTooFewAreInfeasibleAtOnce) {
  const auto run = [](int folds) {
    return run_sketch(
        {"",
         fmt::format("#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle "
                     "bits(x, y)\n__global__ void f(const unsigned* x, unsigned* y, int n) {{\n"
                     "  const int t = threadIdx.x;\n  unsigned w = x[t];\n#pragma unroll\n"
                     "  for (int k = 0; k < {}; k++) w ^= w >> ?sw_const(1, 32, k);\n  y[t] = w & 1;\n}}\n",
                     folds),
         "void f(const unsigned* x, unsigned* y, int n) {\n  for (int t = 0; t < n; t++) { unsigned w = 0; for (int b = "
         "0; b < 32; b++) w ^= x[t] >> b & 1; y[t] = w; }\n}\n",
         false, "--time-limit 10 --no-suggestions"});
  };
  EXPECT_EQ(run(5).exit_code, 0);
  const ToolResult few = run(4);
  EXPECT_EQ(few.exit_code, 10) << few.output;
  EXPECT_NE(few.output.find("bit 0 of y[0] needs 32 bits of the input, and no more than 16 can come together"),
            std::string::npos)
      << few.output;
}

// Products behind masks, joined by OR: the bits of a mask are settled each by itself.
TEST(BitIdioms, MasksOfProductsThatOthersJoinAreFound) {
  const std::string head =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n"
      "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  const int t = threadIdx.x;\n"
      "  const unsigned u = x[t], w = x[t ^ 1], d = x[t ^ 2];\n  y[t] = ";
  const std::string spec =
      "void f(const unsigned* x, unsigned* y, int n) { for (int t = 0; t < n; t++) { const unsigned u = x[t], w = x[t ^ 1], d = x[t ^ "
      "2]; y[t] = ";
  const auto run = [&](const std::string& sketch, const std::string& expected) {
    return run_sketch({"", head + sketch + ";\n}\n", spec + expected + "; } }\n"});
  };
  const ToolResult found = run("(u & w & ?sw_mask()) | (d & w) | (u & d)", "(u & w & 0xff0ff0f0) | (d & w) | (u & d)");
  ASSERT_EQ(found.exit_code, 0) << found.output;
  EXPECT_EQ(found.report["optimality"], "proved");
  EXPECT_NE(found.kernel.find("0xff0ff0f0u"), std::string::npos) << found.kernel;
  const ToolResult none = run("(u & w & ?sw_mask()) | (d & w) | (u & d)", "u ^ w");
  EXPECT_EQ(none.exit_code, 10) << none.output;
}

}  // namespace
}  // namespace swizzle::test::bits_idioms_test
