// Atomics, and elements that data choose among those of arrays that are written: histograms, and their like.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::atomics_test {
namespace {

// A kernel of 2 blocks of 64 threads, t the thread in the block and i in the launch; both compute y of x.
struct Pair {
  const char* name;
  std::string kernel, spec;
  const char* parameters = "const int* x, int* y";
  bool runs = false;
};

ToolResult verified(const Pair& pair, const char* flags = "--run=none") {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write(
      "kernel.cu",
      fmt::format("#pragma swizzle launch grid(2) block(64)\n#pragma swizzle extent x(512)\n__global__ void f({}) {{\n"
                  "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n{}\n}}\n",
                  pair.parameters, pair.kernel));
  const std::string spec =
      scratch.write("spec.cpp", fmt::format("void f({}) {{\n{}\n}}\n", pair.parameters, pair.spec));
  return run_tool(fmt::format("verify '{}' --spec '{}' {}", kernel, spec, flags));
}

// `updates` of an array h of so many words in shared memory, which are 0 before and go to y[words * block + …] behind.
std::string in_shared(const std::string& updates, int words, const char* type = "int") {
  return fmt::format(
      "  __shared__ {0} h[{1}];\n  if (t < {1}) h[t] = 0;\n  __syncthreads();\n  {2}\n  __syncthreads();\n"
      "  if (t < {1}) y[{1} * blockIdx.x + t] = h[t];",
      type, words, updates);
}

std::string of_blocks(const std::string& updates, int words) {
  return fmt::format("  for (int k = 0; k < {0}; k++) y[k] = 0;\n  for (int i = 0; i < 128; i++) {1};", 2 * words,
                     updates);
}

class Atomics : public testing::TestWithParam<Pair> {};

TEST_P(Atomics, ComputeWhatTheSpecSays) {
  const ToolResult r = verified(GetParam(), GetParam().runs ? "--run=cpu" : "--run=none");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  if (GetParam().runs) EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0) << r.output;
}

