#include "synth/proof/all_sizes_proof.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::all_sizes_proof_test {
namespace {

struct Pair {
  std::string launch, kernel, spec;  // bodies over t, i, n; of the spec within its loop over i

  std::string kernel_text() const {
    return fmt::format(
        "#pragma swizzle launch {}\n__global__ void f(const int* x, int* y, int n) {{\n"
        "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  {}\n}}\n",
        launch, kernel);
  }
  std::string spec_text() const {
    return fmt::format("void f(const int* x, int* y, int n) {{\n  for (int i = 0; i < n; i++) {{ {} }}\n}}\n", spec);
  }
};

constexpr const char* kWhole = "grid(n / 32) block(32)";
constexpr const char* kRagged = "grid((n + 31) / 32) block(32)";

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel = parse_kernel(SourceText("k.cu", pair.kernel_text()), "f");
  const auto spec = parse_spec(SourceText("s.cpp", pair.spec_text()), "f");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel_text();
  return prove_all_sizes(*kernel, *spec, {{{"n", 64}}}, {});
}

TEST(AllSizesProof, HoldsForEveryBlock) {
  const AllSizesProof proof = proof_of({kWhole, "y[i] = x[i] + x[i + 2];", "y[i] = x[i] + x[i + 2];"});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_EQ(proof.holds_for(), "n % 32 == 0, 32 <= n <= 2147483616");
  EXPECT_EQ(proof.regions, 1);
}

TEST(AllSizesProof, FollowsGuardsOfARaggedBlockAtOnce) {
  const char *const kSum = "y[i] = x[i] + (i + 1 < n ? x[i + 1] : 0);", *const kCopy = "y[i] = x[i];";
  for (
      const auto& [kernel, spec] : std::vector<std::pair<std::string, const char*>>{
          {"if (i < n) y[i] = x[i];", kCopy},
          {"if (i >= n) return; y[i] = x[i];", kCopy},
          {"int v = 0; if (i < n) v = x[i]; if (i < n) y[i] = v;", kCopy},
          {"int v; for (int k = 0; k < 2; k++) { if (i >= n) continue; v = x[i]; y[i] = v; }", kCopy},
          {"for (int k = 0; k < 2; k++) { if (i >= n) break; y[i] = x[i]; }", kCopy},
          {"int v = i < n ? x[i] : 0; v = __shfl_sync(~0u, v, t ^ 1); v = __shfl_sync(~0u, v, t ^ 1); if (i < n) y[i] = v;",
           kCopy},
          {"if (i >= n) return; y[i] = __shfl_sync(~0u, x[i], t);", kCopy},
          {"__shared__ int s[32]; if (i < n) s[t] = x[i]; __syncthreads(); if (i < n) y[i] = s[t];", kCopy},
          {"__shared__ int s[33]; s[t] = i < n ? x[i] : 0; if (t == 0) s[32] = i + 32 < n ? x[i + 32] : 0; "
           "__syncthreads(); if (i < n) y[i] = s[t] + s[t + 1];",
           kSum},
          {"__shared__ int s[33]; if (i < n) s[t] = x[i]; if (i + 1 == n) s[t + 1] = 0; if (t == 31 && i + 1 < n) s[32] = "
           "x[i + 1]; __syncthreads(); if (i < n) y[i] = s[t] + s[t + 1];",
           kSum},
          {"const bool in = i < n, has_next = in && i + 1 < n; int v = 0; if (has_next) v = x[i + 1]; if (in) y[i] = "
           "x[i] + v;",
           kSum}}) {
    const AllSizesProof proof = proof_of({kRagged, kernel, spec});
    EXPECT_TRUE(proof.is_proved) << kernel << ": " << proof.reason;
    EXPECT_EQ(proof.holds_for().find("1 <= n <= 21474836"), 0u) << kernel << proof.holds_for();
    EXPECT_LE(proof.regions, 8) << kernel;
  }
}

