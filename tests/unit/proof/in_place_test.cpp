// Buffers that are read and stored to.
#include <gtest/gtest.h>

#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"
#include "tests/unit/proof/flat_pair.h"

namespace swizzle::in_place_test {
namespace {

struct Pair {
  std::string kernel, spec;  // bodies over x, y, n; the kernel's over t and i as well
  std::string launch = "grid((n + 31) / 32) block(32)";
};

Result<Program> kernel_of(const Pair& pair) { return test::flat_kernel(pair.launch, pair.kernel); }
Result<Program> spec_of(const Pair& pair) { return test::flat_spec(pair.spec); }

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel;
  return prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 77}}}, Deadline(10));
}

const std::string kAdd = "for (int i = 0; i < n; i++) y[i] = x[i] + y[i];";

TEST(InPlace, IsProvedWhereEachReadsWhatItStores) {
  for (
      const Pair& pair : std::vector<Pair>{
          {"if (i < n) y[i] = x[i] + y[i];", kAdd},
          {"if (i < n) y[i] += x[i];", kAdd},
          {"if (i < n) y[i] += x[i];", "for (int i = 0; i < n; i++) y[i] += x[i];"},
          {"int v = i < n ? y[i] : 0; v = __shfl_xor_sync(~0u, v, 1); __syncthreads(); v = __shfl_xor_sync(~0u, v, 1); if (i < n) y[i] = x[i] + v;",
           kAdd},
          {"for (int k = i; k < n; k += gridDim.x * blockDim.x) y[k] += x[k];", kAdd, "grid(4) block(64)"},
          {"int v[2]; for (int e = 0; e < 2; e++) if (2 * i + e < n) v[e] = y[2 * i + e]; for (int e = 0; e < 2; e++) if (2 * i + e "
           "< n) y[2 * i + e] = x[2 * i + e] + v[e];",
           kAdd, "grid((n + 63) / 64) block(32)"}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << pair.spec << ": " << proof.reason;
    for (std::int64_t n : {1, 33, 64})
      EXPECT_EQ(test::is_equal_at(*kernel_of(pair), *spec_of(pair), n), true) << pair.kernel << n;
  }
}

TEST(InPlace, IsNotProvedElsewhere) {
  const std::string next = "for (int i = 0; i < n; i++) y[i] = x[i] + y[i + 1];";
  for (const Pair& pair : std::vector<Pair>{
           {"if (i < n) y[i] = x[i] + y[i + 1];", next},
           {"const int v = i < n ? y[i + 1] : 0; __syncthreads(); if (i < n) y[i] = x[i] + v;", next},
           {"if (i < n) y[i] = x[i] + y[i];", "for (int i = 0; i < n; i++) y[i] = x[i] + (i > 0 ? y[i - 1] : y[i]);"},
           {"if (i < n) { y[i] = 0; y[i] = x[i] + y[i]; }", kAdd},
           {"if (i < n) { y[i] += x[i]; y[i] += 1; }", kAdd},
           {"if (i < n) { y[i] += x[i]; y[i] += x[i]; }", kAdd},
           {"if ((i ^ 1) < n) y[i ^ 1] = x[i ^ 1] + y[i ^ 1]; if (i < n) y[i] = x[i] + y[i];", kAdd},
           {"if (i < n) y[i] = x[i] + y[i] + (i > 0 ? y[i - 1] : 0) - (i > 0 ? y[i - 1] : 0);", kAdd},
           {"const int v = (i ^ 1) < n ? y[i ^ 1] : 0; if (i < n) y[i] = x[i] + __shfl_xor_sync(~0u, v, 1);", kAdd},
           {"if (i < n) y[i] = x[i];",
            "for (int i = 0; i < n; i++) y[i] = 7; for (int i = n - 1; i >= 0; i--) y[i] = x[i] + y[i] - 7;"},
           {"if (i < n) y[i] = y[n - 1 - i];", "for (int i = 0; i < n; i++) y[i] = y[n - 1 - i];"},
           {"if (t == 0) y[0] = x[0]; if (t == 1) y[n - 1] = x[1];", "y[0] = x[0]; y[n - 1] = x[1];",
            "grid(1) block(32)"}})
    EXPECT_FALSE(proof_of(pair).is_proved) << pair.kernel << pair.spec;
}

// What is before it in order was stored already, and what is behind it was not.
const std::string kScan =
    "int v = i < n ? x[i] : 0; for (int d = 1; d < 32; d *= 2) { const int w = __shfl_up_sync(~0u, v, d); if (t % 32 >= d) v += w; } "
    "if (i < n) y[i] = v;";
const std::string kShift =
    "const int v = i % 32 != 31 && i + 1 < n ? y[i + 1] : 0; __syncthreads(); if (i < n) y[i] = v + x[i];";

TEST(InPlace, IterationsOfAShareAreMadeInOrder) {
  for (const Pair& pair : std::vector<Pair>{
           {kScan, "for (int i = 0; i < n; i++) y[i] = i % 32 == 0 ? x[i] : x[i] + y[i - 1];"},
           {kScan, "for (int i = 0; i < n; i++) { y[i] = x[i]; if (i % 32 != 0) y[i] += y[i - 1]; }",
            "grid((n + 63) / 64) block(64)"},
           {kShift, "for (int i = 0; i < n; i++) y[i] = (i % 32 != 31 && i + 1 < n ? y[i + 1] : 0) + x[i];"}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << pair.spec << ": " << proof.reason;
    for (std::int64_t n : {1, 31, 33, 64, 77})
      EXPECT_EQ(test::is_equal_at(*kernel_of(pair), *spec_of(pair), n), true) << pair.kernel << n;
  }
}

TEST(InPlace, IterationsOfOtherSharesAreNotInOrder) {
  for (const Pair& pair : std::vector<Pair>{
           {kScan, "for (int i = 0; i < n; i++) y[i] = i % 16 == 0 ? x[i] : x[i] + y[i - 1];"},
           {kScan, "for (int i = 0; i < n; i++) y[i] = i % 64 == 0 ? x[i] : x[i] + y[i - 1];"},
           {kScan, "for (int i = 0; i < n; i++) y[i] = i % 32 == 31 || i + 1 >= n ? x[i] : x[i] + y[i + 1];"},
           {kShift, "for (int i = 0; i < n; i++) y[i] = (i % 32 != 0 ? y[i - 1] : 0) + x[i];"},
           {kShift, "for (int i = 0; i < n; i++) y[i] = (i + 1 < n ? y[i + 1] : 0) + x[i];"},
           {"if (i < n) y[i] = x[i];", "for (int i = 0; i < n; i++) y[i] = i == 0 ? x[i] : y[i - 1] + x[i];"}})
    EXPECT_FALSE(proof_of(pair).is_proved) << pair.kernel << pair.spec;
}

}  // namespace
}  // namespace swizzle::in_place_test