const Pair kPairs[] = {
    {"sum_of_a_block", in_shared("atomicAdd(&h[0], x[i]);", 1), of_blocks("y[i / 64] += x[i]", 1)},
    {"sum_of_all", "  atomicAdd(y, x[i]);", "  for (int i = 0; i < 128; i++) y[0] += x[i];"},
    {"sums_of_warps",
     "  float v = x[i];\n  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n"
     "  if (t % 32 == 0) atomicAdd(&y[t / 32], v);",
     "  for (int i = 0; i < 128; i++) y[i / 32 % 2] += x[i];", "const float* x, float* y"},
    {"taken_away", in_shared("atomicSub_block(&h[0], x[i]); atomicAdd(&h[0], 3);", 1),
     of_blocks("y[i / 64] += 3 - x[i]", 1)},
    {"greatest", in_shared("atomicMax(&h[t % 2], x[i]);", 2),
     of_blocks("y[i / 64 * 2 + i % 2] = max(y[i / 64 * 2 + i % 2], x[i])", 2)},
    {"least_of_some", in_shared("if (x[i] & 1) atomicMin(&h[0], x[i]);", 1),
     of_blocks("if (x[i] & 1) y[i / 64] = min(x[i], y[i / 64])", 1)},
    {"sets", in_shared("atomicOr(&h[t / 32], 1u << (x[i] & 31));", 2, "unsigned"),
     of_blocks("y[i / 32] |= 1u << (x[i] & 31)", 2), "const int* x, unsigned* y", kRuns},
    {"parities_of_some", "  if (x[i] > 0)\n    for (int j = 0; j < 3; j++) atomicXor(y + j, x[i] << j);",
     "  for (int i = 0; i < 128; i++)\n    if (x[i] > 0)\n      for (int j = 0; j < 3; j++) y[j] ^= x[i] << j;"},
    {"histogram", in_shared("atomicAdd(&h[x[i] & 3], 1);", 4), of_blocks("y[i / 64 * 4 + (x[i] & 3)]++", 4)},
    {"histogram_of_buffers", "  atomicAdd(&y[x[i] & 63], 1);", "  for (int i = 0; i < 128; i++) y[x[i] & 63]++;"},
    {"histogram_by_distances", "  if (x[i] > 3) atomicAdd(y + (x[i] & 7) * 2, x[i]);",
     "  for (int i = 0; i < 128; i++) if (x[i] > 3) y[x[i] % 8 * 2] += x[i];", "const unsigned* x, unsigned* y"},
    {"histogram_of_bytes", in_shared("atomicAdd(&h[x[i] / 8], 1);", 32), of_blocks("y[i / 64 * 32 + x[i] / 8]++", 32),
     "const unsigned char* x, int* y", kRuns},
    {"histogram_by_ballots",
     "  for (int b = 0; b < 4; b++) {\n    int c = __popc(__ballot_sync(~0u, (x[i] & 3) == b));\n"
     "    if (t % 32 == b) y[i / 32 * 4 + b] = c;\n  }",
     of_blocks("y[i / 32 * 4 + (x[i] & 3)]++", 8)},
    {"histogram_by_bits",
     "  const unsigned b0 = __ballot_sync(~0u, x[i] >> 0 & 1), b1 = __ballot_sync(~0u, x[i] >> 1 & 1);\n  const int lane = t % 32;\n"
     "  if (lane < 4) y[i / 32 * 4 + lane] = __popc((lane % 2 == 1 ? b0 : ~b0) & (lane >= 2 ? b1 : ~b1));",
     "  for (int w = 0; w < 4; w++) for (int b = 0; b < 4; b++) {\n    y[4 * w + b] = 0;\n"
     "    for (int j = 0; j < 32; j++) y[4 * w + b] += (x[32 * w + j] & 1) == (b & 1) && (x[32 * w + j] >> 1 & 1) == b >> 1;\n  }",
     "const unsigned char* x, int* y"},
    {"table_by_nibbles",
     "  const int levels[16] = {-8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9};\n"
     "  y[2 * i] = levels[x[i] & 15];\n  y[2 * i + 1] = levels[x[i] >> 4];",
     "  const int levels[16] = {-8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9};\n"
     "  for (int i = 0; i < 256; i++) y[i] = levels[x[i / 2] >> 4 * (i % 2) & 15];",
     "const unsigned char* x, int* y"},
    {"histogram_of_all", in_shared("atomicAdd(&h[x[i] & 7], 1);", 8) + "\n  if (t < 8) atomicAdd(&y[16 + t], h[t]);",
     of_blocks("y[i / 64 * 8 + (x[i] & 7)]++, y[16 + (x[i] & 7)]++", 8)},
    {"weighted", in_shared("atomicAdd(&h[at[i] & 7], x[i]);", 8, "float"),
     of_blocks("y[i / 64 * 8 + (at[i] & 7)] += x[i]", 8), "const float* x, const int* at, float* y", kRuns},
    {"greatest_of_each", in_shared("atomicMax(&h[at[i] & 7], x[i]);", 8),
     of_blocks("y[i / 64 * 8 + (at[i] & 7)] = max(y[i / 64 * 8 + (at[i] & 7)], x[i])", 8),
     "const int* x, const int* at, int* y"},
    {"own_counters",
     "  __shared__ int h[4][64];\n  for (int b = 0; b < 4; b++) h[b][t] = 0;\n  h[x[i] & 3][t]++;\n  h[x[i] >> 2 & 3][t] += 2;\n"
     "  __syncthreads();\n  if (t < 4) {\n    int s = 0;\n    for (int u = 0; u < 64; u++) s += h[t][u];\n"
     "    y[4 * blockIdx.x + t] = s;\n  }",
     of_blocks("y[i / 64 * 4 + (x[i] & 3)]++, y[i / 64 * 4 + (x[i] >> 2 & 3)] += 2", 4)},
    {"array_of_a_thread",
     "  int c[4] = {};\n  for (int k = 0; k < 4; k++) c[x[4 * i + k] & 3]++;\n  for (int b = 0; b < 4; b++) y[4 * i + b] = c[b];",
     "  for (int k = 0; k < 512; k++) y[k] = 0;\n  for (int k = 0; k < 512; k++) if ((x[k] & 3) == 0) y[k / 4 * 4]++; "
     "else if ((x[k] & 3) == 1) y[k / 4 * 4 + 1]++; else y[k / 4 * 4 + (x[k] & 3)]++;"},
    {"what_is_there_is_read", "  int c[4] = {5, 6, 7, 8};\n  c[x[i] & 3] = x[i];\n  y[i] = c[at[i] & 3];",
     "  for (int i = 0; i < 128; i++) { int c[4] = {5, 6, 7, 8}; c[3 & x[i]] = x[i]; y[i] = c[at[i] & 3]; }",
     "const int* x, const int* at, int* y"},
};

INSTANTIATE_TEST_SUITE_P(Pairs, Atomics, testing::ValuesIn(kPairs),
                         [](const auto& i) { return std::string(i.param.name); });

struct Wrong {
  const char* name;
  int exit_code;
  const char* said;
  Pair pair;
};

class WrongAtomics : public testing::TestWithParam<Wrong> {};