TEST(AllSizesProof, FollowsBlocksAtAllEdgesAtOnce) {
  const char* const kSum =
      "int v = 0; for (int k = -2; k < 3; k++) v += i + k >= 0 && i + k < n ? x[i + k] : 0; y[i] = v;";
  const AllSizesProof proof =
      proof_of({kRagged,
                "int own = i < n ? x[i] : 0, rim = 0;\n"
                "  if (t < 2 ? i + 32 < n : t > 29 && i >= 32) rim = x[t < 2 ? i + 32 : i - 32];\n  int v = own;\n"
                "  for (int k = 1; k < 3; k++) v += __shfl_sync(~0u, t < k ? rim : own, (t + k) % 32) +\n"
                "                                   __shfl_sync(~0u, t > 31 - k ? rim : own, (t + 32 - k) % 32);\n"
                "  if (i < n) y[i] = v;",
                kSum});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_EQ(proof.regions, 1);
}

TEST(AllSizesProof, FollowsGuardsOfWiderAccesses) {
  const AllSizesProof proof = proof_of(
      {"grid((n + 127) / 128) block(32)",
       "const int j = 4 * i; if (j + 3 < n) *reinterpret_cast<int4*>(&y[j]) = *reinterpret_cast<const int4*>(&x[j]); "
       "else for (int k = j; k < j + 4; k++) if (k < n) y[k] = x[k];",
       "y[i] = x[i];"});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_LE(proof.regions, 8);
}

TEST(AllSizesProof, KnowsThatAnIterationIsBelowTheLoopsEnd) {
  const char* const kSpec =
      "int v = 0; for (int k = -1; k < 2; k++) v += i + k >= 0 && i + k < n ? x[i + k] : 0; y[i] = v;";
  const AllSizesProof proof = proof_of(  // reads x up to n - 1, as the spec does where k is 0
      {kRagged,
       "const int far = i + 20 < n ? x[i + 20] : 0; int v = far - far; if (i < n) { " + std::string(kSpec) + " }",
       kSpec});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_FALSE(
      proof_of({kRagged, "const int far = i < n ? x[i + 1] : 0; int v = far - far; if (i < n) y[i] = v;", "y[i] = 0;"})
          .is_proved);
}

TEST(AllSizesProof, HalvesWhatGuardsDecideAndNobodyFollows) {
  const AllSizesProof proof = proof_of(
      {kRagged, "int v = i < n ? x[i] : 0; v = __shfl_sync(~0u, v, min(t, n - 1 - i + t)); if (i < n) y[i] = v;",
       "y[i] = x[i];"});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_GT(proof.regions, 32);
}

// Each is wrong in a ragged block alone.
TEST(AllSizesProof, DoesNotHoldWhereAGuardIsWrong) {
  for (
      const char* kernel :
      {"y[i] = x[i];", "if (i <= n) y[i] = x[i];", "if (i + 1 < n) y[i] = x[i];", "int v = x[i]; if (i < n) y[i] = v;",
       "if (i >= n - 1) return; y[i] = x[i];", "int v; if (i + 1 < n) v = x[i]; if (i < n) y[i] = v;",
       "int v = 0; if (i + 1 < n) v = x[i]; if (i < n) y[i] = v;", "if (i < n && i / 32 * 32 + 31 < n) y[i] = x[i];",
       "int v = 0; for (int k = 0; k < 2; k++) { if (i + k >= n) continue; v = x[i + k] - v; } if (i < n) y[i] = v;",
       "int v = 0; for (int k = 0; k < 2; k++) { if (i + k >= n) break; v = k ? v : x[i]; } if (i < n - 1) y[i] = v;",
       "if (i < n) { int v = __shfl_sync(~0u, x[i], t ^ 1); y[i] = __shfl_sync(~0u, v, t ^ 1); }",
       "if (i >= n) return; int v = __shfl_sync(~0u, x[i], t ^ 1); y[i] = __shfl_sync(~0u, v, t ^ 1);",
       "__shared__ int s[32]; if (i < n) { s[t ^ 1] = x[i]; __syncthreads(); y[i] = s[t ^ 1]; }",
       "__shared__ int s[32]; if (i < n) s[t] = x[i]; if (i + 2 == n) s[t + 1] = x[i + 1]; __syncthreads(); if (i < n) "
       "y[i] = s[t];",
       "__shared__ int s[32]; if (i < n) s[t ^ 1] = x[i]; __syncthreads(); if (i < n) y[i] = s[t];",
       "__shared__ int s[32]; if (i < n) s[t ^ 1] = x[i]; if (t < n) __syncwarp(); if (i < n) y[i] = s[t ^ 1];"})
    EXPECT_FALSE(proof_of({kRagged, kernel, "y[i] = x[i];"}).is_proved) << kernel;
}

