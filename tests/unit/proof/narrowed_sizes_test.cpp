// Sizes that are fewer than all: what a block may have, what is assumed; and buffers that end where the last block
// reads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::narrowed_sizes_test {
namespace {

struct Case {
  std::string directives;
  std::string kernel, spec;  // bodies over i, n; the kernel's over t as well, the spec's within its loop over i
  std::string end = "n";     // of that loop
  Sizes known = {{"n", 64}};

  Program parsed_kernel() const {
    const auto parsed = parse_kernel(
        SourceText("k.cu", fmt::format("#pragma swizzle {}\n__global__ void f(const int* x, int* y, int n) {{\n"
                                       "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  {}\n}}\n",
                                       directives, kernel)),
        "f");
    EXPECT_TRUE(parsed.ok()) << kernel;
    return *parsed;
  }
  Program parsed_spec() const {
    const auto parsed = parse_spec(
        SourceText("s.cpp",
                   fmt::format("void f(const int* x, int* y, int n) {{\n  for (int i = 0; i < {}; i++) {{ {} }}\n}}\n",
                               end, spec)),
        "f");
    EXPECT_TRUE(parsed.ok()) << spec;
    return *parsed;
  }
  AllSizesProof proof() const { return prove_all_sizes(parsed_kernel(), parsed_spec(), {known}, {}); }
};

const std::string kOneBlock = "launch grid(1) block(n / 4)";

TEST(NarrowedSizes, AreThoseOfOneBlockWhoseThreadsASizeCounts) {
  const AllSizesProof whole =
      Case{kOneBlock, "y[t] = x[4 * t] + (int)blockDim.x;", "y[i] = x[4 * i] + n / 4;", "n / 4"}.proof();
  EXPECT_TRUE(whole.is_proved) << whole.reason;
  EXPECT_EQ(whole.holds_for(), "n % 4 == 0, 4 <= n <= 4096");
  const AllSizesProof ragged = Case{"launch grid(1) block((n + 3) / 4)",
                                    "for (int j = 4 * t; j < 4 * t + 4; j++) if (j < n) y[j] = x[j];", "y[i] = x[i];"}
                                   .proof();
  EXPECT_TRUE(ragged.is_proved) << ragged.reason;
  EXPECT_EQ(ragged.holds_for(), "1 <= n <= 4096");
}

TEST(NarrowedSizes, AreNotProvedWhereThreadsShareOrOneIsWrong) {
  for (const char* kernel : {"y[t] = x[4 * t] + (t == 900);", "y[t] = x[4 * t + (n > 4000)];",
                             "if (t < 1000) y[t] = x[4 * t];", "y[t] = __shfl_sync(~0u, x[4 * t], t % 32);",
                             "__shared__ int s[1024]; s[t] = x[4 * t]; __syncthreads(); y[t] = s[t];",
                             "__syncthreads(); y[t] = x[4 * t];", "y[t] = x[4 * t]; if (t > 500) y[t - 1] = x[0];"})
    EXPECT_FALSE((Case{kOneBlock, kernel, "y[i] = x[4 * i];", "n / 4"}.proof().is_proved)) << kernel;
}

constexpr const char* kMirrored =
    "int v = 0; for (int k = -2; k < 3; k++) { const int at = i + k; "
    "v += x[at < 0 ? -at : at < n ? at : 2 * n - 2 - at]; } y[i] = v;";

TEST(NarrowedSizes, AreThoseThatAreAssumed) {
  const std::string ragged = "launch grid((n + 31) / 32) block(32)\n#pragma swizzle assume ";
  const std::string guarded = "if (i < n) { " + std::string(kMirrored) + " }";
  for (const char* enough : {"n >= 3", "n > 2", "3 <= n", "2 < n", "n > 40"}) {
    const AllSizesProof proof = Case{ragged + enough, guarded, kMirrored}.proof();
    EXPECT_TRUE(proof.is_proved) << enough << ": " << proof.reason;
    EXPECT_NE(proof.holds_for().find(enough), std::string::npos) << proof.holds_for();
  }
  const std::string below = "if (i < n && i < 70) y[i] = x[i];";
  EXPECT_TRUE((Case{ragged + "n <= 70", below + " if (i >= 70 && i < n) y[i] = 0;", "y[i] = x[i];"}.proof().is_proved));
  EXPECT_FALSE(
      (Case{ragged + "n <= 71", below + " if (i >= 70 && i < n) y[i] = 0;", "y[i] = x[i];"}.proof().is_proved));
}

// x ends where the spec reads in the last block, whatever address that is.
TEST(NarrowedSizes, EndWhereTheLastBlockReads) {
  const std::string whole = "launch grid(n / 32) block(32)";
  const std::string spec = "y[i] = x[i / 32 * 32 + 31 - i % 32 + 2];";
  const std::string reversed = "const int j = i - t + 31 - t + 2; ";
  EXPECT_TRUE(
      (Case{whole, reversed + "int v = i + 32 < n + 2 ? x[i + 32] : 0; y[i] = x[j] + v - v;", spec}.proof().is_proved));
  EXPECT_FALSE(
      (Case{whole, reversed + "int v = i + 32 < n + 3 ? x[i + 32] : 0; y[i] = x[j] + v - v;", spec}.proof().is_proved));
  // The last of these is the last block that reads behind its elements, or the last but one: n alone does not say.
  EXPECT_FALSE((Case{whole, reversed + "int v = i + 32 < n + 2 ? x[i + 32] : 0; y[i] = x[j] + v - v;",
                     "y[i] = x[i / 32 * 32 + 31 - i % 32 + (i / 32 == 0 ? 2 : 0)];"}
                    .proof()
                    .is_proved));
}

}  // namespace
}  // namespace swizzle::narrowed_sizes_test