TEST_P(WrongAtomics, AreTold) {
  const ToolResult r = verified(GetParam().pair);
  EXPECT_EQ(r.exit_code, GetParam().exit_code) << r.output;
  EXPECT_NE(r.output.find(GetParam().said), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, WrongAtomics,
    testing::Values(
        Wrong{"NoBarrier",
              3,
              "kernel.cu:7:3: error: threads 0 and 1 use 'h[0]' without a barrier between them: a race",
              {"",
               "  __shared__ int h[1];\n  if (t == 0) h[0] = 0;\n  atomicAdd(h, x[i]);\n  __syncthreads();\n"
               "  if (t == 0) y[blockIdx.x] = h[0];",
               of_blocks("y[i / 64] += x[i]", 1)}},
        Wrong{"TwoKinds",
              3,
              "a race",
              {"", in_shared("if (t < 32) atomicMax(&h[0], x[i]); else atomicAdd(&h[0], 1);", 1),
               of_blocks("y[i / 64] += x[i]", 1)}},
        Wrong{"ReadBesides",
              3,
              "a race",
              {"", in_shared("atomicAdd(&h[0], x[i]); if (h[0] > 3) atomicAdd(&h[0], 1);", 1),
               of_blocks("y[i / 64] += x[i]", 1)}},
        Wrong{"ZeroedByABlock",
              3,
              "blocks 0 and 1 use 'y[0]', and one of them writes it: a race",
              {"", "  if (t == 0) y[0] = 0;\n  __syncthreads();\n  atomicAdd(y, x[i]);",
               "  y[0] = 0;\n  for (int i = 0; i < 128; i++) y[0] += x[i];"}},
        Wrong{"NotZeroed",
              3,
              "failed its verification",
              {"", "  atomicAdd(y, x[i]);", "  y[0] = 0;\n  for (int i = 0; i < 128; i++) y[0] += x[i];"}},
        Wrong{"NoAtomic",
              1,
              "a race, unless data rule that out",
              {"", in_shared("h[x[i] & 3]++;", 4), of_blocks("y[i / 64 * 4 + (x[i] & 3)]++", 4)}},
        Wrong{"NoAtomicOfBuffers",
              1,
              "a race, unless data rule that out",
              {"", "  y[x[i] & 3]++;", "  for (int i = 0; i < 128; i++) y[x[i] & 3]++;"}},
        Wrong{"AnotherBin",
              3,
              "failed its verification",
              {"", in_shared("atomicAdd(&h[x[i] & 3], 1);", 4), of_blocks("y[i / 64 * 4 + (x[i] >> 1 & 3)]++", 4)}},
        Wrong{"PastTheArray",
              3,
              "index x[0] & 7, from 0 to 7, is outside 'h' of 4 elements",
              {"", in_shared("atomicAdd(&h[x[i] & 7], 1);", 4), of_blocks("y[i / 64 * 4]++", 4)}},
        Wrong{"AnyIndex",
              1,
              "data decide this index, and what it may be is not known",
              {"", in_shared("atomicAdd(&h[x[i]], 1);", 4), of_blocks("y[i / 64 * 4]++", 4)}},
        Wrong{"TooManyCases",
              1,
              "it may be any of 32768; up to 1024 are gone through",
              {"", "  int c[32768]; c[x[i] & 32767] = 1; y[i] = c[0];", "  y[0] = 1;"}},
        Wrong{
            "Result",
            1,
            "kernel.cu:5:10: error: what atomicAdd() returns, which depends on the thread that comes first, is not supported",
            {"", "  y[i] = atomicAdd(&y[128], 1);", "  y[0] = 1;"}},
        Wrong{"OfFloats",
              1,
              "atomicMax() of 'float' is not supported",
              {"", "  atomicMax(&y[0], x[i]);", "  y[0] = 1;", "const float* x, float* y"}},
        Wrong{"OfAThread",
              1,
              "an atomic on what a thread has for itself is not supported",
              {"", "  int s = 0;\n  atomicAdd(&s, x[i]);\n  y[i] = s;", "  y[0] = 1;"}}),
    [](const auto& i) { return std::string(i.param.name); });

// Which lane adds to which sum.
TEST(AtomicsAtHoles, AreFound) {
  for (
      const char* where :
      {"__shared__ int h[8];\n  if (t < 8) h[t] = 0;\n  __syncthreads();\n  atomicAdd(&h[?sw_xform(t, 32) % 8], x[t]);\n"
       "  __syncthreads();\n  if (t < 8) y[t] = h[t];",
       "if (t < 8) y[t] = 0;\n  __syncthreads();\n  atomicAdd(&y[?sw_xform(t, 32) % 8], x[t]);"})
    expect_verified({"", where,
                     "void f(const int* x, int* y, int n) {\n  for (int b = 0; b < 8; b++) y[b] = 0;\n"
                     "  for (int i = 0; i < n; i++) y[(i + 5) % 8] += x[i];\n}\n",
                     kRuns});
}

TEST(AtomicsAtHoles, AreInfeasibleWhereNoneServes) {
  const ToolResult r =
      run_sketch({"", "atomicAdd(&y[?sw_xform(t, 32) % 8], x[t]);",
                  "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i * i % 8] += x[i]; }\n"});
  EXPECT_EQ(r.report["outcome"], "infeasible") << r.output;
}

}  // namespace
}  // namespace swizzle::test::atomics_test