TEST(AllSizesProof, EndsAtTheLeastSizeOfACaseThatFails) {
  const AllSizesProof proof = proof_of({kWhole, "if (i < 3200) y[i] = x[i];", "y[i] = x[i];"});
  EXPECT_FALSE(proof.is_proved);
  ASSERT_TRUE(proof.suspect);
  EXPECT_GT(proof.suspect->at("n"), 3200);
}

TEST(AllSizesProof, DoesNotHoldWhereIterationsStoreToOneElement) {
  EXPECT_FALSE(proof_of({kWhole, "y[i / 2] = x[i / 2];", "y[i / 2] = x[i / 2];"}).is_proved);
  EXPECT_FALSE(proof_of({kWhole, "y[i] = x[i];", "y[i] = x[i]; y[i + 1] = x[i];"}).is_proved);
}

TEST(AllSizesProof, DoesNotHoldWhereAnIterationDependsOnAnother) {
  EXPECT_FALSE(proof_of({kWhole, "y[i] = x[0];", "y[i] = i == 0 ? x[0] : y[i - 1];"}).is_proved);
}

TEST(AllSizesProof, DoesNotHoldBehindTheEndOfABuffer) {
  EXPECT_FALSE(proof_of({kWhole, "int v = x[i + 1]; y[i] = x[i] + v - v;", "y[i] = x[i];"}).is_proved);
  EXPECT_FALSE(proof_of({kWhole, "int v = x[i - 1]; y[i] = x[i] + v - v;", "y[i] = x[i];"}).is_proved);
}

constexpr const char* kBits = "grid(n / 32) block(32)\n#pragma swizzle bits(x, y)";
constexpr const char* kHalvesSwapped = "y[i] = (x[i] << 16) | ((x[i] >> 16) & 0xffff);";

TEST(AllSizesProof, FollowsBits) {
  const AllSizesProof moved = proof_of({kBits, "y[i] = __byte_perm(x[i], 0, 0x1032);", kHalvesSwapped});
  EXPECT_TRUE(moved.is_proved) << moved.reason;
  const AllSizesProof heard = proof_of(
      {kBits, "for (int k = 0; k < 32; k++) { unsigned v = __ballot_sync(~0u, x[i] >> k & 1); if (t == k) y[i] = v; }",
       "int v = 0; for (int j = 0; j < 32; j++) v |= (x[i / 32 * 32 + j] >> i % 32 & 1) << j; y[i] = v;"});
  EXPECT_TRUE(heard.is_proved) << heard.reason;
}

TEST(AllSizesProof, HoldsWhereAnIterationReadsWhatItStoredItself) {
  const char* const kSum = "y[i] = x[i] + x[i + 1] + x[i + 2];";
  const AllSizesProof proof = proof_of({kWhole, kSum, "y[i] = 0; for (int k = 0; k < 3; k++) y[i] += x[i + k];"});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  for (const char* spec : {"y[i] = 0; for (int k = 0; k < n; k++) y[i] += x[i + k];",
                           "y[i] = x[i]; y[i] = y[n - 1 - i];", "y[i] = x[i]; if (i > 0) y[i] = y[i - 1];"})
    EXPECT_FALSE(proof_of({kWhole, kSum, spec}).is_proved) << spec;
}

// Of a kernel whose elements are shorts.
AllSizesProof proof_of_shorts(const std::string& body, const std::string& of_spec) {
  const std::string parameters = "(const unsigned short* x, unsigned short* y, int n) {\n";
  const auto kernel = parse_kernel(
      SourceText("k.cu", "#pragma swizzle launch grid(n / 256) block(32)\n__global__ void f" + parameters +
                             "  const int t = threadIdx.x, i = 8 * (blockIdx.x * 32 + t);\n  " + body + "\n}\n"),
      "f");
  const auto spec = parse_spec(
      SourceText("s.cpp", "void f" + parameters + "  for (int i = 0; i < n; i++) { " + of_spec + " }\n}\n"), "f");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << body;
  return prove_all_sizes(*kernel, *spec, {{{"n", 256}}}, {});
}

TEST(AllSizesProof, SeesElementsInWideAccesses) {
  for (const char* body : {"reinterpret_cast<uint4*>(y)[i / 8] = reinterpret_cast<const uint4*>(x)[i / 8];",
                           "*reinterpret_cast<uint2*>(y + i) = *reinterpret_cast<const uint2*>(x + i);\n"
                           "  const unsigned* from = reinterpret_cast<const unsigned*>(x + i) + 2;\n"
                           "  unsigned* to = reinterpret_cast<unsigned*>(y + i);\n  to[2] = from[0]; to[3] = from[1];",
                           "__shared__ __align__(16) unsigned short s[256];\n"
                           "  *reinterpret_cast<uint4*>(&s[8 * t]) = *reinterpret_cast<const uint4*>(&x[i]);\n"
                           "  __syncthreads();\n  for (int j = 0; j < 8; j++) y[i - 7 * t + 32 * j] = s[t + 32 * j];",
                           "const uint4* p = reinterpret_cast<const uint4*>(&x[i]);\n"
                           "  unsigned* q = reinterpret_cast<unsigned*>(&y[i]);\n"
                           "  q[0] = p->x; q[1] = p->y; q[2] = p->z; q[3] = p->w;"}) {
    const AllSizesProof proof = proof_of_shorts(body, "y[i] = x[i];");
    EXPECT_TRUE(proof.is_proved) << body << ": " << proof.reason;
  }
}

TEST(AllSizesProof, HoldsForNoWideAccessToOthersOrOutOfLine) {
  const char* const kCopy = "*reinterpret_cast<uint4*>(&y[i]) = *reinterpret_cast<const uint4*>(&x[i]);";
  EXPECT_FALSE(proof_of_shorts(kCopy, "y[i] = x[i ^ 1];").is_proved);
  EXPECT_FALSE(proof_of_shorts(kCopy, "y[i] = x[i + 1];").is_proved);
  EXPECT_FALSE(proof_of_shorts("*reinterpret_cast<uint4*>(&y[i]) = *reinterpret_cast<const uint4*>(&x[i + 4]);",
                               "y[i] = x[i + 4];")
                   .is_proved);
  EXPECT_FALSE(proof_of_shorts("for (int j = 0; j < 4; j++) reinterpret_cast<unsigned*>(&y[i])[j] = "
                               "*reinterpret_cast<const unsigned*>(&x[i + 2 * j + 1]);",
                               "y[i] = x[i + 1];")
                   .is_proved);
}

TEST(AllSizesProof, SelectsWhatDataDecide) {
  const char* const kMax = "int m = x[i]; for (int k = 1; k < 4; k++) if (x[i + k] > m) m = x[i + k]; y[i] = m;";
  const char* const kLast = "y[i] = max(max(x[i], x[i + 1]), max(x[i + 2], x[i + 3]));";
  const char* const kBoth =
      "int v[2] = {x[i], 7}; if (x[i] > 5) { v[1] = v[0]; v[0] = 3; } else v[0] = v[0] + 1; y[i] = v[0] + v[1];";
  const char* const kNested = "int v = 0; if (x[i] > 0) { if (x[i + 1] > 0) v = 1; else v = x[i]; } y[i] = v;";
  for (const auto& [kernel, spec] : std::vector<std::pair<const char*, const char*>>{
           {kMax, kMax},
           {kLast, kMax},
           {kBoth, kBoth},
           {kNested, kNested},
           {"y[i] = x[i] > 0 ? (x[i + 1] > 0 ? 1 : x[i]) : 0;", kNested}}) {
    const AllSizesProof proof = proof_of({kWhole, kernel, spec});
    EXPECT_TRUE(proof.is_proved) << kernel << ": " << proof.reason;
  }
}

TEST(AllSizesProof, DoesNotHoldWhereDataDecideMoreThanVariables) {
  const std::string write = "int v = 3; x[i] > 0 ? (v = 1) : (v = 2); y[i] = v;";
  for (const auto& [kernel, spec] : std::vector<std::pair<std::string, std::string>>{
           {write, "y[i] = 2;"},
           {write, "y[i] = x[i] > 0 ? 2 : 1;"},
           {"int v = 0; if (x[i] > 0) v = 1; y[i] = v;", "y[i] = 1;"},
           {"int v; if (x[i] > 0) v = 1; y[i] = v;", "y[i] = 1;"},
           {"int v = 0; if (x[i] > 0) v = 1; y[i] = v;", "y[i] = x[i] < 0 ? 1 : 0;"},
           {"y[i] = 0; if (x[i] > 0) y[i] = 1;", "y[i] = 1;"},
           {"int v = 0; for (int k = 0; k < 4; k++) { if (x[i + k] > 0) break; v = k; } y[i] = v;", "y[i] = 3;"},
           {"if (x[i] > 0) return; y[i] = 0;", "y[i] = 0;"},
           {"int v = 0; if (x[i] > 0) v = __shfl_sync(~0u, t, 5); y[i] = v;", "y[i] = x[i] > 0 ? 5 : 0;"},
           {"__shared__ int s[32]; s[t] = 0; if (x[i] > 0) s[t] = 1; y[i] = s[t];", "y[i] = 1;"}})
    EXPECT_FALSE(proof_of({kWhole, kernel, spec}).is_proved) << kernel;
}

TEST(AllSizesProof, FollowsFunctionsOfAnIndexInEachIteration) {
  const char* const kKernel =
      "int s = 0; for (int k = 0; k < 4; k++) s += __popc(k & t) & 1 ? -x[i + k] : x[i + k]; y[i] = s;";
  const char* const kSpec =
      "int s = 0; for (int k = 0; k < 4; k++) s += __builtin_popcount(k & i) & 1 ? -x[i + k] : x[i + k]; y[i] = s;";
  const AllSizesProof proof = proof_of({kWhole, kKernel, kSpec});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_FALSE(proof_of({kWhole, kKernel, "y[__builtin_popcount(i & 1)] = x[i];"}).is_proved);
}

TEST(AllSizesProof, RestsOnWhatIsAssumedToDivideASize) {
  const char* const kRagged4 = "grid((n + 127) / 128) block(32)";
  const char* const kCopy =
      "const int j = 4 * i; if (j < n) *reinterpret_cast<int4*>(&y[j]) = *reinterpret_cast<const int4*>(&x[j]);";
  const AllSizesProof assumed =
      proof_of({std::string(kRagged4) + "\n#pragma swizzle assume n % 4 == 0", kCopy, "y[i] = x[i];"});
  EXPECT_TRUE(assumed.is_proved) << assumed.reason;
  EXPECT_NE(assumed.holds_for().find("n % 4 == 0"), std::string::npos) << assumed.holds_for();
  EXPECT_FALSE(proof_of({kRagged4, kCopy, "y[i] = x[i];"}).is_proved);
  EXPECT_FALSE(
      proof_of({std::string(kRagged4) + "\n#pragma swizzle assume n % 2 == 0", kCopy, "y[i] = x[i];"}).is_proved);
}

TEST(AllSizesProof, KernelsReadBackTheElementThatTheyStored) {
  EXPECT_TRUE(proof_of({kWhole, "y[i] = x[i]; y[i] = y[i] + 1;", "y[i] = x[i] + 1;"}).is_proved);
  EXPECT_FALSE(proof_of({kWhole, "y[i] = x[i]; y[i] = y[i] + 2;", "y[i] = x[i] + 1;"}).is_proved);
  EXPECT_FALSE(proof_of({kWhole, "y[i] = x[i]; y[i] = y[i ^ 1] + 1;", "y[i] = x[i ^ 1] + 1;"}).is_proved);
}

TEST(AllSizesProof, FollowsNoBitsThatDifferOrThatSizesSet) {
  for (const char* kernel :
       {"y[i] = __byte_perm(x[i], 0, 0x1033);", "y[i] = __byte_perm(x[i], 0, 0x1032) | (n > 1000000);",
        "y[i] = __byte_perm(x[i], 0, 0x1032) & ~(i >> 20);",
        "y[i] = __byte_perm(x[i], 0, n < 1000000 ? 0x1032 : 0x3210);"})
    EXPECT_FALSE(proof_of({kBits, kernel, kHalvesSwapped}).is_proved) << kernel;
  const AllSizesProof some = proof_of(
      {kBits,
       "for (int k = 0; k < 32; k++) { unsigned v = __ballot_sync(~0u, x[i] >> k & 1 && n < 1000000); if (t == "
       "k) y[i] = v; }",
       "int v = 0; for (int j = 0; j < 32; j++) v |= (x[i / 32 * 32 + j] >> i % 32 & 1) << j; y[i] = v;"});
  EXPECT_FALSE(some.is_proved);
}

// How many of the pairs are proved; what is proved is right at every size that is tried, by another interpreter.
int proved_and_right(int trials, const std::function<Pair()>& pair_of, std::int64_t threads) {
  int proved = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Pair pair = pair_of();
    const auto kernel = parse_kernel(SourceText("k.cu", pair.kernel_text()), "f");
    const auto spec = parse_spec(SourceText("s.cpp", pair.spec_text()), "f");
    EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel_text();
    const std::vector<Sizes> known{{{"n", 64}}};
    if (!kernel.ok() || !prove_all_sizes(*kernel, *spec, known, {}).is_proved) continue;
    ++proved;
    const auto admissible = AdmissibleSizes::of(*kernel, known);
    for (const Sizes& sizes : further_sizes(*admissible, *kernel, known, threads))
      EXPECT_NE(test::is_equal_at(*kernel, *spec, sizes.at("n")), false)
          << pair.kernel_text() << pair.spec_text() << sizes_text(sizes);
  }
  return proved;
}

// Steps put together at random: guards around what is read, exchanged and stored.
TEST(AllSizesProof, HoldsOnlyWhereGuardedKernelsAreEqualToTheirSpecs) {
  const std::vector<std::string> guards{"i < n",  "i < n",   "i < n",           "i < n",
                                        "i < n",  "i < n",   "i <= n",          "i + 1 < n",
                                        "t < 20", "i != 40", "i < n && t < 30", "i >= n || t > 3"},
      starts{"int v = 5;",
             "int v = G ? x[i] : 5;",
             "int v = 5; if (G) v = x[i];",
             "int v; if (G) v = x[i];",
             "int v = 5; if (G) v = x[i]; else v = 7;",
             "int v = 5; for (int k = 0; k < 3; k++) { if (!(G)) continue; v = x[i]; }",
             "int v = 5; for (int k = 0; k < 3; k++) { if (!(G)) break; v = x[i]; }",
             "int v = 5; for (int k = i; k < n && k < i + 2; k++) v = x[k];",
             "int v = 0; for (int k = 0; k < 2; k++) v += G ? x[i + k] : 0;",
             "int v = i + 1 < n ? x[i] + x[i + 1] : i < n ? x[i] : 0;"},
      steps{"",
            "",
            "v = __shfl_sync(~0u, v, t);",
            "v = __shfl_sync(~0u, v, t ^ 1); v = __shfl_sync(~0u, v, t ^ 1);",
            "s[t] = v; __syncthreads(); v = s[t];",
            "s[t ^ 1] = v; __syncthreads(); v = s[t ^ 1];",
            "if (G) s[t] = v; __syncthreads(); if (G) v = s[t];",
            "s[t ^ 1] = v; __syncwarp(); if (G) v = s[t ^ 1];",
            "if (!(G)) return;",
            "if (G) v = v; else v = 5;"},
      ends{"if (G) y[i] = v;", "if (G) y[i] = v;", "y[i] = v;", "if (!(G)) return; y[i] = v;",
           "if (G) y[i] = v; else if (G) y[i] = v;"},
      specs{"y[i] = x[i];", "y[i] = x[i];", "y[i] = x[i] + (i + 1 < n ? x[i + 1] : 0);",
            "y[i] = i + 1 < n ? x[i] : 5;"};
  std::mt19937 random(11);
  const auto one_of = [&](const std::vector<std::string>& all) { return all[random() % all.size()]; };
  const auto guarded = [&](std::string text) {
    for (std::size_t at = text.find('G'); at != std::string::npos; at = text.find('G', at))
      text.replace(at, 1, one_of(guards));
    return text;
  };
  const auto pair_of = [&] {
    return Pair{random() % 8 == 0 ? kWhole : kRagged,
                "__shared__ int s[32]; " + guarded(one_of(starts)) + guarded(one_of(steps)) + guarded(one_of(ends)),
                one_of(specs)};
  };
  EXPECT_GT(proved_and_right(150, pair_of, 1000), 10);
}

TEST(AllSizesProof, HoldsOnlyWhereKernelAndSpecAreEqual) {
  const std::vector<std::string> guards{"",
                                        "if (i < n) ",
                                        "if (i <= n) ",
                                        "if (i < n && t < 31) ",
                                        "if (i != 70) ",
                                        "if (i < 100) ",
                                        "if (n % 3 < 3) ",
                                        "if (i / 32 < n / 32) ",
                                        "if (n > i + 1 || t < 40) ",
                                        "if (blockIdx.x < gridDim.x) "},
      addresses{"i", "i", "i ^ 1", "i / 32 * 32 + 31 - t", "i + 0 * n", "(i & ~31) | t", "t", "i * 2 / 2"},
      sources{"x[i]",
              "x[i ^ 1]",
              "x[i / 4 * 4]",
              "x[i % n]",
              "x[(i & 31) + i / 32 * 32]",
              "x[i - t + 31 - t]",
              "i % 3 * x[i]",
              "x[min(i, 200)]",
              "(i > 0 ? x[i - 1] : x[i])"},
      specs{"y[i] = x[i];",
            "y[i] = x[i ^ 1];",
            "y[i] = x[i / 4 * 4];",
            "y[i ^ 1] = x[i];",
            "y[i] = i % 3 * x[i];",
            "y[i] = x[i / 32 * 32 + 31 - i % 32];",
            "y[i] = i > 0 ? x[i - 1] : x[i];"};
  std::mt19937 random(7);
  const auto one_of = [&](const std::vector<std::string>& all) { return all[random() % all.size()]; };
  const auto pair_of = [&] {
    return Pair{one_of({kWhole, kRagged, "grid(n / 64) block(64)", "grid((n + 63) / 64) block(64)"}),
                one_of(guards) + "y[" + one_of(addresses) + "] = " + one_of(sources) + ";", one_of(specs)};
  };
  EXPECT_GT(proved_and_right(300, pair_of, 3000), 3);
}

}  // namespace
}  // namespace swizzle::all_sizes_proof_test
